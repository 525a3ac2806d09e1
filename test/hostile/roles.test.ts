// Someone with less than admin access wants more: every form and operation about people with a role, every list for what it mustn't
// say, and the ways around them.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import type { AdminOutcome } from '../../src/operations/admin/outcome.ts';
import { createApiKey, revokeApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { createAttribute } from '../../src/operations/attributes/attributes.ts';
import { changeMembers, createGroup, updateGroup } from '../../src/operations/groups/groups.ts';
import { createScimToken } from '../../src/operations/scim/scim-tokens.ts';
import { deleteUser, disableUser, endSessions } from '../../src/operations/users/disable-user.ts';
import { editUser } from '../../src/operations/users/edit-user.ts';
import { revokeIdentities } from '../../src/operations/users/identities.ts';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import { editUserAndRoles, setRoles } from '../../src/operations/users/set-roles.ts';
import { createSignUpLink } from '../../src/operations/users/sign-up-links.ts';
import { makeRecoveryLink, removeSecondFactors, setPassword } from '../../src/operations/users/user-recovery.ts';
import type { Role } from '../../src/protocol/admin/rights.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import type { Requester } from '../../src/protocol/event.ts';
import { formTokenOf, newCompleteUser } from '../harness/account.ts';
import { allowedRoute } from '../harness/allowed-routes.ts';
import { Api, newKey, withBearer, withSession } from '../harness/api.ts';
import { allGroups, attributeSource, claimOf, setClaims } from '../harness/claims.ts';
import { send } from '../harness/console.ts';
import { newUpstream } from '../harness/discovery.ts';
import { firstUntilRelease, isReleaseLane } from '../harness/lane.ts';
import { Person, readForm } from '../harness/person.ts';
import { heldRoles, newKeyWithRoles, newUserWithRoles } from '../harness/roles.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { assertNothingChanged, everythingIn, linkFor, routesUnder } from '../harness/store.ts';
import { newWebhook } from '../harness/webhooks.ts';
import { anUpstream } from '../storage/conformance/upstreams.ts';
import { anEvent } from '../storage/records.ts';
import { attack } from './attack.ts';

let service: TestService;
let api: Api;
const lesser = heldRoles.filter((roles) => roles.length > 0 && !roles.includes('administrator'));

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  // Messages stay as they are instead of being delivered meanwhile.
  await service.running.services.webhooks.close();
  api = await Api.of(service);
});
after(() => service?.stop());
beforeEach(() => service.clock.advance(4 * 60 * 60));

const as = (...roles: Role[]): Requester => ({ ...requester, authority: { roles } });

async function signedInWith(roles: readonly Role[]): Promise<Person & { readonly user: TestUser }> {
  const user = await newUserWithRoles(service, roles);
  const person = new Person(service);
  await person.signIn(user);
  return Object.assign(person, { user });
}

