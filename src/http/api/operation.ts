// One operation of the API, described once: the routes, the checks of what comes in and the OpenAPI document are all made
// from these descriptions, and the types of what `run` is given and gives back are those of the schemas.

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type AdminOutcome, type Refused, refused } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import type { Origin } from '../../protocol/event.ts';
import type { ApiKey, SignedIn } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What it takes: to look at what administrators see, to change it, or to be signed in and about oneself. */
export type Needs = 'read' | 'write' | 'self';

export interface SessionCaller {
  readonly kind: 'session';
  readonly signedIn: SignedIn;
  /** What a change made with this session has to carry. */
  readonly csrfToken: string;
}

export type Caller = SessionCaller | { readonly kind: 'api_key'; readonly key: ApiKey };

export interface Call<Params, Query, Body, N extends Needs> {
  readonly context: HttpContext;
  readonly services: Services;
  /** Where the request came from, and who changes what concerns others. */
  readonly origin: Origin;
  readonly caller: N extends 'self' ? SessionCaller : Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body as it came, for an operation that takes a picture. */
  readonly bytes: Uint8Array;
}

export type Outcome<Data> = { kind: 'done'; data: Data } | Refused;

interface Description<N extends Needs> {
  readonly operationId: string;
  readonly method: Method;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly needs: N;
  readonly status: 200 | 201;
  /** What is said when it is done. */
  readonly message: string;
  /** The body is a picture and not JSON. */
  readonly picture?: true;
}

export interface ApiOperation extends Description<Needs> {
  readonly params: TObject;
  readonly query: TObject;
  /** An object without properties for an operation that takes no body. */
  readonly body: TObject;
  readonly data: TSchema;
  run(call: Call<unknown, unknown, unknown, Needs>): Promise<Outcome<unknown>>;
}

const strict = { additionalProperties: false } as const;

export function operation<
  N extends Needs,
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TProperties = Record<never, never>,
  D extends TSchema = TSchema,
>(
  described: Omit<Description<N>, 'status'> & {
    readonly status?: 201;
    readonly params?: P;
    readonly query?: Q;
    readonly body?: TObject<B>;
    readonly data: D;
    run(call: Call<Static<TObject<P>>, Static<TObject<Q>>, Static<TObject<B>>, N>): Promise<Outcome<Static<D>>>;
  },
): ApiOperation {
  const { params, query, body, run, ...rest } = described;
  return {
    ...rest,
    status: described.status ?? 200,
    params: Type.Object(params ?? {}, strict),
    query: Type.Object(query ?? {}, strict),
    body: body ?? Type.Object({}, strict),
    // What comes in has been checked against the schemas that these types are of.
    run: run as ApiOperation['run'],
  };
}

/** What an operation behind the API led to, as the data of an answer. */
export function answer<Result, Data>(outcome: AdminOutcome<Result>, data: (result: Result) => Data): Outcome<Data> {
  return outcome.kind === 'refused' ? outcome : { kind: 'done', data: data(outcome) };
}

export function done<Data>(data: Data): Outcome<Data> {
  return { kind: 'done', data };
}

export function notFound(problem: string): Refused {
  return refused(problem, 'not_found');
}
