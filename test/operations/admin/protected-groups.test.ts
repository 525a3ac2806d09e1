// Protected groups, and attributes that claims use: only administrators change them, whichever way someone tries.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AdminOutcome } from '../../../src/operations/admin/outcome.ts';
import { exportSection } from '../../../src/operations/apply/apply-section.ts';
import { readSection } from '../../../src/operations/apply/read-section.ts';
import { groupSection } from '../../../src/operations/groups/group-section.ts';
import { changeMembers, createGroup, deleteGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import type { Services } from '../../../src/operations/services.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { importRecords } from '../../../src/operations/users/import-users.ts';
import { inviteUser, resendInvitation } from '../../../src/operations/users/invitations.ts';
import { createSignUpLink } from '../../../src/operations/users/sign-up-links.ts';
import { createUser, createUserWithLink } from '../../../src/operations/users/users.ts';
import type { Authority } from '../../../src/protocol/admin/rights.ts';
import type { Requester } from '../../../src/protocol/event.ts';
import type { JsonObject } from '../../../src/protocol/reading/strict-json.ts';
import { applyEntries } from '../../harness/apply-entries.ts';
import { attributeSource, claimOf, setClaims } from '../../harness/claims.ts';
import { formIn, Person } from '../../harness/person.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';

let service: TestService;
let services: Services;
let member: TestUser;
let friend: TestUser;

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  ({ services } = service.running);
  [member, friend] = [await service.newUser(), await service.newUser()];
  await done(createGroup(services, { name: 'Guests' }, requester));
  const client = await service.newClient();
  await setClaims(service, client.id, [claimOf('tier', attributeSource('tier'))]);
});
after(() => service?.stop());

const limited: readonly Authority[] = [
  { roles: ['people'] },
  { roles: ['people', 'applications', 'auditor'] },
  { permission: 'write' },
];
const unlimited: readonly (Authority | undefined)[] = [
  undefined,
  { roles: ['administrator'] },
  { permission: 'administrator' },
];

function as(authority: Authority | undefined): Requester {
  return authority === undefined ? requester : { ...requester, authority };
}

async function done<Result extends object>(outcome: Promise<AdminOutcome<Result>>): Promise<Result> {
  const result = await outcome;
  assert.ok(result.kind === 'done', JSON.stringify(result));
  return result as Result;
}

let count = 0;
const newEmail = () => `new-${++count}@example.test`;

/** The ID of a protected group with one member. */
async function protectedGroup(): Promise<string> {
  const { group } = await done(createGroup(services, { name: `Admins ${++count}`, protected: true }, requester));
  await done(changeMembers(services, group.id, { add: [{ id: member.id }] }, requester));
  return group.id;
}

const json = (values: object) => ({ as: 'json', values: { ...values } }) as const;
const nameOf = async (id: string) => (await services.storage.findGroupById(id))?.name ?? '';

const ways: Record<string, (group: string, by: Requester) => Promise<AdminOutcome<object>>> = {
  'adding someone': (group, by) => changeMembers(services, group, { add: [{ id: friend.id }] }, by),
  'giving a membership an end': (group, by) =>
    changeMembers(services, group, { add: [{ id: member.id }], expiresAt: '30d' }, by),
  'removing someone': (group, by) => changeMembers(services, group, { remove: [{ id: member.id }] }, by),
  'renaming it': (group, by) => updateGroup(services, group, { name: `Renamed ${++count}` }, by),
  'opening it': (group, by) => updateGroup(services, group, { protected: false }, by),
  'renaming it with an update': (group, by) => updateGroup(services, group, { name: `Updated ${++count}` }, by),
  'deleting it': (group, by) => deleteGroup(services, group, true, by),
  'an invitation': (group, by) => inviteUser(services, { email: newEmail(), name: '', groups: ['Guests', group] }, by),
  'a sign-up link': (group, by) => createSignUpLink(services, { groups: ['Guests', group] }, by),
  async 'resending an invitation'(group, by) {
    const email = newEmail();
    await done(inviteUser(services, { email, name: '', groups: [group] }, requester));
    return resendInvitation(services, email, by);
  },
  'a file to apply that changes members': async (group, by) =>
    applyEntries(services, groupSection, [{ name: await nameOf(group), members: [friend.email] }], by),
  'a file to apply that opens it': async (group, by) =>
    applyEntries(services, groupSection, [{ name: await nameOf(group), protected: false }], by),
  'a file to apply that deletes it': async (group, by) => groupSection.delete(services, await nameOf(group), by),
  'creating one': (_, by) => createGroup(services, { name: `Created ${++count}`, protected: true }, by),
  async 'protecting another'(_, by) {
    const { group } = await done(createGroup(services, { name: `Open ${++count}` }, requester));
    return updateGroup(services, group.id, { protected: true }, by);
  },
};

