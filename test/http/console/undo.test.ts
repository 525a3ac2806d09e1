// Undoing the removal of access: what it brings back, and every case in which it brings back nothing.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { deleteClient } from '../../../src/operations/clients/revoke-client.ts';
import { changeMembers, createGroup, deleteGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import { deleteUser, disableUser } from '../../../src/operations/users/disable-user.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import type { Listed } from '../../../src/storage/storage.ts';
import { alertOn, noticeOn, visit } from '../../harness/console.ts';
import { type Form, formIn, Person, readForm } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { obtainTokens, userinfo } from '../../harness/relying-party.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { newSweep } from '../../harness/sweep.ts';

const MINUTE = 60;
const { service, administrator, admin, signInAgain } = consoleOfSuite();
const late = 'This can no longer be undone. Undo works for 10 minutes, in the session that removed the access.';
const changed = 'This can no longer be undone: the entry, the person or the group was changed since.';
let made = 0;

const places = [
  'a member, on the page of the group',
  'a membership, on the page of the person',
  'a person, on the list of an application',
  'a group, on the list of an application',
  'access of their own, on the page of the person',
] as const;
type Place = (typeof places)[number];

/** Where access is removed: a form for each entry, and what the notice says. */
interface Removal {
  readonly page: string;
  readonly remove: string;
  readonly add: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly said: string;
  /** The entries that there are. */
  entries(): Promise<readonly Listed<object>[]>;
  readonly adds: 'group_member_added' | 'access_allowed';
}

interface World {
  readonly user: TestUser;
  readonly group: { readonly id: string; readonly name: string };
  readonly client: string;
  readonly removals: Readonly<Record<Place, Removal>>;
}

/** Someone in a group, and both on the list of an application. */
async function newWorld(expiresAt: string | null = null, userName = 'Xiu Haddad'): Promise<World> {
  const { services } = service.running;
  const name = `Engineering ${++made}`;
  const created = await createGroup(services, { name }, requester);
  assert.ok(created.kind === 'done');
  const { group } = created;
  const user = await service.newUser({ name: userName });
  const { id: client } = await service.newClient({ name: 'Grafana', access: 'listed' });
  await changeMembers(services, { id: group.id }, { add: [{ id: user.id }], expiresAt }, requester);
  const listed = { people: [user.id], groups: [group.id], expiresAt };
  await changeAllowed(services, client, 'allow', listed, requester);
  const { storage, clock } = services;
  const [people, apps, groups] = [`/admin/people/${user.id}`, `/admin/applications/${client}`, '/admin/groups'];
  const members = async () => (await storage.listGroupsOf(user.id, clock.now())).filter(({ id }) => id === group.id);
  const listedPeople = async () => (await storage.pageAllowedUsers(client, { limit: 9, after: undefined })).items;
  const fromGroup = {
    said: `Xiu Haddad was removed from ${name}.`,
    entries: members,
    adds: 'group_member_added',
  } as const;
  const fromList = { said: 'Xiu Haddad was removed from the access list of Grafana.', adds: 'access_allowed' } as const;
  const removals: World['removals'] = {
    'a member, on the page of the group': {
      page: `${groups}/${group.id}`,
      remove: `${groups}/${group.id}/remove`,
      add: `${groups}/${group.id}/add`,
      fields: { person: user.id },
      ...fromGroup,
    },
    'a membership, on the page of the person': {
      page: `${people}/access`,
      remove: `${people}/groups/remove`,
      add: `${people}/groups/add`,
      fields: { group: group.id },
      ...fromGroup,
    },
    'a person, on the list of an application': {
      page: `${apps}/access`,
      remove: `${apps}/access/disallow`,
      add: `${apps}/access/allow`,
      fields: { person: user.id },
      ...fromList,
      entries: listedPeople,
    },
    'a group, on the list of an application': {
      page: `${apps}/access`,
      remove: `${apps}/access/disallow`,
      add: `${apps}/access/allow`,
      fields: { group: group.id },
      ...fromList,
      said: `${name} was removed from the access list of Grafana.`,
      entries: async () => storage.listAllowedGroups(client),
    },
    'access of their own, on the page of the person': {
      page: `${people}/access`,
      remove: `${people}/applications/disallow`,
      add: `${people}/applications/allow`,
      fields: { application: client },
      ...fromList,
      entries: listedPeople,
    },
  };
  return { user, group, client, removals };
}

const memberOf = ({ removals }: World) => removals['a member, on the page of the group'];
const personOf = ({ removals }: World) => removals['a person, on the list of an application'];
const groupOf = ({ removals }: World) => removals['a group, on the list of an application'];

/** Removes it and answers with the page that says so. */
async function remove(who: Person, { page, remove: action, fields }: Removal): Promise<string> {
  const form = readForm((await visit(who, page)).page, action) ?? assert.fail(`no form ${action}`);
  const empty = { person: '', group: '', application: '' };
  const response = await who.submit({ ...form, fields: { ...form.fields, ...empty, ...fields, sure: 'yes' } }, {});
  assert.equal(response.status, 200);
  return response.text();
}

function undoOn(page: string): Form | undefined {
  const form = page.split('<form').find((part) => part.includes('id="undo-removal"'));
  return form === undefined ? undefined : readForm(`<form${form}`);
}

/** Removes it and answers with the form that undoes this. */
async function removed(who: Person, removal: Removal): Promise<Form> {
  return undoOn(await remove(who, removal)) ?? assert.fail('Undo is offered');
}

const undo = async (who: Person, form: Form, values: Record<string, string> = {}) => {
  const response = await who.submit(form, values);
  return { status: response.status, page: await response.text() };
};

async function assertRefused(removal: Removal, form: Form, problem = changed, who = admin): Promise<void> {
  const { status, page } = await undo(who, form);
  assert.deepEqual([status, alertOn(page)], [400, problem]);
  assert.equal((await removal.entries()).length, 0, 'nothing has come back');
}

async function tokenOf(who: Person): Promise<string> {
  return (await formIn(await who.visit('/admin'), '/sign-out')).fields.form_token ?? '';
}

describe('a removal names who and what, and is undone', () => {
  for (const place of places) {
    test(place, async () => {
      await signInAgain();
      const world = await newWorld('2099-01-31');
      const removal = world.removals[place];
      const [before] = await removal.entries();
      service.clock.advance(3 * MINUTE);
      const page = await remove(admin, removal);
      assert.equal(noticeOn(page), `${removal.said} Tokens that ended stay ended, even if you undo it.`);
      assert.match(page, /role="status">[\s\S]*?<button class="link" type="submit" form="undo-removal">Undo<\/button>/);
      assert.equal((await removal.entries()).length, 0);

      const form = undoOn(page) ?? assert.fail();
      assert.equal(form.action, removal.add);
      const done = await undo(admin, form);
      assert.deepEqual([done.status, noticeOn(done.page)], [200, 'Removal undone. Tokens that ended stay ended.']);
      assert.equal(undoOn(done.page), undefined);
      const [after] = await removal.entries();
      assert.deepEqual([after?.listedUntil, after?.listedSince], [before?.listedUntil, before?.listedSince]);
      const [event] = (await service.events(removal.adds)).slice(-1);
      assert.equal(event?.detail?.by, `administrator ${administrator.id}`);
      assert.equal(event?.detail?.expires_at, '2099-01-31T23:59:59.999Z');
    });
  }
});

test('tokens that ended stay ended, and new ones work', async () => {
  await signInAgain();
  const world = await newWorld();
  const client = await service.newClient({ access: 'listed' });
  const allowed = { people: [world.user.id], groups: [] };
  await changeAllowed(service.running.services, client.id, 'allow', allowed, requester);
  const before = await obtainTokens(service, client, world.user);
  assert.equal((await userinfo(service, before.tokens.access_token)).status, 200);
  const apps = `/admin/applications/${client.id}/access`;
  const removal = { ...personOf(world), page: apps, remove: `${apps}/disallow`, add: `${apps}/allow` };
  const form = await removed(admin, removal);
  assert.equal((await userinfo(service, before.tokens.access_token)).status, 401);
  assert.equal((await undo(admin, form)).status, 200);
  assert.equal((await userinfo(service, before.tokens.access_token)).status, 401);
  const after = await obtainTokens(service, client, world.user);
  assert.equal((await userinfo(service, after.tokens.access_token)).status, 200);
});

test('names are text in the notice', async () => {
  await signInAgain();
  const page = await remove(admin, memberOf(await newWorld(null, '<b>Xiu</b>')));
  assert.match(page, /role="status">[\s\S]*?&lt;b&gt;Xiu&lt;\/b&gt; was removed from Engineering/);
});

test('nobody can say what the notice of another session says, and nothing is offered where nothing was removed', async () => {
  await signInAgain();
  const world = await newWorld();
  const removal = memberOf(world);
  const { undo: sealed = '' } = (await removed(admin, removal)).fields;
  const other = new Person(service);
  await other.signIn(await service.newUser({ admin: true }));
  const offered = `${removal.page}?${new URLSearchParams({ done: 'member-removed', undo: sealed })}`;
  assert.ok(undoOn((await visit(admin, offered)).page));
  const seen = (await visit(other, offered)).page;
  assert.deepEqual([noticeOn(seen), undoOn(seen)], ['Person removed.', undefined]);
  const forged = (await visit(admin, `${removal.page}?undo=${Buffer.from('x'.repeat(99)).toString('base64url')}`)).page;
  assert.deepEqual([noticeOn(forged), undoOn(forged)], [undefined, undefined]);
  assert.doesNotMatch(offered, /Haddad|Engineering/);

  // Someone else was faster.
  const fields = { form_token: await tokenOf(other), person: world.user.id };
  const again = await (await other.submit({ action: removal.remove, fields, buttons: [] }, {})).text();
  assert.deepEqual([noticeOn(again), undoOn(again)], ['Person removed.', undefined]);
});

describe('an undo is refused', () => {
  test('to somebody else, in another session, and with a changed seal', async () => {
    await signInAgain();
    const removal = memberOf(await newWorld());
    const form = await removed(admin, removal);
    const [stranger, elsewhere] = [new Person(service), new Person(service)];
    await stranger.signIn(await service.newUser({ admin: true }));
    await elsewhere.signIn(administrator);
    for (const who of [stranger, elsewhere]) {
      const fields = { ...form.fields, form_token: await tokenOf(who) };
      await assertRefused(removal, { ...form, fields }, late, who);
    }
    const { undo: sealed = '' } = form.fields;
    const swapped = sealed[40] === 'A' ? 'B' : 'A';
    for (const other of ['x', `${sealed.slice(0, 40)}${swapped}${sealed.slice(41)}`, `${sealed}A`]) {
      await assertRefused(removal, { ...form, fields: { ...form.fields, undo: other } }, late);
    }
    assert.equal((await undo(admin, form)).status, 200, 'the one who removed it still can');
  });

  test('on another page than it was offered for', async () => {
    await signInAgain();
    const [one, other] = [await newWorld(), await newWorld()];
    const forms = await Promise.all(Object.values(one.removals).map(async ({ add }) => add));
    const form = await removed(admin, memberOf(one));
    const elsewhere = [...forms, memberOf(other).add].filter((action) => action !== form.action);
    assert.equal(elsewhere.length, 5);
    for (const action of elsewhere) await assertRefused(memberOf(one), { ...form, action }, late);
    await assertRefused(memberOf(one), { ...form, action: `${form.action}?x=1` }, late);
  });

  test('twice, also at the same moment', async () => {
    await signInAgain();
    for (const removal of Object.values((await newWorld()).removals)) {
      const form = await removed(admin, removal);
      const before = (await service.events(removal.adds)).length;
      const answers = await Promise.all([1, 2, 3, 4].map(() => undo(admin, form)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
      assert.equal((await service.events(removal.adds)).length, before + 1);
      assert.equal((await removal.entries()).length, 1);
      const again = await remove(admin, removal);
      await assertRefused(removal, form);
      assert.equal((await undo(admin, undoOn(again) ?? assert.fail())).status, 200, 'the second removal has its own');
    }
  });

  test('more than 10 minutes later', async () => {
    await signInAgain();
    const removal = memberOf(await newWorld());
    const form = await removed(admin, removal);
    service.clock.advance(10 * MINUTE + 1);
    await assertRefused(removal, form, late);
    const second = personOf(await newWorld());
    await signInAgain();
    const other = await removed(admin, second);
    service.clock.advance(10 * MINUTE);
    assert.equal((await undo(admin, other)).status, 200);
  });

  test('once the entry would have ended by itself', async () => {
    await signInAgain();
    for (const find of [memberOf, personOf, groupOf]) {
      const removal = find(await newWorld(new Date(service.clock.now() + 5 * 60_000).toISOString()));
      const form = await removed(admin, removal);
      service.clock.advance(5 * MINUTE);
      const problem = 'This can no longer be undone: the access would have ended by itself since.';
      await assertRefused(removal, form, problem);
      await signInAgain();
    }
  });

  const changes: Record<string, (world: World) => Promise<unknown>> = {
    'the person was renamed': ({ user }) =>
      editUser(service.running.services, { id: user.id }, { name: 'Xiu H' }, requester),
    'the person was disabled': ({ user }) => disableUser(service.running.services, { id: user.id }, requester),
    'the group was protected': ({ group }) =>
      updateGroup(service.running.services, { id: group.id }, { protected: true }, requester),
    'the group was renamed': ({ group }) =>
      updateGroup(service.running.services, { id: group.id }, { name: `${group.name} and design` }, requester),
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`if ${what} since`, async () => {
      await signInAgain();
      const isPerson = what.startsWith('the person');
      for (const find of [memberOf, isPerson ? personOf : groupOf]) {
        const world = await newWorld();
        const form = await removed(admin, find(world));
        await change(world);
        await assertRefused(find(world), form);
      }
    });
  }

  test('if the person, the group or the application was deleted since', async () => {
    await signInAgain();
    const { services: own } = service.running;
    const gone = async (
      find: (world: World) => Removal,
      remove: (world: World) => Promise<unknown>,
      status: number,
    ) => {
      const world = await newWorld();
      const form = await removed(admin, find(world));
      await remove(world);
      assert.equal((await undo(admin, form)).status, status);
      const rows = (await service.rowsOf(['group_members', 'client_access'])).flat();
      const ids = [world.user.id, world.group.id, world.client];
      const left = rows.filter((row) => Object.values(row).some((value) => ids.includes(String(value))));
      const lasting = left.filter((row) => Number(row.ended_by) > 1e15 && Number(row.began_with) > 0);
      return lasting.map(({ subject_id, user_id, group_id, client_id }) => [
        group_id ?? client_id,
        user_id ?? subject_id,
      ]);
    };
    const drop = ({ user }: World) => deleteUser(own, { id: user.id }, requester);
    const dropGroup = ({ group }: World) => deleteGroup(own, { id: group.id }, true, requester);
    const dropClient = ({ client }: World) => deleteClient(own, client, requester);
    assert.equal((await gone(memberOf, drop, 400)).length, 1, 'the group on the list');
    assert.equal((await gone(personOf, drop, 400)).length, 1, 'the group on the list');
    assert.equal((await gone(memberOf, dropGroup, 404)).length, 2, 'both on the list');
    assert.equal((await gone(groupOf, dropGroup, 400)).length, 2, 'the member, and the person on the list');
    assert.equal((await gone(personOf, dropClient, 404)).length, 1, 'the member');
  });

  test('if the entry was added since, also if it was removed again', async () => {
    await signInAgain();
    const { services: own } = service.running;
    for (const find of [memberOf, personOf, groupOf]) {
      const world = await newWorld();
      const removal = find(world);
      const form = await removed(admin, removal);
      const [people, groups] = removal.fields.person ? [[world.user.id], []] : [[], [world.group.id]];
      const put = (action: 'add' | 'remove') =>
        find === memberOf
          ? changeMembers(own, { id: world.group.id }, { [action]: [{ id: world.user.id }] }, requester)
          : changeAllowed(own, world.client, action === 'add' ? 'allow' : 'disallow', { people, groups }, requester);
      await put('add');
      const { status, page } = await undo(admin, form);
      assert.deepEqual([status, alertOn(page)], [400, changed]);
      await put('remove');
      await assertRefused(removal, form);
    }
  });

  test('once the right to add is lost', async () => {
    for (const [role, find] of [
      ['people', memberOf],
      ['applications', personOf],
    ] as const) {
      await signInAgain();
      const helper = await newUserWithRoles(service, [role]);
      const person = new Person(service);
      await person.signIn(helper);
      const removal = find(await newWorld());
      const form = await removed(person, removal);
      await service.execute(`UPDATE users SET roles = ' auditor ' WHERE id = '${helper.id}'`);
      assert.equal((await undo(person, form)).status, 403);
      assert.equal((await removal.entries()).length, 0);
      const offered = `${removal.page}?${new URLSearchParams({ undo: form.fields.undo ?? '' })}`;
      assert.doesNotMatch((await visit(person, offered)).page, />Undo</, 'the button is for those who can');
    }
  });

  test('to someone who may not change protected groups, once the group is protected', async () => {
    await signInAgain();
    const helper = new Person(service);
    await helper.signIn(await newUserWithRoles(service, ['people']));
    const world = await newWorld();
    const form = await removed(helper, memberOf(world));
    await updateGroup(service.running.services, { id: world.group.id }, { protected: true }, requester);
    assert.equal((await undo(helper, form)).status, 403);
    assert.equal((await memberOf(world).entries()).length, 0);
  });
});

test('it takes the proof that adding takes, within the 10 minutes', async () => {
  for (const [wait, isLate] of [
    [1, false],
    [8, true],
  ] as const) {
    await signInAgain();
    service.clock.advance(12 * MINUTE);
    const removal = memberOf(await newWorld());
    const form = await removed(admin, removal);
    service.clock.advance(4 * MINUTE);
    const asked = await proofAsked(await admin.submit(form, {}));
    assert.equal((await removal.entries()).length, 0, 'nothing without the proof');
    service.clock.advance(wait * MINUTE);
    const { status, page } = await undo(admin, asked, { password: administrator.password });
    if (isLate) assert.deepEqual([status, alertOn(page)], [400, late]);
    else assert.deepEqual([status, noticeOn(page)], [200, 'Removal undone. Tokens that ended stay ended.']);
  }
});

test('the sweep keeps what can be undone, and deletes it later', async () => {
  await signInAgain();
  // Those keep what ended after them.
  await service.execute('DELETE FROM grants');
  const sweep = newSweep(service);
  await sweep.round();
  const world = await newWorld();
  const removal = memberOf(world);
  const form = await removed(admin, removal);
  for (let minute = 0; minute < 10; minute++) {
    await sweep.round();
    service.clock.advance(MINUTE);
  }
  assert.equal((await undo(admin, form)).status, 200);
  await signInAgain();
  await remove(admin, removal);
  const rows = async () => (await service.rows('group_members')).filter((row) => row.user_id === world.user.id).length;
  assert.equal(await rows(), 2);
  for (let minute = 0; minute < 17; minute++) {
    service.clock.advance(MINUTE);
    await sweep.round();
  }
  assert.equal(await rows(), 0);
});
