// Someone of a directory who owns an application. People leave, so the directory can say that they have; nothing else about them is its
// business as long as they own one.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { setOwners } from '../../../src/operations/clients/owners.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import type { User } from '../../../src/storage/storage.ts';
import { signedIn } from '../../harness/account.ts';
import { newDirectory, type ScimResponse, type TestDirectory } from '../../harness/scim.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { statusOfSignIn } from '../../harness/sign-up.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const password = 'a phrase of my own';
const service = serviceOfSuite();
const services = () => service.running.services;
let entra: TestDirectory;
let other: TestDirectory;
let adopting: TestDirectory;
let count = 0;

before(async () => {
  entra = await newDirectory(service);
  other = await newDirectory(service, { source: 'okta' });
  adopting = await newDirectory(service, { source: 'hr', adopts: true });
});
beforeEach(() => service.clock.advance(16 * 60));

const userOf = async (id: string) => (await services().storage.findUser(id)) ?? assert.fail();

/** How somebody comes to own an application. */
const ways: Readonly<Record<string, (id: string) => Promise<string>>> = {
  'named as an owner': async (id) => {
    const client = await service.newClient();
    assert.equal((await setOwners(services(), client.id, { people: [id] }, requester)).kind, 'done');
    return client.id;
  },
  'in a group that owns': async (id) => {
    const client = await service.newClient();
    const made = await createGroup(services(), { name: `Keepers ${++count}`, protected: true }, requester);
    assert.ok(made.kind === 'done');
    const group = made.group.id;
    await changeMembers(services(), { id: group }, { add: [{ id }], expiresAt: null }, requester);
    assert.equal((await setOwners(services(), client.id, { groups: [group] }, requester)).kind, 'done');
    return client.id;
  },
};

/** Someone of the directory with a password of their own, who owns an application. */
async function newOwner(way: string): Promise<{ user: TestUser; clientId: string }> {
  const email = `owner-${++count}@corp.example`;
  const id = await entra.create(email, { externalId: `x-${count}`, displayName: 'Olga Owner' });
  assert.equal((await setPassword(services(), { id }, password, requester)).kind, 'done');
  const clientId = (await ways[way]?.(id)) ?? assert.fail();
  const record = await userOf(id);
  assert.equal(record.isOwner, true);
  return { user: { id, email, password, record } as TestUser, clientId };
}

/** What says who somebody is and how they sign in. */
const identityOf = ({ email, externalId, managedBy, name, givenName, familyName, ...user }: User) => {
  const { preferredUsername, emailVerifiedAt, locale, passwordHash, attributes, isOwner } = user;
  const names = [name, givenName, familyName, preferredUsername];
  return { email, externalId, managedBy, names, emailVerifiedAt, locale, passwordHash, attributes, isOwner };
};

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
const inactive = replace('active', false);
const put = (directory: TestDirectory, id: string, userName: string, more: object) =>
  directory.send('PUT', `/Users/${id}`, { schemas: [urns.user], userName, ...more });

/** Each says that the person has left; whatever else it says about them is as hostile as it can be. */
const ending: Readonly<Record<string, (user: TestUser) => Promise<ScimResponse>>> = {
  'active alone': ({ id }) => entra.patch(id, inactive),
  'active as text': ({ id }) => entra.patch(id, { op: 'Replace', path: 'active', value: 'False' }),
  'active without a path': ({ id }) => entra.patch(id, { op: 'replace', value: { active: false } }),
  'an email address as well': ({ id }) => entra.patch(id, replace('userName', 'mine@evil.example'), inactive),
  'an identity as well': ({ id }) => entra.patch(id, inactive, replace('externalId', 'another')),
  'a name as well': ({ id }) => entra.patch(id, replace('displayName', 'Somebody Else'), inactive),
  'a whole other person': ({ id }) =>
    put(entra, id, 'mine@evil.example', { active: false, externalId: 'another', displayName: 'Somebody Else' }),
};

/** Whatever else a directory could ask for. */
const refused: Readonly<Record<string, (user: TestUser) => Promise<ScimResponse>>> = {
  'the email address': ({ id }) => entra.patch(id, replace('userName', 'mine@evil.example')),
  'the email address among several': ({ id }) =>
    entra.patch(id, replace('emails[type eq "work"].value', 'm@evil.example')),
  'the identity': ({ id }) => entra.patch(id, replace('externalId', 'another')),
  'no identity': ({ id }) => entra.patch(id, { op: 'remove', path: 'externalId' }),
  'the name': ({ id }) => entra.patch(id, replace('displayName', 'Somebody Else')),
  'everything at once': ({ id }) => put(entra, id, 'mine@evil.example', { externalId: 'another' }),
  'everything, and active': ({ id }) => put(entra, id, 'mine@evil.example', { active: true, externalId: 'another' }),
  'not to be there': ({ id }) => entra.send('DELETE', `/Users/${id}`),
};

