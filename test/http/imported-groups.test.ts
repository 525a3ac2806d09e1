// The groups of people who came from another service: they're in them here as well, except where that would decide something.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { updateGroup } from '../../src/operations/groups/groups.ts';
import { importRecords } from '../../src/operations/users/import-users.ts';
import { Api, type KeyCaller, newKey } from '../harness/api.ts';
import { newGroup } from '../harness/claim-subjects.ts';
import { requester } from '../harness/service.ts';
import { serviceOfSuite } from '../harness/suite.ts';

const service = serviceOfSuite();
let api: Api;
let administrator: KeyCaller;

before(async () => {
  api = await Api.of(service);
  administrator = await newKey(service, 'administrator');
});

async function importing(body: object, key = administrator) {
  const { data, message, status } = await api.call('importPeople', key, { body: { from: 'csv', ...body } });
  assert.equal(status, 200, message);
  return (
    data as unknown as { results: { result: string; id: string; problems: string[]; not_taken_over: string[] }[] }
  ).results;
}

let people = 0;
const person = (values: object = {}) => ({ id: `member${++people}`, email: `member${people}@example.test`, ...values });
const fromKeycloak = (values: object) => ({ ...person(values), emailVerified: true });

async function groupsOf(id: string | undefined): Promise<string[]> {
  const { storage } = service.running.services;
  return (await storage.listGroupsOf(id ?? '', service.clock.now())).map(({ name }) => name).sort();
}

const app = { redirect_uris: ['https://app.example/cb'] };
async function newApp(name: string, claims: object[] = []): Promise<string> {
  const made = await api.call('createApplication', administrator, { body: { ...app, name, claims } });
  assert.equal(made.status, 201, made.message);
  return String(made.data?.client_id);
}