describe('a protected group', () => {
  for (const [way, attempt] of Object.entries(ways)) {
    test(`is an administrator's: ${way}`, async () => {
      for (const authority of limited) {
        const group = await protectedGroup();
        const before = await services.storage.findGroupById(group);
        const outcome = await attempt(group, as(authority));
        assert.equal(outcome.kind === 'refused' && outcome.reason, 'forbidden', JSON.stringify(authority));
        assert.deepEqual(await services.storage.findGroupById(group), before);
        const { items } = await services.storage.pageMembers(group, { after: undefined, limit: 5 });
        assert.deepEqual(
          items.map(({ id, listedUntil }) => [id, listedUntil]),
          [[member.id, null]],
        );
      }
      for (const authority of unlimited) {
        const outcome = await attempt(await protectedGroup(), as(authority));
        assert.equal(outcome.kind, 'done', JSON.stringify([authority, outcome]));
      }
    });
  }

  for (const [authority, shares] of [
    ...limited.map((each) => [each, false]),
    ...unlimited.map((each) => [each, true]),
  ] as [Authority | undefined, boolean][]) {
    test(`a new person's link is ${shares ? '' : 'not '}shared once they are in one, with ${JSON.stringify(authority)}`, async (context) => {
      const { storage } = services;
      const storeLink = storage.storeLink.bind(storage);
      context.mock.method(storage, 'storeLink', async (...given: Parameters<typeof storeLink>) => {
        const group = await protectedGroup();
        await done(changeMembers(services, group, { add: [{ id: given[0].userId ?? '' }] }, requester));
        return storeLink(...given);
      });
      const input = { email: newEmail(), name: 'Ada', password: undefined };
      const { link } = await done(createUserWithLink(services, input, as(authority), true));
      assert.equal(link?.url !== undefined, shares);
    });
  }

  test('leaves other groups to those who may change groups', async () => {
    for (const authority of limited) {
      const { group } = await done(createGroup(services, { name: `Crew ${++count}` }, as(authority)));
      await done(changeMembers(services, group.id, { add: [{ id: friend.id }] }, as(authority)));
      await done(updateGroup(services, group.id, { name: `Crew ${++count}` }, as(authority)));
      await done(inviteUser(services, { email: newEmail(), name: '', groups: [group.id] }, as(authority)));
      await done(createSignUpLink(services, { groups: [group.id] }, as(authority)));
      await done(deleteGroup(services, group.id, false, as(authority)));
    }
  });

  test('is not joined by an invitation or a sign-up link from before', async () => {
    const helpdesk = as({ roles: ['people'] });
    const { group } = await done(createGroup(services, { name: 'Grafana Admins' }, requester));
    const groups = ['Guests', group.name];
    const [invited, linked] = [newEmail(), newEmail()];
    await done(inviteUser(services, { email: invited, name: 'A', groups }, helpdesk));
    const { url } = await done(createSignUpLink(services, { groups }, helpdesk));
    service.clock.advance(1);
    await done(updateGroup(services, group.id, { protected: true }, requester));
    service.clock.advance(1);
    assert.deepEqual(await joined(invited, linked, url), [['Guests'], ['Guests']]);

    const [second, third] = [newEmail(), newEmail()];
    await done(inviteUser(services, { email: second, name: 'A', groups }, requester));
    const made = await done(createSignUpLink(services, { groups }, requester));
    const both = ['Grafana Admins', 'Guests'];
    assert.deepEqual(await joined(second, third, made.url), [both, both], 'one by an administrator carries it');
  });

  test('is described in a file, and an event says who protected it', async () => {
    const { group } = await done(createGroup(services, { name: 'Described' }, requester));
    const actor = { kind: 'administrator', id: member.id } as const;
    await done(updateGroup(services, group.id, { protected: true }, { ...requester, actor }));
    await done(updateGroup(services, group.id, { protected: true }, requester));
    const events = await service.events('group_protection_changed');
    const own = events.filter(({ detail }) => detail?.group === 'Described');
    assert.deepEqual(
      own.map(({ detail, actor: by }) => [detail?.protected, by?.id]),
      [['yes', member.id]],
    );
    const exported = (await exportSection(groupSection, services, () => '')).find(({ name }) => name === 'Described');
    assert.equal(exported?.protected, true);
    const problems: string[] = [];
    const readers = { imageAt: () => '', secretAt: () => ({ problem: '' }) };
    const read = (entry: JsonObject) => readSection(groupSection, [entry], readers, problems).map(({ item }) => item);
    assert.deepEqual(read({ name: 'Described', protected: false }), [{ name: 'Described', protected: false }]);
    read({ name: 'Described', protected: 'yes' });
    assert.deepEqual(problems, ['groups[0]: "protected" must be true or false']);
  });
});

