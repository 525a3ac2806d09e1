// The bridge's requests: its own, and those that the library answers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { readCookie } from '../platform/relying-party/cookies.ts';
import type { Send } from '../platform/relying-party/requests.ts';
import { newCookieSecret } from '../platform/relying-party/sealing.ts';
import { readBody, readQuery } from '../protocol/reading/parameters.ts';
import { retryAfter } from './asking.ts';
import { answeredRequest, arrive, openTrip, takeOutgoing } from './authorize.ts';
import { type BridgeContext, browserCookie, paths } from './context.ts';
import type { Endpoint } from './meters.ts';
import { sendOnward } from './onward.ts';
import { backchannelLogout, signedOutUrl, signOut } from './sign-out.ts';
import { duringVisit, type Visit } from './visit.ts';

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface RoutesOptions {
  readonly context: BridgeContext;
  /** The library, with the keys of now. */
  readonly library: () => Handle;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly send: Send;
  readonly isReady: () => Promise<boolean>;
}

/** Longer than anything that Latchkey or an application has to say. */
const bodyLimit = 16 * 1024;

const ofLibrary: Readonly<Record<string, Endpoint | undefined>> = {
  [`POST ${paths.token}`]: 'code',
  [`GET ${paths.userinfo}`]: 'userinfo',
  [`POST ${paths.userinfo}`]: 'userinfo',
  [`POST ${paths.revoke}`]: 'revoke',
  [`GET ${paths.keys}`]: undefined,
  'GET /.well-known/openid-configuration': undefined,
  'GET /.well-known/oauth-authorization-server': undefined,
};

export function handlerFor({ context, library, addressOf, send, isReady }: RoutesOptions): Handle {
  const { config, meters } = context;
  const base = new URL(config.baseUrl);
  const cookie = browserCookie(config);
  /** Sign-ins that this process is about to finish. */
  const finishing = new Set<string>();

  async function answerByLibrary(request: IncomingMessage, response: ServerResponse, visit: Visit): Promise<void> {
    // Where the request came to is what the file says, and nothing else.
    request.headers.host = base.host;
    request.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
    delete request.headers['x-forwarded-host'];
    await duringVisit(visit, () => library()(request, response));
  }

  /** The library reads an authorization request from the URL, whichever way it came. */
  function asAuthorization(request: IncomingMessage, query: string): void {
    request.method = 'GET';
    request.url = `${paths.authorize}?${query}`;
    delete request.headers['content-type'];
    // Names the session that the adapter knows while someone comes back.
    request.headers.cookie = '_session=arriving';
  }

  async function authorize(request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
    const text = request.method === 'POST' ? (await formOf(request))?.toString('utf8') : query;
    if (text === undefined) return plain(response, 400, 'The request must be a form.');
    const parameters = new URLSearchParams(text);
    const outgoing = takeOutgoing(context, parameters, readCookie(request, cookie) ?? newCookieSecret());
    asAuthorization(request, parameters.toString());
    await answerByLibrary(request, response, { address: addressOf(request), outgoing });
    meters.answered('authorize', response.statusCode);
  }

  async function callback(request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const browser = readCookie(request, cookie);
    const trip = browser === undefined ? undefined : openTrip(context, browser, state);
    if (trip === undefined || finishing.has(trip.nonce) || context.grants.hasFinished(trip.nonce)) {
      meters.answered('callback', 400);
      return plain(
        response,
        400,
        browser === undefined
          ? "Couldn't sign you in: your browser didn't send back the cookie it got when you started. Allow cookies for this site, and go back to the application."
          : "Couldn't sign you in: this sign-in took too long, was already finished, or was started in another browser. Go back to the application and try again.",
      );
    }
    finishing.add(trip.nonce);
    try {
      const arrival = await arrive(context, trip, state, query);
      asAuthorization(request, answeredRequest(trip, arrival));
      await answerByLibrary(request, response, { address: addressOf(request), arrival });
    } finally {
      finishing.delete(trip.nonce);
    }
  }

  async function leave(request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
    const body = request.method === 'POST' ? await formOf(request) : undefined;
    const read = request.method === 'POST' ? readBody(formType, body ?? new Uint8Array()) : readQuery(query.slice(1));
    const parameters = 'kind' in read ? (read.kind === 'read' ? read.parameters : new Map()) : read.parameters;
    const outcome = await signOut(context, parameters);
    const status = { redirect: 303, invalid: 400, unavailable: 503 }[outcome.kind];
    meters.answered('sign_out', status);
    if (outcome.kind === 'redirect') return redirect(response, outcome.url);
    if (outcome.kind === 'invalid') return plain(response, 400, outcome.problem);
    plain(response, 503, "Latchkey isn't responding. You're signed out here. Try again in a few seconds.");
  }

  async function logout(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await formOf(request);
    const read = readBody(request.headers['content-type'], body ?? new Uint8Array());
    const token = read.kind === 'read' ? read.parameters.get('logout_token') : undefined;
    const status = token === undefined ? 400 : await backchannelLogout(context, token, send);
    meters.answered('logout', status);
    plain(response, status, status === 200 ? 'ok' : 'The logout token was not taken.');
  }

  const own: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, query: string) => unknown>> =
    {
      [`GET ${paths.authorize}`]: authorize,
      [`POST ${paths.authorize}`]: authorize,
      [`GET ${paths.callback}`]: callback,
      [`GET ${paths.signOut}`]: leave,
      [`POST ${paths.signOut}`]: leave,
      [`GET ${paths.signedOut}`](_request, response, query) {
        const url = signedOutUrl(context, new URLSearchParams(query).get('state') ?? '');
        if (url === undefined) plain(response, 200, "You're signed out.");
        else sendOnward(response, url);
      },
      [`POST ${paths.backchannelLogout}`]: logout,
      [`GET ${paths.health}`]: (_request, response) => plain(response, 200, 'ok'),
      async [`GET ${paths.ready}`](_request, response) {
        const ready = await isReady();
        plain(response, ready ? 200 : 503, ready ? 'ready' : 'not ready');
      },
    };

  return async (request, response) => {
    const url = request.url ?? '';
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    if (Object.hasOwn(own, route)) return void (await own[route]?.(request, response, at < 0 ? '' : url.slice(at)));
    if (!Object.hasOwn(ofLibrary, route)) return plain(response, 404, 'Not found.');
    const visit: Visit = { address: addressOf(request) };
    await answerByLibrary(request, response, visit);
    const endpoint = visit.isRefresh ? 'refresh' : ofLibrary[route];
    if (endpoint !== undefined) meters.answered(endpoint, response.statusCode);
  };
}

const formType = 'application/x-www-form-urlencoded';

/** Undefined for what is no form, or too long. */
async function formOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== formType) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > bodyLimit) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The sender has gone.
    return undefined;
  }
  return Buffer.concat(chunks);
}

function redirect(response: ServerResponse, url: string): void {
  response.writeHead(303, { Location: url, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
}

export function plain(response: ServerResponse, status: number, text: string): void {
  const body = `${text}\n`;
  response
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': Buffer.byteLength(body),
      ...(status === 503 && { 'Retry-After': String(retryAfter) }),
    })
    .end(body);
}
