// Access that ends by itself, in the console, and on the person's own page.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { alertOn, namesOn, noticeOn, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { sweep } from '../../harness/sweep.ts';

const DAY = 24 * 60 * 60;

const { service, administrator, admin, signInAgain } = consoleOfSuite();

const inDays = (days: number) => new Date(service.clock.now() + days * DAY * 1000).toISOString();
const setEnd = (user: TestUser, expires_at: string) =>
  send(admin, `/admin/people/${user.id}`, `/admin/people/${user.id}/end`, { expires_at });
const stored = async (user: TestUser) => (await service.running.services.storage.findUser(user.id))?.expiresAt;

describe('a person', () => {
  test('gets an end, which the page and the list show, and loses it again', async () => {
    const user = await service.newUser({ name: 'Ends Soon' });
    const page = (await visit(admin, `/admin/people/${user.id}`)).page;
    assert.match(page, /<dt>Access ends<\/dt><dd>Never<\/dd>/);
    const set = await setEnd(user, ' 2099-01-31 ');
    assert.equal(noticeOn(set.page), 'Changes saved.');
    assert.match(
      (await visit(admin, `/admin/people/${user.id}`)).page,
      /<dt>Access ends<\/dt><dd><time datetime="2099-01-31T23:59:59.999Z" data-time="moment">31 January 2099 at 23:59 UTC</,
    );
    // Kept as it is, to the millisecond.
    assert.match(
      set.page,
      /<option value="2099-01-31T23:59:59\.999Z" selected>31 January 2099 at 23:59 UTC<[\s\S]*name="expires_at_time" value="2099-01-31T23:59"/,
    );
    await setEnd(user, inDays(5));
    const list = (await visit(admin, '/admin/people?search=ends')).page;
    assert.match(list, /Ends Soon[\s\S]*?<time [^>]*>in 5 days</);
    await setEnd(user, '');
    assert.equal(await stored(user), null);
  });

  test('an end that is none, or has passed, is refused and stays in the field', async () => {
    const user = await service.newUser();
    for (const [text, problem] of [
      [
        '<soon>',
        'The end must be a time such as 2027-01-31T17:00Z, a date such as 2027-01-31, or days from now such as 30d.',
      ],
      [inDays(0), 'The end must be in the future.'],
    ] as const) {
      const { status, page } = await setEnd(user, text);
      assert.deepEqual([status, alertOn(page)], [400, problem]);
      assert.ok(page.includes(`value="${text.replace('<', '&lt;').replace('>', '&gt;')}"`));
    }
    assert.equal(await stored(user), null);
  });

  test('a time without a zone is in UTC, which the page says; presets count from now', async () => {
    const user = await service.newUser();
    const choose = async (fields: Record<string, string>) => {
      const path = `/admin/people/${user.id}`;
      const { status, page } = await send(admin, path, `${path}/end`, fields);
      assert.equal(status, 200, alertOn(page) ?? '');
      assert.match(page, /<span data-chosen="[^"]*" data-own="[^"]*">Times are in UTC\.</);
      return stored(user);
    };
    const inField = (expires_at_time: string) => choose({ expires_at: 'at', expires_at_time });
    assert.equal(await inField('2099-03-29T02:30'), Date.parse('2099-03-29T02:30:00Z'));
    assert.equal(await inField('2099-03-29T00:30:00.000Z'), Date.parse('2099-03-29T00:30:00Z'));
    assert.equal(await choose({ expires_at: '90d' }), service.clock.now() + 90 * DAY * 1000);
    const quarter = new Date((await choose({ expires_at: 'quarter' })) ?? 0);
    assert.match(quarter.toISOString(), /^\d{4}-(03-31|06-30|09-30|12-31)T23:59:59\.999Z$/);
    assert.ok(quarter.getTime() - service.clock.now() <= 92 * DAY * 1000);
    // What was typed before another choice was made isn't meant.
    assert.equal(await choose({ expires_at: 'never', expires_at_time: '2099-01-31T17:00' }), null);
  });

  test('a time that is refused stays in its field', async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    for (const [expires_at_time, shown, problem] of [
      ['2001-01-31T17:00', '2001-01-31T17:00', /^The end must be in the future\.$/],
      ['2001-01-31T16:00:00.000Z', '2001-01-31T16:00', /^The end must be in the future\.$/],
      ['', '', /^The end must be a time/],
    ] as const) {
      const { status, page } = await send(admin, path, `${path}/end`, { expires_at: 'at', expires_at_time });
      assert.equal(status, 400);
      assert.match(alertOn(page) ?? '', problem);
      assert.match(page, /<option value="at" selected>/);
      assert.ok(page.includes(`name="expires_at_time" value="${shown}"`));
    }
    assert.equal(await stored(user), null);
  });

  test('the last administrator gets none', async () => {
    const { status, page } = await setEnd(administrator, '30d');
    assert.equal(status, 400);
    assert.match(alertOn(page) ?? '', /is the last administrator\. Make someone else an administrator first\.$/);
    assert.equal(await stored(administrator), null);
  });

  test('is shown as expired, with a form instead of a button to let them in again', async () => {
    const user = await service.newUser({ name: 'Gone Person' });
    await setEnd(user, inDays(1 / 24 / 60));
    service.clock.advance(60);
    for (const isWritten of [false, true]) {
      if (isWritten) await sweep(service, 'test');
      const { page } = await visit(admin, `/admin/people/${user.id}/danger`);
      assert.match(page, /class="badge danger"[^>]*>(?:<svg[\s\S]*?<\/svg>)?Expired</);
      for (const button of ['disable', 'enable']) {
        assert.equal(page.includes(`/admin/people/${user.id}/${button}"`), false, button);
      }
      assert.match((await visit(admin, '/admin/people?search=gone')).page, />Expired</);
    }
    const again = await setEnd(user, '30d');
    assert.equal(noticeOn(again.page), 'Changes saved.');
    assert.doesNotMatch(again.page, /class="badge danger"/);
  });

  test('is created with an end; a bad one is shown at its field', async () => {
    const values = { name: 'New', email: 'new-ends@example.test', password_choice: 'link', expires_at: 'soon' };
    const failed = await send(admin, '/admin/people/new', '/admin/people', values);
    assert.equal(failed.status, 400);
    assert.match(failed.page, /id="expires_at-problem">The end must be a time such as/);
    assert.match(failed.page, /<option value="at" selected>[\s\S]*name="expires_at_time" value="soon"/);
    const made = await send(admin, '/admin/people/new', '/admin/people', { ...values, expires_at: '2099-01-31' });
    assert.match(made.page, /31 January 2099 at 23:59 UTC|Share this link/);
    const user = await service.running.services.storage.findUserByEmail('new-ends@example.test');
    assert.equal(user?.expiresAt, Date.parse('2099-01-31T23:59:59.999Z'));
  });

  test('setting an end needs proof once the session is old', async () => {
    const user = await service.newUser();
    service.clock.advance(DAY / 24);
    const form = readForm((await visit(admin, `/admin/people/${user.id}/access`)).page, `/admin/people/${user.id}/end`);
    assert.ok(form);
    const asked = await (await admin.submit(form, { expires_at: '30d' })).text();
    assert.match(asked, /Confirm it(?:&#39;|’)s you/);
    assert.equal(await stored(user), null);
    await signInAgain();
  });

  test('those whose access ends soon have a list of their own, which can be searched', async () => {
    const [sooner, later, never] = [
      await service.newUser({ name: 'Zoe Soon' }),
      await service.newUser({ name: 'Abe Later' }),
      await service.newUser({ name: 'Nora Never' }),
    ];
    await setEnd(sooner, inDays(2));
    await setEnd(later, inDays(29));
    await setEnd(never, inDays(31));
    const { page } = await visit(admin, '/admin/people?ending=yes');
    assert.match(page, /aria-current="true">Ends within 30 days</);
    const names = namesOn(page).filter((name) => / (Soon|Later|Never)$/.test(name ?? ''));
    assert.deepEqual(names, ['Zoe Soon', 'Abe Later']);
    assert.match((await visit(admin, '/admin/people')).page, /href="\/admin\/people\?expires_within=30d"/);
    const csv = await admin.visit('/admin/people.csv?ending=yes');
    const text = await csv.text();
    assert.ok(text.includes(inDays(2)) && !text.includes('Nora Never'), text);
    assert.deepEqual(namesOn((await visit(admin, '/admin/people?ending=yes&search=zoe')).page), ['Zoe Soon']);
  });
});

describe('lists', () => {
  async function newGroup(name: string): Promise<string> {
    const { page } = await send(admin, '/admin/groups', '/admin/groups', { name });
    return /\/admin\/groups\/([a-z0-9]+)\/delete/.exec(page)?.[1] ?? assert.fail(alertOn(page) ?? '');
  }

  /** Presses the button of the one who was found. */
  const pick = (path: string, action: string, user: TestUser, expires_at: string) =>
    send(admin, `${path}?find=${user.email}`, action, { person: user.id, expires_at });

  test('a group: people are added with an end, get another one, and are filtered by it', async () => {
    const [ada, bob] = [await service.newUser({ name: 'Ada Ends' }), await service.newUser({ name: 'Bob Stays' })];
    const path = `/admin/groups/${await newGroup('Ending group')}`;
    const added = await pick(path, `${path}/add`, ada, inDays(10));
    assert.equal(noticeOn(added.page), 'Person added.');
    assert.match(added.page, /<time [^>]*>in 10 days</);
    await pick(path, `${path}/add`, bob, '');
    const filtered = (await visit(admin, `${path}?ending=yes`)).page;
    assert.match(filtered, /Access that ends in the next 30 days\./);
    assert.deepEqual(namesOn(filtered), ['Ada Ends']);
    await pick(path, `${path}/add`, ada, '');
    assert.match((await visit(admin, `${path}?ending=yes`)).page, /Nobody&#39;s access ends in the next 30 days\./);
    const refused = await pick(path, `${path}/add`, ada, '1999-01-01');
    assert.deepEqual([refused.status, alertOn(refused.page)], [400, 'The end must be in the future.']);
  });

  test('an application: people and groups are allowed until an end', async () => {
    const client = await service.newClient();
    const user = await service.newUser({ name: 'Eve Ends' });
    const group = await newGroup('Allowed until');
    const path = `/admin/applications/${client.id}/access`;
    const added = await pick(path, `${path}/allow`, user, '20d');
    assert.match(added.page, /<time [^>]*>in 20 days</);
    assert.deepEqual(namesOn((await visit(admin, `${path}?view=list&ending=yes`)).page), ['Eve Ends']);
    const allowed = await send(admin, path, `${path}/allow`, { group, expires_at: '2099-01-31' });
    assert.match(allowed.page, /data-label="Access ends">.*<time [^>]* title="31 January 2099 at 23:59 UTC"/);
    const [listed] = await service.running.services.storage.listAllowedGroups(client.id);
    assert.equal(listed?.listedUntil, Date.parse('2099-01-31T23:59:59.999Z'));
  });
});

test('people see on their profile when their access ends, in their language', async () => {
  const user = await service.newUser({ locale: 'de' });
  const person = new Person(service);
  await person.signIn(user);
  assert.equal((await (await person.visit('/account/profile')).text()).includes('Ende des Zugriffs'), false);
  const outcome = await editUser(service.running.services, { id: user.id }, { expiresAt: '2099-01-31' }, requester);
  assert.equal(outcome.kind, 'done');
  const page = await (await person.visit('/account/profile')).text();
  assert.match(
    page,
    /Ihr Zugriff endet am <time datetime="2099-01-31T23:59:59\.999Z"[^>]*>31\. Januar 2099 um 23:59 UTC<\/time>\./,
  );
});