/** The groups of two who accept an invitation, and use a sign-up link. */
async function joined(invited: string, linked: string, url: string): Promise<string[][]> {
  const password = 'a rather long phrase';
  const guest = new Person(service);
  const form = await formIn(await guest.visit(await linkFor(service, invited)), '/invitation');
  assert.equal((await guest.submit(form, { name: 'A', password })).status, 200);
  const person = new Person(service);
  service.clock.advance(16 * 60);
  await person.submit(await formIn(await person.visit(url.slice(service.url.length)), '/sign-up'), { email: linked });
  await services.emailQueue.answerRequests();
  const last = new Person(service);
  const finish = await formIn(await last.visit(await linkFor(service, linked)), '/sign-up/finish');
  assert.equal((await last.submit(finish, { name: 'B', password })).status, 200);
  const names = async (email: string) => {
    const user = await services.storage.findUserByEmail(email);
    return (await services.storage.listGroupsOf(user?.id ?? '', service.clock.now())).map(({ name }) => name);
  };
  assert.ok((await mailsTo(service, linked)).length > 0);
  return [await names(invited), await names(linked)];
}

describe('an attribute that a claim uses', () => {
  const person = (attributes: object) => ({ id: `old-${++count}`, email: newEmail(), ...attributes });
  const imports = async (by: Requester, dryRun: boolean): Promise<AdminOutcome<object>> => {
    const records = [person({ 'attribute.tier': 'gold' }), person({})];
    const input = {
      source: 'elsewhere',
      records,
      options: { from: 'csv', keepIds: false, dropRefusedHashes: false, now: service.clock.now() } as const,
      intoExistingGroups: false,
      dryRun,
    };
    const done = await importRecords(services, input, by);
    assert.ok(done.kind === 'done');
    const [first, second] = done.outcomes;
    assert.equal(second?.result, 'imported', 'the others are not kept out');
    if (first?.result === 'imported') return { kind: 'done' };
    assert.deepEqual(first?.problems, ['a claim uses the attribute "tier": only an administrator can set it']);
    return { kind: 'refused', problems: [{ says: '' }], reason: 'forbidden' };
  };
  const attempts: Record<string, (by: Requester) => Promise<AdminOutcome<object>>> = {
    async 'setting it'(by) {
      const user = await service.newUser();
      return editUser(services, { id: user.id }, { attributes: json({ tier: 'gold' }) }, by);
    },
    async 'removing it'(by) {
      const user = await service.newUser();
      await done(editUser(services, { id: user.id }, { attributes: json({ tier: 'gold' }) }, requester));
      return editUser(services, { id: user.id }, { attributes: json({ tier: null }) }, by);
    },
    'creating someone with it': (by) =>
      createUser(
        services,
        { email: newEmail(), name: 'A', password: null, admin: false, attributes: json({ tier: 'gold' }) },
        by,
      ),
    'importing someone with it': (by) => imports(by, false),
    'planning an import of someone with it': (by) => imports(by, true),
  };

  for (const [way, attempt] of Object.entries(attempts)) {
    test(`is an administrator's: ${way}`, async () => {
      for (const authority of limited) {
        const outcome = await attempt(as(authority));
        assert.equal(outcome.kind === 'refused' && outcome.reason, 'forbidden', JSON.stringify(outcome));
      }
      for (const authority of unlimited) {
        const outcome = await attempt(as(authority));
        assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
      }
    });
  }

  test('can be sent unchanged, and others can be set', async () => {
    const helpdesk = as({ roles: ['people'] });
    const client = await service.newClient();
    await setClaims(service, client.id, [claimOf('team', attributeSource('team'))]);
    await setClaims(service, client.id, []);
    const user = await service.newUser();
    await done(editUser(services, { id: user.id }, { attributes: json({ tier: 'gold' }) }, requester));
    const { user: edited } = await done(
      editUser(services, { id: user.id }, { attributes: json({ tier: 'gold', team: 'Blue' }) }, helpdesk),
    );
    assert.deepEqual(edited.attributes, { tier: 'gold', team: 'Blue' });
  });
});
