// Who may use which application, in the console: groups, the list of an application, and the button beside a refusal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOn, namesOn, noticeOn, register, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, userinfo } from '../../harness/relying-party.ts';
import type { TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, administrator, admin } = consoleOfSuite();

/** The form that posts this value to this action. */
function formWith(page: string, action: string, value: string) {
  const forms = page
    .split('<form')
    .slice(1)
    .map((part) => readForm(`<form${part}`, action));
  return forms.find((form) => form !== undefined && Object.values(form.fields).includes(value));
}

/** The boxes of those who were found, by their IDs. */
const boxesOn = (page: string) =>
  new Map([...page.matchAll(/name="(person_\d+)" value="([^"]*)"/g)].map(([, name = '', id = '']) => [id, name]));

async function submit(path: string, action: string, value: string, fields: Record<string, string> = {}) {
  const { page } = await visit(admin, path);
  const own = formWith(page, action, value);
  const box = boxesOn(page).get(value);
  const form = own ?? (box === undefined ? undefined : readForm(page, action));
  assert.ok(form, `no form ${action} with ${value} on ${path}`);
  const response = await admin.submit(form, {
    ...(own === undefined && box !== undefined && { [box]: value }),
    ...fields,
  });
  return { status: response.status, page: await response.text() };
}

async function newGroup(name: string): Promise<string> {
  const { status, page } = await send(admin, '/admin/groups', '/admin/groups', { name });
  assert.equal(status, 200, alertOn(page) ?? '');
  return (
    /action="\/admin\/groups\/([a-z0-9]+)\//.exec(page)?.[1] ??
    /\/admin\/groups\/([a-z0-9]+)\/delete/.exec(page)?.[1] ??
    ''
  );
}

const removedFrom = (app: string) => new RegExp(`^[^.]+ was removed from the access list of ${app}\\. `);

test('a group is created, people are found by name and added, removed, and the group is deleted', async () => {
  const user = await service.newUser({ name: 'Katherine Johnson' });
  const id = await newGroup('Trajectories');
  assert.ok(namesOn((await visit(admin, '/admin/groups')).page).includes('Trajectories'));
  const taken = await send(admin, '/admin/groups', '/admin/groups', { name: 'trajectories' });
  assert.deepEqual([taken.status, alertOn(taken.page)], [400, 'There is already a group &quot;trajectories&quot;.']);
  const path = `/admin/groups/${id}`;
  assert.match((await visit(admin, `${path}?find=zzz`)).page, /No people found\./);
  const added = await submit(`${path}?find=kath`, `${path}/add`, user.id);
  assert.equal(noticeOn(added.page), 'Person added.');
  assert.match(added.page, /Members \(1\)/);
  const removed = await submit(path, `${path}/remove`, user.id);
  assert.match(noticeOn(removed.page) ?? '', /^Katherine Johnson was removed from Trajectories\. /);
  assert.match(removed.page, /Members \(0\)/);
  const deleted = await send(admin, `${path}/delete`, `${path}/delete`);
  assert.equal(noticeOn(deleted.page), 'Group deleted.');
  assert.equal((await visit(admin, path)).status, 404);
});

test('several people are added at once, with the search kept, and those who are members are marked', async () => {
  const names = ['Quill Abbot', 'Quill Baker', 'Quill Cohen'];
  const users = await Promise.all(names.map((name) => service.newUser({ name })));
  const path = `/admin/groups/${await newGroup('Writers')}`;
  const found = (await visit(admin, `${path}?find=quill`)).page;
  const boxes = boxesOn(found);
  assert.deepEqual([...boxes.keys()].toSorted(), users.map(({ id }) => id).toSorted());
  assert.match(found, /data-one="Add 1 person" data-many="Add 2 people"[^>]*>Add selected</);
  const form = readForm(found, `${path}/add`);
  assert.ok(form);
  const picked = users.slice(0, 2).map(({ id }) => [boxes.get(id) ?? '', id]);
  const added = await (await admin.submit(form, { ...Object.fromEntries(picked), expires_at: '2099-01-31' })).text();
  assert.equal(noticeOn(added), 'People added.');
  assert.match(added, /Members \(2\)/);
  assert.match(added, /name="find" type="search" value="quill"/);
  assert.equal(boxesOn(added).size, 3, 'the search is kept');
  assert.equal(added.match(/<span class="badge neutral">Member<\/span>/g)?.length, 2);
  assert.equal((await service.events('group_member_added')).filter(({ userId }) => userId === users[2]?.id).length, 0);

  // What was typed and ticked stays when it's refused.
  const wrong = await admin.submit(form, { ...Object.fromEntries(picked), expires_at: 'someday' });
  const refused = await wrong.text();
  assert.equal(wrong.status, 400);
  assert.match(refused, /name="expires_at_time" value="someday"/);
  assert.equal(refused.match(/name="person_\d+" value="[^"]*" checked/g)?.length, 2);
  const nobody = await admin.submit(form, {});
  assert.deepEqual([nobody.status, alertOn(await nobody.text())], [400, 'Select at least one person.']);
  const unknown = await admin.submit(form, { ...Object.fromEntries(picked), person_9: 'nobody' });
  assert.equal(unknown.status, 400, 'all of them or none');
});

test('a group shows the applications that it opens, with their ends, and those whose claims use it', async () => {
  const id = await newGroup('Openers');
  const path = `/admin/groups/${id}`;
  assert.match((await visit(admin, path)).page, /No application uses this group yet\./);
  const listed = await service.newClient({ name: 'Only listed', access: 'listed' });
  const open = await service.newClient({ name: 'For everyone' });
  const claims = [{ claim: 'groups', source: 'groups', groups: ['Openers'] }] as never;
  const claiming = await service.newClient({ name: 'Claiming', claims });
  for (const { id: client } of [listed, open]) {
    const access = `/admin/applications/${client}/access`;
    await send(admin, access, `${access}/allow`, { group: id, expires_at: '2099-01-31' });
  }
  const { page } = await visit(admin, path);
  const row = (client: { readonly id: string }) =>
    new RegExp(`<a href="/admin/applications/${client.id}">[\\s\\S]*?</tr>`).exec(page)?.[0];
  assert.match(row(listed) ?? '', /Members can sign in[\s\S]*title="31 January 2099/);
  assert.match(row(claiming) ?? '', /Used in claims/);
  assert.equal(row(open), undefined, 'its list opens nothing while it is for everyone');
});

test('several people are allowed at once', async () => {
  const users = await Promise.all(['Rune Abel', 'Rune Bell'].map((name) => service.newUser({ name })));
  const client = await service.newClient({ access: 'listed' });
  const path = `/admin/applications/${client.id}/access`;
  const found = (await visit(admin, `${path}?find=rune`)).page;
  const form = readForm(found, `${path}/allow`);
  assert.ok(form);
  const boxes = [...boxesOn(found)].map(([id, name]) => [name, id]);
  const allowed = await (await admin.submit(form, { find: 'rune', ...Object.fromEntries(boxes) })).text();
  assert.equal(noticeOn(allowed), 'Access allowed.');
  assert.equal(allowed.match(/<span class="badge neutral">On the list<\/span>/g)?.length, users.length);
});

test('limiting an application to its list asks first, and people on it keep their tokens', async () => {
  const client = await register(service, admin, { scope_profile: 'yes' });
  const [kept, lost] = [await service.newUser({ name: 'Dorothy Vaughan' }), await service.newUser()];
  const group = await newGroup('Computers');
  const path = `/admin/applications/${client.id}/access`;
  assert.match((await visit(admin, `/admin/applications/${client.id}`)).page, new RegExp(`href="${path}"`));
  const tokens = async (user: TestUser) => (await obtainTokens(service, client, user)).tokens.access_token;
  const [first, second] = [await tokens(kept), await tokens(lost)];

  const allowed = await submit(`${path}?find=vaughan`, `${path}/allow`, kept.id);
  assert.equal(noticeOn(allowed.page), 'Access allowed.');
  const listed = await send(admin, path, `${path}/allow`, { group });
  assert.ok(listed.page.includes(`<a href="/admin/groups/${group}">Computers</a>`));
  const question = await send(admin, path, path, { access: 'listed' });
  assert.match(question.page, /<h1>Limit access to Recipe box\?<\/h1>/);
  assert.equal((await userinfo(service, second)).status, 200);
  const form = readForm(question.page, path);
  assert.ok(form);
  const limited = await (await admin.submit(form, {})).text();
  assert.equal(noticeOn(limited), 'Access limited to listed people and groups.');
  assert.equal((await userinfo(service, first)).status, 200);
  assert.equal((await userinfo(service, second)).status, 401);

  await submit(path, `${path}/disallow`, group);
  const removed = await submit(path, `${path}/disallow`, kept.id, { sure: 'yes' });
  assert.match(noticeOn(removed.page) ?? '', removedFrom('Recipe box'));
  assert.equal((await userinfo(service, first)).status, 401);
  const opened = await send(admin, path, path, { access: 'everyone' });
  assert.equal(noticeOn(opened.page), 'Access opened to everyone.');
  const [event] = (await service.events('access_disallowed')).slice(-1);
  assert.deepEqual([event?.userId, event?.clientId], [kept.id, client.id]);
  assert.equal(event?.detail?.by, `administrator ${administrator.id}`);
});

test('before a limit is saved, the page says how many of those who use it keep access', async () => {
  const client = await register(service, admin, { name: 'Vault', scope_profile: 'yes' });
  const path = `/admin/applications/${client.id}/access`;
  const choiceOn = (page: string) => ({
    chosen: /name="access" value="(\w+)" checked/.exec(page)?.[1],
    said: /<p class="dependent hint">([^<]*)<\/p>/.exec(page)?.[1],
  });
  const shown = async () => choiceOn((await visit(admin, path)).page);
  assert.deepEqual(await shown(), { chosen: 'everyone', said: 'Nobody has used it yet.' });
  const users = [await service.newUser({ name: 'Dorothy Vaughan' }), await service.newUser(), await service.newUser()];
  for (const user of users) await obtainTokens(service, client, user);
  assert.equal((await shown()).said, '0 of 3 people who use it keep access.');

  // Nobody who uses it would get in any more.
  const lockout = await send(admin, path, path, { access: 'listed' });
  assert.match(lockout.page, /<h1>Lock everyone out of Vault\?<\/h1>/);
  assert.match(lockout.page, /Nobody who uses it keeps access: 3 people lose it right away/);
  assert.equal((await service.running.services.storage.findClient(client.id))?.access, 'everyone');

  await submit(`${path}?find=vaughan`, `${path}/allow`, users[0]?.id ?? '');
  assert.equal((await shown()).said, '1 of 3 people who use it keeps access.');
  const question = await send(admin, path, path, { access: 'listed' });
  assert.match(question.page, /<h1>Limit access to Vault\?<\/h1>/);
  assert.match(question.page, /1 of 3 people who use it keeps access\. People who aren&#39;t on the list lose access/);
  const form = readForm(question.page, path);
  assert.deepEqual([form?.fields.access, form?.fields.sure], ['listed', 'yes']);
  const limited = form && (await admin.submit(form, {}));
  assert.deepEqual(choiceOn((await limited?.text()) ?? ''), { chosen: 'listed', said: undefined });

  const same = await send(admin, path, path, { access: 'listed' });
  assert.equal(noticeOn(same.page), 'Access limited to listed people and groups.', 'what is so already asks nothing');
});

test('removing the last one who keeps access asks first, and says how many of those who use it keep it', async () => {
  const client = await register(service, admin, { name: 'Archive', scope_profile: 'yes' });
  const path = `/admin/applications/${client.id}/access`;
  const remove = (id: string) => submit(path, `${path}/disallow`, id);
  const ask = async (id: string) => {
    const form = formWith((await visit(admin, path)).page, `${path}/disallow`, id);
    assert.ok(form);
    const asked = await admin.submit({ ...form, action: `${path}/disallow/ask` }, {});
    return { status: asked.status, page: await asked.text() };
  };
  const newArcher = () => service.newUser({ name: 'Archer' });
  const [one, other, unused] = [await newArcher(), await newArcher(), await newArcher()];
  const group = await newGroup('Archivists');
  const { storage } = service.running.services;
  const listed = async () => (await storage.listAllowedGroups(client.id)).length;
  await send(admin, path, `${path}/allow`, { group });
  await send(admin, path, path, { access: 'listed', sure: 'yes' });

  // Without the group, the list is empty.
  const empty = await remove(group);
  assert.match(empty.page, /If the list is empty, nobody can sign in\./);
  assert.equal(await listed(), 1);
  await send(admin, path, path, { access: 'everyone' });
  for (const user of [one, other]) await obtainTokens(service, client, user);
  const groupPath = `/admin/groups/${group}`;
  await submit(`${groupPath}?find=archer`, `${groupPath}/add`, one.id);
  for (const { id } of [other, unused]) await submit(`${path}?find=archer`, `${path}/allow`, id);
  await send(admin, path, path, { access: 'listed', sure: 'yes' });

  // Someone else who uses it keeps access, so nothing is asked.
  assert.equal((await ask(other.id)).status, 204);
  assert.match(noticeOn((await remove(other.id)).page) ?? '', removedFrom('Archive'));

  const asked = await ask(group);
  const question = await remove(group);
  for (const { status, page } of [asked, question]) {
    assert.equal(status, 200);
    assert.match(page, /<h1>Lock everyone out of Archive\?<\/h1>/);
    assert.match(page, /0 of 2 people who use it keep access\. They can&#39;t sign in to it anymore/);
  }
  assert.equal(await listed(), 1, 'nothing is removed yet');
  const form = readForm(question.page, `${path}/disallow`);
  assert.ok(form);
  assert.match(noticeOn(await (await admin.submit(form, {})).text()) ?? '', removedFrom('Archive'));
  assert.equal(await listed(), 0);

  // Those who used it are out already, and somebody stays on the list.
  const spare = await newArcher();
  await submit(`${path}?find=archer`, `${path}/allow`, spare.id);
  assert.equal((await ask(unused.id)).status, 204);
  assert.match(noticeOn((await remove(unused.id)).page) ?? '', removedFrom('Archive'));
  const last = formWith((await visit(admin, path)).page, `${path}/disallow`, spare.id);
  assert.ok(last);
  assert.match(await (await admin.submit(last, {})).text(), /If the list is empty, nobody can sign in\./);
  // A page from before shows someone who isn't on the list anymore.
  const stale = await admin.submit(last, { person: unused.id });
  assert.equal(noticeOn(await stale.text()), 'Access removed.');
  assert.equal(
    (await admin.submit(last, { person: '', person_0: spare.id })).status,
    400,
    'boxes are not for removing',
  );
});

test('a refusal names the person and application, and has a button that gives them access', async () => {
  const client = await service.newClient({ name: 'Vault', access: 'listed' });
  const user = await service.newUser({ name: 'Mary Jackson' });
  const person = new Person(service);
  await person.signIn(user);
  assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 403);
  const events = `/admin/events?kind=access_refused&application=${client.id}`;
  const { page } = await visit(admin, events);
  assert.match(page, /<summary>Access denied<\/summary>[\s\S]*?<a [^>]*>Mary Jackson<\/a>[\s\S]*?<a [^>]*>Vault<\/a>/);
  const action = `/admin/applications/${client.id}/access/allow`;
  assert.equal(noticeOn((await submit(events, action, user.id)).page), 'Access allowed.');
  assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 200);
  const later = await visit(admin, events);
  assert.match(later.page, /They have access now\./);
  assert.equal(readForm(later.page, action), undefined);
});

test('invalid input gets a page and changes nothing', async () => {
  const client = await service.newClient({ access: 'listed' });
  const path = `/admin/applications/${client.id}/access`;
  const form = readForm((await visit(admin, path)).page, path);
  assert.ok(form);
  const post = async (action: string, values: Record<string, string>) =>
    (await admin.submit({ ...form, action, fields: { form_token: form.fields.form_token ?? '' } }, values)).status;
  for (const values of [{}, { access: 'some' }]) assert.equal(await post(path, values), 400);
  for (const values of [{}, { person: 'nobody' }, { group: 'nothing' }]) {
    assert.equal(await post(`${path}/allow`, values), 400);
  }
  assert.equal(await post('/admin/applications/nobody/access', { access: 'everyone' }), 404);
  assert.equal(await post('/admin/applications/nobody/access/allow', { person: administrator.id }), 404);
  assert.equal(await post('/admin/groups/nothing/add', { person: administrator.id }), 404);
  assert.equal(await post('/admin/groups', { name: ' ' }), 400);
  for (const page of [`${path}?cursor=x`, '/admin/groups?cursor=x'])
    assert.equal((await visit(admin, page)).status, 400);
  assert.equal((await service.running.services.storage.findClient(client.id))?.access, 'listed');
});
