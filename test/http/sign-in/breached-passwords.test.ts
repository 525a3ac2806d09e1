// Passwords that are known from breaches: refused wherever one is chosen, and noted when somebody signs in with one.

import assert from 'node:assert/strict';
import { renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inviteUser } from '../../../src/operations/users/invitations.ts';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { makeRecoveryLink, setPassword } from '../../../src/operations/users/user-recovery.ts';
import { createUserWithLink, newUserRefusal } from '../../../src/operations/users/users.ts';
import { newKey } from '../../harness/api.ts';
import { sha1, temporaryFolder, writeFilter } from '../../harness/breaches.ts';
import { visit } from '../../harness/console.ts';
import { scrape } from '../../harness/metrics.ts';
import { formIn, Person } from '../../harness/person.ts';
import { codeOf, isSignedIn, newOwner, reachSecondStep, tryCode } from '../../harness/second-factors.ts';
import { freePort, requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { askToReset, askToSignUp, name, newAddress } from '../../harness/sign-up.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { until } from '../../harness/until.ts';

const MINUTE = 60;
const breached = 'purple monkey dishwasher';
const good = 'a phrase of my own';
const filter = join(temporaryFolder(), 'filter');
const refusal =
  /That password appeared in a data breach, so others may know it\. Choose one that you use nowhere else\./;
const warning = /Your password appeared in a data breach at another service/;

let service: TestService;
let metricsPort: number;
before(async () => {
  writeFilter(filter, [sha1(breached)]);
  metricsPort = await freePort();
  service = await startTestService({
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_BREACHED_PASSWORDS: filter,
    LATCHKEY_METRICS_PORT: String(metricsPort),
  });
});
after(() => service.stop());
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

const pathOf = (url: string | undefined) => (url ?? '').slice(service.url.length);
const stored = (user: TestUser) => service.running.services.storage.findUser(user.id);
const since = async (user: TestUser) => (await stored(user))?.breachedSince;
const checks = async (result: string) =>
  (await scrape(metricsPort)).of(`latchkey_breached_password_checks_total{result="${result}"}`);

/** Somebody whose password was accepted before there was a filter. */
async function withBreachedPassword(user: TestUser): Promise<TestUser> {
  const { storage, passwords, journal, clock } = service.running.services;
  const event = journal.event({ kind: 'user_password_set', userId: user.id }, requester);
  await storage.setPasswordHash(user.id, await passwords.hash(breached), clock.now(), event);
  return { ...user, password: breached };
}

async function choosingAt(path: string, fields: Record<string, string> = {}) {
  const person = new Person(service);
  const form = await formIn(await person.visit(path));
  return (password: string) => person.submit(form, { ...fields, password });
}

describe('a breached password is refused with advice, and another is accepted', () => {
  const ways: Record<string, () => Promise<(password: string) => Promise<Response>>> = {
    'with the link that sets the service up': async () => {
      const made = await makeSetUpLink(service.running.services, requester);
      assert.ok(made.kind === 'done');
      return choosingAt(pathOf(made.url), { name, email: newAddress() });
    },
    'at sign-up': async () => {
      const email = newAddress();
      await askToSignUp(service, email);
      return choosingAt(await linkFor(service, email), { name });
    },
    'with an invitation': async () => {
      const email = newAddress();
      await inviteUser(service.running.services, { email, name }, requester);
      return choosingAt(await linkFor(service, email), { name });
    },
    'when resetting it': async () => {
      const { email } = await service.newUser();
      await askToReset(service, email);
      return choosingAt(await linkFor(service, email));
    },
    "with an administrator's link": async () => {
      const made = await makeRecoveryLink(service.running.services, (await service.newUser()).id, requester);
      assert.ok(made.kind === 'done');
      return choosingAt(pathOf(made.url));
    },
    'when changing it': async () => {
      const person = new Person(service);
      await person.signIn(await service.newUser());
      const form = await formIn(await person.visit('/account/security'), '/account/password');
      return (password: string) => person.submit(form, { new_password: password });
    },
  };
  for (const [way, begin] of Object.entries(ways)) {
    test(way, async () => {
      const choose = await begin();
      const refused = await choose(breached);
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), refusal);
      assert.equal((await choose(good)).status, 200);
    });
  }

  const problem = 'the password is known from a data breach: choose one that is used nowhere else';

  test('when an administrator sets it', async () => {
    const { id } = await service.newUser();
    const refused = await setPassword(service.running.services, id, breached, requester);
    assert.deepEqual(refused.kind === 'refused' && refused.problems[0].says, problem);
    assert.equal((await setPassword(service.running.services, id, good, requester)).kind, 'done');
  });

  test('when an administrator creates an account in the console', async () => {
    const admin = new Person(service);
    await admin.signIn(await service.newUser({ admin: true }));
    const form = await formIn(await admin.visit('/admin/people/new'), '/admin/people');
    const fields = { name, email: newAddress(), password_choice: 'set' };
    const refused = await admin.submit(form, { ...fields, password: breached });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /known from a data breach: choose one that is used nowhere else/);
  });

  test('when a program creates an account', async () => {
    const key = await newKey(service);
    const create = (password: string) =>
      fetch(`${service.url}/api/people`, {
        method: 'POST',
        headers: { ...key.headers('POST'), 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: newAddress(), name, password }),
      });
    const refused = await create(breached);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /known from a data breach/);
    assert.equal((await create(good)).status, 201);
  });

  test("generated passwords of accounts without one aren't checked", async () => {
    const { services } = service.running;
    const input = { email: newAddress(), name: 'Ada', password: undefined, admin: false, emailVerified: false };
    const everything = { ...services, isBreachedPassword: async () => true };
    assert.equal(await newUserRefusal(everything, input), undefined);
    assert.equal((await createUserWithLink(everything, input, requester)).kind, 'done');
  });

  test("a password that's too common is refused as such", async () => {
    writeFilter(`${filter}.next`, [sha1(breached), sha1('password1')]);
    renameSync(`${filter}.next`, filter);
    await until(() => service.log().includes('a new filter of breached passwords is in use'), 'the new filter is used');
    const { id } = await service.newUser();
    const refused = await setPassword(service.running.services, id, 'password1', requester);
    assert.match(refused.kind === 'refused' ? refused.problems[0].says : '', /is too common/);
  });
});

