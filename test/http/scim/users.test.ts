// People by SCIM: finding, creating, changing and deleting them, and whose they are.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { makeAdministrator } from '../../../src/operations/users/disable-user.ts';
import type { SettingsInput } from '../../../src/protocol/resources/settings.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import { Person } from '../../harness/person.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newDirectory, type TestDirectory } from '../../harness/scim.ts';
import { requester } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let entra: TestDirectory;
let okta: TestDirectory;
let adopting: TestDirectory;
let count = 0;

before(async () => {
  entra = await newDirectory(service);
  okta = await newDirectory(service, { source: 'okta' });
  adopting = await newDirectory(service, { source: 'hr', adopts: true });
  const { services } = service.running;
  for (const [name, kind] of [
    ['department', 'text'],
    ['shoe_size', 'number'],
    ['cost_center', 'text'],
  ] as const) {
    const outcome = await createAttribute(services, { name, label: name, kind }, requester);
    assert.equal(outcome.kind, 'done');
  }
});
beforeEach(() => set({ scim_user_name: 'email', scim_verified_domains: [] }));

async function set(values: SettingsInput): Promise<void> {
  assert.equal((await changeSettings(service.running.services, values, requester)).kind, 'done');
}

const newEmail = () => `person-${++count}@scim.example`;
const userOf = async (id: string) => {
  const user = await service.running.services.storage.findUser(id);
  assert.ok(user);
  return user;
};

describe('creating people', () => {
  test('answers with the person, who has no password and gets no email', async () => {
    const email = newEmail();
    const { status, headers, body } = await entra.send('POST', '/Users', {
      schemas: [urns.user, urns.enterprise],
      userName: email,
      externalId: 'x1',
      password: 'correct horse battery',
      roles: [{ value: 'administrator' }],
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      addresses: [{ formatted: 'One\nTwo' }],
      [urns.enterprise]: { department: 'Engines', division: 'ignored' },
      [urns.own]: { shoe_size: '38', unknown: 'ignored' },
    });
    assert.equal(status, 201);
    assert.equal(headers.get('Location'), body.meta.location);
    assert.equal(body.meta.location, `${service.baseUrl}/scim/v2/Users/${body.id}`);
    assert.equal(body.displayName, 'Ada Lovelace');
    assert.equal(body.active, true);
    assert.deepEqual(body.groups, []);
    assert.deepEqual(body[urns.enterprise], { department: 'Engines' });
    assert.deepEqual(body[urns.own], { department: 'Engines', shoe_size: 38 });
    assert.doesNotMatch(JSON.stringify(body), /password|battery/);
    assert.deepEqual((await entra.send('GET', `/Users/${body.id}`)).body, body);
    const user = await userOf(body.id);
    assert.equal(user.passwordHash, '');
    assert.equal(user.adminSince, null);
    assert.equal(user.managedBy, 'entra');
    assert.equal(user.emailVerifiedAt, null);
    assert.deepEqual(await service.rows('mails'), []);
    const [event] = (await service.events('user_created')).filter(({ userId }) => userId === body.id);
    assert.equal(event?.detail?.source, 'entra');
    assert.equal(event?.actor?.kind, 'scim_token');
  });

  test('a taken userName or externalId is 409, whoever has it and however it is written', async () => {
    const email = newEmail();
    await entra.create(email, { externalId: 'same' });
    const { email: other } = await service.newUser();
    for (const directory of [entra, okta]) {
      for (const userName of [email, email.toUpperCase(), other]) {
        const { status, body } = await directory.send('POST', '/Users', { schemas: [urns.user], userName });
        assert.deepEqual([status, body.scimType, body.status], [409, 'uniqueness', '409']);
      }
    }
    const again = { schemas: [urns.user], userName: newEmail(), externalId: 'same' };
    assert.equal((await entra.send('POST', '/Users', again)).status, 409);
    assert.equal((await okta.send('POST', '/Users', again)).status, 201);
  });

  test('with a list of domains, addresses are verified, and others refused', async () => {
    await set({ scim_verified_domains: ['scim.example'] });
    const id = await entra.create(newEmail());
    assert.notEqual((await userOf(id)).emailVerifiedAt, null);
    const other = { schemas: [urns.user], userName: 'someone@elsewhere.example' };
    const refused = await entra.send('POST', '/Users', other);
    assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue']);
    const moved = await entra.patch(id, { op: 'replace', path: 'userName', value: 'someone@elsewhere.example' });
    assert.deepEqual([moved.status, moved.body.scimType], [400, 'invalidValue']);
  });

  test('usernames instead of email addresses', async () => {
    await set({ scim_user_name: 'username' });
    const email = newEmail();
    const id = await entra.create('Ada.L', { emails: [{ value: email, primary: true }] });
    assert.deepEqual(await entra.find('userName eq "ada.l"'), [id]);
    assert.deepEqual(await entra.find(`emails[type eq "work"].value eq "${email}"`), [id]);
    const { preferredUsername } = await userOf(id);
    assert.equal(preferredUsername, 'Ada.L');
    const wrong = { schemas: [urns.user], userName: newEmail(), emails: [{ value: newEmail() }] };
    assert.equal((await entra.send('POST', '/Users', wrong)).body.scimType, 'invalidValue');
    const taken = { schemas: [urns.user], userName: 'ada.l', emails: [{ value: newEmail() }] };
    assert.equal((await entra.send('POST', '/Users', taken)).status, 409);
  });

  test('a value that an attribute cannot have is refused', async () => {
    const person = { schemas: [urns.user], userName: newEmail(), [urns.own]: { shoe_size: 'large' } };
    const { status, body } = await entra.send('POST', '/Users', person);
    assert.deepEqual([status, body.scimType], [400, 'invalidValue']);
  });
});

