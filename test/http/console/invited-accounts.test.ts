// Invitations that carry groups, admin access and an end, and links to sign up with: in the API and the console.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { createGroup, deleteGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import { makeAdministrator, removeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { Api, type KeyCaller, newKey, withSession } from '../../harness/api.ts';
import { alertOn, noticeOn, send, textOf, visit } from '../../harness/console.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { proofFormOn, prove } from '../../harness/proof.ts';
import { requester, startTestService, type TestUser } from '../../harness/service.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const DAY = 24 * 60 * 60;
const password = 'a phrase of my own';
const invitations = '/admin/people/invitations';
const links = '/admin/people/sign-up-links';

const { service, admin, signInAgain } = consoleOfSuite({ LATCHKEY_SIGN_UP: 'links' });
let api: Api;
let key: KeyCaller;
let adminKey: KeyCaller;
let guests = 0;

before(async () => {
  api = await Api.of(service);
  key = await newKey(service);
  adminKey = await newKey(service, 'administrator');
  for (const name of ['Crew', 'Staff']) await createGroup(service.running.services, { name }, requester);
});

const newEmail = () => `guest${++guests}@example.test`;
const stored = (email: string) => service.running.services.storage.findUserByEmail(email);
const listed = async (email: string) =>
  (await api.call('listInvitations', key)).data.items.find((each) => each.email === email);

async function accept(email: string): Promise<Response> {
  const person = new Person(service);
  const form = await formIn(await person.visit(await linkFor(service, email)), '/invitation');
  return person.submit(form, { name: 'Grace Hopper', password });
}

async function groupsOf(email: string): Promise<string[]> {
  const user = await stored(email);
  assert.ok(user);
  return (await service.running.services.storage.listGroupsOf(user.id, service.clock.now())).map(({ name }) => name);
}

/** An administrator who can be stopped, with a session. */
async function another(): Promise<{ user: TestUser; caller: Awaited<ReturnType<typeof withSession>> }> {
  const user = await service.newUser({ admin: true });
  return { user, caller: await withSession(service, user) };
}

