// Groups by SCIM: finding, creating, changing and deleting them, and who can be in them.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setAccess } from '../../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { makeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { operationLimit } from '../../../src/protocol/scim/patch.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import { claimOf, setClaims } from '../../harness/claims.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newDirectory, type ScimResponse, type TestDirectory } from '../../harness/scim.ts';
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
});

const services = () => service.running.services;
const newName = () => `Group ${++count}`;
const newPerson = (directory = entra) => directory.create(`member-${++count}@scim.example`);
const named = (...ids: readonly string[]) => ids.map((value) => ({ value }));
const add = (...ids: readonly string[]) => ({ op: 'add', path: 'members', value: named(...ids) });
const remove = (...ids: readonly string[]) => ({ op: 'remove', path: 'members', value: named(...ids) });
const replace = (...ids: readonly string[]) => ({ op: 'replace', path: 'members', value: named(...ids) });

async function membersOf(id: string, directory = entra): Promise<string[]> {
  const { body } = await directory.send('GET', `/Groups/${id}`);
  return body.members.map(({ value }: { readonly value: string }) => value);
}

/** Of the group, oldest first. */
async function eventsAbout(name: string): Promise<unknown[]> {
  const events = (await service.events()).filter(({ detail }) => detail?.group === name);
  return events.map(({ kind, userId, detail }) => [kind, userId ?? null, detail?.source ?? null]);
}

function assertRefused({ status, body }: ScimResponse, expected: number, scimType?: string): void {
  assert.deepEqual(
    [status, body?.scimType, body?.status],
    [expected, scimType, String(expected)],
    JSON.stringify(body),
  );
}

describe('creating groups', () => {
  test('answers with the group, which belongs to the directory', async () => {
    const [name, ada] = [newName(), await newPerson()];
    const { status, headers, body } = await entra.send('POST', '/Groups', {
      schemas: [urns.group],
      displayName: ` ${name} `,
      externalId: `x-${name}`,
      members: [{ value: ada, type: 'User', display: 'someone' }],
      protected: true,
      managed_by: 'okta',
    });
    assert.equal(status, 201);
    assert.equal(headers.get('Location'), body.meta.location);
    assert.equal(body.meta.location, `${service.baseUrl}/scim/v2/Groups/${body.id}`);
    assert.deepEqual([body.schemas, body.displayName, body.externalId], [[urns.group], name, `x-${name}`]);
    const $ref = `${service.baseUrl}/scim/v2/Users/${ada}`;
    assert.deepEqual(body.members, [{ value: ada, $ref, display: `member-${count}@scim.example`, type: 'User' }]);
    assert.deepEqual((await entra.send('GET', `/Groups/${body.id}`)).body, body);
    const group = await services().storage.findGroupById(body.id);
    assert.deepEqual([group?.managedBy, group?.protectedSince], ['entra', null]);
    const person = await entra.send('GET', `/Users/${ada}`);
    assert.deepEqual(person.body.groups, [{ value: body.id, $ref: body.meta.location, display: name, type: 'direct' }]);
    assert.deepEqual(await eventsAbout(name), [
      ['group_created', null, 'entra'],
      ['group_member_added', ada, 'entra'],
    ]);
    const [created] = (await service.events('group_created')).filter(({ detail }) => detail?.group === name);
    assert.equal(created?.actor?.kind, 'scim_token');
  });

  test("a taken name or externalId is 409, and doesn't say whose", async () => {
    const [own, foreign, console] = [newName(), newName(), newName()];
    await entra.createGroup(own, { externalId: 'same' });
    await okta.createGroup(foreign);
    assert.equal((await createGroup(services(), { name: console, protected: true }, requester)).kind, 'done');
    const details = new Set<string>();
    for (const displayName of [own, foreign, console, ` ${console.toUpperCase()}`]) {
      const response = await entra.send('POST', '/Groups', { schemas: [urns.group], displayName });
      assertRefused(response, 409, 'uniqueness');
      details.add(response.body.detail);
    }
    const id = await entra.createGroup(newName());
    for (const change of [
      { op: 'replace', path: 'displayName', value: console },
      { op: 'replace', path: 'externalId', value: 'same' },
    ]) {
      const response = await entra.patchGroup(id, change);
      assertRefused(response, 409, 'uniqueness');
      details.add(response.body.detail);
    }
    assert.equal(details.size, 1);
    await okta.createGroup(newName(), { externalId: 'same' });
    const found = await services().storage.findGroup(console);
    assert.equal(found?.managedBy, null);
  });

  test('what is not a group is refused', async () => {
    const group = { schemas: [urns.group], displayName: newName() };
    const bodies: readonly (readonly [object, number, string?])[] = [
      [{ ...group, schemas: [urns.user] }, 400, 'invalidSyntax'],
      [{ schemas: [urns.group] }, 400, 'invalidValue'],
      [{ ...group, displayName: '  ' }, 400, 'invalidValue'],
      [{ ...group, displayName: 'x'.repeat(101) }, 400, 'invalidValue'],
      [{ ...group, externalId: 'x'.repeat(256) }, 400, 'invalidValue'],
      [{ ...group, members: [{ value: 'nobody' }] }, 400, 'invalidValue'],
      [{ ...group, members: [{ value: 'no\u0000body' }] }, 400, 'invalidValue'],
      [{ ...group, members: [{}] }, 400, 'invalidValue'],
      [{ ...group, members: Array.from({ length: 5001 }, (_, index) => ({ value: `p${index}` })) }, 413],
    ];
    for (const [body, status, scimType] of bodies) {
      assertRefused(await entra.send('POST', '/Groups', body), status, scimType);
    }
    assert.equal(await services().storage.findGroup(group.displayName), undefined);
  });
});

