// Limits on failed attempts: they hold whatever the attacker varies, and don't lock out the user under attack.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { formIn, Person } from '../../harness/person.ts';
import { startTestService, type TestUser } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const device = 'latchkey_device';

/** Behind a proxy that passes on client addresses. */
const service = serviceOfSuite({ LATCHKEY_TRUST_PROXY: '127.0.0.1,::1', LATCHKEY_SIGN_UP: 'open' });
// Each test starts when the attempts of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

let networks = 0;
/** An IP address in a new network. */
const newNetwork = () => `2001:db8:${(++networks).toString(16)}::1`;

interface Attempt {
  readonly email: string;
  readonly password?: string;
  readonly from: string;
}

async function attempt(person: Person, { email, password = 'wrong password', from }: Attempt): Promise<Response> {
  const form = await formIn(await person.visit('/sign-in'));
  const body = new URLSearchParams({ ...form.fields, email, password });
  return person.request('/sign-in', { method: 'POST', body, headers: { 'X-Forwarded-For': from } });
}

/** The statuses of attempts, one after another, each from a new browser. */
async function attempts(each: readonly Attempt[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const one of each) statuses.push((await attempt(new Person(service), one)).status);
  return statuses;
}

const repeated = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, i) => item(i));

function assertThrottled(response: Response): void {
  assert.equal(response.status, 429);
  const retryAfter = Number(response.headers.get('retry-after'));
  assert.ok(retryAfter > 0 && retryAfter <= 15 * MINUTE);
}

describe('a person under attack from everywhere', () => {
  let user: TestUser;
  let owner: Person;
  const home = newNetwork();
  before(async () => {
    user = await service.newUser();
    owner = new Person(service);
    assert.equal((await attempt(owner, { ...user, from: home })).status, 303);
    assert.match(owner.cookies.get(device) ?? '', /^lkd_/);
    owner.cookies.delete('latchkey_session');
    service.clock.advance(16 * MINUTE);
    // Other spellings of the address don't help either.
    const spellings = [user.email, user.email.toUpperCase(), user.email.replace('@', '+x@')];
    const statuses = await attempts(
      repeated(51, (index) => ({ email: spellings[index % 3] as string, from: newNetwork() })),
    );
    assert.deepEqual(statuses, [...Array(50).fill(400), 429], 'fifty attempts from anywhere are the most');
  });
  // These tests all run within the fifteen minutes of the attack.
  beforeEach(() => service.clock.advance(-16 * MINUTE));

  test("can't sign in from a new browser, even with the right password", async () => {
    assertThrottled(await attempt(new Person(service), { ...user, from: newNetwork() }));
    const events = await service.events('sign_in_failed');
    assert.deepEqual(events.at(-1)?.detail, { reason: 'throttled' });
  });

  test("can still sign in from a browser they've used before", async () => {
    for (const from of [home, newNetwork()]) {
      assert.equal((await attempt(owner, { ...user, from })).status, 303);
      owner.cookies.delete('latchkey_session');
    }
  });

  test("isn't affected by another person's browser mark, or a forged one", async () => {
    const other = new Person(service);
    assert.equal((await attempt(other, { ...(await service.newUser()), from: newNetwork() })).status, 303);
    other.cookies.delete('latchkey_session');
    assertThrottled(await attempt(other, { ...user, from: newNetwork() }));
    const forger = new Person(service);
    forger.cookies.set(device, `lkd_${'a'.repeat(43)}`);
    assertThrottled(await attempt(forger, { ...user, from: newNetwork() }));
  });

  test("isn't affected by a mark someone else left in the browser", async () => {
    const [victim, shared, attacker] = [await service.newUser(), new Person(service), new Person(service)];
    assert.equal((await attempt(shared, { ...(await service.newUser()), from: newNetwork() })).status, 303);
    attacker.cookies.set(device, shared.cookies.get(device) ?? '');
    shared.cookies.delete('latchkey_session');
    assert.equal((await attempt(shared, { ...victim, from: newNetwork() })).status, 303);
    shared.cookies.delete('latchkey_session');
    const wrong = repeated(50, () => ({ email: victim.email, from: newNetwork() }));
    assert.deepEqual(new Set(await attempts(wrong)), new Set([400]));
    assertThrottled(await attempt(attacker, { ...victim, from: newNetwork() }));
    assert.equal((await attempt(shared, { ...victim, from: newNetwork() })).status, 303, 'and the person has one');
    service.clock.advance(16 * MINUTE);
    const told = async () =>
      (await mailsTo(service, victim.email)).filter(({ subject }) => /New sign-in/.test(subject)).length;
    const before = await told();
    assert.equal((await attempt(attacker, { ...victim, from: newNetwork() })).status, 303);
    assert.equal(await told(), before + 1, 'and hears of the browser with the copy');
  });

  test('has ten attempts in a known browser, and no more', async () => {
    const thief = new Person(service);
    thief.cookies.set(device, owner.cookies.get(device) ?? '');
    for (let count = 0; count < 10; count++) {
      assert.equal((await attempt(thief, { email: user.email, from: newNetwork() })).status, 400, `attempt ${count}`);
    }
    assertThrottled(await attempt(thief, { ...user, from: newNetwork() }));
    assertThrottled(await attempt(owner, { ...user, from: home }));
  });

  test('can sign in anywhere after fifteen minutes', async () => {
    service.clock.advance(16 * MINUTE);
    assert.equal((await attempt(new Person(service), { ...user, from: newNetwork() })).status, 303);
  });
});

