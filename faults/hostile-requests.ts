// Requests to fuzz routes with: each begins as one that is right, for an operation of the API, an OAuth endpoint or a page,
// and is then changed in a few places.

import type { Api } from '../test/harness/api.ts';
import { authorizePath, refreshParameters } from '../test/harness/relying-party.ts';
import { cookieOf, type Scene } from './fuzzed-service.ts';
import { altered, encoded, hostileJson, hostileText } from './hostile.ts';
import type { Random } from './random.ts';

export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly bytes: Buffer;
  /** No HTTP that a server has to answer, or more than it reads: the connection may be closed without a response. */
  readonly unanswerable: boolean;
  /** The rest of the body never comes. */
  readonly truncated: boolean;
}

export interface Routes {
  readonly gets: readonly string[];
  readonly posts: readonly string[];
  readonly api: Api;
}

interface Draft {
  method: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  body: string | undefined;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];
const form = 'application/x-www-form-urlencoded';
const types = [
  'application/json',
  form,
  'text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'image/png',
  '',
  'application/json; charset=utf-16',
  'application/json;charset',
  'x',
  '*/*',
  'application/jsonx',
  `${form}; charset=latin1`,
];
/** Parameters that some page reads. */
const queryNames = [
  'to',
  'link',
  'done',
  'before',
  'after',
  'search',
  'person',
  'application',
  'reference',
  'kind',
  'removed',
];
const fieldNames = [
  'email',
  'password',
  'name',
  'form_token',
  'ticket',
  'request',
  'decision',
  'code',
  'challenge',
  'answer',
  'link',
  'current_password',
  'new_password',
  'account',
  'remove',
  'redirect_uris',
  'id',
  'to',
  'username',
];

export function hostileRequest(random: Random, routes: Routes, scene: Scene): HostileRequest {
  const kind = random.next();
  if (kind < 0.06) return garbage(random);
  let draft: Draft;
  if (kind < 0.5) draft = apiCall(random, routes.api, scene);
  else if (kind < 0.7) draft = oauthCall(random, scene);
  else draft = pageCall(random, routes, scene);
  for (let changes = random.below(3) + 1; changes > 0; changes--) change(draft, random);
  return written(draft, random);
}

function apiCall(random: Random, api: Api, scene: Scene): Draft {
  const [path, operations] = random.pick(Object.entries(api.document.paths));
  const [method, { parameters = [], requestBody }] = random.pick(Object.entries(operations));
  const properties = requestBody?.content?.['application/json']?.schema?.properties ?? {};
  const members = Object.entries(properties).filter(() => random.chance(0.7));
  const headers: [string, string][] = random.pick([
    [['Authorization', `Bearer ${scene.apiKey}`]],
    [
      ['Cookie', cookieOf(scene.admin)],
      ['X-CSRF-Token', scene.admin.csrfToken],
    ],
    [
      ['Cookie', cookieOf(scene.member)],
      ['X-CSRF-Token', scene.member.csrfToken],
    ],
    [['Authorization', `Bearer ${scene.member.accessToken}`]],
    [],
  ]);
  const query = parameters.filter((each) => each.in === 'query' && random.chance(0.5));
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, name) => idFor(random, name, scene)),
    query: query.map(({ name }) => [name, encoded(random.pick(['2', hostileText(random)]), random)]),
    headers: [...headers, ...(method === 'get' ? [] : [['Content-Type', 'application/json'] as [string, string]])],
    body: method === 'get' || method === 'delete' ? undefined : jsonObject(random, members),
  };
}

/** Members with values that fit now and then, so that some calls get further than the check of their form. */
function jsonObject(random: Random, members: readonly [string, unknown][]): string {
  const texts = members.map(([name, schema]) => {
    const { type } = schema as { type?: string };
    const fitting = type === 'boolean' ? 'true' : type === 'array' ? '["https://a.example/cb"]' : '"Example"';
    return `${JSON.stringify(name)}:${random.chance(0.4) ? fitting : hostileJson(random)}`;
  });
  if (random.chance(0.1)) texts.push(...texts.slice(0, 1), `"__proto__":${hostileJson(random)}`);
  return `{${texts.join(',')}}`;
}

function idFor(random: Random, name: string, scene: Scene): string {
  if (random.chance(0.5)) return encoded(hostileText(random), random) || 'x';
  return name === 'client_id' ? scene.client.id : random.pick([scene.member, scene.other, scene.admin]).user.id;
}

