// Requests to the gate as an attacker would have a proxy, or their own program, send them. Whatever it is, the answer to a
// check is 200 only for someone who may pass, and then it has every identity header.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { forwarded, GateVisitor, navigation, startTestGate, type TestGate } from '../harness/gate.ts';
import { sendRaw } from '../harness/raw-request.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { type InBetween, startInBetween } from './in-between.ts';

const host = 'wiki.example';
const names = ['remote-user', 'remote-email', 'remote-name', 'remote-groups', 'remote-odd', 'remote-proto'];

let between: InBetween;
let service: TestService;
let gate: TestGate;
let user: TestUser;
let visitor: GateVisitor;

before(async () => {
  between = await startInBetween();
  service = between.service;
  gate = await startTestGate(service, {
    application: {
      open: ['/healthz', '/assets/*'],
      headers: {
        'Remote-User': 'sub',
        'Remote-Email': 'email',
        'Remote-Name': 'name',
        'Remote-Groups': 'groups',
        'Remote-Odd': 'constructor',
        'Remote-Proto': '__proto__',
      },
      require: [{ paths: ['/admin/*'], claim: 'role', values: ['admin'] }],
    },
  });
  user = await service.newUser();
  visitor = new GateVisitor(gate, service);
  await visitor.signIn(user);
});
after(async () => {
  await gate?.stop();
  await between?.stop();
});

/** As they are on the wire: names in lower case with their values, as often as they are there. */
async function rawCheck(
  headers: readonly string[],
  line = 'GET /gate/check',
): Promise<{ status: number; text: string }> {
  return sendRaw({ url: gate.url }, { line, host: '127.0.0.1', headers });
}

const signedInHeaders = () => [`Cookie: __Host-latchkey_gate=${visitor.session}`];
const forwardedLines = (changes: Record<string, readonly string[]> = {}) =>
  Object.entries(forwarded(host, '/page')).flatMap(([name, value]) =>
    (changes[name] ?? [value]).map((each) => `${name}: ${each}`),
  );

test('the request that the others are variations of passes', async () => {
  assert.equal((await rawCheck([...forwardedLines(), ...signedInHeaders()])).status, 200);
});