describe('finding groups', () => {
  test('a directory sees its own, and filters compare a few attributes', async () => {
    const hr = await newDirectory(service, { source: 'finding' });
    const one = await hr.createGroup('Straße Nord', { externalId: 'North' });
    const two = await hr.createGroup('Straße Süd');
    const find = async (filter: string) => {
      const { status, body } = await hr.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.Resources.map(({ id }: { readonly id: string }) => id);
    };
    const filters: readonly (readonly [string, readonly string[]])[] = [
      ['displayName eq "STRASSE NORD"', []],
      ['displayName eq "straße nord"', [one]],
      ['DisplayName EQ " Straße Nord "', [one]],
      ['displayName sw "straße"', [one, two]],
      [`id eq "${two}"`, [two]],
      ['externalId eq "North"', [one]],
      ['externalId eq "north"', []],
      ['externalId pr', [one]],
      ['displayName pr and externalId sw "No"', [one]],
      ['displayName eq "a" and displayName eq "b"', []],
      [`${urns.group}:displayName eq "Straße Süd"`, [two]],
    ];
    for (const [filter, expected] of filters) assert.deepEqual(await find(filter), expected, filter);
    const refused = [
      'members.value eq "x"',
      'members[value eq "x"]',
      'members eq "x"',
      'userName eq "x"',
      'active eq true',
      'emails.value eq "x"',
      'displayName co "x"',
      'displayName eq "x" or displayName eq "y"',
      'not (displayName eq "x")',
    ];
    for (const filter of refused) {
      const response = await hr.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      assertRefused(response, 400, 'invalidFilter');
    }
    const page = await hr.send('GET', '/Groups?startIndex=2&count=1');
    assert.deepEqual([page.body.totalResults, page.body.startIndex, page.body.itemsPerPage], [2, 2, 1]);
    assert.equal(page.body.Resources[0].id, two);
    assert.equal((await hr.send('GET', '/Groups?count=0')).body.totalResults, 2);
  });

  test('lists leave out members unless they are asked for', async () => {
    const hr = await newDirectory(service, { source: 'members' });
    const person = await newPerson(hr);
    const id = await hr.createGroup(newName(), { members: named(person) });
    const [listed] = (await hr.send('GET', '/Groups')).body.Resources;
    assert.deepEqual(Object.keys(listed), ['schemas', 'id', 'displayName', 'meta']);
    const asked = await hr.send('GET', '/Groups?attributes=members.value,displayName');
    assert.deepEqual(asked.body.Resources[0].members, named(person));
    const paths = {
      '?excludedAttributes=members': ['schemas', 'id', 'displayName', 'meta'],
      '?attributes=displayName': ['schemas', 'id', 'displayName'],
      '?attributes=members': ['schemas', 'id', 'members'],
      [`?attributes=${urns.group}:members`]: ['schemas', 'id', 'members'],
      '': ['schemas', 'id', 'displayName', 'members', 'meta'],
    };
    for (const [query, keys] of Object.entries(paths)) {
      const { body } = await hr.send('GET', `/Groups/${id}${query}`);
      assert.deepEqual(Object.keys(body), keys, query);
    }
    const members = await hr.send('GET', `/Groups/${id}?attributes=members.value`);
    assert.deepEqual(members.body.members, named(person));
    const empty = await hr.createGroup(newName());
    assert.deepEqual((await hr.send('GET', `/Groups/${empty}?attributes=members`)).body.members, []);
  });

  test("somebody else's groups don't exist", async () => {
    const name = newName();
    const foreign = await okta.createGroup(name, { externalId: 'foreign' });
    const own = await createGroup(services(), { name: newName() }, requester);
    assert.ok(own.kind === 'done');
    const put = { schemas: [urns.group], displayName: newName(), members: [] };
    for (const id of [foreign, own.group.id, 'nothing', 'a%00b', '%F0%9F%98%80']) {
      const responses = [
        await entra.send('GET', `/Groups/${id}`),
        await entra.send('PUT', `/Groups/${id}`, put),
        await entra.patchGroup(id, { op: 'replace', path: 'displayName', value: newName() }),
        await entra.send('DELETE', `/Groups/${id}`),
      ];
      for (const response of responses) assertRefused(response, 404);
    }
    const { body } = await entra.send('GET', `/Groups?filter=${encodeURIComponent(`displayName eq "${name}"`)}`);
    assert.equal(body.totalResults, 0);
  });
});