describe('someone who signs in with a breached password', () => {
  test('is let in, emailed once, and warned on the security page until they change it', async () => {
    const user = await withBreachedPassword(await service.newUser());
    const admin = await service.newUser({ admin: true });
    assert.equal(await since(user), null);

    const person = new Person(service);
    assert.equal((await person.signIn(user)).status, 200);
    const found = service.clock.now();
    assert.equal(await since(user), found);
    service.clock.advance(MINUTE);
    await new Person(service).signIn(user);
    assert.equal(await since(user), found, 'the first time counts');

    const told = (await mailsTo(service, user.email)).filter(({ subject }) =>
      subject.startsWith('Change your password'),
    );
    assert.equal(told.length, 1);
    assert.match(told[0]?.text ?? '', /is on a list of passwords from data breaches at other services/);
    assert.ok(told[0]?.text.includes(`${service.url}/account/security`));
    assert.equal((await service.events('password_found_in_breach')).filter((e) => e.userId === user.id).length, 1);
    assert.match(await (await person.visit('/account/activity')).text(), /Password found in a data breach/);
    assert.match(await (await person.visit('/account/security')).text(), warning);

    const console = new Person(service);
    await console.signIn(admin);
    assert.match((await visit(console, `/admin/people/${user.id}/security`)).page, /Found in a data breach/);
    const listed = await (await console.visit('/admin/events?kind=password_found_in_breach')).text();
    assert.ok(listed.includes(`/admin/people/${user.id}`), 'administrators find everyone concerned');
    const shown = await (await fetch(`${service.url}/api/people/${user.id}`, await byKey())).json();
    assert.equal(
      (shown as { data: object & { password_breached_at?: string } }).data.password_breached_at,
      new Date(found).toISOString(),
    );

    const form = await formIn(await person.visit('/account/security'), '/account/password');
    const changed = await person.submit(form, { new_password: good });
    assert.doesNotMatch(await changed.text(), warning);
    assert.equal(await since(user), null);
    await new Person(service).signIn({ ...user, password: good });
    assert.equal(await since(user), null);
  });

  test('is no longer warned after a reset or after an administrator sets another password', async () => {
    for (const change of ['reset', 'set'] as const) {
      const user = await withBreachedPassword(await service.newUser());
      await new Person(service).signIn(user);
      assert.notEqual(await since(user), null);
      if (change === 'set') await setPassword(service.running.services, user.id, good, requester);
      else {
        await askToReset(service, user.email);
        const choose = await choosingAt(await linkFor(service, user.email));
        assert.equal((await choose(good)).status, 200);
      }
      assert.equal(await since(user), null, change);
    }
  });

  test('is notified before the second step, which continues as usual', async () => {
    const owner = await newOwner(service);
    // Setting a password pauses what is younger.
    service.clock.advance(8 * 24 * 60 * MINUTE);
    const user = await withBreachedPassword(owner.user);
    const step = await reachSecondStep(service, user);
    assert.notEqual(await since(user), null);
    assert.equal((await tryCode(step, codeOf(service, owner))).status, 200);
    assert.ok(await isSignedIn(step.person));
  });

  test('is notified once, even with concurrent sign-ins', async () => {
    const user = await withBreachedPassword(await service.newUser());
    const people = Array.from({ length: 5 }, () => new Person(service));
    await Promise.all(people.map((person) => person.signIn(user)));
    for (const person of people) assert.ok(await isSignedIn(person));
    assert.equal((await service.events('password_found_in_breach')).filter((e) => e.userId === user.id).length, 1);
    const told = (await mailsTo(service, user.email)).filter(({ subject }) =>
      subject.startsWith('Change your password'),
    );
    assert.equal(told.length, 1);
  });

  test("isn't affected by wrong passwords, even breached ones", async () => {
    const user = await service.newUser();
    const before = await checks('breached');
    await new Person(service).signIn({ ...user, password: breached });
    assert.equal(await since(user), null);
    assert.equal(await checks('breached'), before, 'only a password that is right is looked up');
  });
});

async function byKey(): Promise<RequestInit> {
  return { headers: (await newKey(service)).headers('GET') };
}

// The last test: the filter stays damaged.
test('an unreadable filter locks nobody out, and is logged and counted', async () => {
  const user = await service.newUser();
  truncateSync(filter, 100);
  const person = new Person(service);
  await person.signIn(user);
  assert.ok(await isSignedIn(person));
  assert.equal((await setPassword(service.running.services, user.id, breached, requester)).kind, 'done');
  assert.ok((await checks('failed')) >= 2);
  assert.match(service.log(), /the filter of breached passwords can't be read; passwords aren't checked against it/);
  await until(() => service.log().includes("can't be used; the earlier one stays"), 'the new file is looked at');
  assert.ok(!service.log().includes(breached), 'no password is logged');
});