describe('finding people', () => {
  let directory: TestDirectory;
  let ids: string[];
  before(async () => {
    directory = await newDirectory(service, { source: 'finding' });
    ids = [];
    for (const [index, name] of ['Anna', 'Anton', 'Bea'].entries()) {
      const more = { displayName: name, ...(index < 2 && { externalId: `Ext-${index}` }), active: index !== 1 };
      ids.push(await directory.create(`find-${index}@scim.example`, more));
    }
  });

  test('by each filter', async () => {
    const [anna = '', anton = '', bea = ''] = ids;
    const cases: readonly (readonly [filter: string, found: readonly string[]])[] = [
      ['userName eq "FIND-0@SCIM.example"', [anna]],
      ['userName sw "find-"', [anna, anton, bea]],
      ['userName sw "find-1" and active eq false', [anton]],
      ['emails.value eq "find-2@scim.example"', [bea]],
      [`id eq "${anna}"`, [anna]],
      [`id eq "${anna}" and displayName sw "B"`, []],
      [`id sw "${anna.slice(0, -1)}"`, [anna]],
      ['externalId eq "Ext-0"', [anna]],
      ['externalId eq "ext-0"', []],
      ['externalId sw "Ext-"', [anna, anton]],
      ['externalId pr', [anna, anton]],
      ['userName pr', [anna, anton, bea]],
      ['displayName eq "anton"', [anton]],
      ['displayName sw "AN"', [anna, anton]],
      ['displayName sw "%"', []],
      ['active eq true', [anna, bea]],
      ['active eq "False"', [anton]],
      ['userName eq "find-0@scim.example" and userName eq "find-1@scim.example"', []],
      [`userName eq "' OR 1=1 --"`, []],
    ];
    for (const [filter, found] of cases) assert.deepEqual(await directory.find(filter), found, filter);
  });

  test('in parts, with what was asked for', async () => {
    const { body } = await directory.send('GET', '/Users?startIndex=2&count=1&attributes=displayName');
    assert.deepEqual([body.totalResults, body.startIndex, body.itemsPerPage], [3, 2, 1]);
    assert.deepEqual(body.Resources, [{ schemas: [urns.user], id: ids[1], displayName: 'Anton' }]);
    const none = await directory.send('GET', '/Users?count=0');
    assert.deepEqual([none.body.totalResults, none.body.Resources], [3, []]);
    const one = await directory.send('GET', `/Users/${ids[0]}?excludedAttributes=emails,name,groups`);
    assert.deepEqual(Object.keys(one.body), [
      'schemas',
      'id',
      'externalId',
      'userName',
      'displayName',
      'active',
      'meta',
    ]);
  });

  test('what is not supported is refused', async () => {
    for (const query of ['filter=userName%20co%20%22a%22', 'filter=password%20pr', `filter=${'('.repeat(3000)}`]) {
      const { status, body } = await directory.send('GET', `/Users?${query}`);
      assert.deepEqual([status, body.scimType, body.schemas], [400, 'invalidFilter', [urns.error]]);
    }
    for (const query of ['count=x', 'startIndex=1&startIndex=2', 'attributes=id&excludedAttributes=name']) {
      assert.equal((await directory.send('GET', `/Users?${query}`)).status, 400, query);
    }
  });

  test("other sources' people and those of nobody don't exist", async () => {
    const { id, email } = await service.newUser();
    const own = await entra.create(newEmail());
    for (const other of [id, own, 'nobody', '%2e%2e', 'a%2Fb', '__proto__']) {
      assert.equal((await directory.send('GET', `/Users/${other}`)).status, 404, other);
      assert.equal((await directory.patch(other, { op: 'replace', path: 'active', value: false })).status, 404);
      const put = await directory.send('PUT', `/Users/${other}`, { schemas: [urns.user], userName: newEmail() });
      assert.equal(put.status, 404);
      assert.equal((await directory.send('DELETE', `/Users/${other}`)).status, 404);
    }
    assert.deepEqual(await directory.find(`userName eq "${email}"`), []);
    assert.equal((await userOf(id)).disabledAt, null);
  });
});

