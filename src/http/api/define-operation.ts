// How operations of the API are defined: once, with their schemas, and with what all operations on a resource have in
// common said only once. Routes, input checks and the OpenAPI document are made from the definitions, and the types of what
// `run` receives follow from the schemas.

import type { FastifyReply } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type AdminOutcome, type Refused, refused } from '../../operations/admin/outcome.ts';
import type { Action } from '../../operations/admin/subject.ts';
import type { DownloadFormat } from '../../operations/downloads/list-download.ts';
import type { Services } from '../../operations/services.ts';
import { type Area, type Authority, type Right, rightIn } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import { capitalized } from '../../protocol/reading/in-sentences.ts';
import type { ApiKey, SignedIn } from '../../storage/storage.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A right in administration, or to be signed in and act on one's own account. */
export type Needs = Right | 'self';

interface SessionCaller {
  readonly kind: 'session';
  readonly signedIn: SignedIn;
  /** Has to be sent with every change that is made with this session. */
  readonly csrfToken: string;
  readonly authority: Authority;
}

export type Caller = SessionCaller | { readonly kind: 'api_key'; readonly key: ApiKey };

type Outcome<Data> = AdminOutcome<{ data: Data }>;

interface Rules {
  readonly summary: string;
  /** The envelope's message when it's done. */
  readonly message: string;
  /** 200 if undefined. */
  readonly status?: 201;
  /** It answers with lines of text instead of JSON; its data is a `Download`. */
  readonly download?: DownloadFormat;
  /** The body is an image instead of JSON. */
  readonly takesImage?: true;
  /** In bytes, where the body can be larger than others. */
  readonly bodyLimit?: number;
  /** With a session it needs recent proof of identity: always, or with such a body. */
  readonly powerful?: true | ((body: object, services: Services) => boolean | Promise<boolean>);
  /** Whether it gives admin access with such a body: then it needs the permission for that, and proof. */
  readonly givesAdminAccess?: (services: Services, body: object) => boolean | Promise<boolean>;
}

/** Sends what an operation with `download` has begun to read. */
export interface Download {
  send(reply: FastifyReply): FastifyReply;
}

interface Input<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The unread body, for an operation that takes an image. */
  readonly bytes: Uint8Array;
}

interface Call extends Input<unknown, unknown, unknown> {
  readonly services: Services;
  /** Where the request came from, and who makes a change that concerns others. */
  readonly requester: Requester;
  readonly caller: Caller;
}

export interface ApiOperation extends Rules {
  readonly operationId: string;
  readonly method: Method;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly tag: string;
  readonly needs: Needs;
  readonly params: TObject;
  readonly query: TObject;
  /** Has no properties when the operation takes no body. */
  readonly body: TObject;
  readonly data: TSchema;
  run(call: Call): Promise<Outcome<unknown>>;
}

/** What operations have in common. Without `data` and `json`, they show the `data` that they return. */
interface Subject<Result, Data extends TSchema> {
  readonly tag: string;
  readonly path: string;
  /** GET needs the right to read it, everything else the right to change it; with `self`, nothing but a session. */
  readonly area: Area | 'self';
  readonly data?: Data;
  json?(result: Result, services: Services): Static<Data> | Promise<Static<Data>>;
}

/** The method, and what follows the subject's path. */
type Route = Method | `${Method} /${string}`;

interface Operation<Own, Params, Query, Body extends TProperties, Data extends TSchema> extends Rules {
  /** If it needs another right than others of its area. */
  readonly right?: Right;
  /** Those that its own part of the path has. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: TObject<Body>;
  /** The subject's if undefined. */
  readonly data?: Data;
  readonly json?: (result: Own, services: Services) => Static<Data> | Promise<Static<Data>>;
}

type InputOf<Params extends TProperties, Query extends TProperties, Body extends TProperties> = Input<
  Static<TObject<Params>>,
  Static<TObject<Query>>,
  Static<TObject<Body>>
>;
type None = Record<never, never>;

export const strict = { additionalProperties: false } as const;

