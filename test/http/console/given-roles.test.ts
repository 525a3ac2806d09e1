// Roles of people: giving and removing them in the API and the console, invitations that carry them, and what follows for
// whoever has one.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeAdministrator, removeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { inviteUser, resendInvitation } from '../../../src/operations/users/invitations.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import { createUser } from '../../../src/operations/users/users.ts';
import { Api, type KeyCaller, newKey, withSession } from '../../harness/api.ts';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
import { setPasswords } from '../../harness/passwordless.ts';
import { formIn, Person } from '../../harness/person.ts';
import { setPolicy } from '../../harness/policy.ts';
import { proofFormOn } from '../../harness/proof.ts';
import { requester, startTestService, type TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const invitations = '/admin/people/invitations';
const password = 'a phrase of my own';

const service = serviceOfSuite();
let administrator: TestUser;
let api: Api;
let key: KeyCaller;
let guests = 0;

before(async () => {
  administrator = await service.newUser({ admin: true });
  api = await Api.of(service);
  key = await newKey(service, 'administrator');
});

const newEmail = () => `guest${++guests}@example.test`;
const patch = (id: string, body: object, caller = key) => api.call('updatePerson', caller, { params: { id }, body });
const eventsOf = async (userId: string) =>
  (await service.events())
    .filter((event) => event.userId === userId && /^user_(made|admin|roles)/.test(event.kind))
    .map(({ kind, detail }) => [kind, detail?.before, detail?.roles]);

async function signedInAdmin(): Promise<Person> {
  const admin = new Person(service);
  await admin.signIn(administrator);
  return admin;
}

describe('the API', () => {
  test('sets roles, shows them everywhere, and records what they were', async () => {
    const { id, email } = await service.newUser();
    assert.deepEqual((await api.call('getPerson', key, { params: { id } })).data.roles, []);
    const both = await patch(id, { roles: ['people', 'auditor'] });
    assert.deepEqual([both.data.roles, both.data.admin], [['auditor', 'people'], false]);
    const more = await patch(id, { roles: ['administrator', 'people'], name: 'Renamed' });
    assert.deepEqual(
      [more.data.roles, more.data.admin, more.data.name],
      [['administrator', 'people'], true, 'Renamed'],
    );
    const found = await api.call('listUsers', key, { query: { search: email } });
    assert.deepEqual(found.data.items[0]?.roles, ['administrator', 'people']);
    assert.equal((await patch(id, { roles: ['people', 'administrator'] })).status, 200, 'those that they have');
    assert.deepEqual((await patch(id, { roles: [] })).data.roles, []);
    assert.deepEqual(await eventsOf(id), [
      ['user_roles_changed', [], ['auditor', 'people']],
      ['user_made_administrator', undefined, undefined],
      ['user_roles_changed', ['auditor', 'people'], ['administrator', 'people']],
      ['user_administrator_removed', undefined, undefined],
      ['user_roles_changed', ['administrator', 'people'], []],
    ]);
  });

  test('creates people with roles', async () => {
    const body = { email: newEmail(), name: 'Helpdesk', roles: ['people'] };
    const made = await api.call('createPerson', key, { body });
    assert.deepEqual([made.status, made.data.roles, made.data.admin], [201, ['people'], false]);
    const created = (await service.events('user_created')).at(-1);
    assert.deepEqual([created?.detail?.admin, created?.detail?.roles], ['no', ['people']]);
  });

  test('refuses what is no role', async () => {
    const { id } = await service.newUser();
    for (const roles of [['root'], ['none'], ['people', 'people'], 'people', null, [1]]) {
      assert.equal((await patch(id, { roles })).status, 400, JSON.stringify(roles));
    }
    const { services } = service.running;
    const outcome = await setRoles(services, { id }, ['people', 'root'], requester);
    assert.match(
      outcome.kind === 'refused' ? outcome.problems[0].says : '',
      /^a role must be one of administrator, people,/,
    );
  });

  test('needs the permission and, in a session, proof; a refusal changes nothing', async () => {
    const { id } = await service.newUser();
    const write = await newKey(service, 'write');
    const caller = await withSession(service, administrator);
    service.clock.advance(60 * 60);
    const since = await everythingIn(service);
    const email = newEmail();
    const attempts: [string, object][] = [
      ['updatePerson', { params: { id }, body: { roles: ['people'] } }],
      ['updatePerson', { params: { id }, body: { roles: [], name: 'Renamed' } }],
      ['createPerson', { body: { email, name: 'N', roles: ['auditor'] } }],
      ['inviteUser', { body: { email, roles: ['applications'] } }],
    ];
    for (const [operation, input] of attempts) {
      const byKey = await api.call(operation, write, input);
      assert.equal(byKey.status, 403, operation);
      assert.match(byKey.message, /^This API key needs the permission "administrator" for this\.$/);
      const bySession = await api.call(operation, caller, input);
      assert.deepEqual([bySession.status, bySession.data], [403, { error_code: 'PROOF_REQUIRED' }], operation);
    }
    await assertNothingChanged(service, since);
    const none = { body: { email, name: 'N', roles: [] } };
    assert.equal((await api.call('createPerson', write, none)).status, 201, 'no role is what everyone has');
  });

  test('keeps the last administrator, and changes nothing else then', async () => {
    const lone = await startTestService();
    try {
      const { id } = await lone.newUser({ admin: true });
      const there = await Api.of(lone);
      const body = { roles: ['people', 'applications', 'auditor'], name: 'Renamed' };
      const refused = await there.call('updatePerson', await newKey(lone, 'administrator'), { params: { id }, body });
      assert.equal(refused.status, 409);
      assert.match(refused.message, /is the last administrator/);
      const { name, roles, adminSince } = (await lone.running.services.storage.findUser(id)) ?? {};
      assert.deepEqual([name, roles, adminSince === null], ['Grace Hopper', null, false]);
    } finally {
      await lone.stop();
    }
  });

  test('gives no role to someone who is disabled, and can remove one', async () => {
    const { id } = await service.newUser({ roles: ['people'] });
    await api.call('disablePerson', key, { params: { id } });
    assert.match((await patch(id, { roles: ['people', 'auditor'] })).message, /is disabled/);
    assert.deepEqual((await patch(id, { roles: [] })).data.roles, []);
  });
});

test('only an administrator gives roles, whatever the way', async () => {
  const { services } = service.running;
  const { id } = await service.newUser({ roles: ['auditor'] });
  const email = newEmail();
  await inviteUser(services, { email, name: '', roles: ['people'] }, requester);
  const since = await everythingIn(service);
  for (const authority of [
    { roles: ['people', 'applications', 'auditor'] },
    { permission: 'write' },
    { roles: [] },
  ] as const) {
    const helper = { ...requester, authority };
    const input = { email: newEmail(), name: 'N', password, roles: ['people'] };
    for (const outcome of [
      await setRoles(services, { id }, ['people'], helper),
      await setRoles(services, { id }, [], helper),
      await makeAdministrator(services, { id }, helper),
      await removeAdministrator(services, { id: administrator.id }, helper),
      await createUser(services, input, helper),
      await createUser(services, { ...input, roles: [], admin: true }, helper),
      await inviteUser(services, { email: newEmail(), name: '', roles: ['auditor'] }, helper),
      await inviteUser(services, { email: newEmail(), name: '', admin: true }, helper),
      await resendInvitation(services, email, helper),
    ]) {
      assert.equal(outcome.kind === 'refused' && outcome.reason, 'forbidden');
    }
  }
  await assertNothingChanged(service, since);
});

test('being an administrator is given and removed without touching other roles', async () => {
  const { services } = service.running;
  const { id } = await service.newUser({ roles: ['people'] });
  const rolesAfter = async (change: typeof makeAdministrator) => {
    const outcome = await change(services, { id }, requester);
    assert.ok(outcome.kind === 'done');
    return [outcome.user.adminSince !== null, outcome.user.roles];
  };
  assert.deepEqual(await rolesAfter(makeAdministrator), [true, 'people']);
  assert.deepEqual(await rolesAfter(removeAdministrator), [false, 'people']);
  assert.deepEqual(
    (await eventsOf(id)).map(([kind]) => kind),
    ['user_made_administrator', 'user_administrator_removed'],
  );
});

test('the person is told about other roles by email, once for each change', async () => {
  const { services } = service.running;
  const { id, email } = await service.newUser();
  const changes: readonly (readonly [string[], string, RegExp])[] = [
    [['people', 'auditor'], 'Your admin roles have changed', /now: Auditor and People\.[\s\S]*\/admin/],
    [['people'], 'Your admin roles have changed', /now: People\./],
    [['administrator'], 'You now have admin access', /You can now manage people and applications/],
    [['applications'], 'Your admin roles have changed', /now: Applications\./],
    [[], 'Your admin access was removed', /\/account/],
  ];
  for (const [index, [roles, subject, text]] of changes.entries()) {
    await setRoles(services, { id }, roles, requester);
    const mails = (await mailsTo(service, email)).filter((mail) => /admin/.test(mail.subject));
    assert.equal(mails.length, index + 1);
    const last = mails.find((mail) => mail.subject.startsWith(subject) && text.test(mail.text));
    assert.ok(last, `${roles}: ${mails.map((mail) => `${mail.subject} ${mail.text}`)}`);
  }
  await setRoles(services, { id }, [], requester);
  assert.equal((await mailsTo(service, email)).filter((mail) => /admin/.test(mail.subject)).length, changes.length);
});

describe('an invitation', () => {
  const accept = async (email: string) => {
    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(service, email)), '/invitation');
    return person.submit(form, { name: 'Grace Hopper', password });
  };
  const stored = (email: string) => service.running.services.storage.findUserByEmail(email);

  test('gives its roles to whoever accepts it', async () => {
    const email = newEmail();
    const made = await api.call('inviteUser', key, { body: { email, roles: ['people', 'auditor'] } });
    assert.deepEqual([made.data.roles, made.data.admin], [['auditor', 'people'], false]);
    assert.deepEqual((await service.events('user_invited')).at(-1)?.detail?.roles, ['auditor', 'people']);
    service.clock.advance(1);
    assert.equal((await api.call('resendInvitation', await newKey(service), { body: { email } })).status, 403);
    const again = await api.call('resendInvitation', key, { body: { email } });
    assert.deepEqual(again.data.roles, ['auditor', 'people']);
    const listed = (await api.call('listInvitations', key)).data.items.find((each) => each.email === email);
    assert.deepEqual([listed?.roles, listed?.admin], [['auditor', 'people'], false]);
    assert.equal((await accept(email)).status, 200);
    const user = await stored(email);
    assert.deepEqual([user?.adminSince, user?.roles], [null, 'auditor people']);
    const event = (await service.events('user_roles_changed')).at(-1);
    assert.deepEqual([event?.userId, event?.detail?.by], [user?.id, `api_key ${key.id}`]);
    assert.deepEqual([event?.detail?.roles, event?.detail?.reason], [['auditor', 'people'], 'invitation']);
  });

  test('gives nothing once whoever sent it is no administrator, even if they become one again', async () => {
    const { services } = service.running;
    for (const restored of [false, true]) {
      const inviter = await service.newUser({ admin: true });
      const email = newEmail();
      const made = await api.call('inviteUser', await withSession(service, inviter), {
        body: { email, roles: ['people'] },
      });
      assert.equal(made.status, 201, made.message);
      const form = await formIn(await new Person(service).visit(await linkFor(service, email)), '/invitation');
      await setRoles(services, { id: inviter.id }, ['people'], requester);
      if (restored) await makeAdministrator(services, { id: inviter.id }, requester);
      assert.equal((await new Person(service).submit(form, { name: 'Grace', password })).status, 410);
      assert.equal(await stored(email), undefined);
    }
  });

  test('is made and shown in the console, and its password follows the policy for administrators', async () => {
    const admin = await signedInAdmin();
    const email = newEmail();
    const form = { email, name: '', groups: '', expires: '', role_auditor: 'yes' };
    const { page } = await send(admin, invitations, '/admin/people/invite', form);
    assert.equal(noticeOn(page), 'Invitation sent.');
    assert.match(page, new RegExp(`${email}[\\s\\S]*?Auditor</span>`));
    await setPasswords(service, 'not_for_administrators');
    const offered = await (await new Person(service).visit(await linkFor(service, email))).text();
    await setPasswords(service, 'allowed');
    assert.doesNotMatch(offered, /type="password"/);
  });
});