describe('changing people', () => {
  test('PATCH answers 204, and changes what it names', async () => {
    const id = await entra.create(newEmail(), { name: { givenName: 'Ada' }, [urns.enterprise]: { department: 'A' } });
    const email = newEmail();
    const { status, body } = await entra.patch(
      id,
      { op: 'Replace', path: 'userName', value: email },
      { op: 'Add', path: 'name.familyName', value: 'Byron' },
      { op: 'Add', path: `${urns.enterprise}:costCenter`, value: '7' },
      { op: 'Remove', path: `${urns.enterprise}:department` },
    );
    assert.deepEqual([status, body], [204, undefined]);
    const user = await userOf(id);
    assert.deepEqual([user.email, user.givenName, user.familyName], [email, 'Ada', 'Byron']);
    assert.deepEqual(user.attributes, { cost_center: '7' });
    assert.deepEqual(await entra.find(`userName eq "${email}"`), [id]);
    const { journal } = service.running.services;
    await journal.flush();
    const edited = (await service.events('user_edited')).filter(({ userId }) => userId === id);
    assert.deepEqual(
      edited.map(({ detail }) => detail?.changed),
      [['email', 'name', 'family_name', 'attributes.cost_center', 'attributes.department']],
    );
    assert.equal((await entra.patch(id, { op: 'replace', path: 'name.givenName', value: 'Ada' })).status, 204);
    assert.equal((await service.events('user_edited')).filter(({ userId }) => userId === id).length, 1);
  });

  test('PUT answers with the person, without what it leaves out', async () => {
    const userName = newEmail();
    const id = await entra.create(userName, { name: { givenName: 'Ada' }, locale: 'de', externalId: 'put' });
    const { status, body } = await entra.send('PUT', `/Users/${id}`, {
      schemas: [urns.user],
      userName,
      displayName: 'D',
    });
    assert.equal(status, 200);
    assert.deepEqual([body.id, body.name, body.locale, body.externalId], [id, { formatted: 'D' }, undefined, 'put']);
  });

  test('active: false ends what the person has, and true gives access back', async () => {
    const id = await entra.create(newEmail());
    const { generation } = await userOf(id);
    assert.equal((await entra.patch(id, { op: 'Replace', path: 'active', value: 'False' })).status, 204);
    const disabled = await userOf(id);
    assert.notEqual(disabled.disabledAt, null);
    assert.equal(disabled.generation, generation + 1);
    assert.equal((await entra.patch(id, { op: 'replace', value: { active: false } })).status, 204);
    assert.equal((await entra.patch(id, { op: 'replace', value: { active: true } })).status, 204);
    assert.equal((await userOf(id)).disabledAt, null);
    const kinds = (await service.events()).filter(({ userId }) => userId === id).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['user_created', 'user_disabled', 'user_enabled']);
  });

  test('a taken address is 409, and changes nothing', async () => {
    const id = await entra.create(newEmail());
    const { email } = await service.newUser();
    const { status, body } = await entra.patch(
      id,
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'userName', value: email },
    );
    assert.deepEqual([status, body.scimType], [409, 'uniqueness']);
    assert.equal((await userOf(id)).disabledAt, null);
  });

  test('many changes at once all take place', async () => {
    const id = await entra.create(newEmail());
    const names = ['name.givenName', 'name.familyName', 'externalId', `${urns.enterprise}:department`, 'locale'];
    const answers = await Promise.all(names.map((path) => entra.patch(id, { op: 'replace', path, value: 'de' })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map(() => 204),
    );
    const { givenName, familyName, externalId, attributes, locale } = await userOf(id);
    assert.deepEqual(
      [givenName, familyName, externalId, attributes.department, locale],
      names.map(() => 'de'),
    );
  });

  test('DELETE deletes those whom the source created', async () => {
    const id = await entra.create(newEmail());
    assert.equal((await entra.send('DELETE', `/Users/${id}`)).status, 204);
    assert.equal((await entra.send('GET', `/Users/${id}`)).status, 404);
    assert.equal((await entra.send('DELETE', `/Users/${id}`)).status, 404);
    assert.equal(await service.running.services.storage.findUser(id), undefined);
  });

  test('nobody with a role is changed, and each attempt is an event', async () => {
    const id = await entra.create(newEmail());
    const { services } = service.running;
    assert.equal((await makeAdministrator(services, { id }, requester)).kind, 'done');
    const before = await userOf(id);
    const put = { schemas: [urns.user], userName: newEmail(), active: false };
    const answers = [
      await entra.patch(id, { op: 'replace', path: 'active', value: false }),
      await entra.send('PUT', `/Users/${id}`, put),
      await entra.send('DELETE', `/Users/${id}`),
    ];
    for (const { status, body } of answers) assert.deepEqual([status, body.schemas], [403, [urns.error]]);
    assert.deepEqual(await userOf(id), before);
    const events = await service.events('scim_refused');
    assert.deepEqual(
      events.map(({ userId, detail }) => [userId, detail?.source]),
      answers.map(() => [id, 'entra']),
    );
  });
});

