// Requests before the guard, how attempts are counted, and what responses reveal about who has an account.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { readHashString } from '../../src/protocol/sign-in/hash-sources/strings.ts';
import {
  emailNetworkCounters,
  networkOf,
  passkeyCounters,
  upstreamCounters,
} from '../../src/protocol/sign-in/throttle-rules.ts';
import { formTokenOf, signedIn } from '../harness/account.ts';
import { newKey } from '../harness/api.ts';
import { HostileUpstream } from '../harness/hostile-upstream.ts';
import { newImported } from '../harness/imported.ts';
import { challengeFor } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { proofAsked } from '../harness/proof.ts';
import { sendRaw } from '../harness/raw-request.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { alignToStep, newOwner, reachSecondStep, wrongCode } from '../harness/second-factors.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { newAddress, withoutAddress } from '../harness/sign-up.ts';
import { addUpstream, allowLoopbackUpstreams, signInWith } from '../harness/upstreams.ts';
import { attack } from './attack.ts';

const MINUTE = 60;

let service: TestService;
let provider: HostileUpstream;
before(async () => {
  const environment = { LATCHKEY_TRUST_PROXY: '127.0.0.1, ::1', LATCHKEY_SIGN_UP: 'open' };
  service = await startTestService({ ...allowLoopbackUpstreams, ...environment });
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});
beforeEach(() => {
  service.clock.advance(16 * MINUTE);
  alignToStep(service);
});

const exchange = (line: string, headers: readonly string[], body = '') => sendRaw(service, { line, headers, body });

attack(53, 'no spelling of a path, and no method, gets past the guard', async () => {
  const user = await service.newUser({ email: 'hidden-person@example.test' });
  const odd = await newImported(service, 'auth0|a:b@c');
  const paths = [
    '/%61pi/people',
    '/api//people',
    '//api/people',
    '/api/./people',
    '/api/x/../people',
    '/api/people%2f..',
    '/api/people/',
    '/api/people/.',
    '/api/people;x=y',
    '/api;/people',
    '/API/people',
    '/api/PEOPLE',
    '/api/people%00',
    '/api/people%20',
    '/api/people.',
    '/api/people?',
    '/api%2fpeople',
    '/api\\people',
    '/.well-known/../api/people',
    '/assets/../api/people',
    '/docs/..%2fapi%2fpeople',
    'http://localhost/api/people',
    'http://127.0.0.1@localhost/api/people',
    '*',
    `/api/people/${user.id}%2f..`,
    `/api/people/${encodeURIComponent(odd.id)}`,
    `/api/people/${encodeURIComponent(odd.id)}%2fsessions`,
    '/admin%00',
    '/admin/%2e%2e/admin/people',
    '/%61dmin/people',
    '/admin//people',
    '/ADMIN/people',
    '/admin/people;x',
    '/admin.',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND', 'TRACE']) {
      const { status, text } = await exchange(`${method} ${path}`, [
        'X-Original-URL: /api/people',
        'X-Rewrite-URL: /api/people',
      ]);
      assert.ok(status >= 300 || (method === 'OPTIONS' && status === 204), `${method} ${path}: ${status}`);
      assert.ok(status < 500 || status === 501, `${method} ${path}: ${status}`);
      assert.ok(!text.includes(user.email) && !text.includes(odd.email), `${method} ${path}`);
    }
  }
  // With a key, a method is the one in the request line, and an id is one segment.
  const { headers } = await newKey(service);
  const authorization = `Authorization: ${headers('GET').Authorization}`;
  const overrides = ['X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE', 'X-HTTP-Method: DELETE'];
  for (const override of overrides) {
    assert.equal((await exchange(`GET /api/people/${user.id}`, [authorization, override])).status, 200);
  }
  assert.equal((await exchange(`GET /api/people/${user.id}?_method=DELETE`, [authorization])).status, 400);
  assert.ok(await service.running.services.storage.findUser(user.id));
  for (const id of [`${user.id}%2f..%2f${odd.id}`, '..', '.', '%2e%2e', 'x%2fsessions']) {
    const { status } = await exchange(`GET /api/people/${id}`, [authorization]);
    assert.ok(status >= 400 && status < 500, `${id}: ${status}`);
  }
  assert.equal((await exchange(`GET /api/people/${encodeURIComponent(odd.id)}`, [authorization])).status, 200);
});

/** Tries a wrong password. */
async function attempt(email: string, headers: Record<string, string>): Promise<number> {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'), '/sign-in');
  const body = new URLSearchParams({ ...form.fields, email, password: 'wrong password' });
  return (await person.request('/sign-in', { method: 'POST', body, headers })).status;
}

