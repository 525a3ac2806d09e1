// People in the console: inviting, disabling, helping back in, and deleting.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { alertOn, namesOn, noticeOn, send, textOf, visit } from '../../harness/console.ts';
import { newHolder, passkeysOf } from '../../harness/passkeys.ts';
import { formIn, Person } from '../../harness/person.ts';
import { obtainTokens, userinfo } from '../../harness/relying-party.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, linkFor, mailsTo } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const password = 'a phrase of my own';

const { service, administrator, admin } = consoleOfSuite();

describe('people', () => {
  test("they're found by email address, any word of their name, and ID", async () => {
    const user = await service.newUser({ name: 'Jocelyn Bell Burnell', email: 'pulsar@stars.example' });
    for (const search of ['pulsar@', 'JOC', 'bell', 'burnell', 'bell bur', user.id]) {
      const { page } = await visit(admin, `/admin/people?search=${encodeURIComponent(search)}`);
      assert.deepEqual(namesOn(page), ['Jocelyn Bell Burnell'], search);
    }
    assert.match((await visit(admin, '/admin/people?search=ell')).page, /No people found/);
  });

  test("a filter that isn't one is never an error of the service, even if every object has something of its name", async () => {
    for (const value of ['nonsense', '__proto__', 'constructor', 'toString']) {
      for (const name of ['status', 'role', 'second_factor', 'signed_in', 'expires_within', 'managed_by']) {
        const { status } = await visit(admin, `/admin/people?${name}=${value}`);
        assert.ok(status === 200 || status === 400, `${name}=${value}: ${status}`);
      }
    }
  });

  test('factors suspended by a password reset are shown and can be removed', async () => {
    const { user } = await newHolder(service);
    await setPassword(service.running.services, user.id, password, requester);
    const path = `/admin/people/${user.id}`;
    const tab = `${path}/security`;
    assert.match((await visit(admin, tab)).page, /1 paused since a password reset/);
    await send(admin, path, `${path}/remove-second-factors`, {});
    assert.equal((await visit(admin, tab)).page.includes('paused'), false);
    assert.deepEqual(await passkeysOf(service, user), []);
  });

  test('an emailed invitation verifies the email address', async () => {
    const email = 'invited@example.test';
    const { page } = await send(admin, '/admin/people/invitations', '/admin/people/invite', { email, name: 'Guest' });
    assert.equal(noticeOn(page), 'Invitation sent.');
    assert.match((await mailsTo(service, email))[0]?.subject ?? '', /You're invited/);
    const guest = new Person(service);
    const form = await formIn(await guest.visit(await linkFor(service, email)));
    const welcome = await guest.submit(form, { name: 'Guest of honour', password });
    assert.match(await welcome.text(), /Guest of honour/);
    const user = await service.running.services.storage.findUserByEmail(email);
    assert.notEqual(user?.emailVerifiedAt, null);
    assert.equal(user?.adminSince, null);
    const again = await send(admin, '/admin/people/invitations', '/admin/people/invite', { email });
    assert.equal(again.status, 400);
    assert.match(alertOn(again.page) ?? '', /There is already a person with the email address/);
  });

  test("without email the invitation link is shown, and doesn't verify the address", async () => {
    const quiet = await startTestService({
      LATCHKEY_BASE_URL: 'https://id.example',
    });
    try {
      const boss = await quiet.newUser({ admin: true });
      const browser = new Person(quiet);
      await browser.signIn(boss);
      const form = await formIn(await browser.visit('/admin/people/invitations'), '/admin/people/invite');
      const page = await (await browser.submit(form, { email: 'guest@example.test', name: '' })).text();
      const path = textOf(page, 'link').replace('https://id.example', '');
      const guest = new Person(quiet);
      const accepted = await guest.submit(await formIn(await guest.visit(path)), { name: 'Guest', password });
      assert.equal(accepted.status, 200);
      const user = await quiet.running.services.storage.findUserByEmail('guest@example.test');
      assert.equal(user?.emailVerifiedAt, null);
      assert.match(await (await browser.visit('/admin')).text(), /Until then, nobody can reset a password/);
      const person = await (await browser.visit(`/admin/people/${user?.id}/security`)).text();
      assert.match(person, /Email isn&#39;t set up, so you can&#39;t send a password reset/);
    } finally {
      await quiet.stop();
    }
  });

  test("disabling ends sessions and tokens at once, and enabling doesn't bring them back", async () => {
    const client = await service.newClient();
    const user = await service.newUser();
    const { tokens, person } = await obtainTokens(service, client, user);
    const path = `/admin/people/${user.id}`;
    assert.match((await visit(admin, `${path}/access`)).page, /Test app/, 'their applications are seen');
    const { page } = await send(admin, path, `${path}/disable`);
    assert.match(noticeOn(page) ?? '', /^Person disabled\./);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    assert.equal((await person.request('/account')).status, 302);
    await send(admin, path, `${path}/enable`);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    assert.equal((await new Person(service).signIn(user)).status, 200);
  });

  test('a reset can be sent, sessions ended and admin access given', async () => {
    const user = await service.newUser();
    const browser = new Person(service);
    await browser.signIn(user);
    const path = `/admin/people/${user.id}`;
    await send(admin, path, `${path}/send-reset`);
    assert.match(await linkFor(service, user.email), /^\/reset-password\/finish/);
    await send(admin, path, `${path}/end-sessions`);
    assert.equal((await browser.request('/account')).status, 302);
    await send(admin, path, `${path}/make-administrator`);
    assert.notEqual((await service.running.services.storage.findUser(user.id))?.adminSince, null);
    await send(admin, path, `${path}/remove-administrator`);
    for (const event of (await service.events()).filter(({ userId }) => userId === user.id).slice(-3)) {
      assert.equal(event.detail?.by, `administrator ${administrator.id}`, event.kind);
    }
  });

  test('a recovery link sets a new password once', async () => {
    const user = await service.newUser({ emailVerified: false });
    const path = `/admin/people/${user.id}`;
    const first = textOf((await send(admin, path, `${path}/recovery-link`)).page, 'link');
    const second = textOf((await send(admin, path, `${path}/recovery-link`)).page, 'link');
    const visitor = new Person(service);
    assert.equal((await visitor.visit(first.slice(service.url.length))).status, 410, 'the newest alone works');
    const form = await formIn(await visitor.visit(second.slice(service.url.length)));
    assert.equal((await visitor.submit(form, { password })).status, 200);
    assert.equal((await visitor.submit(form, { password: `${password} again` })).status, 410);
    assert.equal((await new Person(service).signIn({ ...user, password })).status, 200);
    assert.equal(
      (await service.running.services.storage.findUser(user.id))?.emailVerifiedAt,
      null,
      'it proves no mailbox',
    );
  });

  test("an administrator's changes show in the person's activity, without an IP address", async () => {
    const user = await service.newUser();
    await send(admin, `/admin/people/${user.id}`, `/admin/people/${user.id}/send-reset`);
    const browser = new Person(service);
    await browser.signIn(user);
    const page = await (await browser.visit('/account/activity')).text();
    assert.match(
      page,
      /reset link sent by an administrator<\/span> <span class="quiet facts-line"><span>By an administrator/,
    );
    const data = (await (await browser.visit('/account/data.json')).json()) as {
      activity: { kind: string; address: string | null; detail: object }[];
    };
    const sent = data.activity.find(({ kind }) => kind === 'user_reset_sent');
    assert.deepEqual([sent?.address, sent?.detail], [null, {}]);
  });

  test('an invitation replaces an earlier one and is deleted with the account', async () => {
    const email = 'twice@example.test';
    const invite = () => send(admin, '/admin/people/invitations', '/admin/people/invite', { email });
    await invite();
    const first = await linkFor(service, email);
    service.clock.advance(1);
    await invite();
    const second = await linkFor(service, email);
    assert.equal((await new Person(service).visit(first)).status, 410);
    const guest = new Person(service);
    await guest.submit(await formIn(await guest.visit(second)), { name: 'Guest', password });
    const user = await service.running.services.storage.findUserByEmail(email);
    const path = `/admin/people/${user?.id}`;
    await send(admin, `${path}/delete`, `${path}/delete`);
    assert.equal(
      (await service.rows('links')).some(({ detail }) => String(detail).includes(email)),
      false,
    );
  });

  test("links made for an ordinary person don't work once they're an administrator", async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    const link = textOf((await send(admin, path, `${path}/recovery-link`)).page, 'link').slice(service.url.length);
    await send(admin, path, `${path}/make-administrator`);
    assert.equal((await new Person(service).visit(link)).status, 410);
    await send(admin, path, `${path}/remove-administrator`);
    await send(admin, path, `${path}/disable`);
    const answer = await send(admin, path, `${path}/make-administrator`);
    assert.match(alertOn(answer.page) ?? '', /disabled/);
  });

  test("administrators' changes to a person stay on record, with their names, after the person is deleted", async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    await send(admin, path, `${path}/recovery-link`);
    await send(admin, `${path}/delete`, `${path}/delete`);
    const [made] = (await service.events('user_recovery_link_made')).slice(-1);
    assert.equal(made?.detail?.by, `administrator ${administrator.id}`);
    assert.equal(made?.address, '');
  });

  test('deleting asks first', async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    assert.match((await visit(admin, `${path}/delete`)).page, /permanently deleted/);
    const { page } = await send(admin, `${path}/delete`, `${path}/delete`);
    assert.equal(noticeOn(page), 'Person deleted.');
    assert.equal((await visit(admin, path)).status, 404);
  });

  test("the last administrator can't disable, demote or delete themselves", async () => {
    const path = `/admin/people/${administrator.id}`;
    const since = await everythingIn(service);
    for (const [page, action] of [
      [path, `${path}/disable`],
      [path, `${path}/remove-administrator`],
      [`${path}/delete`, `${path}/delete`],
    ] as const) {
      const answer = await send(admin, page, action);
      assert.equal(answer.status, 400, action);
      assert.match(alertOn(answer.page) ?? '', /is the last administrator/);
    }
    const answer = await send(admin, '/account/data', '/account/delete', {});
    assert.equal(answer.status, 409);
    assert.match(alertOn(answer.page) ?? '', /only administrator/);
    await assertNothingChanged(service, since);
  });
});