describe('at most ten failures per account and network are checked', () => {
  const cases: { name: string; each: (email: string, index: number) => Attempt }[] = [
    {
      name: 'whichever address of an IPv6 /64 they come from',
      each: (email, index) => ({ email, from: `2001:db8:ffff:1:${(index * 4099).toString(16)}::${index}` }),
    },
    {
      name: 'however the address is written',
      each: (email, index) => ({
        email,
        from: ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:198.51.100.7'][index % 3] as string,
      }),
    },
    {
      name: 'in whatever case, width and alias the e-mail address is typed',
      each: (email, index) => ({
        email: [
          email,
          email.toUpperCase(),
          ` ${email} `,
          [...email].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
          email.replace('@', '+alias@'),
          email.replace('@', '\uff0b\uff21lias@'),
          email.replace('@', '+@'),
        ][index % 7] as string,
        from: '198.51.100.8',
      }),
    },
    {
      name: 'whatever a client says before the proxy speaks',
      each: (email, index) => ({ email, from: `203.0.113.${index}, 198.51.100.9` }),
    },
  ];
  for (const c of cases) {
    test(c.name, async () => {
      const { email, password } = await service.newUser();
      assert.deepEqual(await attempts(repeated(10, (index) => c.each(email, index))), Array(10).fill(400));
      const right = repeated(7, (index) => ({ ...c.each(email, index), password }));
      for (const one of right) assertThrottled(await attempt(new Person(service), one));
      const elsewhere = { email, password, from: newNetwork() };
      assert.equal((await attempt(new Person(service), elsewhere)).status, 303, 'the account is open from elsewhere');
    });
  }

  test('even if thirty arrive at once', async () => {
    const { email, password } = await service.newUser();
    const from = newNetwork();
    const people = repeated(30, () => new Person(service));
    const answers = await Promise.all(people.map((person) => attempt(person, { email, from })));
    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.filter((status) => status === 400).length <= 10);
    assert.deepEqual(new Set(statuses), new Set([400, 429]));
    assertThrottled(await attempt(new Person(service), { email, password, from }));
  });

  test("and successes don't count", async () => {
    const { email, password } = await service.newUser();
    const from = newNetwork();
    const statuses = await attempts([
      ...repeated(9, () => ({ email, from })),
      ...repeated(2, () => ({ email, password, from })),
      ...repeated(2, () => ({ email, from })),
    ]);
    assert.deepEqual(statuses, [...Array(9).fill(400), 303, 303, 400, 429]);
  });
});

test("without a trusted proxy, X-Forwarded-For doesn't change the network", async () => {
  const direct = await startTestService();
  try {
    const { email, password } = await direct.newUser();
    const forged = (index: number) => ({ email, from: `203.0.113.${index}` });
    for (let count = 0; count < 10; count++) {
      assert.equal((await attempt(new Person(direct), forged(count))).status, 400);
    }
    assertThrottled(await attempt(new Person(direct), { ...forged(10), password }));
    assert.deepEqual(
      new Set((await direct.events('sign_in_failed')).map(({ address }) => address)),
      new Set(['127.0.0.1']),
    );
  } finally {
    await direct.stop();
  }
});

