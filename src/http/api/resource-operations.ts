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

interface Operation<Result> {
  readonly operationId: string;
  /** POST if undefined. GET needs the right to read, everything else the right to write. */
  readonly method?: Method;
  /** What follows the path of the resource. */
  readonly path?: string;
  readonly summary: string;
  readonly message: string;
  /** Read for GET, write for everything else, if undefined. */
  readonly needs?: 'read';
  readonly powerful?: true | { readonly with: readonly string[] };
  readonly status?: 201;
  readonly takesImage?: true;
  /** The subject's if undefined. */
  readonly data?: TSchema;
  readonly json?: (result: Result, services: Services) => unknown;
}

interface Input<Query extends TProperties, Body extends TProperties> {
  readonly id: string;
  readonly query: Static<TObject<Query>>;
  readonly body: Static<TObject<Body>>;
  readonly bytes: Uint8Array;
}

/** Defines operations on one resource, or on all of them, and what they show afterwards. */
export function operationsOn<Result>(subject: Subject<Result>) {
  const [param = ''] = Object.keys(subject.params);
  return <
    Own extends object = Result & object,
    Query extends TProperties = Record<never, never>,
    Body extends TProperties = Record<never, never>,
  >(
    operation: Operation<Own> & {
      readonly query?: Query;
      readonly body?: TObject<Body>;
      run(services: Services, input: Input<Query, Body>, requester: Requester): Promise<AdminOutcome<Own>>;
    },
  ): ApiOperation => {
    const { path = '', method = 'POST', data = subject.data, run, ...rest } = operation;
    // Without a function of its own, its result is the subject's.
    const json = (operation.json ?? subject.json) as (result: Own, services: Services) => unknown;
    return defineOperation({
      needs: method === 'GET' ? 'read' : 'write',
      ...rest,
      method,
      path: `${subject.path}${path}`,
      tag: subject.tag,
      params: subject.params,
      data,
      run: async ({ services, params, requester, ...call }: Call<unknown, unknown, unknown, 'read' | 'write'>) => {
        const id = String((params as Readonly<Record<string, unknown>>)[param]);
        // Checked against the schemas that the types come from.
        const input = { id, query: call.query, body: call.body, bytes: call.bytes } as Input<Query, Body>;
        return respondWith(await run(services, input, requester), (result) => json(result, services));
      },
    });
  };
}

/** Defines operations that need nothing but the ID of a resource, and show it afterwards. */
export function actionsOn<Result>(subject: Subject<Result>) {
  const define = operationsOn(subject);
  return <Own extends object = Result & object>({
    run,
    ...action
  }: Operation<Own> & {
    run(services: Services, id: string, requester: Requester, bytes: Uint8Array): Promise<AdminOutcome<Own>>;
  }): ApiOperation =>
    define<Own>({ ...action, run: (services, { id, bytes }, requester) => run(services, id, requester, bytes) });
}
