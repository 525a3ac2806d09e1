// The operations that resources have in common: what differs between them is a line or two.

import type { TProperties, TSchema } from 'typebox';
import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import { type ApiOperation, defineOperation, type Method, respondWith } from './define-operation.ts';

interface Subject<Result> {
  readonly tag: string;
  /** Of one resource, with its parameter. */
  readonly path: string;
  readonly params: TProperties;
  readonly data: TSchema;
  json(result: Result, services: Services): unknown;
}

interface Action<Result> {
  readonly operationId: string;
  /** POST if undefined. */
  readonly method?: Method;
  /** What follows the path of the resource. */
  readonly path?: string;
  readonly summary: string;
  readonly message: string;
  /** Write if undefined. */
  readonly needs?: 'read';
  readonly powerful?: true;
  readonly status?: 201;
  readonly takesImage?: true;
  /** The subject's if undefined. */
  readonly data?: TSchema;
  readonly json?: (result: Result, services: Services) => unknown;
  run(services: Services, id: string, requester: Requester, bytes: Uint8Array): Promise<AdminOutcome<Result>>;
}

/** Defines operations that need nothing but the ID of a resource, and show it afterwards. */
export function actionsOn<Result>(subject: Subject<Result>) {
  const [param = ''] = Object.keys(subject.params);
  return <Own extends Result = Result>(action: Action<Own>): ApiOperation => {
    const { path = '', method = 'POST', data = subject.data, json = subject.json, run, ...rest } = action;
    return defineOperation({
      needs: 'write',
      ...rest,
      method,
      path: `${subject.path}${path}`,
      tag: subject.tag,
      params: subject.params,
      data,
      run: async ({ services, params, requester, bytes }) => {
        const id = String((params as Readonly<Record<string, unknown>>)[param]);
        return respondWith(await run(services, id, requester, bytes), (result) => json(result, services));
      },
    });
  };
}