for (const way of Object.keys(ways)) {
  describe(`a directory, of someone ${way}`, () => {
    for (const [what, ask] of Object.entries(ending)) {
      test(`sets them to inactive and changes nothing else: ${what}`, async () => {
        const { user, clientId } = await newOwner(way);
        const browser = await signedIn(service, user);
        const response = await ask(user);
        assert.ok([200, 204].includes(response.status), JSON.stringify(response.body));
        if (response.body !== undefined) {
          assert.deepEqual([response.body.active, response.body.userName], [false, user.email]);
        }
        const after = await userOf(user.id);
        assert.equal(after.disabledAt, service.clock.now());
        assert.deepEqual(identityOf(after), identityOf(user.record));
        assert.equal((await browser.request('/api/me')).status, 401);
        assert.equal(await statusOfSignIn(service, user.email, password), 400);
        const { storage, clock } = services();
        assert.deepEqual(await storage.ownersOf(clientId, clock.now()), []);
        const [event, ...more] = (await service.events('user_disabled')).filter(({ userId }) => userId === user.id);
        assert.deepEqual([event?.detail?.source, more], ['entra', []]);
        const edited = (await service.events('user_edited')).filter(({ userId }) => userId === user.id);
        assert.deepEqual(edited, []);
      });
    }

    for (const [what, ask] of Object.entries(refused)) {
      test(`can't change: ${what}`, async () => {
        const { user } = await newOwner(way);
        const { status, body } = await ask(user);
        assert.equal(status, 403, JSON.stringify(body));
        assert.match(body.detail, /owns an application/);
        assert.deepEqual(await userOf(user.id), user.record);
        const noted = (await service.events('scim_refused')).filter(({ userId }) => userId === user.id);
        assert.equal(noted.length, 1);
      });
    }

    test("says again that they're inactive without another event, and doesn't let them back in", async () => {
      const { user } = await newOwner(way);
      assert.equal((await entra.patch(user.id, inactive)).status, 204);
      const after = await userOf(user.id);
      assert.equal((await entra.patch(user.id, inactive)).status, 204);
      assert.equal((await entra.patch(user.id, replace('active', true))).status, 403);
      assert.equal((await put(entra, user.id, user.email, { active: true })).status, 403);
      assert.deepEqual(await userOf(user.id), after);
      const events = (await service.events('user_disabled')).filter(({ userId }) => userId === user.id);
      assert.equal(events.length, 1);
    });

    test('is the only one that can', async () => {
      const { user } = await newOwner(way);
      assert.equal((await other.patch(user.id, inactive)).status, 404);
      assert.ok((await adopting.patch(user.id, inactive)).status >= 400);
      assert.deepEqual(await userOf(user.id), user.record);
    });

    test("doesn't take over or disable one who belongs to no directory", async () => {
      const user = await service.newUser({ name: 'Old Hand' });
      await ways[way]?.(user.id);
      const before = await userOf(user.id);
      for (const ask of [
        () => adopting.patch(user.id, inactive),
        () => adopting.patch(user.id, replace('externalId', 'mine')),
        () => put(adopting, user.id, user.email, { active: false }),
        () => adopting.send('DELETE', `/Users/${user.id}`),
      ]) {
        assert.ok((await ask()).status >= 400);
      }
      assert.deepEqual(await userOf(user.id), before);
    });

    test("doesn't disable one who has a role as well", async () => {
      const { user } = await newOwner(way);
      assert.equal((await setRoles(services(), { id: user.id }, ['auditor'], requester)).kind, 'done');
      assert.equal((await entra.patch(user.id, inactive)).status, 403);
      assert.equal((await userOf(user.id)).disabledAt, null);
    });
  });
}

test('once somebody owns nothing any more, the directory changes them as everybody else', async () => {
  const { user, clientId } = await newOwner('named as an owner');
  assert.equal((await setOwners(services(), clientId, { people: [] }, requester)).kind, 'done');
  assert.equal((await entra.patch(user.id, replace('displayName', 'New Name'))).status, 204);
  assert.equal((await userOf(user.id)).name, 'New Name');
  await disableUser(services(), { id: user.id }, requester);
  assert.equal((await entra.patch(user.id, replace('active', true))).status, 204);
  assert.equal((await userOf(user.id)).disabledAt, null);
});

test('somebody who becomes an owner at the moment of the change is changed by nobody', async () => {
  const email = `racer-${++count}@corp.example`;
  const id = await entra.create(email);
  const client = await service.newClient();
  const { storage } = services();
  const original = storage.changeScimUser;
  let meanwhile = 0;
  // What the request has read by then is old.
  storage.changeScimUser = async (...args) => {
    if (meanwhile++ === 0) await setOwners(services(), client.id, { people: [id] }, requester);
    return original(...args);
  };
  try {
    assert.equal((await entra.patch(id, replace('userName', 'mine@evil.example'))).status, 403);
  } finally {
    storage.changeScimUser = original;
  }
  assert.equal(meanwhile, 1);
  assert.equal((await userOf(id)).email, email);
});
