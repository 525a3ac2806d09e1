// A change that comes with an event: both are written or neither, and a call that changes nothing writes no event.

import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/protocol/event.ts';
import { type Page, type PageQuery, type Storage, StorageConflict } from '../../../src/storage/storage.ts';
import {
  aClient,
  aGrant,
  aLogo,
  anApiKey,
  anEvent,
  aSecret,
  aUser,
  hasEvent,
  type Rule,
  setAdministrator,
  start,
  storedUser,
  storedWorld,
  tokenLives,
  type World,
} from '../records.ts';

interface Change {
  readonly before?: (storage: Storage, world: World) => Promise<unknown>;
  readonly make: (storage: Storage, world: World, event: EventRecord) => Promise<unknown>;
  /** The same operation after the change, when there is nothing left to change. */
  readonly makeNothing?: (storage: Storage, world: World, event: EventRecord) => Promise<boolean>;
}

const later = start + 5000;
const newUser = aUser();
const newClient = aClient();
const newKey = anApiKey();

const changes: Readonly<Record<string, Change>> = {
  createUser: { make: (storage, _, event) => storage.createUser(newUser, event) },
  setPasswordHash: {
    make: (storage, { user }, event) => storage.setPasswordHash(user.id, 'new hash', later, event),
    makeNothing: (storage, _, event) => storage.setPasswordHash('nobody', 'new hash', later, event),
  },
  disableUser: {
    make: (storage, { user }, event) => storage.disableUser(user.id, later, event),
    makeNothing: (storage, { user }, event) => storage.disableUser(user.id, later, event),
  },
  enableUser: {
    before: (storage, { user }) => storage.disableUser(user.id, start, anEvent()),
    make: (storage, { user }, event) => storage.enableUser(user.id, later, event),
    makeNothing: (storage, { user }, event) => storage.enableUser(user.id, later, event),
  },
  deleteUser: {
    make: (storage, { user }, event) => storage.deleteUser(user.id, event),
    makeNothing: (storage, { user }, event) => storage.deleteUser(user.id, event),
  },
  setAdministrator: {
    make: (storage, { user }, event) => setAdministrator(storage, user.id, later, event),
    makeNothing: (storage, { user }, event) => setAdministrator(storage, user.id, later + 1, event),
  },
  'setAdministrator to nothing': {
    before: async (storage, { user }) => {
      await storedUser(storage, { adminSince: start });
      await setAdministrator(storage, user.id, start, anEvent());
    },
    make: (storage, { user }, event) => setAdministrator(storage, user.id, null, event),
    makeNothing: (storage, { user }, event) => setAdministrator(storage, user.id, null, event),
  },
  createClient: { make: (storage, _, event) => storage.createClient(newClient, aLogo(), event) },
  updateClient: {
    make: (storage, { client }, event) =>
      storage.updateClient(client, { name: 'New name', logo: aLogo() }, later, event),
    makeNothing: (storage, _, event) => storage.updateClient(aClient(), { name: 'New name' }, later, event),
  },
  rotateClientSecret: {
    make: (storage, { client }, event) => storage.rotateClientSecret(client.id, aSecret(), later, event),
    makeNothing: (storage, _, event) => storage.rotateClientSecret('nobody', aSecret(), later, event),
  },
  retireOldSecret: {
    before: (storage, { client }) => storage.rotateClientSecret(client.id, aSecret(), start, anEvent()),
    make: (storage, { client }, event) => storage.retireOldSecret(client.id, later, event),
    makeNothing: (storage, { client }, event) => storage.retireOldSecret(client.id, later, event),
  },
  'updateClient to another type': {
    make: (storage, { client }, event) => storage.updateClient(client, { isPublic: true }, later, event),
    makeNothing: (storage, _, event) => storage.updateClient(aClient(), { isPublic: true }, later, event),
  },
  'updateClient to other addresses': {
    make: (storage, { client }, event) =>
      storage.updateClient(client, { redirectUris: ['https://moved.example/cb'] }, later, event),
  },
  createApiKey: { make: (storage, _, event) => storage.createApiKey(newKey, event) },
  revokeApiKey: {
    before: (storage) => storage.createApiKey(newKey, anEvent()),
    make: (storage, _, event) => storage.revokeApiKey(newKey.id, event),
    makeNothing: (storage, _, event) => storage.revokeApiKey(newKey.id, event),
  },
  revokeClient: {
    make: (storage, { client }, event) => storage.revokeClient(client.id, later, event),
    makeNothing: (storage, { client }, event) => storage.revokeClient(client.id, later, event),
  },
  restoreClient: {
    before: (storage, { client }) => storage.revokeClient(client.id, start, anEvent()),
    make: (storage, { client }, event) => storage.restoreClient(client.id, later, event),
    makeNothing: (storage, { client }, event) => storage.restoreClient(client.id, later, event),
  },
  deleteClient: {
    make: (storage, { client }, event) => storage.deleteClient(client.id, event),
    makeNothing: (storage, { client }, event) => storage.deleteClient(client.id, event),
  },
  approve: {
    make: (storage, { user, client }, event) =>
      storage.approve(aGrant(user, client), ['openid', 'profile', 'email'], later, event),
  },
  endGrant: {
    make: (storage, { active }, event) => storage.endGrant(active.id, later, event),
    makeNothing: (storage, { active }, event) => storage.endGrant(active.id, later, event),
  },
  revokeAccessToken: {
    make: (storage, _, event) => storage.revokeAccessToken('token', later, event),
  },
  removeConnectedApp: {
    make: (storage, { user, client }, event) => storage.removeConnectedApp(user.id, client.id, later, event),
    makeNothing: (storage, { user, client }, event) => storage.removeConnectedApp(user.id, client.id, later, event),
  },
};

