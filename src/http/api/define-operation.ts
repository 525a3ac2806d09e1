// How an operation of the API is defined: once, with its schemas. Routes, input checks and the OpenAPI document are
// made from the definition, and the types of what `run` receives and returns follow from the schemas.

import type { FastifyReply } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type AdminOutcome, type Refused, refused } from '../../operations/admin/outcome.ts';
import type { DownloadFormat } from '../../operations/downloads/list-download.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import type { ApiKey, SignedIn } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** To read what administrators see, to change it, or to be signed in and act on one's own account. */
export type Needs = 'read' | 'write' | 'self';

export interface SessionCaller {
  readonly kind: 'session';
  readonly signedIn: SignedIn;
  /** Has to be sent with every change that is made with this session. */
  readonly csrfToken: string;
}

export type Caller = SessionCaller | { readonly kind: 'api_key'; readonly key: ApiKey };

export interface Call<Params, Query, Body, N extends Needs> {
  readonly context: HttpContext;
  readonly services: Services;
  /** Where the request came from, and who makes a change that concerns others. */
  readonly requester: Requester;
  readonly caller: N extends 'self' ? SessionCaller : Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The unread body, for an operation that takes an image. */
  readonly bytes: Uint8Array;
}

export type Outcome<Data> = { kind: 'done'; data: Data } | Refused;

interface Definition<N extends Needs> {
  readonly operationId: string;
  readonly method: Method;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly needs: N;
  readonly status: 200 | 201;
  /** The envelope's message when it's done. */
  readonly message: string;
  /** It answers with lines of text instead of JSON; its data is a `Download`. */
  readonly download?: DownloadFormat;
  /** The body is an image instead of JSON. */
  readonly takesImage?: true;
  /** In bytes, where the body can be larger than others. */
  readonly bodyLimit?: number;
  /** With a session it needs recent proof of identity: always, or when the body has one of these members. */
  readonly powerful?: true | { readonly with: readonly string[] };
}

/** Sends what an operation with `download` has begun to read. */
export interface Download {
  send(reply: FastifyReply): FastifyReply;
}

export interface ApiOperation extends Definition<Needs> {
  readonly params: TObject;
  readonly query: TObject;
  /** Has no properties when the operation takes no body. */
  readonly body: TObject;
  readonly data: TSchema;
  run(call: Call<unknown, unknown, unknown, Needs>): Promise<Outcome<unknown>>;
}

const strict = { additionalProperties: false } as const;

export function defineOperation<
  N extends Needs,
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TProperties = Record<never, never>,
  D extends TSchema = TSchema,
>(
  definition: Omit<Definition<N>, 'status'> & {
    readonly status?: 201;
    readonly params?: P;
    readonly query?: Q;
    readonly body?: TObject<B>;
    readonly data: D;
    run(call: Call<Static<TObject<P>>, Static<TObject<Q>>, Static<TObject<B>>, N>): Promise<Outcome<Static<D>>>;
  },
): ApiOperation {
  const { params, query, body, run, ...rest } = definition;
  return {
    ...rest,
    status: definition.status ?? 200,
    params: Type.Object(params ?? {}, strict),
    query: Type.Object(query ?? {}, strict),
    body: body ?? Type.Object({}, strict),
    // The input has been checked against the schemas that these types come from.
    run: run as ApiOperation['run'],
  };
}

/** Turns the result of an administrator's operation into the data of the response. */
export function respondWith<Result, Data>(
  outcome: AdminOutcome<Result>,
  toData: (result: Result) => Data,
): Outcome<Data> {
  return outcome.kind === 'refused' ? outcome : { kind: 'done', data: toData(outcome) };
}

export function done<Data>(data: Data): Outcome<Data> {
  return { kind: 'done', data };
}

export function notFound(problem: string): Refused {
  return refused(problem, 'not_found');
}