describe('changing groups', () => {
  test('a PATCH does everything or nothing', async () => {
    const [ada, grace, other] = [await newPerson(), await newPerson(), await newPerson(okta)];
    const [name, next] = [newName(), newName()];
    const id = await entra.createGroup(name, { members: named(ada) });
    const rename = { op: 'replace', path: 'displayName', value: next };
    for (const wrong of ['nobody', other, id]) {
      assertRefused(await entra.patchGroup(id, rename, remove(ada), add(grace, wrong)), 400, 'invalidValue');
    }
    assert.equal((await entra.send('GET', `/Groups/${id}`)).body.displayName, name);
    assert.deepEqual(await membersOf(id), [ada]);
    assert.equal((await entra.patchGroup(id, rename, remove(ada), add(grace))).status, 204);
    assert.deepEqual(await membersOf(id), [grace]);
    assert.deepEqual(await eventsAbout(next), [
      ['group_renamed', null, 'entra'],
      ['group_member_added', grace, 'entra'],
      ['group_member_removed', ada, 'entra'],
    ]);
  });

  test('the last operation about somebody counts', async () => {
    const [ada, grace] = [await newPerson(), await newPerson()];
    const name = newName();
    const id = await entra.createGroup(name, { members: named(ada) });
    assert.equal((await entra.patchGroup(id, remove(ada), add(ada), add(grace), remove(grace))).status, 204);
    assert.deepEqual(await membersOf(id), [ada]);
    assert.equal((await entra.patchGroup(id, add(ada), replace(grace), add(ada), remove(grace))).status, 204);
    assert.deepEqual(await membersOf(id), [ada]);
    // Nothing has changed since the group was created.
    assert.equal((await eventsAbout(name)).length, 2);
    const before = await services().storage.findGroupById(id);
    assert.equal((await entra.patchGroup(id, add(ada))).status, 204);
    assert.deepEqual(await services().storage.findGroupById(id), before);
  });

  test('whoever is removed and is not there makes no difference', async () => {
    const [ada, gone] = [await newPerson(), await newPerson()];
    const id = await entra.createGroup(newName(), { members: named(ada, gone) });
    assert.equal((await entra.send('DELETE', `/Users/${gone}`)).status, 204);
    assert.deepEqual(await membersOf(id), [ada]);
    assert.equal((await entra.patchGroup(id, remove(gone, 'nobody', await newPerson(okta)))).status, 204);
    assert.equal((await entra.patchGroup(id, { op: 'remove', path: 'members[value eq "no\\u0000"]' })).status, 204);
    assert.deepEqual(await membersOf(id), [ada]);
  });

  test('groups in groups are refused', async () => {
    const [id, inner] = [await entra.createGroup(newName()), await entra.createGroup(newName())];
    const nested = { op: 'add', path: 'members', value: [{ value: inner, type: 'Group' }] };
    assertRefused(await entra.patchGroup(id, nested), 400, 'invalidValue');
    assertRefused(await entra.patchGroup(id, add(inner)), 400, 'invalidValue');
  });

  test('more than 5,000 members or 1,000 operations are 413', async () => {
    const id = await entra.createGroup(newName());
    const ids = Array.from({ length: 5000 }, (_, index) => `p${index}`);
    assert.equal((await entra.patchGroup(id, remove(...ids))).status, 204);
    assertRefused(await entra.patchGroup(id, remove(...ids), remove('one more')), 413);
    const operations = Array.from({ length: operationLimit }, () => remove('p'));
    assert.equal((await entra.patchGroup(id, ...operations)).status, 204);
    assertRefused(await entra.patchGroup(id, ...operations, remove('p')), 413);
  });

  test('PUT replaces what it has, and leaves the rest', async () => {
    const [ada, grace] = [await newPerson(), await newPerson()];
    const id = await entra.createGroup(newName(), { externalId: 'put', members: named(ada) });
    const put = (more: object) => entra.send('PUT', `/Groups/${id}`, { schemas: [urns.group], ...more });
    const displayName = newName();
    const renamed = await put({ displayName });
    assert.deepEqual([renamed.status, renamed.body.displayName, renamed.body.externalId], [200, displayName, 'put']);
    assert.deepEqual(await membersOf(id), [ada]);
    const replaced = await put({ displayName, members: named(grace) });
    assert.deepEqual(
      replaced.body.members.map(({ value }: { readonly value: string }) => value),
      [grace],
    );
    assert.deepEqual((await put({ displayName, members: [] })).body.members, []);
    assertRefused(await put({ displayName, members: named('nobody') }), 400, 'invalidValue');
  });

  test('people who were added by somebody else are neither shown nor removed', async () => {
    const [ada, stranger] = [await newPerson(), await service.newUser()];
    const name = newName();
    const id = await entra.createGroup(name, { members: named(ada) });
    assert.equal((await changeMembers(services(), name, { add: [{ id: stranger.id }] }, requester)).kind, 'done');
    assert.deepEqual(await membersOf(id), [ada]);
    assertRefused(await entra.patchGroup(id, add(stranger.id)), 400, 'invalidValue');
    assert.equal((await entra.patchGroup(id, remove(stranger.id))).status, 204);
    assert.equal((await entra.patchGroup(id, replace())).status, 204);
    assert.deepEqual(await membersOf(id), []);
    assert.equal(await services().storage.countMembers(id), 1);
  });

  test('only people whom the directory owns can be members, so adopting comes first', async () => {
    assert.equal(
      (await changeSettings(services(), { scim_verified_domains: ['adopt.example'] }, requester)).kind,
      'done',
    );
    const { id: person } = await service.newUser({ email: 'free@adopt.example' });
    const id = await adopting.createGroup(newName());
    assert.equal((await adopting.send('GET', `/Users/${person}`)).status, 200);
    assertRefused(await adopting.patchGroup(id, add(person)), 400, 'invalidValue');
    assert.equal((await adopting.patch(person, { op: 'add', path: 'externalId', value: 'p' })).status, 204);
    assert.equal((await adopting.patchGroup(id, add(person))).status, 204);
    assert.deepEqual(await membersOf(id, adopting), [person]);
    // Whoever is released leaves: the directory couldn't remove them any more.
    assert.equal((await adopting.send('DELETE', `/Users/${person}`)).status, 204);
    assert.equal(await services().storage.countMembers(id), 0);
    const [event] = (await service.events('group_member_removed')).filter(({ userId }) => userId === person);
    assert.equal(event?.detail?.source, 'hr');
    assert.equal((await changeSettings(services(), { scim_verified_domains: [] }, requester)).kind, 'done');
  });

  test('a protected group is changed by its own directory', async () => {
    const [name, ada] = [newName(), await newPerson()];
    const id = await entra.createGroup(name);
    assert.equal((await updateGroup(services(), name, { protected: true }, requester)).kind, 'done');
    assert.equal((await entra.patchGroup(id, add(ada))).status, 204);
    assertRefused(await okta.patchGroup(id, add(await newPerson(okta))), 404);
    assert.notEqual((await services().storage.findGroupById(id))?.protectedSince, null);
  });
});