function oauthCall(random: Random, scene: Scene): Draft {
  const { client, member } = scene;
  const target = random.pick(['token', 'exchange', 'revoke', 'userinfo', 'authorize', 'authorize', 'static']);
  const authorization: [string, string][] = [['Authorization', `Bearer ${member.accessToken}`]];
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  const post = (path: string, fields: Record<string, string>): Draft => {
    const asJson = random.chance(0.3);
    return {
      method: 'POST',
      path,
      query: [],
      headers: [
        ['Content-Type', asJson ? 'application/json' : form],
        ...(random.chance(0.1) ? [['Authorization', `Basic ${basic}`] as [string, string]] : []),
      ],
      body: asJson ? JSON.stringify(fields) : formOf(Object.entries(fields), random),
    };
  };
  if (target === 'token') return post('/oauth/token', refreshParameters(client, member.refreshToken));
  if (target === 'exchange') {
    const fields = { grant_type: 'authorization_code', code: 'x', client_id: client.id, client_secret: client.secret };
    return post('/oauth/token', { ...fields, redirect_uri: client.redirectUri, code_verifier: 'x'.repeat(43) });
  }
  if (target === 'revoke') {
    return post('/oauth/revoke', { token: hostileText(random), client_id: client.id, client_secret: client.secret });
  }
  if (target === 'userinfo') {
    return { method: 'GET', path: '/oauth/userinfo', query: [], headers: authorization, body: undefined };
  }
  if (target === 'static') {
    const path = random.pick(['/oauth/jwks.json', '/.well-known/openid-configuration', '/oauth-authorize.php']);
    return { method: 'GET', path, query: [], headers: [], body: undefined };
  }
  const [path = '', query = ''] = authorizePath(client, 'x'.repeat(43), { state: 's', nonce: 'n' }).split('?');
  return {
    method: 'GET',
    path: random.pick([path, `${path}.php`]),
    body: undefined,
    query: query.split('&').map((pair) => pair.split('=') as [string, string]),
    headers: random.chance(0.5) ? [['Cookie', cookieOf(member)]] : [],
  };
}

function pageCall(random: Random, routes: Routes, scene: Scene): Draft {
  const method = random.chance(0.5) ? 'GET' : 'POST';
  const pattern = random.pick(method === 'GET' ? routes.gets : routes.posts);
  const somebody = random.pick([scene.admin, scene.member, undefined]);
  const isClient = /applications|logos/.test(pattern);
  const path = pattern
    .replace(/:\w+/g, () => idFor(random, isClient ? 'client_id' : 'id', scene))
    .replace('*', `/${encoded(hostileText(random), random)}`);
  const fields = Array.from({ length: random.below(5) }, (): [string, string] => [
    random.pick(fieldNames),
    hostileText(random),
  ]);
  if (somebody !== undefined && random.chance(0.7)) fields.push(['form_token', somebody.csrfToken]);
  return {
    method,
    path,
    query: random.chance(0.5) ? [[random.pick(queryNames), encoded(hostileText(random), random)]] : [],
    headers: [
      ...(somebody === undefined ? [] : [['Cookie', cookieOf(somebody)] as [string, string]]),
      ...(method === 'GET' ? [] : [['Content-Type', form] as [string, string]]),
    ],
    body: method === 'GET' ? undefined : formOf(fields, random),
  };
}

function formOf(fields: readonly (readonly [string, string])[], random: Random): string {
  return fields.map(([name, value]) => `${encoded(name, random)}=${encoded(value, random)}`).join('&');
}

/** Changes a request in one place. */
function change(draft: Draft, random: Random): void {
  const { query, headers } = draft;
  const header = (name: string, value: string) => {
    draft.headers = [...headers.filter(([each]) => each !== name), [name, value]];
  };
  const changes: (() => void)[] = [
    () => {
      draft.method = random.pick(methods);
    },
    () => {
      draft.path = random.pick([
        `${draft.path}/`,
        `/${draft.path}`,
        `${draft.path}/..`,
        draft.path.toUpperCase(),
        `${draft.path};a=b`,
        `${draft.path}%2f`,
        `${draft.path}/${encoded(hostileText(random), random)}`,
        draft.path.replace('/', '/./'),
        `http://evil.example${draft.path}`,
        draft.path.replaceAll('a', '%61'),
        `${draft.path}${'x'.repeat(9000)}`,
      ]);
    },
    () => {
      query.push([
        encoded(random.pick([...queryNames, hostileText(random)]), random),
        encoded(hostileText(random), random),
      ]);
    },
    () => {
      if (query.length > 0) query.push(random.pick(query));
    },
    () => {
      for (const pair of query.slice(0, 1 + random.below(2))) pair[1] = encoded(hostileText(random), random);
    },
    () => {
      query.splice(random.below(query.length + 1), 1);
    },
    () => header('Content-Type', random.pick(types)),
    () => {
      draft.body = random.pick([
        hostileJson(random),
        altered(draft.body ?? '', random),
        hostileText(random),
        '',
        undefined,
        `${draft.body ?? ''}&${draft.body ?? ''}`,
        'a'.repeat(random.pick([16_384, 16_385, 70_000])),
        `--x\r\nContent-Disposition: form-data; name="picture"\r\n\r\n${hostileText(random)}\r\n--x--`,
      ]);
    },
    () => header('Cookie', cookies(random, headers)),
    () =>
      header(
        'Authorization',
        random.pick([`Bearer ${latin(hostileText(random))}`, 'Bearer', 'Basic', 'Basic %%%', 'Basic Og==']),
      ),
    () => header('Host', random.pick(['evil.example', '', 'localhost:99999', '[::1', 'a b', 'localhost'])),
    () =>
      header(
        'Origin',
        random.pick(['null', 'https://evil.example', '', 'http://localhost', latin(hostileText(random))]),
      ),
    () =>
      header('X-Forwarded-For', random.pick([latin(hostileText(random)), '1.2.3.4, '.repeat(100), '::ffff:0:0%eth0'])),
    () => header('X-Forwarded-Proto', random.pick(['https', 'javascript', 'https,http'])),
    () => header('Expect', random.pick(['100-continue', 'x'])),
    () => header('Range', 'bytes=0-1,5-'),
    () => header('If-None-Match', '*, W/"x'),
    () => header('Accept', random.pick(['application/xml', latin(hostileText(random)), '*/*;q='])),
    () => header('Upgrade', 'websocket'),
    () => header('X-Padding', 'x'.repeat(random.pick([1000, 8000, 40_000]))),
    () => {
      draft.headers = [...headers, ...Array.from({ length: 150 }, (_, each): [string, string] => [`X-${each}`, 'x'])];
    },
    () => header('X-CSRF-Token', latin(hostileText(random))),
  ];
  random.pick(changes)();
}

