// The operations that resources have in common: what differs between them is a line or two.

import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import { type ApiOperation, type Call, defineOperation, type Method, respondWith } from './define-operation.ts';

interface Subject<Result> {
  readonly tag: string;
  /** Of one resource, with its parameter; of all of them if there are no parameters. */
  readonly path: string;
  readonly params: TProperties;
  readonly data: TSchema;
  json(result: Result, services: Services): unknown;
}

interface Input<Query extends TProperties, Body extends TProperties> {
  readonly query: Static<TObject<Query>>;
  readonly body: Static<TObject<Body>>;
}

interface Action<Result, Query extends TProperties, Body extends TProperties> {
  readonly operationId: string;
  /** POST if undefined. With GET it needs the right to read, with all others the right to write. */
  readonly method?: Method;
  /** What follows the path of the resource. */
  readonly path?: string;
  readonly summary: string;
  readonly message: string;
  readonly powerful?: true | { readonly with: readonly string[] };
  readonly status?: 201;
  readonly takesImage?: true;
  readonly query?: Query;
  readonly body?: TObject<Body>;
  /** The subject's if undefined. */
  readonly data?: TSchema;
  readonly json?: (result: Result, services: Services) => unknown;
  run(
    services: Services,
    id: string,
    requester: Requester,
    bytes: Uint8Array,
    input: Input<Query, Body>,
  ): Promise<AdminOutcome<Result>>;
}

/** Defines operations on a resource that is named by its ID, or on all of them, and what they show afterwards. */
export function actionsOn<Result>(subject: Subject<Result>) {
  const [param = ''] = Object.keys(subject.params);
  return <
    Own extends object = Result & object,
    Query extends TProperties = Record<never, never>,
    Body extends TProperties = Record<never, never>,
  >(
    action: Action<Own, Query, Body>,
  ): ApiOperation => {
    const { path = '', method = 'POST', data = subject.data, json = subject.json, run, ...rest } = action;
    // Without `json`, an action's result is the subject's.
    const toJson = json as (result: Own, services: Services) => unknown;
    return defineOperation({
      ...rest,
      method,
      path: `${subject.path}${path}`,
      tag: subject.tag,
      needs: method === 'GET' ? 'read' : 'write',
      params: subject.params,
      data,
      run: async ({ services, params, requester, bytes, query, body }: Call<unknown, unknown, unknown, 'write'>) => {
        const id = String((params as Readonly<Record<string, unknown>>)[param]);
        // Checked against the schemas that the types come from.
        const input = { query, body } as Input<Query, Body>;
        return respondWith(await run(services, id, requester, bytes, input), (result) => toJson(result, services));
      },
    });
  };
}