describe('people with a role', () => {
  test('are neither added nor removed, by any request, and each attempt is an event', async () => {
    const [member, outside, free] = [await newPerson(), await newPerson(), await newPerson()];
    const name = newName();
    const id = await entra.createGroup(name, { members: named(member) });
    for (const person of [member, outside]) {
      assert.equal((await makeAdministrator(services(), { id: person }, requester)).kind, 'done');
    }
    const put = { schemas: [urns.group], displayName: name };
    const refused: readonly (readonly [string, ScimResponse])[] = [
      [outside, await entra.patchGroup(id, add(free, outside))],
      [member, await entra.patchGroup(id, remove(member))],
      [member, await entra.patchGroup(id, add(free), { op: 'remove', path: `members[value eq "${member}"]` })],
      [member, await entra.patchGroup(id, { op: 'remove', path: 'members' })],
      [member, await entra.patchGroup(id, replace(free))],
      [outside, await entra.send('PUT', `/Groups/${id}`, { ...put, members: named(member, outside) })],
      [member, await entra.send('PUT', `/Groups/${id}`, { ...put, members: [] })],
      [outside, await entra.send('POST', '/Groups', { ...put, displayName: newName(), members: named(outside) })],
    ];
    for (const [, response] of refused) assertRefused(response, 403);
    assert.deepEqual(await membersOf(id), [member]);
    const events = await service.events('scim_refused');
    assert.deepEqual(
      events.map(({ userId, detail }) => [userId, detail?.source]),
      refused.map(([person]) => [person, 'entra']),
    );
    // What leaves them as they are is fine.
    assert.equal((await entra.patchGroup(id, add(member, free), remove(outside))).status, 204);
    assert.equal((await entra.send('PUT', `/Groups/${id}`, { ...put, members: named(member) })).status, 200);
    assert.deepEqual(await membersOf(id), [member]);
  });
});