/** Cookies of this service with values that it never gave, or those of the request with a change. */
function cookies(random: Random, headers: readonly [string, string][]): string {
  const had = headers.find(([name]) => name === 'Cookie')?.[1] ?? '';
  const names = ['latchkey_session', 'latchkey_browser', 'latchkey_device', 'latchkey_accounts', '__proto__', ''];
  const made = names.map((name) => `${name}=${latin(hostileText(random))}`).join('; ');
  return random.pick([
    made,
    latin(altered(had, random)),
    `${had}; ${had}`,
    ';;;=;',
    '='.repeat(500),
    `${had}; ${made}`,
  ]);
}

/** As header values are: without what would end the line. */
const latin = (text: string) => Buffer.from(text.replace(/[\0\r\n]/g, '')).toString('latin1');

function written(draft: Draft, random: Random): HostileRequest {
  const { method, path, query, headers, body } = draft;
  const target = path + (query.length === 0 ? '' : `?${query.map((pair) => pair.join('=')).join('&')}`);
  const content = Buffer.from(body ?? '');
  const truncated = body !== undefined && random.chance(0.03);
  const chunked = body !== undefined && random.chance(0.05);
  const length = content.length + (truncated ? 1 + random.below(100) : 0);
  const all: [string, string][] = [
    ...(headers.some(([name]) => name === 'Host') ? [] : [['Host', 'localhost'] as [string, string]]),
    ...(headers.some(([name]) => name === 'X-Forwarded-For')
      ? []
      : [['X-Forwarded-For', address(random)] as [string, string]]),
    ...headers,
    ...(body === undefined
      ? []
      : [(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(length)]) as [string, string]]),
    ['Connection', 'close'],
  ];
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${all.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n`,
    'latin1',
  );
  const end = truncated ? '' : '0\r\n\r\n';
  const pieces =
    chunked && content.length > 0
      ? [Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from(`\r\n${end}`)]
      : chunked
        ? [Buffer.from(end)]
        : [content];
  const bytes = Buffer.concat([head, ...pieces]);
  const noHttp = !/^[!-~\x80-\xff]+$/.test(target) || all.some(([, value]) => /[^\t -~\x80-\xff]/.test(value));
  return { method, target, bytes, truncated, unanswerable: noHttp || truncated || bytes.length > 16_000 };
}

const address = (random: Random) => `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`;

/** What comes out of a broken program, or of one that tries to smuggle a second request. */
function garbage(random: Random): HostileRequest {
  const line = 'GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const text = random.pick([
    '\r\n\r\n',
    'GET',
    'GET /\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\x02\0\x01\0',
    line.repeat(20),
    `${line}\0\0\0${line}`,
    `${line}${hostileText(random)}\r\n\r\n`,
    `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nabcd${line}garbage`,
    `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${line}`,
    'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx',
    'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\nx',
    `GET /${hostileText(random)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${hostileText(random)}\r\n\r\n`,
    'GET / HTTP/1.1\r\nHost : localhost\r\n folded\r\n\r\n',
    'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
    Array.from({ length: 300 }, () => String.fromCharCode(random.below(256))).join(''),
  ]);
  return {
    method: 'GET',
    target: '(garbage)',
    bytes: Buffer.from(text, 'latin1'),
    unanswerable: true,
    truncated: true,
  };
}