/** What an operation has of an action, on one that is called `one` inside a sentence, and that the body may name. */
export function ofAction<Result extends object>(
  one: string,
  { does, what = one, done, proof, run }: Action<Result>,
  keyIn?: (body: object) => string,
) {
  // Where the path names it, proof is asked for in every case.
  const some = typeof proof === 'function' && keyIn !== undefined;
  const powerful = some ? (body: object, services: Services) => proof(services, keyIn(body)) : (true as const);
  return {
    summary: capitalized(does),
    message: `${capitalized(what)} ${done}.`,
    ...(proof && { powerful }),
    run: (services: Services, key: string, requester: Requester) => run(services, key, requester, false),
  };
}

/** For an operation that shows nothing. */
export const nothing = { data: Type.Null(), json: () => null };

/** Defines operations on a whole list, or on what there is only one of. */
export function operationsAt<Result extends object = { readonly data: unknown }, Shown extends TSchema = TSchema>(
  subject: Subject<Result, Shown>,
) {
  return <
    Own extends object = Result,
    Params extends TProperties = None,
    Query extends TProperties = None,
    Body extends TProperties = None,
    Data extends TSchema = Shown,
  >(
    operationId: string,
    route: Route,
    operation: Operation<Own, Params, Query, Body, Data> & {
      run(services: Services, input: InputOf<Params, Query, Body>, requester: Requester): Promise<AdminOutcome<Own>>;
    },
  ): ApiOperation =>
    define(subject, operationId, route, operation, ({ services, requester, ...input }) =>
      // Checked against the schemas that the types come from.
      operation.run(services, input as InputOf<Params, Query, Body>, requester),
    );
}

/** Defines operations on one of a list, which the path names by `naming`, or the caller; `target` is what operations take. */
export function operationsOn<Result extends object, Target, Naming extends TProperties, Shown extends TSchema>(
  subject: Subject<Result, Shown>,
  naming: Naming,
  target: (params: Static<TObject<Naming>>, caller: Caller) => Target,
) {
  const path = [subject.path, ...Object.keys(naming).map((name) => `{${name}}`)].join('/');
  return <
    Own extends object = Result,
    Params extends TProperties = None,
    Query extends TProperties = None,
    Body extends TProperties = None,
    Data extends TSchema = Shown,
  >(
    operationId: string,
    route: Route,
    operation: Operation<Own, Params, Query, Body, Data> & {
      run(
        services: Services,
        target: Target,
        requester: Requester,
        input: InputOf<Params, Query, Body>,
      ): Promise<AdminOutcome<Own>>;
    },
  ): ApiOperation => {
    const params = { ...naming, ...operation.params };
    return define({ ...subject, path }, operationId, route, { ...operation, params }, (call) => {
      const { services, ...input } = call;
      const named = target(input.params as Static<TObject<Naming>>, input.caller);
      return operation.run(services, named, input.requester, input as InputOf<Params, Query, Body>);
    });
  };
}

function define<Result extends object, Own extends object>(
  subject: Subject<Result, TSchema>,
  operationId: string,
  route: Route,
  operation: Operation<Own, TProperties, TProperties, TProperties, TSchema>,
  run: (call: Call) => Promise<AdminOutcome<Own>>,
): ApiOperation {
  const [method, ownPath = ''] = route.split(' ') as [Method, string?];
  const { params = {}, query = {}, body = Type.Object({}, strict), data = subject.data, right, ...rules } = operation;
  // Without a function of its own, its result is the subject's.
  const json = (operation.json ?? subject.json ?? dataOf) as (result: Own, services: Services) => unknown;
  const { area } = subject;
  return {
    ...rules,
    operationId,
    method,
    path: `${subject.path}${ownPath}`,
    tag: subject.tag,
    needs: right ?? (area === 'self' ? area : rightIn(area, method === 'GET' ? 'read' : 'change')),
    params: Type.Object(params, strict),
    query: Type.Object(query, strict),
    body,
    data: data ?? Type.Null(),
    async run(call) {
      const outcome = await run(call);
      return outcome.kind === 'refused' ? outcome : done(await json(outcome, call.services));
    },
  };
}

const dataOf = ({ data }: { readonly data: unknown }) => data;

export function done<Data>(data: Data): Outcome<Data> {
  return { kind: 'done', data };
}

export function notFound(problem: string): Refused {
  return refused(problem, 'not_found');
}