describe('what follows', () => {
  test('whoever is removed loses the application with the next request', async () => {
    assert.equal(
      (await changeSettings(services(), { scim_verified_domains: ['lose.example'] }, requester)).kind,
      'done',
    );
    const user = await service.newUser({ email: 'someone@lose.example' });
    assert.equal((await adopting.patch(user.id, { op: 'add', path: 'externalId', value: 'lose' })).status, 204);
    const name = newName();
    const id = await adopting.createGroup(name, { members: named(user.id) });
    const client = await service.newClient();
    const listed = await setAccess(services(), client.id, { access: 'listed', groups: [name] }, requester);
    assert.equal(listed.kind, 'done', JSON.stringify(listed));
    const { tokens } = await obtainTokens(service, client, user);
    const userinfo = () =>
      fetch(`${service.url}/oauth/userinfo`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    assert.equal((await userinfo()).status, 200);
    assert.equal((await adopting.patchGroup(id, replace())).status, 204);
    assert.equal((await userinfo()).status, 401);
    assert.equal((await changeSettings(services(), { scim_verified_domains: [] }, requester)).kind, 'done');
  });

  test('a deleted group is gone, and its name is free', async () => {
    const [name, ada] = [newName(), await newPerson()];
    const id = await entra.createGroup(name, { externalId: 'deleted', members: named(ada) });
    assert.equal((await entra.send('DELETE', `/Groups/${id}`)).status, 204);
    assertRefused(await entra.send('DELETE', `/Groups/${id}`), 404);
    assert.deepEqual((await entra.send('GET', `/Users/${ada}`)).body.groups, []);
    assert.deepEqual((await eventsAbout(name)).at(-1), ['group_deleted', null, 'entra']);
    await entra.createGroup(name, { externalId: 'deleted' });
  });
});

test('a group that claims use is deleted all the same', async () => {
  const name = newName();
  const id = await entra.createGroup(name);
  const client = await service.newClient();
  await setClaims(service, client.id, [claimOf('teams', { source: 'groups', groups: [{ id, name }] })]);
  const claims = async () => JSON.stringify((await services().storage.findClient(client.id))?.claims);
  assert.equal((await entra.send('DELETE', `/Groups/${id}`)).status, 204);
  assert.match(await claims(), /"deleted":true/);
});

test('ten requests at once change one group, and none is lost', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => newPerson()));
  const id = await entra.createGroup(newName());
  const responses = await Promise.all(people.map((person) => entra.patchGroup(id, add(person))));
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [204]);
  assert.deepEqual((await membersOf(id)).sort(), people.sort());
});