export function changeRules(rule: Rule): void {
  for (const [operation, { before, make, makeNothing }] of Object.entries(changes)) {
    rule(`${operation} is atomic with its event`, async (storage) => {
      const world = await storedWorld(storage);
      await before?.(storage, world);
      const untouched = await everythingAbout(storage, world);

      const taken = anEvent();
      await storage.appendEvents([taken]);
      await assert.rejects(make(storage, world, { ...anEvent(), id: taken.id }), StorageConflict);
      assert.deepEqual(await everythingAbout(storage, world), untouched);

      const event = anEvent();
      assert.notEqual(await make(storage, world, event), false);
      assert.ok(await hasEvent(storage, event));
      const changed = await everythingAbout(storage, world);
      assert.notDeepEqual(changed, untouched);

      if (makeNothing === undefined) return;
      const needless = anEvent();
      assert.equal(await makeNothing(storage, world, needless), false);
      assert.equal(await hasEvent(storage, needless), false);
      assert.deepEqual(await everythingAbout(storage, world), changed);
    });
  }
}

async function everythingAbout(storage: Storage, { user, client, session, issued, active }: World) {
  return {
    users: await storage.listUsers(),
    clients: await storage.listClients(),
    logos: (await storage.listClients()).map((each) => each.logoVersion),
    context: await storage.findAuthorizationContext(client.id, session.digest, start),
    issued: await storage.findClientAndGrant(client.id, issued.id, start),
    active: await storage.findClientAndGrant(client.id, active.id, start),
    tokenLives: await tokenLives(storage, active),
    apps: await storage.listConnectedApps(user.id),
    connected: await storage.countConnectedUsers(client.id),
    administrators: await storage.countAdministrators(),
    keys: await storage.listApiKeys(),
    people: await found((query) => storage.pageUsers(query), 'person'),
    named: await found((query) => storage.pageClients(query), 'application'),
    moved: await found((query) => storage.pageClients(query), 'moved'),
  };
}

async function found(
  list: (query: PageQuery<'created'>) => Promise<Page<{ id: string }>>,
  word: string,
): Promise<string[]> {
  return (await list({ words: [word], after: undefined, limit: 10 })).items.map(({ id }) => id);
}