describe('an invitation', () => {
  test('carries groups and an end, which are listed, kept when it is resent, and given to the account', async () => {
    const { services } = service.running;
    await createGroup(services, { name: 'Interns' }, requester);
    await createGroup(services, { name: 'Short-lived' }, requester);
    const email = newEmail();
    const body = { email, groups: ['crew', 'Interns', 'Short-lived'], account_expires_at: '2099-12-31' };
    const made = await api.call('inviteUser', key, { body });
    assert.equal(made.status, 201, made.message);
    const carried = {
      groups: ['Crew', 'Interns', 'Short-lived'],
      admin: false,
      account_expires_at: '2099-12-31T23:59:59.999Z',
    };
    assert.deepEqual(pick(made.data), carried);
    assert.deepEqual(pick(await listed(email)), carried);
    const event = (await service.events('user_invited')).at(-1);
    assert.deepEqual(event?.detail?.groups, carried.groups);
    assert.equal(event?.detail?.account_expires_at, carried.account_expires_at);
    const { page } = await visit(admin, invitations);
    assert.match(page, /<th[^>]*>Roles and groups<\/th>/);
    assert.match(page, /Crew, Interns, Short-lived <span class="quiet">until 2099-12-31/);

    await updateGroup(services, 'Interns', { name: 'Trainees' }, requester);
    service.clock.advance(1);
    const resent = await api.call('resendInvitation', key, { body: { email } });
    assert.deepEqual(pick(resent.data), { ...carried, groups: ['Crew', 'Trainees', 'Short-lived'] });
    await deleteGroup(services, 'Short-lived', true, requester);
    assert.equal((await accept(email)).status, 200, 'a group that was deleted is left out');
    assert.deepEqual(await groupsOf(email), ['Crew', 'Trainees']);
    const user = await stored(email);
    assert.equal(user?.expiresAt, Date.parse(carried.account_expires_at));
    assert.equal(user?.adminSince, null);
    assert.deepEqual(
      (await service.events('group_member_added')).slice(-2).map(({ userId }) => userId),
      [user?.id, user?.id],
    );
  });

  test('whose account would have ended before it is accepted has expired', async () => {
    const email = newEmail();
    await api.call('inviteUser', key, { body: { email, account_expires_at: '1d' } });
    const form = await formIn(await new Person(service).visit(await linkFor(service, email)), '/invitation');
    service.clock.advance(DAY);
    assert.equal((await new Person(service).visit(await linkFor(service, email))).status, 410);
    assert.equal((await new Person(service).submit(form, { name: 'Grace', password })).status, 410);
    assert.equal(await stored(email), undefined);
    const again = await api.call('resendInvitation', key, { body: { email } });
    assert.deepEqual(
      [again.status, again.message],
      [409, `The access that ${email} was invited to has ended. Invite them again with another end.`],
    );
    await signInAgain();
  });

  test('with an unknown group, too many groups or an end that makes no sense is refused', async () => {
    for (const [more, message] of [
      [{ groups: ['Nobody'] }, 'There is no group "Nobody".'],
      [{ account_expires_at: '2020-01-01' }, 'The end must be in the future.'],
      [{ account_expires_at: 'soon' }, /^The end must be a time such as/],
      [{ account_expires_at: '' }, /^The end must be a time such as/],
      [{ groups: Array.from({ length: 21 }, () => 'Crew') }, /groups/],
      [{ admin: 'yes' }, /admin/],
    ] as const) {
      const refused = await api.call('inviteUser', adminKey, { body: { email: newEmail(), ...more } });
      assert.equal(refused.status, 400, refused.message);
      if (typeof message === 'string') assert.equal(refused.message, message);
      else assert.match(refused.message, message);
    }
    const form = { email: newEmail(), name: '', groups: 'Crew\r\nNobody', expires: '30d' };
    const { status, page } = await send(admin, invitations, '/admin/people/invite', form);
    assert.deepEqual([status, alertOn(page)], [400, 'There is no group &quot;Nobody&quot;.']);
    assert.match(page, />Crew\r?\nNobody<\/textarea>/);
    assert.match(page, /<option value="30d" selected>/);
  });
});

