// Accounts that nobody uses: administrators list them, and decide that they're disabled; people are told before, and keep their account
// by using it.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { approveUser } from '../../../src/operations/users/approval.ts';
import { enableUser } from '../../../src/operations/users/disable-user.ts';
import type { EmailMessage } from '../../../src/protocol/emails.ts';
import { Api, type KeyCaller, newKey, withBearer } from '../../harness/api.ts';
import { newWaiting } from '../../harness/approval.ts';
import { runCommand } from '../../harness/command.ts';
import { send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters } from '../../harness/relying-party.ts';
import { requester, startTestService, type TestClock, type TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { newSweep } from '../../harness/sweep.ts';
import { newWebhook } from '../../harness/webhooks.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const subjects = ['Your account will be disabled soon', 'Ihr Konto wird bald deaktiviert'];

const { service, admin, signInAgain } = consoleOfSuite();
let api: Api;
let key: KeyCaller;
let sweep: ReturnType<typeof newSweep>;

before(async () => {
  api = await Api.of(service);
});
// Nobody from an earlier test can be disabled, and the clock has been steady.
beforeEach(async () => {
  await service.execute("UPDATE users SET roles = 'auditor' WHERE admin_since IS NULL");
  key = await newKey(service, 'administrator');
  await set({ disable_inactive_after_days: null, inactive_notice_days: 14 });
  sweep = newSweep(service);
  await sweep.round();
  await pass(HOUR);
});

/** Time goes by, with a sweep now and then. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= HOUR / 2) {
    service.clock.advance(Math.min(left, HOUR / 2));
    await sweep.round();
    await noteEmails();
  }
}

/** Days, and then as long as it takes until everyone was looked at. */
async function passDays(days: number): Promise<void> {
  service.clock.advance(days * DAY - HOUR);
  await sweep.round();
  await pass(2 * HOUR);
}

async function set(body: object) {
  const answer = await api.call('updateSettings', key, { body });
  assert.equal(answer.status, 200, answer.message);
  return answer.data as unknown as { readonly affected: number | null };
}

const turnOn = () => set({ disable_inactive_after_days: 90 });
const listed = async (query: Record<string, string>) =>
  (await api.call('listUsers', key, { query })).data.items.map(({ id }) => id);
/** Emails about it, by recipient. They're listed for a day. */
const notices = new Map<string, Map<string, EmailMessage>>();
async function noteEmails(): Promise<void> {
  for (const { email } of await service.running.services.emailQueue.list(500)) {
    if (!subjects.some((subject) => email.subject.startsWith(subject))) continue;
    const own = notices.get(email.to) ?? new Map<string, EmailMessage>();
    notices.set(email.to, own.set(email.text, email));
  }
}
const told = ({ email }: TestUser) => [...(notices.get(email)?.values() ?? [])];
const standing = async ({ id }: TestUser) => {
  const { disabled_at, disabled_reason } = (await api.call('getPerson', key, { params: { id } }))
    .data as unknown as Record<string, string | null>;
  return disabled_at === null ? 'active' : (disabled_reason ?? 'disabled');
};
/** Once the clock has moved on, an earlier key may have a proof that is too old. */
const newest = async () => {
  key = await newKey(service, 'administrator');
};

describe('the list', () => {
  test('of those inactive has who neither signed in, nor used an application or an API key, the longest first', async () => {
    const [signsIn, uses, idle, later] = [
      await service.newUser(),
      await service.newUser(),
      await service.newUser(),
      await service.newUser(),
    ];
    const maker = await service.newUser({ admin: true });
    const input = { name: 'Used', permission: 'read', days: undefined };
    const by = { ...requester, actor: { kind: 'administrator', id: maker.id } } as const;
    const made = await createApiKey(service.running.services, input, by);
    assert.ok(made.kind === 'done');
    const client = await service.newClient();
    const tokens = await obtainTokens(service, client, uses);
    await service.running.services.journal.flush();
    service.clock.advance(20 * DAY);
    await new Person(service).signIn(signsIn);
    await new Person(service).signIn(later);
    const refreshed = await postForm(
      service,
      '/oauth/token',
      refreshParameters(client, tokens.tokens.refresh_token ?? ''),
    );
    assert.equal(refreshed.status, 200);
    assert.equal((await api.call('listUsers', withBearer(made.secret))).status, 200);
    await service.running.services.journal.flush();
    service.clock.advance(70 * DAY);
    await newest();
    const ids = await listed({ inactive: '90d' });
    assert.ok(ids.includes(idle.id));
    for (const { id } of [signsIn, uses, later, maker]) assert.equal(ids.includes(id), false);
    service.clock.advance(20 * DAY);
    const all = await listed({ inactive: '90d' });
    for (const { id } of [signsIn, uses, later, maker]) assert.ok(all.indexOf(id) > all.indexOf(idle.id));
    const byUse = await listed({ inactive: '90d', sort: '-last_active' });
    assert.deepEqual(byUse, all.toReversed());
  });

  test('says when each was last active: API, CSV and console; never for who never was', async () => {
    const user = await service.newUser({ name: 'Last Active' });
    const at = async () => {
      const { data } = await api.call('listUsers', key, { query: { search: user.email } });
      return (data.items[0] as unknown as { last_active_at: string | null }).last_active_at;
    };
    assert.equal(await at(), null);
    await new Person(service).signIn(user);
    const now = new Date(service.clock.now()).toISOString();
    assert.equal(await at(), now);
    await signInAgain();
    const csv = await (await admin.visit(`/admin/people.csv?search=${user.email}`)).text();
    const [head = '', row = ''] = csv.split('\r\n');
    assert.equal(row.split(',')[head.split(',').indexOf('last_active_at')], now);
    const { page } = await visit(admin, '/admin/people?inactive=1d');
    assert.match(page, /Inactive for 1 day/);
    assert.match(page, />Last active</);
    assert.match((await visit(admin, `/admin/people/${user.id}`)).page, /<dt>Last active<\/dt>/);
  });
});

describe('once it is turned on', () => {
  test('people are told 14 days before, and disabled with the reason, which events and webhooks have', async () => {
    const user = await service.newUser({ locale: 'de' });
    const english = await service.newUser();
    await newWebhook(service, { url: 'https://hooks.example/', types: ['user.disabled', 'grant.ended'] });
    await turnOn();
    const client = await service.newClient();
    await obtainTokens(service, client, english);
    await passDays(75);
    assert.equal(told(english).length, 0);
    await passDays(1);
    assert.equal(told(english).length, 1);
    await newest();
    const [mail] = told(user);
    const [, day = ''] = /Wenn Sie sich bis zum (.*) UTC weder anmelden/.exec(mail?.text ?? '') ?? [];
    const german = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    // The sweep looks once an hour.
    const least = service.clock.now() + 14 * DAY * 1000;
    assert.ok(
      [0, 1, 2, 3, 4].some((half) => german.format(least - half * 0.5 * HOUR * 1000) === day),
      day,
    );
    assert.match(mail?.text ?? '', /\/sign-in\n/);
    await passDays(13);
    assert.deepEqual([await standing(user), told(english).length], ['active', 1]);
    await passDays(1);
    await newest();
    assert.equal(await standing(user), 'inactive');
    assert.deepEqual((await listed({ status: 'inactive' })).toSorted(), [user.id, english.id].toSorted());
    assert.ok((await listed({ status: 'disabled' })).includes(user.id));
    const event = (await service.events('user_disabled')).find(({ userId }) => userId === user.id);
    assert.deepEqual(event?.detail, { reason: 'inactive', days: 90 });
    const messages = await service.rows('webhook_deliveries');
    const about = (type: string, { id }: TestUser) =>
      messages
        .filter((each) => each.type === type)
        .map(({ data }) => JSON.parse(String(data)))
        .find(({ sub }) => sub === id);
    assert.deepEqual(about('user.disabled', user), { sub: user.id, reason: 'inactive', by: null });
    assert.deepEqual(about('grant.ended', english)?.reason, 'inactive');
    await signInAgain();
    const { page } = await visit(admin, '/admin/people?status=inactive');
    assert.match(page, /Disabled for inactivity/);

    const person = new Person(service);
    await enableUser(service.running.services, { id: english.id }, requester);
    await person.signIn(english);
    assert.match((await visit(person, '/account/activity')).page, /Account disabled because it wasn’t used/);

    await enableUser(service.running.services, { id: user.id }, requester);
    await passDays(75);
    assert.equal(await standing(user), 'active');
    await passDays(1);
    await passDays(14);
    await newest();
    assert.equal(await standing(user), 'inactive');
  });

  test('signing in, a page of the account and using an application keep the account', async () => {
    const [enters, visits, uses, idle] = [
      await service.newUser(),
      await service.newUser(),
      await service.newUser(),
      await service.newUser(),
    ];
    await set({ disable_inactive_after_days: 30, kept_session_days: 365, kept_session_idle_days: 365 });
    const client = await service.newClient();
    const tokens = await obtainTokens(service, client, uses);
    const visitor = new Person(service);
    await visitor.signIn(visits, { keep: 'yes' });
    // So that no write of these uses is under way when the next ones are noted.
    await service.running.services.journal.flush();
    await passDays(16);
    for (const user of [enters, visits, uses, idle]) assert.equal(told(user).length, 1);
    await new Person(service).signIn(enters);
    assert.equal((await visitor.visit('/account')).status, 200);
    const refreshed = await postForm(
      service,
      '/oauth/token',
      refreshParameters(client, tokens.tokens.refresh_token ?? ''),
    );
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
    await service.running.services.journal.flush();
    await passDays(15);
    await newest();
    const all = [enters, visits, uses, idle];
    assert.deepEqual(await Promise.all(all.map(standing)), ['active', 'active', 'active', 'inactive']);
    await set({ kept_session_days: 30, kept_session_idle_days: 14 });
  });

  test('it never concerns people with a role, of a directory, or who wait for approval', async () => {
    const idle = await service.newUser();
    const auditor = await service.newUser();
    const managed = await service.newUser();
    const waiting = await newWaiting(service);
    await service.execute(`UPDATE users SET roles = 'auditor' WHERE id = '${auditor.id}'`);
    await service.execute(`UPDATE users SET managed_by = 'okta', external_id = '1' WHERE id = '${managed.id}'`);
    await turnOn();
    await passDays(76);
    await passDays(14);
    await newest();
    assert.equal(await standing(idle), 'inactive');
    assert.deepEqual([await standing(auditor), await standing(managed)], ['active', 'active']);
    assert.equal(told(auditor).length + told(managed).length, 0);
    const ids = await listed({ inactive: '90d' });
    assert.ok(ids.includes(auditor.id) && ids.includes(managed.id));
    const approved = await approveUser(service.running.services, { id: waiting.id }, requester);
    // Nobody decides about them for longer than 30 days.
    assert.equal(approved.kind, 'refused');
  });

  test('nobody is disabled earlier than the days of the notice after it was turned on, changed or turned on again', async () => {
    const user = await service.newUser();
    await passDays(200);
    await newest();
    assert.deepEqual((await turnOn()).affected, 1);
    await passDays(1);
    assert.equal(told(user).length, 1);
    await newest();
    await set({ disable_inactive_after_days: 60 });
    await passDays(1);
    assert.equal(told(user).length, 2, 'the day is another one');
    await newest();
    await set({ disable_inactive_after_days: null });
    await passDays(30);
    await newest();
    assert.equal(await standing(user), 'active');
    await turnOn();
    await passDays(1);
    await passDays(12);
    assert.equal(await standing(user), 'active');
    await passDays(2);
    await newest();
    assert.equal(await standing(user), 'inactive');
  });

  test('without email nobody is told, and so nobody is disabled', async () => {
    const user = await service.newUser();
    await turnOn();
    const services = { ...service.running.services, emailQueue: { works: false } } as typeof service.running.services;
    const silent = newSweep({ ...service, running: { ...service.running, services } });
    for (let day = 0; day < 110; day++) {
      service.clock.advance(DAY / 2);
      await silent.round();
      service.clock.advance(DAY / 2);
      await silent.round();
    }
    await newest();
    assert.equal(await standing(user), 'active');
    const [row] = await service.rows('users').then((rows) => rows.filter(({ id }) => id === user.id));
    assert.equal(row?.inactive_end, null);
  });
});

describe('a wrong clock', () => {
  /** Someone who was told, and whose time is over in a day. */
  async function lastDay(): Promise<TestUser> {
    const user = await service.newUser();
    await turnOn();
    await passDays(76);
    await passDays(13);
    assert.equal(told(user).length, 1);
    await newest();
    return user;
  }

  test('that jumps by more than an hour disables nobody until it was steady for an hour', async () => {
    const user = await lastDay();
    let elapsed = 0;
    const watching = newSweep(service, { holder: 'watching', elapsed: () => elapsed });
    await watching.round();
    service.clock.advance(2 * DAY);
    elapsed += 60_000;
    await watching.round();
    for (let minutes = 0; minutes < 59; minutes++) {
      service.clock.advance(60);
      elapsed += 60_000;
      await watching.round();
    }
    assert.equal(await standing(user), 'active');
    for (let minutes = 0; minutes < 2; minutes++) {
      service.clock.advance(60);
      elapsed += 60_000;
      await watching.round();
    }
    assert.equal(await standing(user), 'inactive');
  });

  test('that a new process starts with disables nobody for an hour', async () => {
    const user = await lastDay();
    service.clock.advance(2 * DAY);
    const started = newSweep(service, { holder: 'started' });
    await started.round();
    service.clock.advance(HOUR - 60);
    await started.round();
    assert.equal(await standing(user), 'active');
    service.clock.advance(60);
    await started.round();
    assert.equal(await standing(user), 'inactive');
  });

  test('of one instance neither tells nor disables anyone, however long it goes on', async () => {
    const [user, other] = [await lastDay(), await service.newUser()];
    const ahead: TestClock = { now: () => service.clock.now() + 365 * DAY * 1000, advance: service.clock.advance };
    const services = { ...service.running.services, clock: ahead };
    const wrong = newSweep(
      { ...service, clock: ahead, running: { ...service.running, services } },
      { holder: 'wrong' },
    );
    for (let round = 0; round < 10; round++) {
      await wrong.round();
      service.clock.advance(HOUR / 2);
    }
    assert.equal(await standing(user), 'active');
    assert.equal(told(other).length, 0);
  });
});

describe('turning it on', () => {
  test('in the console asks first, and says how many are affected', async () => {
    await service.newUser();
    await service.newUser();
    await passDays(95);
    await signInAgain();
    const path = '/admin/settings/accounts';
    const values = { disable_inactive_after_days: '90', inactive_notice_days: '7' };
    const asked = await send(admin, path, path, values);
    assert.match(asked.page, /<h1[^>]*>Disable accounts that aren&#39;t used for 90 days\?</);
    assert.match(
      asked.page,
      /This affects 2 people right now\. People get an email first, and nobody is disabled for at least 7 days\./,
    );
    const current = () => service.running.services.settings.readFresh();
    assert.equal((await current()).disable_inactive_after_days, null);
    const form = readForm(asked.page, path);
    assert.ok(form);
    const saved = await admin.submit(form, {});
    assert.equal(saved.status, 200);
    const { disable_inactive_after_days, inactive_notice_days } = await current();
    assert.deepEqual([disable_inactive_after_days, inactive_notice_days], [90, 7]);
    // More days concern fewer people, and nothing concerns anyone.
    assert.match((await send(admin, path, path, { disable_inactive_after_days: '120' })).page, /Settings saved/);
    assert.match((await send(admin, path, path, { disable_inactive_after_days: '' })).page, /Settings saved/);
    assert.equal((await current()).disable_inactive_after_days, null);
  });

  test('on the command line and in the API says the same; a notice as long as the time is refused', async () => {
    await service.newUser();
    await passDays(40);
    await newest();
    assert.equal((await set({ disable_inactive_after_days: 30 })).affected, 1);
    assert.equal((await set({ session_hours: 24 })).affected, null);
    const long = await api.call('updateSettings', key, { body: { inactive_notice_days: 30 } });
    assert.equal(long.status, 400);
    assert.match(
      long.message,
      /^inactive_notice_days must be a whole number from 1 to 60, and less than the days of inactivity\./,
    );
    for (const body of [
      { disable_inactive_after_days: 29 },
      { disable_inactive_after_days: 731 },
      { inactive_notice_days: 61 },
    ]) {
      assert.equal((await api.call('updateSettings', key, { body })).status, 400);
    }
    const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
    const run = async (...args: string[]) => (await runCommand(args, environment)).stdout.trim();
    // Commands go by the time of the machine, which is before that of the test.
    const printed = await run('settings', 'set', 'disable_inactive_after_days', '45');
    assert.match(
      printed,
      /^disable_inactive_after_days is now 45\.\nThis affects nobody right now\. People get an email first, and nobody is disabled for at least 14 days\.$/,
    );
    const json = JSON.parse(await run('settings', 'set', 'disable_inactive_after_days', '50', '--json'));
    assert.deepEqual(json, { disable_inactive_after_days: 50, affected: 0 });
    assert.equal(
      await run('settings', 'set', 'disable_inactive_after_days', ''),
      'disable_inactive_after_days is now empty.',
    );
    assert.equal(await run('user', 'list', '--inactive', '3650d'), 'No people match.');
    assert.equal((await run('user', 'list', '--status', 'inactive', '--json')) !== '', true);
  });
});

test('a service of its own: the tile of the overview leads to the list', async () => {
  const fresh = await startTestService();
  try {
    const boss = await fresh.newUser({ admin: true });
    const idle = await fresh.newUser({ name: 'Idle Person' });
    fresh.clock.advance(90 * DAY);
    const browser = new Person(fresh);
    await browser.signIn(boss);
    const { page } = await visit(browser, '/admin');
    const [, href = '', count] = /<a href="([^"]*)">Inactive for 90 days<\/a><\/dt><dd>(\d+)</.exec(page) ?? [];
    assert.equal(count, '1');
    assert.match((await visit(browser, href.replaceAll('&amp;', '&'))).page, new RegExp(`/admin/people/${idle.id}"`));
  } finally {
    await fresh.stop();
  }
});