describe('taking over people', () => {
  const domains = { scim_verified_domains: ['adopt.example'] };

  test('finds those with a verified address in a domain, and adopts by the first change', async () => {
    await set(domains);
    const email = 'Verified@adopt.example';
    const { id } = await service.newUser({ email });
    assert.deepEqual(await adopting.find('userName eq "verified@ADOPT.example"'), [id]);
    assert.deepEqual(await adopting.find('userName sw "verified@"'), [id]);
    assert.deepEqual(await entra.find('userName eq "verified@adopt.example"'), []);
    assert.equal((await userOf(id)).managedBy, null);
    const post = await adopting.send('POST', '/Users', { schemas: [urns.user], userName: email });
    assert.equal(post.status, 409);
    assert.equal((await adopting.send('DELETE', `/Users/${id}`)).status, 404);
    assert.equal((await entra.patch(id, { op: 'add', path: 'externalId', value: 'x' })).status, 404);

    assert.equal((await adopting.patch(id, { op: 'add', path: 'externalId', value: 'adopted' })).status, 204);
    const adopted = await userOf(id);
    assert.deepEqual([adopted.managedBy, adopted.externalId], ['hr', 'adopted']);
    assert.notEqual(adopted.adoptedAt, null);
    assert.notEqual(adopted.passwordHash, '');

    assert.equal((await adopting.send('DELETE', `/Users/${id}`)).status, 204);
    const released = await userOf(id);
    assert.deepEqual([released.managedBy, released.externalId, released.adoptedAt], [null, null, null]);
    assert.notEqual(released.disabledAt, null);
    assert.equal(released.generation, adopted.generation + 1);
  });

  test('active: false ends sessions and tokens with the next request', async () => {
    await set(domains);
    const user = await service.newUser({ email: 'leaving@adopt.example' });
    const person = new Person(service);
    await person.signIn(user);
    assert.equal((await person.request('/account')).status, 200);
    const { tokens } = await obtainTokens(service, await service.newClient(), user);
    const userinfo = () =>
      fetch(`${service.url}/oauth/userinfo`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    assert.equal((await userinfo()).status, 200);
    assert.equal((await adopting.patch(user.id, { op: 'Replace', path: 'active', value: 'False' })).status, 204);
    assert.equal((await person.request('/account')).status, 302);
    assert.equal((await userinfo()).status, 401);
  });

  test('adopts nobody else', async () => {
    await set(domains);
    const others = [
      await service.newUser({ email: 'unverified@adopt.example', emailVerified: false }),
      await service.newUser({ email: 'someone@sub.adopt.example' }),
      await service.newUser({ email: 'someone@notadopt.example' }),
      await service.newUser({ email: 'adopt.example@elsewhere.example' }),
    ];
    for (const { id, email } of others) {
      assert.deepEqual(await adopting.find(`userName eq "${email}"`), []);
      assert.equal((await adopting.patch(id, { op: 'replace', path: 'active', value: false })).status, 404);
    }
    const { id } = await service.newUser({ email: 'administrator@adopt.example', admin: true });
    assert.equal((await adopting.patch(id, { op: 'replace', path: 'active', value: true })).status, 403);
    assert.equal((await userOf(id)).managedBy, null);
    await set({ scim_verified_domains: [] });
    const { id: free } = await service.newUser({ email: 'free@adopt.example' });
    assert.equal((await adopting.send('GET', `/Users/${free}`)).status, 404);
  });
});

test('the console says that it was a directory', async () => {
  const person = new Person(service);
  await person.signIn(await service.newUser({ admin: true }));
  const page = await (await person.visit('/admin/events?kind=scim_refused')).text();
  assert.match(page, /Directory change refused: the person has a role/);
  assert.match(page, /by a directory \(SCIM\)/);
});