describe('the console', () => {
  test("has a person's roles on their page and in the list", async () => {
    const admin = await signedInAdmin();
    const { id, email } = await service.newUser();
    const path = `/admin/people/${id}`;
    const saved = await send(admin, path, `${path}/roles`, { role_people: 'yes', role_applications: 'yes' });
    assert.equal(noticeOn(saved.page), 'Roles saved.');
    assert.match(saved.page, /name="role_people" type="checkbox" value="yes" checked/);
    assert.match(saved.page, /name="role_auditor" type="checkbox" value="yes">/);
    const { roles } = (await service.running.services.storage.findUser(id)) ?? {};
    assert.equal(roles, 'applications people');
    const events = (await visit(admin, `/admin/events?person=${id}&kind=user_roles_changed`)).page;
    const facts = /<dl class="facts">[\s\S]*?<\/dl>/.exec(events)?.[0] ?? '';
    assert.match(facts, /<dt>Roles<\/dt><dd[^>]*>Applications, People</);
    assert.match(facts, /<dt>Before<\/dt><dd[^>]*>–</);
    const list = (await visit(admin, `/admin/people?search=${email}`)).page;
    assert.match(list, /Applications<\/span>[\s\S]*People<\/span>/);
  });

  test('leaves admin access to its own buttons', async () => {
    const admin = await signedInAdmin();
    const path = `/admin/people/${administrator.id}`;
    await send(admin, path, `${path}/roles`, { role_people: 'yes', role_administrator: 'yes' });
    const { roles, adminSince } = (await service.running.services.storage.findUser(administrator.id)) ?? {};
    assert.deepEqual([roles, adminSince === null], ['people', false]);
    await send(admin, path, `${path}/roles`);
    const { id } = await service.newUser();
    await send(admin, `/admin/people/${id}`, `/admin/people/${id}/roles`, { role_administrator: 'yes' });
    assert.equal((await service.running.services.storage.findUser(id))?.adminSince, null);
  });

  test('asks for proof, and says why it refuses', async () => {
    const admin = await signedInAdmin();
    const { id } = await service.newUser();
    const path = `/admin/people/${id}`;
    await api.call('disablePerson', key, { params: { id } });
    const refused = await send(admin, path, `${path}/roles`, { role_people: 'yes' });
    assert.equal(refused.status, 400);
    assert.match(alertOn(refused.page) ?? '', /is disabled/);
    service.clock.advance(60 * 60);
    const asked = await send(admin, path, `${path}/roles`, { role_people: 'yes' });
    assert.ok(proofFormOn(asked.page));
    assert.equal((await service.running.services.storage.findUser(id))?.roles, null);
  });
});