attack(64, 'less than admin access never becomes more, nor sees more', async (t) => {
  await t.test("no form changes somebody with a role, not even one's own", async () => {
    await createAttribute(service.running.services, { name: 'desk', label: 'Desk', kind: 'text' }, requester);
    const helper = await signedInWith(['people']);
    const somebody = await service.newUser();
    const edit = `/admin/people/${somebody.id}/edit`;
    const form = readForm(await (await helper.visit(edit)).text(), edit) ?? assert.fail();
    const targets = [
      helper.user,
      ...(await Promise.all(heldRoles.slice(1).map((roles) => newUserWithRoles(service, roles)))),
    ];
    const { given_name: _, family_name: __, ...shown } = form.fields;
    const fields = {
      ...shown,
      name: 'Taken Over',
      email: 'taken@example.test',
      expires_at: '2099-01-01',
      'attribute.desk': '7',
      role_people: 'yes',
      upstream: 'none',
      subject: 'none',
    };
    const paths = (await routesUnder(service, '/admin/people/:id/', 'POST')).filter((path) => !/waiting/.test(path));
    assert.ok(paths.length >= 13);
    const since = await everythingIn(service);
    const refusals = (await service.events('administration_refused')).length;
    let sent = 0;
    for (const [index, path] of paths.entries()) {
      // Until a release, each form with one of them, in turns.
      const some = isReleaseLane ? targets : [targets[index % targets.length] ?? assert.fail()];
      for (const { id } of some) {
        const action = path.replace(':id', id);
        const answer = await helper.submit({ action, fields, buttons: [] }, {});
        assert.equal(answer.status, 403, action);
        sent++;
      }
      service.clock.advance(20);
    }
    assert.equal((await service.events('administration_refused')).length, refusals + sent);
    await assertNothingChanged(service, since);
    // The same forms are right for anybody else.
    const saved = await helper.submit({ action: edit, fields, buttons: [] }, {});
    assert.equal(saved.status, 200);
    assert.equal((await service.running.services.storage.findUser(somebody.id))?.email, 'taken@example.test');
  });

  await t.test('no list, search, download or error says what a role does not include', async () => {
    const { services } = service.running;
    const client = await service.newClient();
    const created = await createApiKey(services, { name: 'Key Canarykey', permission: 'read' }, requester);
    assert.equal(created.kind, 'done');
    const token = await createScimToken(services, { source: 'canarysource', name: 'Token Canarytoken' }, requester);
    assert.equal(token.kind, 'done', JSON.stringify(token));
    await newUpstream(service, { clientId: 'canaryupstream' });
    await newWebhook(service, { url: 'https://canarywebhook.example/', types: ['user.deleted'] });
    await createSignUpLink(services, { note: 'Link Canarynote' }, requester);
    await inviteUser(services, { email: 'canaryinvited@example.test', name: 'Canaryinvited Person' }, requester);
    await createAttribute(services, { name: 'canaryattribute', label: 'Canaryattribute', kind: 'text' }, requester);
    const person = await service.newUser({ name: 'Canaryperson Example' });
    const edited = await api.call('updatePerson', withBearer(await administratorKey()), {
      params: { id: person.id },
      body: { attributes: { canaryattribute: 'Canaryvalue' } },
    });
    assert.equal(edited.status, 200, edited.message);
    const admin = await service.newUser({ admin: true, name: 'Administrator Example' });
    services.journal.note({ kind: 'user_edited', userId: admin.id, detail: { changed: ['canaryofadmin'] } }, requester);
    services.journal.note(
      { kind: 'user_edited', userId: person.id, detail: { changed: ['canaryofperson'] } },
      requester,
    );
    services.journal.note(
      { kind: 'client_updated', clientId: client.id, detail: { changed: ['canaryofclient'] } },
      requester,
    );
    services.journal.note({ kind: 'settings_changed', detail: { changed: ['canaryofsettings'] } }, requester);
    const canaries: Record<string, Role[]> = {
      canarykey: ['auditor'],
      canarysource: ['auditor'],
      canarytoken: ['auditor'],
      canaryupstream: ['auditor'],
      canarywebhook: ['auditor'],
      canarynote: ['people', 'auditor'],
      canaryinvited: ['people', 'auditor'],
      canaryvalue: ['people', 'auditor'],
      canaryofadmin: ['auditor'],
      canaryofperson: ['people', 'auditor'],
      canaryofclient: ['applications', 'auditor'],
      canaryofsettings: ['auditor'],
    };
    const ids: Record<string, string[]> = {
      people: [person.id, admin.id],
      applications: [client.id],
    };
    const routes = await routesUnder(service, '/admin', 'GET');
    const queries = ['', '?search=canary', '?application=canary', `?person=${admin.id}`, '?cursor=x'];
    /** What is refused says the same whatever is asked for; before a release, it's asked for everything, too. */
    const searches = (path: string, roles: readonly Role[]) => {
      if (!allowedRoute('GET', path).allows({ roles })) return firstUntilRelease(queries);
      // An auditor may see all of them, which shows that they can be seen.
      return firstUntilRelease(/[:{]/.test(path) ? queries.slice(0, 2) : queries, roles.includes('auditor') ? 1 : 2);
    };
    // Those who have several see what each of them shows.
    for (const roles of firstUntilRelease(lesser, 3)) {
      const someone = await signedInWith(roles);
      const key = withBearer(await newKeyWithRoles(service, roles));
      const seen: string[] = [];
      for (const path of routes) {
        for (const id of ids[path.split('/')[2] ?? ''] ?? ['unknown']) {
          for (const query of searches(path, roles))
            seen.push(await (await someone.request(path.replace(':id', id) + query)).text());
        }
      }
      for (const { method, path } of api.operations.values()) {
        if (method !== 'GET') continue;
        for (const id of ids[path.split('/')[2] ?? ''] ?? ['unknown']) {
          for (const query of searches(path, roles)) {
            const response = await fetch(service.url + path.replace(/\{\w+\}/, id) + query, {
              headers: key.headers('GET'),
            });
            seen.push(await response.text());
          }
        }
      }
      const text = seen.join('\n').toLowerCase();
      for (const [canary, allowed] of Object.entries(canaries)) {
        const mayKnow = allowed.some((role) => roles.includes(role));
        // A key never sees keys, but the console of an auditor lists them.
        assert.equal(text.includes(canary), mayKnow, `${canary} for ${roles.join(' and ')}`);
      }
      service.clock.advance(60);
    }
  });

  await t.test('events of somebody who is gone are found by nobody who does not see them', async () => {
    const { services } = service.running;
    // An ID that could be a username as well.
    const user = await newUserWithRoles(service, []);
    await deleteUser(services, { id: user.id }, requester);
    for (const [roles, knows] of [
      [['applications'], false],
      [['people'], true],
      [['auditor'], true],
    ] as const) {
      const key = withBearer(await newKeyWithRoles(service, roles));
      const ask = async (person: string) => {
        const { status, message } = await api.call('listEvents', key, { query: { person } });
        return [status, message.replace(person, '')];
      };
      const [gone, nobody] = [await ask(user.id), await ask('nobody-at-all')];
      if (knows) assert.equal(gone[0], 200);
      else assert.deepEqual(gone, nobody);
    }
  });

  await t.test(
    'a tab from before does nothing once the role is gone, nor does a session from before have more',
    async () => {
      const { services } = service.running;
      const somebody = await service.newUser({ name: 'Some Body' });
      const helper = await signedInWith(['people']);
      const page = `/admin/people/${somebody.id}`;
      const tab = await (await helper.visit(`${page}/disable`)).text();
      const form = readForm(tab, `${page}/disable`) ?? assert.fail();
      const caller = await withSession(service, helper.user);
      await setRoles(services, { id: helper.user.id }, ['applications'], requester);
      const since = await everythingIn(service);
      assert.equal((await helper.submit(form, {})).status, 403);
      assert.equal((await helper.visit(page)).status, 403);
      assert.equal((await api.call('disablePerson', caller, { params: { id: somebody.id } })).status, 403);
      assert.equal((await api.call('getPerson', caller, { params: { id: somebody.id } })).status, 403);
      await assertNothingChanged(service, since);
      assert.equal((await helper.visit('/admin/applications')).status, 200);
      await disableUser(services, { id: helper.user.id }, requester);
      assert.equal((await api.call('listClients', caller)).status, 401);
      const key = await createApiKey(services, { name: 'Helpdesk', roles: ['people'] }, requester);
      assert.ok(key.kind === 'done', JSON.stringify(key));
      const byKey = withBearer(key.secret);
      assert.equal((await api.call('getPerson', byKey, { params: { id: somebody.id } })).status, 200);
      await revokeApiKey(services, key.key.id, requester);
      assert.equal((await api.call('getPerson', byKey, { params: { id: somebody.id } })).status, 401);
    },
  );

  await t.test('an invitation to a role is neither made nor touched, and sends nobody else to it', async () => {
    const { services } = service.running;
    const email = 'chief@example.test';
    const invited = await inviteUser(services, { email, name: '', roles: ['administrator', 'auditor'] }, requester);
    assert.equal(invited.kind, 'done');
    const link = await linkFor(service, email);
    const helper = await signedInWith(['people']);
    const callers = [withBearer(await newKeyWithRoles(service, ['people'])), await withSession(service, helper.user)];
    const form_token = await formTokenOf(helper);
    const since = await everythingIn(service);
    for (const caller of callers) {
      for (const [operation, body] of [
        ['inviteUser', { email }],
        ['inviteUser', { email: email.toUpperCase() }],
        ['inviteUser', { email: 'other@example.test', roles: ['people'] }],
        ['inviteUser', { email: 'other@example.test', admin: true }],
        ['resendInvitation', { email }],
        ['withdrawInvitation', { email }],
      ] as const) {
        const { status } = await api.call(operation, caller, { body });
        assert.equal(status, 403, `${operation} ${JSON.stringify(body)}`);
      }
    }
    for (const [action, values] of [
      ['invite', { email }],
      ['invite', { email: 'other@example.test', admin: 'yes' }],
      ['invite', { email: 'other@example.test', role_people: 'yes' }],
      ['invitations/resend', { email }],
      ['invitations/withdraw', { email }],
    ] as const) {
      const fields = { form_token, name: '', ...values };
      const { status } = await helper.submit({ action: `/admin/people/${action}`, fields, buttons: [] }, {});
      assert.equal(status, 403, `${action} ${JSON.stringify(values)}`);
    }
    await assertNothingChanged(service, since);
    // Nor is it ended by an account with the address; one that an administrator makes doesn't get the roles.
    const body = { email, name: 'Not The Chief' };
    assert.equal((await api.call('createPerson', callers[0] ?? assert.fail(), { body })).status, 403);
    await assertNothingChanged(service, since);
    const made = await api.call('createPerson', withBearer(await administratorKey()), { body });
    assert.equal(made.status, 201, made.message);
    await new Person(service).visit(link);
    const { roles, adminSince } = (await services.storage.findUserByEmail(email)) ?? assert.fail();
    assert.deepEqual([roles, adminSince], [null, null]);
  });

  await t.test('nobody is created, imported or signed up with a role, nor replaces someone who has one', async () => {
    const { services } = service.running;
    const admin = await service.newUser({ admin: true });
    const helper = await signedInWith(['people']);
    const key = withBearer(await newKeyWithRoles(service, ['people']));
    const given = {
      admin: true,
      administrator: true,
      is_superuser: true,
      roles: ['administrator'],
      groups: ['Admins'],
      admin_since: 1,
    };
    const records = [
      { id: 'a', email: 'imported@example.test', name: 'Imported', ...given },
      { id: admin.id, email: admin.email, name: 'Replaced' },
      { id: admin.id, email: 'replaced@example.test', name: 'Replaced' },
    ];
    const before = await services.storage.findUser(admin.id);
    const { status, message } = await api.call('importPeople', key, { body: { from: 'csv', people: records } });
    assert.equal(status, 200, message);
    assert.deepEqual(await services.storage.findUser(admin.id), before);
    const imported = await services.storage.findUserByEmail('imported@example.test');
    assert.deepEqual([imported?.adminSince ?? null, imported?.roles ?? null], [null, null]);
    for (const roles of [['administrator'], ['people'], ['auditor']]) {
      const body = { email: 'created@example.test', name: 'Created', roles };
      assert.equal((await api.call('createPerson', key, { body })).status, 403);
    }
    const admitted = { email: 'created@example.test', name: 'Created', admin: true };
    assert.equal((await api.call('createPerson', key, { body: admitted })).status, 400, 'there is no such member');
    const fields = {
      form_token: await formTokenOf(helper),
      name: 'Created',
      email: 'created@example.test',
      password_choice: 'link',
      admin: 'yes',
      role_people: 'yes',
      roles: 'people',
    };
    await helper.submit({ action: '/admin/people', fields, buttons: [] }, {});
    const created = await services.storage.findUserByEmail('created@example.test');
    assert.deepEqual([created?.adminSince ?? null, created?.roles ?? null], [null, null]);
    // A change of roles that changes none is still one, and nothing else is changed with it.
    const renamed = await service.newUser();
    const both = await editUserAndRoles(services, { id: renamed.id }, { name: 'Renamed', roles: [] }, as('people'));
    assert.equal(both.kind === 'refused' && both.reason, 'forbidden');
    assert.equal((await services.storage.findUser(renamed.id))?.name, renamed.record.name);
    // One's own account is no way to a role either.
    const me = await withSession(service, helper.user);
    const since = await services.storage.findUser(helper.user.id);
    for (const body of [{ roles: ['administrator'] }, { admin: true }, { adminSince: 1 }]) {
      assert.equal((await api.send('PATCH', '/api/me', me, { body })).status >= 400, true);
      assert.equal(
        (await api.call('updatePerson', me, { params: { id: helper.user.id }, body: { name: 'Me', ...body } }))
          .status >= 400,
        true,
      );
    }
    assert.deepEqual(await services.storage.findUser(helper.user.id), since);
  });

  await t.test('what feeds a claim is out of reach: protected groups and attributes, by form and by key', async () => {
    const { services } = service.running;
    const client = await service.newClient();
    await setClaims(service, client.id, [claimOf('tier', attributeSource('tier'))]);
    const group = await createGroup(services, { name: 'Grafana Admins', protected: true }, requester);
    assert.ok(group.kind === 'done');
    const somebody = await service.newUser();
    const helper = await signedInWith(['people']);
    const callers = [
      withBearer(await newKeyWithRoles(service, ['people'])),
      withBearer(await newKeyWithRoles(service, ['people', 'applications'])),
      await withSession(service, helper.user),
    ];
    const form_token = await formTokenOf(helper);
    const since = await everythingIn(service);
    const one = { params: { id: group.group.id } };
    for (const caller of callers) {
      for (const [operation, input] of [
        ['updatePerson', { params: { id: somebody.id }, body: { attributes: { tier: 'gold' } } }],
        ['createPerson', { body: { email: 'gold@example.test', name: 'Gold', attributes: { tier: 'gold' } } }],
        ['addToGroup', { ...one, body: { people: [somebody.email] } }],
        ['removeFromGroup', { ...one, body: { people: [somebody.email] } }],
        ['renameGroup', { ...one, body: { name: 'Anything' } }],
        ['renameGroup', { ...one, body: { protected: false } }],
        ['deleteGroup', { ...one, query: { force: 'true' } }],
        ['inviteUser', { body: { email: 'gold@example.test', groups: ['Grafana Admins'] } }],
        ['createSignUpLink', { body: { groups: ['grafana admins'] } }],
      ] as const) {
        assert.ok(api.operations.has(operation), operation);
        const { status, message } = await api.call(operation, caller, input);
        assert.equal(status, 403, `${operation}: ${message}`);
      }
    }
    const page = `/admin/groups/${group.group.id}`;
    for (const path of await routesUnder(service, '/admin/groups/:id', 'POST')) {
      const fields = { form_token, name: 'Mine', person: somebody.id, user: somebody.email, protected: 'no' };
      const refusals = (await service.events('administration_refused')).length;
      const { status } = await helper.submit(
        { action: path.replace('/admin/groups/:id', page), fields, buttons: [] },
        {},
      );
      assert.equal(status, 403, path);
      assert.equal((await service.events('administration_refused')).length, refusals + 1, path);
    }
    assert.doesNotMatch(await (await helper.visit(page)).text(), /action="\/admin\/groups\//);
    assert.equal((await helper.visit(`${page}/delete`)).status, 403);
    for (const [action, values] of [
      [`/admin/people/${somebody.id}/attributes`, { 'attribute.tier': 'gold' }],
      ['/admin/people/invite', { email: 'gold@example.test', groups: 'Grafana Admins' }],
    ] as const) {
      const refusals = (await service.events('administration_refused')).length;
      const { status } = await helper.submit({ action, fields: { form_token, ...values }, buttons: [] }, {});
      assert.equal(status, 403, action);
      assert.equal((await service.events('administration_refused')).length, refusals + 1, action);
    }
    const links = '/admin/people/sign-up-links';
    assert.equal((await send(helper, links, links, { groups: 'Grafana Admins' })).status, 403);
    await assertNothingChanged(service, since);
  });

  await t.test('where an application gets the names of all groups, nobody with less makes one up', async () => {
    const { services } = service.running;
    const client = await service.newClient();
    const own = await createGroup(services, { name: 'Harmless' }, requester);
    assert.ok(own.kind === 'done');
    const helper = await signedInWith(['people']);
    const key = withBearer(await newKeyWithRoles(service, ['people']));
    const params = { id: own.group.id };
    assert.equal((await api.call('createGroup', key, { body: { name: 'Free' } })).status, 201);
    await setClaims(service, client.id, [claimOf('groups', allGroups)]);
    const since = await everythingIn(service);
    assert.equal((await api.call('createGroup', key, { body: { name: 'admin' } })).status, 403);
    assert.equal((await api.call('renameGroup', key, { params, body: { name: 'admin' } })).status, 403);
    await assertNothingChanged(service, since);
    assert.equal(readForm(await (await helper.visit('/admin/groups')).text(), '/admin/groups'), undefined);
    const group = `/admin/groups/${own.group.id}`;
    assert.equal(readForm(await (await helper.visit(group)).text(), `${group}/rename`), undefined);
    const callers = [key, await newKey(service), await withSession(service, helper.user)];
    const administrators = await newKey(service, 'administrator');
    const reference = { id: own.group.id, name: own.group.name };
    let others = 0;
    for (const source of [
      { source: 'groups', groups: [reference] },
      { source: 'has-group', group: reference },
      allGroups,
    ] as const) {
      await setClaims(service, client.id, [claimOf('groups', source)]);
      const before = await everythingIn(service);
      for (const caller of callers) {
        assert.equal((await api.call('renameGroup', caller, { params, body: { name: 'Admin' } })).status, 403);
        if (source === allGroups)
          assert.equal((await api.call('createGroup', caller, { body: { name: 'Admin' } })).status, 403);
        // That's no change.
        assert.equal((await api.call('renameGroup', caller, { params, body: { name: reference.name } })).status, 200);
      }
      assert.equal(readForm(await (await helper.visit(group)).text(), `${group}/rename`), undefined);
      await assertNothingChanged(service, before);
      const other = await api.call('createGroup', administrators, {
        body: { name: `Other ${++others}` },
      });
      assert.equal(other.status, 201);
      for (const name of ['Chosen', reference.name]) {
        assert.equal((await api.call('renameGroup', administrators, { params, body: { name } })).status, 200);
      }
    }
    // The claim is stored between the look at the name and the write.
    const { storage } = services;
    const looking = (found: () => Promise<boolean>) => ({ ...services, storage: { ...storage, isNameClaimed: found } });
    let looks = 0;
    const late = looking(async () => looks++ > 0);
    for (const change of [
      () => updateGroup(late, { id: own.group.id }, { name: 'Admin' }, as('people')),
      () => createGroup(late, { name: 'Admin' }, as('people')),
    ]) {
      looks = 0;
      const outcome = await change();
      assert.equal(outcome.kind === 'refused' && outcome.reason, 'forbidden');
    }
    await setClaims(service, client.id, []);
    assert.equal((await api.call('createGroup', key, { body: { name: 'Admin' } })).status, 201);
    assert.equal((await api.call('renameGroup', key, { params, body: { name: 'Free again' } })).status, 200);
  });

  await t.test('nobody with less signs in as a member of a protected group', async () => {
    const { services } = service.running;
    const { storage } = services;
    const created = await createGroup(services, { name: 'Protected members', protected: true }, requester);
    assert.ok(created.kind === 'done');
    const { id: groupId } = created.group;
    const helper = await newUserWithRoles(service, ['people']);
    const callers = [
      await withSession(service, helper),
      withBearer(await newKeyWithRoles(service, ['people'])),
      await newKey(service),
    ];
    const administrators = await newKey(service, 'administrator');
    const member = async () => {
      const { user } = await newCompleteUser(service, await service.newClient());
      await changeMembers(services, { id: groupId }, { add: [{ id: user.id }] }, requester);
      return user;
    };
    const ways: Record<string, object> = {
      makeRecoveryLink: {},
      removeSecondFactors: {},
      verifyPersonEmail: {},
      updatePerson: { body: { email: 'taken-over@example.test' } },
    };
    const user = await member();
    const params = { id: user.id };
    const since = await everythingIn(service);
    for (const caller of callers) {
      for (const [name, rest] of Object.entries(ways)) {
        const answer = await api.call(name, caller, { params, ...rest });
        assert.deepEqual(
          [answer.status, /protected group/.test(answer.message)],
          [403, true],
          `${name}: ${answer.message}`,
        );
      }
    }
    assert.equal((await setPassword(services, params, 'a phrase of theirs', as('people'))).kind, 'refused');
    await assertNothingChanged(service, since);
    const console = new Person(service);
    await console.signIn(helper);
    const page = `/admin/people/${user.id}`;
    const shown = await (await console.visit(page)).text();
    assert.doesNotMatch(shown, /(recovery-link|remove-second-factors)"/);
    for (const path of ['recovery-link', 'remove-second-factors']) {
      const form_token = await formTokenOf(console);
      const { status } = await console.submit({ action: `${page}/${path}`, fields: { form_token }, buttons: [] }, {});
      assert.equal(status, 403, path);
    }
    // An email to the person stays allowed, as do other changes.
    assert.equal((await api.call('sendPasswordReset', callers[2] ?? assert.fail(), { params })).status, 200);
    const renamed = await api.call('updatePerson', callers[2] ?? assert.fail(), { params, body: { name: 'Renamed' } });
    assert.equal(renamed.status, 200);
    assert.equal((await api.call('makeRecoveryLink', administrators, { params })).status, 201);

    // The person joins between the look and the write.
    const late = { ...services, storage: { ...storage, isInProtectedGroup: async () => false } };
    for (const change of [
      () => makeRecoveryLink(late, params, as('people')),
      () => removeSecondFactors(late, params, as('people')),
      () => setPassword(late, params, 'a phrase of theirs', as('people')),
      () => editUser(late, params, { email: 'taken-over@example.test' }, as('people')),
    ]) {
      assert.equal((await change()).kind, 'refused');
    }
    // A link from before ends when somebody joins, and when the group is protected.
    const open = await createGroup(services, { name: 'Open members' }, requester);
    assert.ok(open.kind === 'done');
    const recovery = async ({ id }: { readonly id: string }) =>
      (await service.rows('links')).some((row) => row.user_id === id && row.purpose === 'recover');
    const [joining, inside] = [await service.newUser(), await service.newUser()];
    for (const each of [joining, inside]) {
      await changeMembers(services, { id: open.group.id }, { add: [{ id: each.id }] }, requester);
      assert.equal((await makeRecoveryLink(services, { id: each.id }, as('people'))).kind, 'done');
      assert.equal(await recovery(each), true);
    }
    await changeMembers(services, { id: groupId }, { add: [{ id: joining.id }] }, requester);
    assert.deepEqual([await recovery(joining), await recovery(inside)], [false, true]);
    await updateGroup(services, { id: open.group.id }, { protected: true }, requester);
    assert.equal(await recovery(inside), false);
  });

  await t.test('somebody who is given a role meanwhile is changed no more', async () => {
    const { services } = service.running;
    /** As if the role was given between the look at the person and the write. */
    const late = (named: { readonly id: string }) => {
      const { storage } = services;
      const findUser: typeof storage.findUser = async (id) => {
        const user = await storage.findUser(id);
        await setRoles(services, named, ['administrator'], requester);
        return user;
      };
      return { ...services, storage: { ...storage, findUser } };
    };
    const helper = as('people');
    const upstream = anUpstream();
    await services.storage.createUpstream(upstream, undefined, 100, anEvent());
    const ways: Record<string, (own: typeof services, user: { readonly id: string }) => Promise<AdminOutcome<object>>> =
      {
        'a recovery link': (own, user) => makeRecoveryLink(own, user, helper),
        'another email address': (own, user) => editUser(own, user, { email: 'late@example.test' }, helper),
        'a password': (own, user) => setPassword(own, user, 'a phrase of the helper', helper),
        'second factors': (own, user) => removeSecondFactors(own, user, helper),
        sessions: (own, user) => endSessions(own, user, helper),
        disabling: (own, user) => disableUser(own, user, helper),
        deleting: (own, user) => deleteUser(own, user, helper),
        'an identity': (own, { id }) => revokeIdentities(own, { id }, { upstream: upstream.name }, helper),
      };
    const personIsOut = 'only an administrator can change a person with a role';
    for (const [name, change] of Object.entries(ways)) {
      const { user, person } = await newCompleteUser(service, await service.newClient());
      const target = { id: user.id };
      const { storage, clock } = services;
      const digest = digestOf(person.cookies.get('latchkey_session') ?? '');
      const { session } = (await storage.findSession(digest, clock.now())) ?? assert.fail();
      const linked = { issuer: upstream.issuer, subject: user.id, userId: user.id, email: null };
      const identity = { ...linked, linkedAt: 0, lastUsedAt: null };
      assert.ok(await storage.linkIdentity(identity, session, user.record.sessionGeneration, 20, anEvent()));
      const outcome = await change(late(target), target);
      assert.ok(outcome.kind === 'refused', name);
      assert.deepEqual([outcome.reason, outcome.problems[0].says], ['forbidden', personIsOut], name);
      const found = (await services.storage.findUser(user.id)) ?? assert.fail();
      assert.deepEqual(
        [found.email, found.passwordHash, found.disabledAt],
        [user.email, user.record.passwordHash, null],
      );
      const left = (await service.rowsOf(['passkeys', 'sessions', 'identities'])).map((rows) =>
        rows.some((row) => row.user_id === user.id),
      );
      assert.deepEqual(left, [true, true, true], name);
      const links = (await service.rows('links')).filter((row) => row.user_id === user.id && row.purpose === 'recover');
      assert.deepEqual(links, [], name);
    }
  });

  await t.test("sign-up links end with their maker's role", async () => {
    const { services } = service.running;
    const endings: Record<string, (id: string) => Promise<unknown>> = {
      'another role instead': (id) => setRoles(services, { id }, ['auditor'], requester),
      'no role': (id) => setRoles(services, { id }, [], requester),
      disabling: (id) => disableUser(services, { id }, requester),
      deleting: (id) => api.call('deletePerson', withBearer(secret), { params: { id } }),
    };
    const secret = await administratorKey();
    for (const [name, end] of Object.entries(endings)) {
      const helper = await newUserWithRoles(service, ['people']);
      const made = await api.call('createSignUpLink', await withSession(service, helper), { body: { uses: 5 } });
      assert.equal(made.status, 201, made.message);
      const path = made.data.url.slice(made.data.url.indexOf('/sign-up'));
      assert.equal((await new Person(service).visit(path)).status, 200, name);
      await end(helper.id);
      assert.notEqual((await new Person(service).visit(path)).status, 200, name);
      await setRoles(services, { id: helper.id }, ['people'], requester);
      assert.notEqual((await new Person(service).visit(path)).status, 200, `${name}, and the role again`);
    }
  });

  await t.test('a path in another spelling needs the same right', async () => {
    for (const roles of firstUntilRelease(lesser, 2)) {
      const someone = await signedInWith(roles);
      for (const path of ['/admin/settings', '/admin/keys', '/admin/providers']) {
        const allowed = allowedRoute('GET', path).allows({ roles });
        for (const spelled of [
          `${path}/`,
          path.replace('/admin', '/./admin'),
          path.replace('admin', '%61dmin'),
          path.toUpperCase(),
          `${path};x=1`,
          `${path}?_method=GET`,
        ]) {
          const { status } = await someone.request(spelled);
          assert.ok(allowed || status !== 200, `${spelled} for ${roles.join(' and ')}: ${status}`);
        }
      }
    }
  });
});

async function administratorKey(): Promise<string> {
  const made = await createApiKey(service.running.services, { name: 'All', permission: 'administrator' }, requester);
  assert.ok(made.kind === 'done');
  return made.secret;
}