describe('identity headers', () => {
  const shown = (text: string) => Buffer.from(text).toString('latin1');
  const long = 'x'.repeat(10_000);
  for (const [name, claims, expected] of [
    ['nothing but a subject', { email: undefined, name: undefined }, {}],
    ['an unverified email address', { email_verified: false }, { 'remote-email': '' }],
    ['an email address that is verified in words', { email_verified: 'true' }, { 'remote-email': '' }],
    ['line breaks', { name: 'a\r\nRemote-User: root\r\n\r\nb' }, { 'remote-name': 'aRemote-User: rootb' }],
    ['NUL and other control characters', { name: 'a\0\u0001\u001b\u007f\u0080\u009fb' }, { 'remote-name': 'ab' }],
    ['half of a character', { name: 'a\ud800b\udc00' }, { 'remote-name': shown('a\ufffdb\ufffd') }],
    ['other scripts', { name: 'Łukasz \u6728 \u{1f511}' }, { 'remote-name': shown('Łukasz \u6728 \u{1f511}') }],
    ['separators of lines and of directions', { name: 'a\u2028\u202eb' }, { 'remote-name': shown('a\u2028\u202eb') }],
    ['a very long name', { name: long }, { 'remote-name': long }],
    ['groups with commas', { groups: ['a,admin', 'b%2Cc'] }, { 'remote-groups': 'a%2Cadmin,b%252Cc' }],
    ['groups with line breaks', { groups: ['a\r\nX: y', '\n'] }, { 'remote-groups': 'aX: y' }],
    ['groups in groups', { groups: [['admin'], { admin: 1 }, null, true] }, { 'remote-groups': 'true' }],
    ['an object', { name: { toString: 'x' }, groups: { length: 1, 0: 'admin' } }, { 'remote-groups': '' }],
    ['a name that is a number', { name: 1e21 }, { 'remote-name': '1e+21' }],
    ['an own constructor', { constructor: 'mine' }, { 'remote-odd': 'mine' }],
    ['an own prototype', JSON.parse('{"__proto__": "mine"}'), { 'remote-proto': 'mine' }],
    ['a prototype with claims', JSON.parse('{"__proto__": {"role": "admin", "name": "x"}}'), { 'remote-proto': '' }],
  ] as readonly [string, object, Record<string, string>][]) {
    test(`are all there with ${name}`, async () => {
      between.change.set('/oauth/userinfo', (body) => {
        const entries = [...Object.entries({ ...body, groups: [] }), ...Object.entries(claims)];
        // JSON with its own __proto__.
        return Object.defineProperties(
          {},
          Object.fromEntries(entries.map(([key, value]) => [key, { value, enumerable: true }])),
        );
      });
      service.clock.advance(31);
      try {
        for (const uri of ['/page', '/healthz', '/assets/x.css']) {
          const { status, headers } = await visitor.check(uri);
          assert.equal(status, 200);
          assert.equal(headers['remote-user'], user.id);
          for (const each of names) assert.equal(typeof headers[each], 'string', each);
          for (const [each, value] of Object.entries(expected)) assert.equal(headers[each], value, each);
          assert.equal(headers.x, undefined);
        }
        assert.equal((await visitor.check('/admin/')).status, 403);
      } finally {
        between.reset();
        service.clock.advance(31);
      }
    });
  }

  test('are all there and empty on open paths, whoever asks and whatever they claim', async () => {
    const forged = Object.fromEntries(
      names.flatMap((name) => [
        [name, 'root'],
        [name.replace('-', '_'), 'root'],
      ]),
    );
    for (const cookie of [undefined, '', '__Host-latchkey_gate=x', `__Host-latchkey_gate=${'A'.repeat(43)}`]) {
      const { status, headers } = await gate.check('/healthz', { headers: { ...forged, Cookie: cookie } });
      assert.equal(status, 200);
      for (const each of names) assert.equal(headers[each], '', each);
      assert.equal(headers.remote_user, undefined);
    }
  });

  test('of a client are never answered with', async () => {
    const forged = { 'Remote-User': 'root', 'Remote-Groups': 'admin', Connection: 'close, Remote-User' };
    const { status, headers } = await visitor.check('/page', { headers: forged });
    assert.equal(status, 200);
    assert.equal(headers['remote-user'], user.id);
    assert.equal(headers['remote-groups'], '');
    assert.doesNotMatch(String(headers.connection), /remote/i);
  });

  test('are all there on open paths while Latchkey is away', async () => {
    await between.away();
    try {
      service.clock.advance(61);
      const { status, headers } = await visitor.check('/healthz');
      assert.equal(status, 200);
      for (const each of names) assert.equal(headers[each], '', each);
    } finally {
      await between.back();
    }
    await until(async () => (await visitor.check('/page')).status === 200, 'Latchkey answers again');
  });
});