describe('admin access by invitation', () => {
  test('needs the permission, for sending and for resending', async () => {
    const email = newEmail();
    const body = { email, admin: true };
    const refused = await api.call('inviteUser', key, { body });
    assert.equal(refused.status, 403);
    assert.match(refused.message, /needs the permission "administrator"/);
    assert.equal(await listed(email), undefined);
    assert.equal((await api.call('inviteUser', key, { body: { email: newEmail(), admin: false } })).status, 201);

    const made = await api.call('inviteUser', adminKey, { body });
    assert.deepEqual([made.status, made.data.admin], [201, true]);
    assert.equal((await listed(email))?.admin, true);
    assert.equal((await service.events('user_invited')).at(-1)?.detail?.admin, 'yes');
    assert.equal((await api.call('resendInvitation', key, { body: { email } })).status, 403);
    service.clock.advance(1);
    assert.equal(
      (await api.call('resendInvitation', adminKey, { body: { email: email.toUpperCase() } })).data.admin,
      true,
    );
    assert.equal((await accept(email)).status, 200);
    const user = await stored(email);
    assert.notEqual(user?.adminSince, null);
    const event = (await service.events('user_made_administrator')).at(-1);
    assert.deepEqual([event?.userId, event?.detail?.by], [user?.id, `api_key ${adminKey.id}`]);
  });

  test('needs proof of identity in a session, for sending and for resending', async () => {
    const { user, caller } = await another();
    const email = newEmail();
    service.clock.advance(60 * 60);
    const body = { email, admin: true };
    for (const [operation, sent] of [
      ['inviteUser', body],
      ['resendInvitation', { email }],
    ] as const) {
      if (operation === 'resendInvitation') await api.call('inviteUser', adminKey, { body });
      const refused = await api.call(operation, caller, { body: sent });
      assert.equal(refused.status, 403, operation);
      assert.match(refused.message, /Confirm it's you/);
    }
    assert.equal((await api.call('inviteUser', caller, { body: { email: newEmail() } })).status, 201, 'without, none');

    const person = new Person(service);
    await person.signIn(user);
    service.clock.advance(60 * 60);
    const form = readForm((await visit(person, invitations)).page, '/admin/people/invite');
    assert.ok(form);
    const other = newEmail();
    const values = { email: other, name: 'G', groups: 'Crew\r\nStaff', expires: '', admin: 'yes' };
    const asked = await person.submit(form, values);
    assert.equal(await listed(other), undefined);
    const done = await prove(person, asked, { password: user.password });
    assert.equal(noticeOn(await done.text()), 'Invitation sent.');
    assert.deepEqual(pick(await listed(other)), { groups: ['Crew', 'Staff'], admin: true, account_expires_at: null });
    const page = (await visit(person, invitations)).page;
    assert.match(page, /Admin<\/span> Crew, Staff/);
    service.clock.advance(60 * 60);
    const resend =
      [...page.matchAll(/<form[^>]*resend[\s\S]*?<\/form>/g)].find(([text]) => text.includes(other))?.[0] ?? '';
    const again = readForm(resend, `${invitations}/resend`);
    assert.ok(again);
    assert.ok(proofFormOn(await (await person.submit(again, {})).text()));
  });

  test('groups need proof as well, as they do for people who have an account', async () => {
    const { user, caller } = await another();
    service.clock.advance(60 * 60);
    const refused = await api.call('inviteUser', caller, { body: { email: newEmail(), groups: ['Crew'] } });
    assert.equal(refused.status, 403);
    assert.match(refused.message, /Confirm it's you/);
    assert.equal((await api.call('inviteUser', caller, { body: { email: newEmail(), groups: [] } })).status, 201);

    const person = new Person(service);
    await person.signIn(user);
    service.clock.advance(60 * 60);
    const form = readForm((await visit(person, invitations)).page, '/admin/people/invite');
    assert.ok(form);
    const email = newEmail();
    const asked = await person.submit(form, { email, name: 'G', groups: 'Crew', expires: '' });
    assert.equal(await listed(email), undefined);
    await prove(person, asked, { password: user.password });
    assert.deepEqual(pick(await listed(email)), { groups: ['Crew'], admin: false, account_expires_at: null });
  });

  test('is refused if the inviter is no administrator any more, even if they become one again', async () => {
    const { services } = service.running;
    for (const restored of [false, true]) {
      const { user, caller } = await another();
      const email = newEmail();
      const made = await api.call('inviteUser', caller, { body: { email, admin: true } });
      assert.equal(made.status, 201, made.message);
      const form = await formIn(await new Person(service).visit(await linkFor(service, email)), '/invitation');
      assert.equal((await removeAdministrator(services, { id: user.id }, requester)).kind, 'done');
      if (restored) await makeAdministrator(services, { id: user.id }, requester);
      assert.equal((await new Person(service).submit(form, { name: 'Grace', password })).status, 410);
      assert.equal(await stored(email), undefined);
    }
  });

  test('ends with the API key that it was sent with', async () => {
    const own = await newKey(service, 'administrator');
    const email = newEmail();
    await api.call('inviteUser', own, { body: { email, admin: true } });
    await revokeApiKey(service.running.services, own.id, requester);
    assert.equal((await accept(email)).status, 410);
    assert.equal(await stored(email), undefined);
  });

  test('without it, an invitation outlives the rights of its inviter, as before', async () => {
    const { user, caller } = await another();
    const email = newEmail();
    await api.call('inviteUser', caller, { body: { email, groups: ['Crew'] } });
    await removeAdministrator(service.running.services, { id: user.id }, requester);
    assert.equal((await accept(email)).status, 200);
  });

  test('an invitation for the same address without it takes it away', async () => {
    const email = newEmail();
    await api.call('inviteUser', adminKey, { body: { email, admin: true } });
    service.clock.advance(1);
    assert.equal((await api.call('inviteUser', key, { body: { email } })).status, 403);
    assert.equal((await listed(email))?.admin, true);
    await api.call('inviteUser', adminKey, { body: { email } });
    assert.equal((await listed(email))?.admin, false);
    await accept(email);
    assert.equal((await stored(email))?.adminSince, null);
  });

  test('is never in a link that is shared, which the page says', async () => {
    const silent = await startTestService({ LATCHKEY_BASE_URL: 'https://login.example' });
    try {
      const { services } = silent.running;
      assert.equal(services.emailQueue.works, false);
      const { inviteUser, listInvitations } = await import('../../../src/operations/users/invitations.ts');
      const made = await inviteUser(services, { email: 'a@example.test', name: '', admin: true }, requester);
      assert.ok(made.kind === 'done' && made.url !== undefined && made.roles.length === 0);
      const page = await listInvitations(services, {});
      assert.deepEqual(page.kind === 'done' && page.items[0]?.roles, []);
    } finally {
      await silent.stop();
    }
  });
});

describe('links to sign up with', () => {
  const shown = ['id', 'uses', 'used', 'groups', 'note', 'expires_at', 'revoked_at', 'created_at'];

  test('the API creates, lists and revokes them, and shows each once', async () => {
    const made = await api.call('createSignUpLink', key, { body: {} });
    assert.equal(made.status, 201);
    assert.deepEqual(Object.keys(made.data), [...shown, 'url']);
    const { id, url } = made.data;
    assert.match(url, /\/sign-up\?link=lku_[\w-]{43}$/);
    const now = service.clock.now();
    assert.deepEqual(
      { ...made.data, id: '', url: '' },
      {
        id: '',
        uses: 1,
        used: 0,
        groups: [],
        note: '',
        expires_at: new Date(now + 7 * DAY * 1000).toISOString(),
        revoked_at: null,
        created_at: new Date(now).toISOString(),
        url: '',
      },
    );
    const body = { uses: 10_000, days: 365, groups: ['crew'], note: ' For the workshop ' };
    const second = (await api.call('createSignUpLink', key, { body })).data as unknown as Record<string, unknown>;
    assert.deepEqual([second.uses, second.groups, second.note], [10_000, ['Crew'], 'For the workshop']);
    const first = await api.call('listSignUpLinks', key, { query: { limit: '1' } });
    assert.deepEqual(Object.keys(first.data.items[0] ?? {}), shown, 'without the URL');
    const cursor = first.data.next_cursor ?? '';
    const rest = await api.call('listSignUpLinks', key, { query: { cursor } });
    assert.ok([...first.data.items, ...rest.data.items].some((each) => each.id === id));

    const params = { id };
    assert.equal((await api.call('revokeSignUpLink', key, { params })).status, 200);
    assert.equal((await api.call('revokeSignUpLink', key, { params })).status, 409);
    assert.equal((await api.call('revokeSignUpLink', key, { params: { id: 'unknown' } })).status, 404);
    const after = (await api.call('listSignUpLinks', key)).data.items.find((each) => each.id === id);
    assert.equal(after?.revoked_at, new Date(service.clock.now()).toISOString());
    assert.equal((await new Person(service).visit(new URL(url).pathname + new URL(url).search)).status, 410);
    const events = (await service.events()).filter(({ kind }) => kind.startsWith('sign_up_link'));
    assert.deepEqual(events.at(-1)?.detail, { link: id, by: `api_key ${key.id}` });
  });

  test('input outside the limits is refused', async () => {
    for (const body of [
      { uses: 0 },
      { uses: 10_001 },
      { uses: 1.5 },
      { uses: '2' },
      { days: 0 },
      { days: 366 },
      { note: 'x'.repeat(201) },
      { note: 'two\nlines' },
      { note: 'bell\u0007' },
      { groups: ['Nobody'] },
      { groups: Array.from({ length: 21 }, (_, index) => `g${index}`) },
      { secret: 'mine' },
    ]) {
      assert.equal((await api.call('createSignUpLink', key, { body })).status, 400, JSON.stringify(body));
    }
  });

  test('need the right to write, and proof of identity in a session', async () => {
    const reader = await newKey(service, 'read');
    assert.equal((await api.call('listSignUpLinks', reader)).status, 200);
    assert.equal((await api.call('createSignUpLink', reader, { body: {} })).status, 403);
    const { caller } = await another();
    const { id } = (await api.call('createSignUpLink', caller, { body: {} })).data;
    service.clock.advance(60 * 60);
    assert.equal((await api.call('createSignUpLink', caller, { body: {} })).status, 403);
    assert.equal((await api.call('revokeSignUpLink', caller, { params: { id } })).status, 403);
    const person = await withSession(service, await service.newUser());
    assert.equal((await api.call('listSignUpLinks', person)).status, 403);
  });

  test('the console shows a new one once, lists them with what people have typed, and revokes them', async () => {
    await signInAgain();
    const note = `<script>alert(1)</script>"'=HYPERLINK("x")`;
    const made = await send(admin, links, links, { uses: '3', groups: 'Crew\r\nStaff', note, days: '2' });
    assert.equal(made.status, 200);
    const url = textOf(made.page, 'link') ?? '';
    assert.match(url, /\/sign-up\?link=lku_/);
    assert.match(made.page, /3 people can create an account/);
    const { page } = await visit(admin, links);
    assert.equal(page.includes('<script>alert'), false);
    assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    for (const words of [/0 of 3/, /Crew, Staff/, /Margaret Hamilton/]) assert.match(page, words);
    assert.equal(page.includes(url), false);
    const refused = await send(admin, links, links, { uses: '0', groups: '', note: 'kept', days: '7' });
    assert.equal(refused.status, 400);
    assert.match(refused.page, /A sign-up link can be used 1 to 10,000 times\./);
    assert.match(refused.page, /name="note"[^>]*value="kept"/);

    assert.equal((await visit(admin, `${links}/revoke?revoke=made-up`)).status, 404);
    const done = await send(admin, links, `${links}/revoke`);
    assert.equal(noticeOn(done.page), 'Sign-up link revoked.');
    assert.match(done.page, /Revoked/);
    // Whatever a spreadsheet would do with the note, as with every other text in a download.
    const csv = await (await admin.visit('/admin/events.csv?kind=sign_up_link_created')).text();
    assert.match(csv, /HYPERLINK/);
    assert.doesNotMatch(csv, /(^|,)"?=/m);
  });

  test('the person with the ID of the page is found all the same', async () => {
    const body = { from: 'csv', people: [{ id: 'sign-up-links', email: 'old@example.test', name: 'Old' }] };
    assert.equal((await api.call('importPeople', key, { body })).status, 200);
    const { page } = await visit(admin, '/admin/people/~sign-up-links');
    assert.match(page.replaceAll('<wbr>', ''), /old@example\.test/);
    assert.match((await visit(admin, '/admin/people?search=old')).page, /href="\/admin\/people\/~sign-up-links"/);
    assert.deepEqual(await mailsTo(service, 'old@example.test'), []);
  });
});

function pick(data: object | undefined): object {
  const { groups, admin: isAdmin, account_expires_at } = { ...data } as Record<string, unknown>;
  return { groups, admin: isAdmin, account_expires_at };
}
