// Attacks on a sign-in: on where it leads to, on what ties it to one browser and one application, and on that it works once.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GateAnswer, GateVisitor, gateClient, gateOn, startTestGate, type TestGate } from '../harness/gate.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';

const host = 'wiki.example';
const browserCookie = '__Host-latchkey_gate_browser';

let service: TestService;
let gate: TestGate;
let user: TestUser;
let attacker: TestUser;

before(async () => {
  service = await startTestService();
  gate = await startTestGate(service);
  user = await service.newUser();
  attacker = await service.newUser();
});
after(async () => {
  await gate?.stop();
  await service?.stop();
});

const newVisitor = () => new GateVisitor(gate, service);

/** A page that says so, and no session. */
function assertRefused(visitor: GateVisitor, answer: GateAnswer, status = 400): void {
  assert.equal(answer.status, status, answer.body);
  assert.match(answer.body, /<h1>/);
  assert.equal(answer.headers['set-cookie'], undefined);
  assert.equal(visitor.session, undefined);
}

describe('where a sign-in leads to', () => {
  const elsewhere: readonly string[] = [
    '//evil.example',
    '//evil.example/%2e%2e',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '/%2fevil.example',
    '/%2Fevil.example',
    '/%252fevil.example/../..//evil.example\\',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    'https://evil.example',
    'HTTPS://evil.example',
    'http://wiki.example',
    'https:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '@evil.example',
    '.evil.example',
    ':443@evil.example',
    '?x',
    '#x',
    '',
    '/x\r\nSet-Cookie: a=b',
    '/x\nLocation: https://evil.example',
    '/x\0',
    '/x\u2028y',
    '/\uff0f\uff0fevil.example',
    '/\u3002',
    '/\ud800',
    `/${'x'.repeat(3000)}`,
    '/gate/sign-out',
    '/gate/sign-in?account=other',
    '/gate/',
    '/GATE/sign-out',
    '/Gate/callback?code=x',
    '*',
  ];
  /** With a session at Latchkey, which has nothing to do with where a sign-in at the gate leads to. */
  const atLatchkey = new Map<string, string>();
  const newVisitorOfLatchkey = () => {
    const visitor = newVisitor();
    for (const [name, value] of atLatchkey) visitor.person.cookies.set(name, value);
    return visitor;
  };
  before(async () => {
    const visitor = newVisitor();
    await visitor.signIn(user);
    for (const [name, value] of visitor.person.cookies) atLatchkey.set(name, value);
  });

  const encoded = (to: string) => encodeURIComponent(to.toWellFormed());

  test('the page for those who are signed in links to no other host, and to no page of the gate', async () => {
    const visitor = newVisitorOfLatchkey();
    await visitor.signIn(user);
    for (const to of elsewhere) {
      for (const given of [encoded(to), encodeURIComponent(encoded(to))]) {
        const page = await visitor.open(`/gate/sign-in?to=${given}`);
        assert.match(page.body, /<a class="button primary" href="\/">/, given);
        assert.doesNotMatch(page.body, /evil/, given);
      }
    }
  });

  for (const to of firstUntilRelease(elsewhere, 4)) {
    for (const [name, given] of [
      ['', encoded(to)],
      [' encoded twice', encodeURIComponent(encoded(to))],
    ] as const) {
      test(`${JSON.stringify(to.slice(0, 60))}${name} stays on the host`, async () => {
        const visitor = newVisitorOfLatchkey();
        const begun = await visitor.open(`/gate/sign-in?to=${given}`);
        assert.equal(begun.status, 303);
        const { origin, pathname, search } = new URL(begun.headers.location ?? '');
        assert.equal(origin, service.url);
        const callback = await visitor.person.authorize(pathname + search, user);
        const finished = await visitor.open(callback.href);
        assert.equal(finished.status, 303);
        assert.equal(finished.headers.location, `https://${host}/`);
      });
    }
  }

  for (const [to, expected] of [
    ['/a/b?c=d&e=//evil.example', '/a/b?c=d&e=//evil.example'],
    ['/.//evil.example', '/.//evil.example'],
    ['/..//evil.example', '/..//evil.example'],
    ['/x//evil.example', '/x//evil.example'],
    ['/@evil.example', '/@evil.example'],
    ['/%0d%0aX: y', '/'],
    ['/%0d%0aX:y', '/%0d%0aX:y'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/gateway/sign-out', '/gateway/sign-out'],
  ] as const) {
    test(`${to} is a path of the host, whatever it looks like`, async () => {
      const visitor = newVisitorOfLatchkey();
      const location = (await visitor.signIn(user, to)) ?? '';
      assert.equal(location, `https://${host}${expected}`);
      assert.equal(new URL(location).host, host);
      const page = await visitor.open(`/gate/sign-in?to=${encodeURIComponent(to)}`);
      const [, href = ''] = /<a class="button primary" href="([^"]*)">/.exec(page.body) ?? [];
      assert.equal(new URL(href, `https://${host}/gate/sign-in`).host, host);
    });
  }

  test('only the first of several counts, and none is the first page', async () => {
    const visitor = newVisitor();
    await visitor.signIn(user);
    const page = await visitor.open('/gate/sign-in?to=/a&to=//evil.example');
    assert.match(page.body, /href="\/a"/);
    assert.match((await visitor.open('/gate/sign-in')).body, /<a class="button primary" href="\/">/);
  });

  test('of an original URI that is too long or no path of a page, the check names the first page', async () => {
    for (const uri of [`/${'x'.repeat(9000)}`, '//evil.example/', '/\\evil.example', '/gate/sign-out']) {
      const { status, headers } = await newVisitor().check(uri);
      assert.equal(status, 302);
      assert.equal(headers.location, `https://${host}/gate/sign-in?to=%2F`, uri.slice(0, 40));
    }
  });
});