describe('emails', () => {
  const ask = async (path: string, email: string, from: string, person = new Person(service)) => {
    const form = await formIn(await person.visit(path), path);
    return person.submit(form, { email }, { 'X-Forwarded-For': from });
  };
  /** How many emails are waiting for a mailbox. */
  const waitingFor = async (box: string) => {
    const waiting = await service.running.services.emailQueue.list(50);
    return waiting.filter(({ email }) => email.to.toLowerCase().startsWith(box)).length;
  };
  const links = async () => (await service.rows('links')).length;

  test('to one mailbox, aliases included, are limited to five in fifteen minutes, without the page saying so', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const spellings = [
      'box@example.test',
      'BOX@example.test',
      'box+a@example.test',
      'box+b@EXAMPLE.test',
      ' box+@example.test',
    ];
    for (const [index, email] of spellings.entries()) {
      const path = index % 2 ? '/sign-up' : '/reset-password';
      assert.equal((await ask(path, email, newNetwork())).status, 200, email);
      assert.equal(await waitingFor('box'), index + 1);
    }
    const made = await links();
    for (const path of ['/sign-up', '/reset-password']) {
      const answer = await ask(path, 'box+c@example.test', newNetwork());
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /Check your email/);
    }
    const change = await formIn(await person.visit('/account/email'), '/account/email');
    const values = { email: 'box+d@example.test' };
    assert.equal((await person.submit(change, values, { 'X-Forwarded-For': newNetwork() })).status, 200);
    assert.equal(await waitingFor('box'), 5, 'nothing more is sent');
    assert.equal(await links(), made, 'and no link is made');

    await ask('/sign-up', 'other-box@example.test', newNetwork());
    assert.equal(await waitingFor('other-box'), 1, 'another mailbox has a share of its own');
    service.clock.advance(15 * MINUTE);
    await ask('/sign-up', 'box@example.test', newNetwork());
    assert.equal(await waitingFor('box'), 6);
  });

  test('to one mailbox are limited to twenty a day, not counting account notices', async () => {
    const user = await service.newUser({ email: 'daily-box@example.test' });
    for (let round = 0; round < 6; round++) {
      for (let count = 0; count < 5; count++) await ask('/reset-password', user.email, newNetwork());
      service.clock.advance(16 * MINUTE);
    }
    assert.equal(await waitingFor('daily-box'), 20);
    assert.equal((await attempt(new Person(service), { ...user, from: newNetwork() })).status, 303);
    assert.equal(await waitingFor('daily-box'), 21, 'the notice about a new device');
    service.clock.advance(24 * 60 * MINUTE);
    await ask('/reset-password', user.email, newNetwork());
    assert.equal(await waitingFor('daily-box'), 22);
  });

  test('requested at once are five at most', async () => {
    const people = repeated(20, () => new Person(service));
    const answers = await Promise.all(
      people.map((person) => ask('/sign-up', 'parallel@example.test', newNetwork(), person)),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const sent = await waitingFor('parallel');
    assert.ok(sent > 0 && sent <= 5, `${sent} were sent`);
  });

  test('from one network are limited to thirty in fifteen minutes', async () => {
    const { email } = await service.newUser();
    const network = newNetwork().replace('::1', '');
    for (let count = 0; count < 30; count++) {
      assert.equal((await ask('/sign-up', `many${count}@example.test`, `${network}::${count + 1}`)).status, 200);
    }
    for (const [path, to] of [
      ['/sign-up', 'many30@example.test'],
      ['/sign-up', email],
      ['/reset-password', email],
      ['/reset-password', 'many0@example.test'],
    ] as [string, string][]) {
      const refused = await ask(path, to, `${network}::ffff`);
      assertThrottled(refused);
      assert.match(await refused.text(), /Too many attempts/);
    }
    assert.equal(await waitingFor('many30'), 0);
    assert.equal((await ask('/sign-up', 'many30@example.test', newNetwork())).status, 200);
    assert.equal(await waitingFor('many30'), 1);
  });
});