describe('groups', () => {
  test('of Keycloak are called like their path or its last part, and roles become some', async () => {
    const groups = ['/staff/dev', '/staff', '/a~/b/c'];
    const realmRoles = ['default-roles-shop', 'offline_access', 'uma_authorization', 'admin'];
    const clientRoles = { shop: ['buyer'], account: ['view-profile'] };
    const record = () => fromKeycloak({ groups, realmRoles, clientRoles });
    const [whole] = await importing({ from: 'keycloak', people: [record()] });
    assert.deepEqual(whole?.not_taken_over, ['realmRoles', 'clientRoles']);
    assert.deepEqual(await groupsOf(whole?.id), ['a/b/c', 'staff', 'staff/dev']);
    const options = { groups_from_last_part: true, roles_as_groups: true };
    const [last] = await importing({ from: 'keycloak', people: [record()], ...options });
    assert.deepEqual(last?.not_taken_over, []);
    assert.deepEqual(await groupsOf(last?.id), ['account/view-profile', 'admin', 'c', 'dev', 'shop/buyer', 'staff']);
    const user = await service.running.services.storage.findUser(last?.id ?? '');
    assert.equal(user?.adminSince, null);
    const onlyOwn = fromKeycloak({ realmRoles: realmRoles.slice(0, 3) });
    const [plain] = await importing({ from: 'keycloak', people: [onlyOwn], roles_as_groups: true });
    assert.deepEqual(await groupsOf(plain?.id), []);
  });

  test('are created once, without protection, and the same in any case; a dry run creates none', async () => {
    const records = [person({ groups: 'Sales, sales,Support' }), person({ groups: ['SALES'] })];
    const created = async () =>
      (await service.events('group_created')).filter(({ detail }) => /^(sales|support)$/i.test(String(detail?.group)));
    await importing({ people: records, dry_run: true });
    assert.deepEqual(await created(), []);
    const [one, two] = await importing({ people: records });
    assert.deepEqual(await groupsOf(one?.id), ['Sales', 'Support']);
    assert.deepEqual(await groupsOf(two?.id), ['Sales']);
    const [later] = await importing({ people: [person({ groups: 'sales' })] });
    assert.deepEqual([await groupsOf(later?.id), later?.not_taken_over], [['Sales'], []]);
    assert.equal((await created()).length, 2);
    const group = await service.running.services.storage.findGroupByName('Support');
    assert.equal(group?.protectedSince, null);
    // They open what the group opens from now on.
    assert.equal(await service.running.services.storage.countMembers(group?.id ?? ''), 1);
  });

  test('that decide something are joined only if that is said, and the person comes without them', async () => {
    const { services } = service.running;
    const groups = ['Protected', 'Opens', 'Claimed', 'Plain'];
    for (const name of groups) await newGroup(service, name);
    await updateGroup(services, { name: 'Protected' }, { protected: true }, requester);
    const opened = { people: [], groups: ['Opens'] };
    await changeAllowed(services, await newApp('Limited'), 'allow', opened, requester);
    await newApp('Claims', [{ claim: 'is', source: 'has-group', group: 'Claimed' }]);
    const left = ['groups (Protected)', 'groups (Opens)', 'groups (Claimed)'];
    for (const dry_run of [true, false]) {
      const [without] = await importing({ people: [person({ groups })], dry_run });
      assert.deepEqual([without?.result, without?.not_taken_over], ['imported', left]);
      if (!dry_run) assert.deepEqual(await groupsOf(without?.id), ['Plain']);
    }
    const [withAll] = await importing({ people: [person({ groups })], into_existing_groups: true });
    assert.deepEqual([await groupsOf(withAll?.id), withAll?.not_taken_over], [groups.toSorted(), []]);
  });

  test("of a directory are not joined, and with a key never: the directory wouldn't know", async () => {
    const id = await newGroup(service, 'Of a directory');
    await service.execute(`UPDATE groups SET managed_by = 'entra' WHERE id = '${id}'`);
    for (const into_existing_groups of [false, true]) {
      const [member] = await importing({ people: [person({ groups: 'Of a directory' })], into_existing_groups });
      assert.deepEqual([member?.result, member?.not_taken_over], ['imported', ['groups (Of a directory)']]);
      assert.deepEqual(await groupsOf(member?.id), []);
    }
    // As the command line does.
    const options = { from: 'csv', keepIds: true, dropRefusedHashes: false, now: service.clock.now() } as const;
    const record = person({ groups: 'Of a directory' });
    const batch = { source: 'csv', records: [record], options, intoExistingGroups: true, dryRun: false };
    assert.equal((await importRecords(service.running.services, batch, requester)).kind, 'done');
    assert.deepEqual(await groupsOf(record.id), ['Of a directory']);
  });

  test('that were there before decide something if an application gets the names of all', async () => {
    await newGroup(service, 'There before');
    service.clock.advance(60);
    await newApp('All names', [{ claim: 'groups', source: 'groups', groups: null }]);
    const [member] = await importing({ people: [person({ groups: 'There before,New with it' })] });
    assert.deepEqual(member?.not_taken_over, ['groups (There before)']);
    assert.deepEqual(await groupsOf(member?.id), ['New with it']);
  });

  test('are an administrator’s to import, and never given to someone who is here', async () => {
    const there = person();
    await importing({ people: [there] });
    const [again] = await importing({ people: [{ ...there, groups: 'Too late' }] });
    assert.equal(again?.result, 'already_imported');
    assert.deepEqual(await groupsOf(there.id), []);
    const record = person({ groups: 'Sales' });
    const [refused] = await importing({ people: [record] }, await newKey(service, 'write'));
    assert.deepEqual(refused?.problems, ['only an administrator can import groups']);
  });

  test('of hostile records keep only their owner out, and leave nothing behind', async () => {
    const { services } = service.running;
    const id = await newGroup(service, 'Has an ID');
    const faults: [string | unknown[], RegExp][] = [
      [Array.from({ length: 10_000 }, (_, index) => `g${index}`), /^is in 10,000 groups, and can be in 200 at most$/],
      [[id], /^the group "\w+" has the ID of another group as its name$/],
      [['x'.repeat(100_000)], /^the group "x{60}" is longer than 100 characters$/],
      [['fine', { name: 'fine' }], /^a group must be a name$/],
      [['\u200b'], /is empty/],
    ];
    const records = faults.map(([groups]) => person({ groups }));
    const results = await importing({ people: [...records, person()] });
    for (const [index, [, problem]] of faults.entries()) {
      assert.match(results[index]?.problems.join() ?? '', problem);
      assert.equal(await services.storage.findUser(records[index]?.id ?? ''), undefined);
    }
    assert.equal(results.at(-1)?.result, 'imported');
    // Of the whole request, which says whose they are.
    const characters = [
      [{ name: 'be\u0007ll' }, 'name'],
      [{ groups: ['be\u0000ll'] }, 'groups.0'],
    ] as const;
    for (const [values, member] of characters) {
      const first = person({ groups: ['fine'] });
      const body = { from: 'csv', people: [first, person(values)] };
      const { status, message } = await api.call('importPeople', administrator, { body });
      assert.deepEqual(
        [status, message],
        [400, `The member "people.1.${member}" has characters that are not allowed.`],
      );
      assert.equal(await services.storage.findUser(first.id), undefined);
    }
    assert.equal(await services.storage.findGroupByName('fine'), undefined);
    assert.equal(await services.storage.findGroupByName('g0'), undefined);
  });
});
