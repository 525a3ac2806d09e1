// Services that are broken on purpose: somebody in front of a real one who gives some responses that it never would. A checker
// that doesn't notice them proves nothing.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Asked {
  readonly path: string;
  readonly body: string;
  readonly authorization: string;
}

interface Passed {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

type Defect = (asked: Asked, pass: () => Promise<Passed>) => Promise<Passed>;

const json = (status: number, body: string, headers: Record<string, string> = {}): Passed => ({
  status,
  headers: new Headers({ 'Content-Type': 'application/json', ...headers }),
  body,
});
const redirect = (location: string): Passed => ({
  status: 303,
  headers: new Headers({ Location: location }),
  body: '',
});

/** Each is made once for a service, and can remember. */
export const defects: Readonly<Record<string, () => Defect>> = {
  'accepts a spent code again': () => {
    const responses = new Map<string, Passed>();
    return async ({ path, body }, pass) => {
      const code = path === '/oauth/token' ? new URLSearchParams(body).get('code') : null;
      if (code === null) return pass();
      const known = responses.get(code);
      if (known !== undefined) return known;
      const passed = await pass();
      if (passed.status === 200) responses.set(code, passed);
      return passed;
    };
  },
  'forgets revocations':
    () =>
    async ({ path }, pass) =>
      path === '/oauth/revoke' ? json(200, '{}') : pass(),
  'forgets removals of access':
    () =>
    async ({ path }, pass) =>
      path === '/account/apps' ? redirect('/account/apps?removed=yes') : pass(),
  'forgets sign-outs':
    () =>
    async ({ path }, pass) =>
      path === '/sign-out' ? redirect('/signed-out') : pass(),
  'forgets who is disabled':
    () =>
    async ({ path }, pass) =>
      path.endsWith('/disable') || path.endsWith('/enable') ? json(200, '{}') : pass(),
  'remembers userinfo for a second': () => {
    const responses = new Map<string, { at: number; passed: Passed }>();
    return async ({ path, authorization }, pass) => {
      if (path !== '/oauth/userinfo') return pass();
      const known = responses.get(authorization);
      if (known !== undefined && performance.now() - known.at < 1000) return known.passed;
      const passed = await pass();
      if (passed.status === 200) responses.set(authorization, { at: performance.now(), passed });
      return passed;
    };
  },
  'exchanges a code and says that nothing was changed':
    () =>
    async ({ path, body }, pass) => {
      const passed = await pass();
      const isExchange = path === '/oauth/token' && body.includes('code_verifier') && passed.status === 200;
      return isExchange ? json(503, '{"error_description":"Nothing was changed."}', { 'Retry-After': '1' }) : passed;
    },
  'forgets tokens now and then': () => {
    let count = 0;
    return async ({ path }, pass) => (path === '/oauth/userinfo' && ++count % 20 === 0 ? json(401, '{}') : pass());
  },
};

export interface Broken extends AsyncDisposable {
  readonly url: string;
}

export async function startBroken(url: string, defect: Defect): Promise<Broken> {
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const { authorization = '', origin = '' } = request.headers;
      const path = (request.url ?? '').split('?')[0] ?? '';
      const passed = await defect({ path, body, authorization }, () => passOn(url, request, body, origin));
      for (const [name, value] of passed.headers) response.appendHeader(name, value);
      response.writeHead(passed.status).end(passed.body);
    } catch {
      // Whoever asked gets no response either.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function passOn(url: string, request: IncomingMessage, body: string, origin: string): Promise<Passed> {
  const headers = new Headers();
  for (const name of ['authorization', 'content-type', 'cookie', 'x-forwarded-for']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (origin !== '') headers.set('origin', origin);
  const { method = 'GET' } = request;
  const init = { method, headers, redirect: 'manual' as const, ...(method === 'GET' ? {} : { body }) };
  const response = await fetch(url + (request.url ?? ''), init);
  const kept = new Headers();
  for (const [name, value] of response.headers) {
    if (!/^(connection|content-encoding|content-length|keep-alive|transfer-encoding)$/.test(name))
      kept.append(name, value);
  }
  return { status: response.status, headers: kept, body: await response.text() };
}