describe('what is asked of administrators is asked of everyone with a role', () => {
  const locationAfter = async (user: TestUser) => {
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'), '/sign-in');
    const response = await person.submit(form, { email: user.email, password: user.password }, { redirect: 'manual' });
    return `${response.status} ${response.headers.get('location') ?? new URL(response.url).pathname}`;
  };

  for (const role of ['people', 'applications', 'auditor'] as const) {
    test(`${role}: a second factor, no password, and the link to the console`, async () => {
      const [user, holder] = [await service.newUser(), await service.newUser({ roles: [role] })];
      const plain = await locationAfter(user);
      assert.equal(await locationAfter(holder), plain);
      await setPolicy(service, 'administrators');
      assert.equal(await locationAfter(user), plain);
      assert.notEqual(await locationAfter(holder), plain);
      await setPolicy(service, 'optional');
      await setPasswords(service, 'not_for_administrators', '2099-12-31');
      assert.equal(await locationAfter(user), plain);
      assert.notEqual(await locationAfter(holder), plain);
      await setPasswords(service, 'not_for_administrators');
      const { services } = service.running;
      const input = { email: newEmail(), name: 'N', password, roles: [role] };
      const refused = await createUser(services, input, requester);
      assert.match(refused.kind === 'refused' ? refused.problems[0].says : '', /turns passwords off for this person/);
      await setPasswords(service, 'allowed');
      for (const [who, linked] of [
        [user, false],
        [holder, true],
      ] as const) {
        const person = new Person(service);
        await person.signIn(who);
        assert.equal(/href="\/admin"/.test((await visit(person, '/account')).page), linked);
        const me = (await api.call('getMe', await withSession(service, who))).data;
        assert.deepEqual([me.roles, me.administrator], [linked ? [role] : [], false]);
      }
    });
  }

  test('a session that someone has when they get a role needs a second factor from then on', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    await setPolicy(service, 'administrators');
    assert.equal((await person.request('/account')).status, 200);
    await setRoles(service.running.services, { id: user.id }, ['auditor'], requester);
    assert.equal((await person.request('/account')).status, 302);
    await setPolicy(service, 'optional');
  });
});