/** The same with several lines of one header, which a client library would join. */
async function attemptWithLines(email: string, lines: readonly string[]): Promise<number> {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'), '/sign-in');
  const body = String(new URLSearchParams({ ...form.fields, email, password: 'wrong password' }));
  const headers = [
    ...lines.map((each) => `X-Forwarded-For: ${each}`),
    `Cookie: ${[...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ];
  return (await exchange('POST /sign-in', headers, body)).status;
}

async function untilThrottled(count: number, next: (index: number) => Promise<number>, what: string): Promise<void> {
  const statuses: number[] = [];
  for (let index = 0; index <= count; index++) statuses.push(await next(index));
  assert.deepEqual(statuses.slice(0, count).includes(429), false, `${what}: too early, ${statuses}`);
  assert.equal(statuses.at(-1), 429, `${what}: ${statuses}`);
}

attack(54, 'all spellings of a network, and of an address, are one, on every way in', async () => {
  const spellings = [
    '2001:db8:1:2::1',
    '2001:DB8:1:2::2',
    '2001:0db8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:db8:1:2:0:0:0:9',
  ];
  assert.equal(new Set(spellings.map(networkOf)).size, 1);
  assert.equal(new Set(['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9:443'].map(networkOf)).size, 1);
  for (const counters of [passkeyCounters, upstreamCounters, emailNetworkCounters]) {
    assert.equal(new Set(spellings.flatMap(counters).map(({ key }) => key)).size, 1, counters.name);
  }
  const victim = await service.newUser();
  await untilThrottled(
    10,
    (index) => attempt(victim.email, { 'X-Forwarded-For': spellings[index % 4] ?? '' }),
    'one /64',
  );

  // What a client says itself stands to the left of what the proxy adds.
  service.clock.advance(16 * MINUTE);
  const spoofed = [
    (index: number) => `198.51.100.${index}, 203.0.113.7`,
    (index: number) => `127.0.0.1, 10.0.0.${index}, 203.0.113.7`,
    (index: number) => `::1, 203.0.113.7, 127.0.0.1, ::1`.replace('::1,', `2001:db8:${index}::1,`),
    (index: number) => `"203.0.113.${index}", 203.0.113.7`,
  ];
  await untilThrottled(
    10,
    (index) => attempt(victim.email, { 'X-Forwarded-For': spoofed[index % 4]?.(index) ?? '' }),
    'spoofed',
  );
  service.clock.advance(16 * MINUTE);
  await untilThrottled(
    10,
    (index) => attemptWithLines(victim.email, [`198.51.100.${index}`, `10.1.2.${index}, 203.0.113.6`]),
    'several lines',
  );
  // Other headers aren't read.
  service.clock.advance(16 * MINUTE);
  const from = { 'X-Forwarded-For': '203.0.113.8' };
  await untilThrottled(
    10,
    (index) =>
      attempt(victim.email, {
        ...from,
        'X-Real-IP': `198.51.100.${index}`,
        Forwarded: `for=198.51.100.${index}`,
        'CF-Connecting-IP': `198.51.100.${index}`,
        'X-Client-IP': `198.51.100.${index}`,
      }),
    'other headers',
  );

  // Spellings of one mailbox, from anywhere.
  service.clock.advance(16 * MINUTE);
  const target = await service.newUser({ email: 'Spelled.Person@example.test' });
  const names = [
    'spelled.person@example.test',
    'SPELLED.PERSON@EXAMPLE.TEST',
    'spelled.person+alias@example.test',
    'ｓｐｅｌｌｅｄ.person@example.test',
    ' spelled.person@example.test ',
    'spelled.person@EXAMPLE.test',
  ];
  await untilThrottled(
    10,
    (index) => attempt(names[index % 6] ?? '', { 'X-Forwarded-For': '203.0.113.99' }),
    'spellings',
  );
  assert.equal(await attempt(target.email, { 'X-Forwarded-For': '203.0.113.99' }), 429);

  // The proof, the second step, and loopback without a proxy's word.
  service.clock.advance(16 * MINUTE);
  const owner = await newOwner(service);
  service.clock.advance(16 * MINUTE);
  const held = await proofAsked(
    await owner.person.submit(await formIn(await owner.person.visit('/account/delete'), '/account/delete'), {}),
  );
  await untilThrottled(
    10,
    async () => (await owner.person.submit(held, { password: 'wrong password', code: '' })).status,
    'proof',
  );
  const steps = async (index: number) => {
    const step = await reachSecondStep(service, owner.user);
    const headers = { 'X-Forwarded-For': `2001:db8:${index}::1` };
    return (await step.person.submit(step.form, { code: wrongCode(service, owner, index) }, headers)).status;
  };
  await untilThrottled(10, steps, 'second step');
  const local = await service.newUser();
  await untilThrottled(10, () => attempt(local.email, {}), 'loopback is no exception');
});

/** What a stranger can tell from a response: everything but what they have typed, and what is new each time. */
async function seen(response: Response, typed: string): Promise<string> {
  const page = withoutAddress(await response.text(), typed)
    .replaceAll(encodeURIComponent(typed), 'TYPED')
    .replaceAll(/value="[\w-]*\.?[\w-]{20,}"/g, 'value=""')
    .replaceAll(/code_challenge=[\w-]+/g, '')
    .replaceAll(/<code>[\w-]+<\/code>/g, '');
  const headers = [...response.headers].filter(
    ([name]) => !['date', 'x-request-id', 'set-cookie', 'content-length'].includes(name),
  );
  return JSON.stringify([response.status, headers, page]);
}

attack(55, 'whether an address has an account shows nowhere', async () => {
  const client = await service.newClient();
  const verifier = newVerifier();
  const member = await service.newUser({ email: 'somebody-here@example.test' });
  const owner = await newOwner(service);
  const nobody = { ...member, email: 'somebody-gone@example.test' } as TestUser;
  const ways: Record<string, (email: string) => Promise<Response>> = {
    'a wrong password': async (email) => {
      const person = new Person(service);
      return person.submit(await formIn(await person.visit('/sign-in'), '/sign-in'), {
        email,
        password: 'wrong password',
      });
    },
    'signing up': async (email) => {
      const person = new Person(service);
      return person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email });
    },
    'a password reset': async (email) => {
      const person = new Person(service);
      return person.submit(await formIn(await person.visit('/reset-password'), '/reset-password'), { email });
    },
    'signing up again': async (email) => {
      const person = new Person(service);
      await person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email });
      return person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email });
    },
    'an identity provider that has not verified it': async (email) => {
      provider.person = { sub: email, email, email_verified: false };
      return (await signInWith(service, provider)).response;
    },
    'a hint': (email) => new Person(service).visit(authorizePath(client, verifier, { login_hint: email })),
    'a silent hint': (email) =>
      new Person(service).request(authorizePath(client, verifier, { login_hint: email, prompt: 'none' })),
    'changing the own address': async (email) => {
      const person = await signedIn(service, await service.newUser());
      return person.submit(await formIn(await person.visit('/account/email'), '/account/email'), { email });
    },
  };
  for (const [name, ask] of Object.entries(ways)) {
    const [one, other] = [await ask(member.email), await ask(nobody.email)];
    assert.equal(await seen(one, member.email), await seen(other, nobody.email), name);
  }
  await service.running.services.emailQueue.answerRequests();

  // As long as somebody has the hash of another service, every refusal waits for as long.
  let waits: number[] = [];
  const stopwatch = { now: () => 0, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  const timed = await startTestService({}, { stopwatch });
  try {
    const hash = readHashString('pbkdf2_sha256$1000$seasalt$JgZryXe2Ga8ysg6XbzkLpTdyPQrHqsinbL9BnnhgX4A=');
    assert.ok(hash.kind === 'accepted');
    const foreign = await newImported(timed, 'old|1', { passwordHash: hash.stored });
    const local = await timed.newUser();
    // It is looked for now and then.
    timed.clock.advance(20 * MINUTE);
    const seenWaits: number[][] = [];
    for (const user of [foreign, local, nobody]) {
      waits = [];
      await new Person(timed).signIn({ ...user, password: 'wrong password' });
      seenWaits.push(waits);
    }
    assert.equal(seenWaits[0]?.length, 1);
    for (const each of seenWaits) assert.deepEqual(each, seenWaits[0]);
  } finally {
    await timed.stop();
  }
  // A passkey is asked for without naming anybody's, also after a wrong password of somebody who has one.
  const person = new Person(service);
  const { options } = await challengeFor(person, await formIn(await person.visit('/sign-in'), '/sign-in/passkey'));
  assert.ok(!('allowCredentials' in options) || JSON.stringify(options.allowCredentials) === '[]');
  const refused = await person.signIn({ ...owner.user, password: 'wrong password' });
  assert.doesNotMatch(await refused.text(), /second-step|authenticator/);
  // Nor does a person who isn't an administrator get to ask.
  const outsider = await signedIn(service, await service.newUser());
  for (const path of ['/api/people?search=somebody', `/api/people/${member.id}`, '/api/people/invitations']) {
    assert.equal((await outsider.request(path)).status, 403);
  }
  const body = JSON.stringify({ from: 'csv', people: [{ email: member.email }], dry_run: true });
  const dryRun = { method: 'POST', headers: { 'X-CSRF-Token': await formTokenOf(outsider) }, body };
  assert.equal((await outsider.request('/api/people/import', dryRun)).status, 403);
  const link = await outsider.visit(`/invitation?link=lkl_${'A'.repeat(43)}&email=${newAddress()}`);
  assert.equal(link.status, 410);
});