describe('what a proxy says about the original request', () => {
  for (const name of Object.keys(forwarded(host, '/'))) {
    const [value = ''] = Object.entries(forwarded(host, '/page'))
      .filter(([each]) => each === name)
      .map(([, each]) => each);
    for (const [what, values] of [
      ['missing', []],
      ['empty', ['']],
      ['repeated', [value, value]],
      ['repeated with another value before it', ['evil', value]],
      ['repeated with another value after it', [value, 'evil']],
      ['a list', [`${value}, ${value}`]],
      ['a list without spaces', [`${value},${value}`]],
      ['in quotes', [`"${value}"`]],
      ['with a space in it', [`${value} x`]],
      ['with a byte that is no ASCII', [`${value}\x85`]],
    ] as const) {
      // A comma is part of some paths.
      const works = name === 'X-Forwarded-Uri' && /without spaces|no ASCII/.test(what);
      test(`${name} ${what}: ${works ? 'a path like any other' : '403'}`, async () => {
        const { status, text } = await rawCheck([...forwardedLines({ [name]: values }), ...signedInHeaders()]);
        // Without any requirement it would pass, so this is about /page and what it has to satisfy.
        assert.equal(status, works && !/ASCII/.test(what) ? 200 : 403, text);
      });
    }

    test(`${name} with underscores is no ${name}`, async () => {
      const odd = name.replaceAll('-', '_');
      const without = forwardedLines({ [name]: [] });
      assert.equal((await rawCheck([...without, `${odd}: ${value}`, ...signedInHeaders()])).status, 403);
      const admin = { 'X-Forwarded-Uri': ['/admin/'] };
      assert.equal(
        (await rawCheck([...forwardedLines(admin), 'X_Forwarded_Uri: /page', ...signedInHeaders()])).status,
        403,
      );
    });
  }

  for (const uri of [
    '*',
    'page',
    '',
    'http://wiki.example/page',
    'https://wiki.example/healthz',
    '?x',
    '#',
    '\\page',
    '%2Fpage',
    'wiki.example:443',
    '/page\tx',
    '/healthz x',
    '/a /healthz',
  ]) {
    test(`the URI ${JSON.stringify(uri)} is none`, async () => {
      const headers = [...forwardedLines({ 'X-Forwarded-Uri': [uri] }), ...signedInHeaders()];
      assert.equal((await rawCheck(headers)).status, 403);
    });
  }

  for (const [given, passes] of [
    ['WIKI.example', true],
    ['wiki.example:443', true],
    ['wiki.example.', false],
    ['wiki.example:80', false],
    ['wiki.example:8443', false],
    ['wiki.example:0443', false],
    ['wiki.example:', false],
    ['wiki.example:443:443', false],
    ['wiki.example:443@evil.example', false],
    ['evil.example', false],
    ['evil.example.wiki.example', false],
    ['wiki.example.evil.example', false],
    ['wiki.example/', false],
    ['wiki.example\\', false],
    ['wiki.example#', false],
    ['wiki.example?', false],
    ['user@wiki.example', false],
    ['wiki..example', false],
    ['.wiki.example', false],
    ['wiki.exa\xadmple', false],
    ['wiki\xb7example', false],
    ['xn--wiki.example', false],
    ['[::1]', false],
    ['localhost', false],
    ['*', false],
    ['__proto__', false],
    ['constructor', false],
    ['x'.repeat(20_000), false],
  ] as const) {
    test(`the host ${given.slice(0, 40)} ${passes ? 'is the application' : 'is no application'}`, async () => {
      for (const uri of ['/page', '/healthz']) {
        const lines = forwardedLines({ 'X-Forwarded-Host': [given], 'X-Forwarded-Uri': [uri] });
        const { status, text } = await rawCheck([...lines, ...signedInHeaders()]);
        assert.equal(status, passes ? 200 : 403);
        if (!passes) assert.doesNotMatch(text, /^remote-/im);
      }
    });
  }

  for (const scheme of ['http', 'ws', 'HTTPS', 'ftp', 'https:', '__proto__', 'toString', 'https,http']) {
    test(`the scheme ${scheme} is refused`, async () => {
      const lines = forwardedLines({ 'X-Forwarded-Proto': [scheme] });
      const cookies = [`Cookie: latchkey_gate=${visitor.session}; __Host-latchkey_gate=${visitor.session}`];
      assert.equal((await rawCheck([...lines, ...cookies])).status, 403);
    });
  }

  test('from a peer that is not a proxy is refused, whatever it says', async () => {
    const from = { localAddress: '127.0.0.2' };
    const claims = { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1', 'X-Real-IP': '127.0.0.1' };
    for (const uri of ['/page', '/healthz']) {
      const { status, headers } = await visitor.check(uri, { ...from, headers: claims });
      assert.equal(status, 403);
      assert.equal(headers['remote-user'], undefined);
    }
    for (const path of ['/gate/sign-in?to=/', '/gate/callback', '/gate/sign-out', '/', '/gate/checkx']) {
      assert.equal((await visitor.open(path, { ...from, headers: claims })).status, 403, path);
    }
    assert.equal((await visitor.open('/gate/sign-out', { ...from, method: 'POST' })).status, 403);
    assert.equal((await visitor.check('/page')).status, 200);
    assert.equal((await gate.ask('/gate/healthz', from)).status, 200);
  });

  test('is no longer than it has to be in the log, and there once', async () => {
    const quiet = await startTestGate(service, { beside: gate });
    try {
      for (let count = 0; count < 20; count++) {
        await quiet.check('/', { headers: { 'X-Forwarded-Host': `${'x'.repeat(20_000)}${count}` } });
        await quiet.check('/', { headers: { 'X-Forwarded-Host': `host${count}.example` } });
        await quiet.check('/', { headers: { 'X-Forwarded-Uri': `secret-${count}` } });
        await quiet.check('/', { localAddress: '127.0.0.2' });
      }
      const text = JSON.stringify(quiet.lines);
      assert.ok(quiet.lines.length <= 3, text.slice(0, 2000));
      assert.ok(text.length < 1500);
      assert.doesNotMatch(text, /secret/);
    } finally {
      await quiet.stop();
    }
  });
});

describe('a path that could mean another', () => {
  const disguises = [
    '/admin',
    '/admin/',
    '/admin/x',
    '/admin?x',
    '/admin/?',
    '/ADMIN',
    '/Admin/x',
    '/aDmin/',
    '/admin.',
    '/admin./x',

    '/admin%20',
    '/admin%20/x',
    '/admin%09/x',
    '/admin%C2%A0/',
    '/admin/.',
    '/admin/..',
    '/admin/%2e',
    '/./admin/x',
    '/x/../admin/',
    '/x/..%2fadmin/',
    '/x%2f..%2fadmin',
    '/x/%2e%2e/admin',
    '/x/.%2e/admin',
    '/x/%2E./admin',
    '/%61dmin',
    '/%61%64%6d%69%6e/x',
    '/%2561dmin',
    '/%25%36%31dmin',
    '/%252561dmin',
    '/%u0061dmin',
    '/%c1%a1dmin',

    '/%e0%81%a1dmin',
    '/%f0%80%81%a1dmin',
    '/%EF%BD%81dmin',
    '/\xc1\xa1dmin',
    '/\xe1dmin/../admin',
    '/admin%00',
    '/admin%00/x',

    '/%00/admin',
    '/admin%0a',
    '/admin%0d%0a',
    '/admin%7f',
    '/admin;x',
    '/admin;/x',
    '/admin;x=y/x',
    '/admin%3bx',
    '/x;/../admin/',

    '/;/admin/',
    '//admin/',
    '///admin',
    '/x//admin',
    '/admin//',
    '/%2fadmin',
    '/%2Fadmin/',
    '/%5cadmin',
    '/\\admin',
    '\\admin',

    '/x\\..\\admin',
    '/x%5c..%5cadmin',
    '/admin\\x',
    '/admin%5cx',
    '/admin%2fx',
    '/admin%252fx',
    '/admin#',
    '/admin#/x',
    '/admin%23',

    '/admin%3f',
    '/admin%3Fx=/healthz',
    '/admin%',
    '/admin%2',
    '/admin%zz',
    '/admin/%',
    '/healthz/../admin/',
    '/healthz%2f..%2fadmin/',

    '/assets/../admin/',
    '/assets/..;/admin/',
    '/assets/%2e%2e%2fadmin/',
    '/assets/..%5cadmin/',
    '/assets/%c0%ae%c0%ae/admin',

    '/assets/%EF%BC%8E%EF%BC%8E/admin',
    '/assets/..%00/admin/',
    '/assets/..%ff/admin/',
    '/assets/..\xff/admin/',
    '/assets%00/../admin',

    '/assets/x/../../admin/',
    '/assets/.../admin',
    '/assets/%252e%252e/admin/',
    '/assets//../admin/',
    '/ASSETS/../admin/',
    '/assets%2f..%2fadmin',
  ];
  for (const uri of disguises) {
    test(`${JSON.stringify(uri)} is neither open nor without its requirement`, async () => {
      const lines = forwardedLines({ 'X-Forwarded-Uri': [uri] });
      const stranger = await rawCheck(lines);
      assert.ok([401, 403].includes(stranger.status), `${stranger.status}`);
      const someone = await rawCheck([...lines, ...signedInHeaders()]);
      assert.equal(someone.status, 403);
      for (const { text } of [stranger, someone]) assert.doesNotMatch(text, /^remote-/im);
    });
  }

  test('is one that an administrator can open', async () => {
    between.change.set('/oauth/userinfo', (body) => ({ ...body, role: 'admin' }));
    service.clock.advance(31);
    try {
      for (const uri of disguises.filter((each) => each.startsWith('/'))) {
        const { status } = await rawCheck([...forwardedLines({ 'X-Forwarded-Uri': [uri] }), ...signedInHeaders()]);
        assert.equal(status, 200, uri);
      }
    } finally {
      between.reset();
      service.clock.advance(31);
    }
  });
});

describe('cookies', () => {
  const session = () => visitor.session ?? '';
  for (const [name, cookie, passes] of [
    ['none', () => '', false],
    ['the name alone', () => '__Host-latchkey_gate', false],
    ['no value', () => '__Host-latchkey_gate=', false],
    ['a made-up value', () => `__Host-latchkey_gate=${'A'.repeat(43)}`, false],
    ['one that is too short', () => `__Host-latchkey_gate=${session().slice(0, 42)}`, false],
    ['one that is too long', () => `__Host-latchkey_gate=${session()}A`, false],
    ['another spelling', () => `__Host-latchkey_gate=${session()}=`, false],
    ['another spelling of the last character', () => `__Host-latchkey_gate=${respelled(session())}`, false],
    ['quotes', () => `__Host-latchkey_gate="${session()}"`, false],
    [
      'percent-encoding',
      () => `__Host-latchkey_gate=%${session().charCodeAt(0).toString(16)}${session().slice(1)}`,
      false,
    ],
    ['another case of the name', () => `__host-latchkey_gate=${session()}`, false],
    ['the name without the prefix', () => `latchkey_gate=${session()}`, false],
    ['a name that ends the same', () => `x__Host-latchkey_gate=${session()}`, false],
    ['a space before the equals sign', () => `__Host-latchkey_gate =${session()}`, false],
    ['a space after it', () => `__Host-latchkey_gate= ${session()}`, false],
    ['a comma', () => `a=b,__Host-latchkey_gate=${session()}`, false],
    ['in the value of another', () => `a=__Host-latchkey_gate=${session()}`, false],
    ['in the quotes of another', () => `a="__Host-latchkey_gate=${session()}"`, false],
    ['a quote', () => `__Host-latchkey_gate=' OR 1=1 --`, false],
    ['the prototype', () => '__proto__=x; __Host-latchkey_gate=__proto__', false],
    ['30 KB of others', () => 'a=b; '.repeat(6000), false],
    ['30 KB of almost', () => '__Host-latchkey_gate=A; '.repeat(1200), false],
    ['others around it', () => `a=b; __Host-latchkey_gate=${session()}; c=d`, true],
    ['no space after a semicolon', () => `a=b;__Host-latchkey_gate=${session()}`, true],
  ] as readonly [string, () => string, boolean][]) {
    test(`${name}: ${passes ? 'passes' : '401 or a redirect'}`, async () => {
      const program = await gate.check('/page', { headers: { Cookie: cookie() } });
      assert.equal(program.status, passes ? 200 : 401);
      const browser = await gate.check('/page', { headers: { ...navigation, Cookie: cookie() } });
      assert.equal(browser.status, passes ? 200 : 302);
      if (!passes) assert.equal(program.headers['remote-user'], undefined);
    });
  }

  test("two of the same name, and two headers, are tried as far as one that could be the gate's", async () => {
    const own = `__Host-latchkey_gate=${session()}`;
    const none = `__Host-latchkey_gate=${'A'.repeat(43)}`;
    const statuses = [];
    for (const lines of [[`${none}; ${own}`], [none, own], [`__Host-latchkey_gate=x; ${own}`]]) {
      statuses.push((await rawCheck([...forwardedLines(), ...lines.map((each) => `Cookie: ${each}`)])).status);
    }
    assert.deepEqual(statuses, [401, 401, 200]);
  });
});

/** The last character stands for four bits, and two that don't matter. */
function respelled(text: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = digits.indexOf(text.at(-1) ?? '');
  return text.slice(0, -1) + digits[last ^ 1];
}

describe("the gate's own paths", () => {
  for (const uri of [
    '/gate/check',
    '/gate/sign-in',
    '/gate/callback?code=x&state=y',
    '/gate/sign-out',
    '/gate/backchannel-logout',
    '/gate/healthz',
    '/gate/',
    '/gate/../page',
  ]) {
    test(`${uri} as the original URI is no way around`, async () => {
      assert.equal((await gate.check(uri)).status, 401);
      const { status, headers } = await gate.check(uri, { headers: navigation });
      assert.equal(status, 302);
      assert.doesNotMatch(headers.location ?? '', /%2Fgate/i);
    });
  }

  for (const path of [
    '/gate/check/',
    '/gate/Check',
    '//gate/check',
    '/gate//check',
    '/gate/./check',
    '/gate/x/../check',
    '/gate/%63heck',
    '/gate/check%20',
    '/gate/check;x',
    '/gate/check#',
    '/gate\\check',
    '*',
    'http://wiki.example/gate/check',
    '/gate/healthz/',
    '/',
    '/admin',
  ]) {
    test(`${path} is not answered with 200`, async () => {
      const { status } = await rawCheck([...forwardedLines(), ...signedInHeaders()], `GET ${path}`);
      assert.ok([400, 404].includes(status), `${status}`);
    });
  }

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
    test(`${method} of a check is no check`, async () => {
      const headers = [...forwardedLines(), ...signedInHeaders(), 'Content-Length: 0'];
      assert.ok([400, 404].includes((await rawCheck(headers, `${method} /gate/check`)).status));
    });
  }

  test('HEAD of a check is the same without a body', async () => {
    const { status, text } = await rawCheck([...forwardedLines(), ...signedInHeaders()], 'HEAD /gate/check');
    assert.equal(status, 200);
    for (const each of names) assert.match(text, new RegExp(`^${each}:`, 'im'));
    assert.equal((await rawCheck(forwardedLines(), 'HEAD /gate/check')).status, 401);
  });

  test('CONNECT leads nowhere', async () => {
    const { status } = await rawCheck([...forwardedLines(), ...signedInHeaders()], 'CONNECT wiki.example:443');
    assert.ok(Number.isNaN(status) || status >= 400);
  });

  test('an upgrade is a check like any other', async () => {
    const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];
    for (const connection of ['Connection: Upgrade', 'Connection: keep-alive, Upgrade']) {
      const lines = [connection, ...upgrade, ...forwardedLines({ 'X-Forwarded-Proto': ['wss'] })];
      assert.equal((await oneAnswer(lines)).status, 401);
      assert.equal((await oneAnswer([...lines, ...signedInHeaders()])).status, 200);
    }
  });
});