describe('the state of a sign-in', () => {
  /** Leads the browser through Latchkey once more, with the same request. */
  async function codeAgain(visitor: GateVisitor, begun: GateAnswer): Promise<URL> {
    const { pathname, search } = new URL(begun.headers.location ?? '');
    return visitor.person.authorize(pathname + search, user);
  }
  const sessionsIn = async () => (await service.rows('grants')).filter(({ ended_at }) => ended_at === null).length;

  test('finishes one sign-in, however it is spelled', async () => {
    const visitor = newVisitor();
    const begun = await visitor.open('/gate/sign-in?to=/');
    const first = await codeAgain(visitor, begun);
    assert.equal((await visitor.open(first.href)).status, 303);
    assert.notEqual(visitor.session, undefined);
    for (const change of [
      (state: string) => state,
      (state: string) => `${state}=`,
      (state: string) => `${state}.`,
      (state: string) => ` ${state}`,
      (state: string) => state.replaceAll('-', '+').replaceAll('_', '/'),
    ]) {
      visitor.cookies.delete('__Host-latchkey_gate');
      const again = await codeAgain(visitor, begun);
      again.searchParams.set('state', change(again.searchParams.get('state') ?? ''));
      assertRefused(visitor, await visitor.open(again.href));
    }
  });

  test('is refused when it is changed, cut, missing, repeated or made up', async () => {
    // The first few are of different kinds.
    const changes: readonly ((url: URL) => void)[] = [
      (url) => url.searchParams.delete('state'),
      (url) => url.searchParams.append('state', 'x'),
      (url) => url.searchParams.set('code', 'made-up'),
      (url) => url.searchParams.set('iss', 'https://login.evil.example'),
      (url) => url.searchParams.set('state', (url.searchParams.get('state') ?? '').slice(0, -2)),
      (url) => url.searchParams.set('state', `A${url.searchParams.get('state')}`),
      (url) => {
        const state = url.searchParams.get('state') ?? '';
        url.searchParams.set('state', `${state.slice(0, 40)}${state[40] === 'A' ? 'B' : 'A'}${state.slice(41)}`);
      },
      (url) => url.searchParams.set('state', 'A'.repeat(400)),
      (url) => url.searchParams.set('state', ''),
      (url) => url.searchParams.append('state', url.searchParams.get('state') ?? ''),
      (url) => url.searchParams.append('code', 'x'),
      (url) => url.searchParams.delete('code'),
      (url) => url.searchParams.delete('iss'),
      (url) => url.searchParams.append('iss', 'https://login.evil.example'),
      (url) => url.searchParams.set('error', 'server_error'),
      (url) => url.searchParams.set('response', 'eyJhbGciOiJub25lIn0.e30.'),
      (url) => url.searchParams.set('id_token', 'eyJhbGciOiJub25lIn0.e30.'),
    ];
    for (const change of firstUntilRelease(changes, 6)) {
      const visitor = newVisitor();
      const callback = await visitor.callbackFor(user);
      change(callback);
      const answer = await visitor.open(callback.href);
      // Parameters of other flows are nobody's business, and the sign-in is this browser's own.
      if (/response=|id_token=/.test(callback.search) && answer.status === 303) continue;
      assertRefused(visitor, answer);
    }
  });

  test('is over after an hour, and not valid before it was made', async () => {
    for (const seconds of [3600, -3600]) {
      const visitor = newVisitor();
      const begun = await visitor.open('/gate/sign-in?to=/');
      service.clock.advance(seconds);
      try {
        assertRefused(visitor, await visitor.open((await codeAgain(visitor, begun)).href));
      } finally {
        service.clock.advance(-seconds);
      }
    }
  });

  test('is worth nothing when its callback is loaded again, and that ends nothing', async () => {
    const visitor = newVisitor();
    const callback = await visitor.callbackFor(user);
    const cookies = { headers: { Cookie: visitor.cookie } };
    assert.equal((await visitor.open(callback.href)).status, 303);
    const [again] = await Promise.all([1, 2].map(() => newVisitor().open(callback.href, cookies)));
    assert.equal(again?.status, 400);
    service.clock.advance(31);
    assert.equal((await visitor.check('/')).status, 200);
  });

  test('two callbacks at once are one session', async () => {
    const visitor = newVisitor();
    const callback = await visitor.callbackFor(user);
    const before = await sessionsIn();
    const { cookie = '' } = visitor;
    const answers = await Promise.all(
      [1, 2, 3].map(() => new GateVisitor(gate, service).open(callback.href, { headers: { Cookie: cookie } })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
    assert.equal(answers.filter(({ headers }) => headers['set-cookie'] !== undefined).length, 1);
    assert.equal(await sessionsIn(), before);
    const [cookieSet = ''] = answers.flatMap(({ headers }) => headers['set-cookie'] ?? []);
    service.clock.advance(31);
    const check = await gate.check('/', { headers: { Cookie: cookieSet.split(';')[0] } });
    assert.equal(check.status, 200, 'and the others ended nothing');
  });

  test('nor are two callbacks at two processes more than one', async () => {
    const second = await startTestGate(service, { beside: gate });
    try {
      const visitor = newVisitor();
      const callback = await visitor.callbackFor(user);
      const { cookie = '' } = visitor;
      const answers = await Promise.all(
        [gate, second].map((each) =>
          new GateVisitor(each, service).open(callback.href, { headers: { Cookie: cookie } }),
        ),
      );
      assert.equal(answers.filter(({ headers }) => headers['set-cookie'] !== undefined).length, 1);
    } finally {
      await second.stop();
    }
  });
});

describe('a callback in another browser', () => {
  test('without cookies gets a page', async () => {
    const callback = await newVisitor().callbackFor(user);
    const other = newVisitor();
    const answer = await other.open(callback.href);
    assertRefused(other, answer);
    assert.match(answer.body, /cookies/i);
  });

  test("login CSRF: the attacker's code and state don't work in a browser that has begun a sign-in of its own", async () => {
    const callback = await new GateVisitor(gate, service).callbackFor(attacker);
    const victim = newVisitor();
    await victim.open('/gate/sign-in?to=/');
    assertRefused(victim, await victim.open(callback.href));
  });

  test("login CSRF: the attacker's code doesn't work with the victim's state", async () => {
    const callback = await new GateVisitor(gate, service).callbackFor(attacker);
    const victim = newVisitor();
    const own = await victim.callbackFor(user);
    own.searchParams.set('code', callback.searchParams.get('code') ?? '');
    assertRefused(victim, await victim.open(own.href));
  });

  test('login CSRF: someone who is signed in stays who they are', async () => {
    const callback = await new GateVisitor(gate, service).callbackFor(attacker);
    const victim = newVisitor();
    await victim.signIn(user);
    const before = victim.session;
    const answer = await victim.open(callback.href);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal(victim.session, before);
    assert.equal((await victim.check('/')).headers['remote-user'], user.id);
  });

  test('a browser cookie that is fixed or malformed is replaced, or worth nothing', async () => {
    for (const cookie of ['x', '', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, '__proto__', '"quoted"']) {
      const visitor = newVisitor();
      visitor.cookies.set(browserCookie, cookie);
      const begun = await visitor.open('/gate/sign-in?to=/');
      assert.equal(begun.status, 303);
      assert.match(visitor.cookies.get(browserCookie) ?? '', /^[\w-]{43}$/);
      assert.notEqual(visitor.cookies.get(browserCookie), cookie);
    }
  });

  test("the browser cookie isn't a session, nor the other way around", async () => {
    const visitor = newVisitor();
    await visitor.signIn(user);
    const browser = visitor.cookies.get(browserCookie) ?? '';
    const asked = { headers: { Cookie: `__Host-latchkey_gate=${browser}` } };
    assert.equal((await gate.check('/', asked)).status, 401);
    const swapped = newVisitor();
    const callback = await swapped.callbackFor(user);
    swapped.cookies.set(browserCookie, visitor.session ?? '');
    assertRefused(swapped, await swapped.open(callback.href));
  });
});

describe('two applications of one gate', () => {
  let both: TestGate;
  /** The same gate as a browser at one of its hosts sees it. */
  const at = (name: string) => new GateVisitor(gateOn(Number(new URL(both.url).port), name), service);

  before(async () => {
    const wiki = await gateClient(service, host);
    const shop = await gateClient(service, 'shop.example');
    const common = { open: [], programs: [], headers: gate.application.headers, require: [] };
    const applications = [
      { ...common, host, clientId: wiki.id, clientSecret: wiki.secret },
      { ...common, host: 'shop.example', clientId: shop.id, clientSecret: shop.secret },
    ];
    both = await startTestGate(service, { client: wiki, config: { applications } });
  });
  after(() => both?.stop());

  test('the state of one is not a state of the other', async () => {
    const visitor = at(host);
    const callback = await visitor.callbackFor(user);
    const shopper = at('shop.example');
    shopper.cookies.set(browserCookie, visitor.cookies.get(browserCookie) ?? '');
    assertRefused(shopper, await shopper.open(callback.pathname + callback.search));
  });

  test('the code of one is not a code of the other', async () => {
    const callback = await at(host).callbackFor(user);
    const shopper = at('shop.example');
    const own = await shopper.callbackFor(user);
    own.searchParams.set('code', callback.searchParams.get('code') ?? '');
    assertRefused(shopper, await shopper.open(own.href));
  });
});

test('a browser that refuses cookies ends on a page, not in a loop', async () => {
  const visitor = newVisitor();
  await visitor.person.signIn(user);
  let redirects = 0;
  let answer = await visitor.check('/page');
  while (answer.status === 302 || answer.status === 303) {
    assert.ok(++redirects < 10, 'a loop');
    const url = new URL(answer.headers.location ?? '');
    if (url.origin === service.url) {
      const callback = await visitor.person.authorize(url.pathname + url.search, user);
      answer = await visitor.open(callback.href);
    } else answer = await visitor.open(url.href);
    visitor.cookies.clear();
  }
  assert.equal(redirects, 2);
  assert.equal(answer.status, 400);
  assert.match(answer.body, /cookies/i);
});

test('a proxy that asks without the cookie ends on a page, not in a loop', async () => {
  const visitor = newVisitor();
  await visitor.signIn(user);
  const { status, headers } = await gate.check('/page', { headers: { 'Sec-Fetch-Mode': 'navigate' } });
  assert.equal(status, 302);
  const page = await visitor.open(headers.location ?? '');
  assert.equal(page.status, 200);
  assert.match(page.body, /href="\/page"/);
});

test('made-up codes do not fill the log', async () => {
  const loud = await startTestGate(service, { beside: gate });
  try {
    const visitor = new GateVisitor(loud, service);
    for (let count = 0; count < 25; count++) {
      const begun = await visitor.open('/gate/sign-in?to=/');
      const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: 'made-up', state, iss: service.url });
      assertRefused(visitor, await visitor.open(`/gate/callback?${query}`));
    }
    assert.equal(loud.lines.length, 20);
  } finally {
    await loud.stop();
  }
});