/** Sends a check whose Connection header is its own, and closes the connection after the first answer. */
async function oneAnswer(lines: readonly string[]): Promise<{ status: number }> {
  const socket = connect(Number(new URL(gate.url).port), '127.0.0.1');
  socket.write(['GET /gate/check HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n'));
  const [chunk] = await new Promise<[string]>((resolve) => socket.once('data', (data) => resolve([data.toString()])));
  socket.destroy();
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk)?.[1]) };
}

describe('requests that are read in two ways', () => {
  for (const [name, lines] of [
    ['two lengths', ['Content-Length: 0', 'Content-Length: 5']],
    ['a list of lengths', ['Content-Length: 0, 5']],
    ['a length with a sign', ['Content-Length: +5']],
    ['a negative length', ['Content-Length: -5']],
    ['a length in hexadecimal', ['Content-Length: 0x5']],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['an unknown encoding', ['Transfer-Encoding: xchunked']],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity']],
    ['a space before the colon', ['Content-Length : 5']],
    ['a folded line', ['X-A: b', ' c']],
    ['a line without a colon', ['X-Forwarded-Uri']],
    ['a bare line feed', ['X-A: b\nX-Forwarded-Uri: /healthz']],
    ['a bare carriage return', ['X-A: b\rX-Forwarded-Uri: /healthz']],
    ['NUL in a value', ['X-A: b\0c']],
    ['NUL in a name', ['X\0A: b']],
    ['a name in parentheses', ['X(A): b']],
    ['a second host', ['Host: evil.example']],
  ] as const) {
    test(`${name}: refused, or nothing is believed twice`, async () => {
      const { status, text } = await rawCheck([...lines, ...forwardedLines({ 'X-Forwarded-Uri': ['/page'] })]);
      assert.ok([400, 401, 403].includes(status), `${status}`);
      assert.equal(text.match(/^HTTP\/1\.1/gm)?.length, 1);
    });
  }

  test('a body behind a check is no second request', async () => {
    const inner = ['GET /gate/healthz HTTP/1.1', 'Host: x', '', ''].join('\r\n');
    const lines = [...forwardedLines(), `Content-Length: ${inner.length}`];
    const { text } = await sendRaw({ url: gate.url }, { line: 'GET /gate/check', headers: lines, body: inner });
    assert.equal(text.match(/^HTTP\/1\.1/gm)?.length, 1);
  });

  test('headers of more than 32 KB are 431', async () => {
    const sized = (size: number) =>
      rawCheck([...forwardedLines(), ...signedInHeaders(), `X-Long: ${'x'.repeat(size)}`]);
    assert.equal((await sized(31_000)).status, 200);
    assert.equal((await sized(33_000)).status, 431);
    const many = Array.from({ length: 2500 }, (_, index) => `X-${index}: ${'y'.repeat(12)}`);
    const { status } = await rawCheck([...many, ...forwardedLines(), ...signedInHeaders()]);
    assert.ok([400, 403, 431].includes(status), `${status}`);
  });

  test('many headers before the ones that count do not push them out', async () => {
    const many = Array.from({ length: 2100 }, () => 'x:y');
    const admin = forwardedLines({ 'X-Forwarded-Uri': ['/admin/'] });
    const first = forwardedLines();
    const { status } = await rawCheck([...first, ...signedInHeaders(), ...many, ...admin]);
    assert.equal(status, 403);
    assert.equal((await rawCheck([...many, ...first, ...signedInHeaders()])).status, 200);
  });
});

test('nothing of this was a fault', () => {
  assert.deepEqual(
    gate.lines.filter(({ level }) => level === 'error'),
    [],
  );
});
