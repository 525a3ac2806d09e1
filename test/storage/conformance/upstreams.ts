// Upstreams and identities: an identity is one person's, the last way in stays, and a disabled upstream lets nobody in.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import { githubMetadata } from '../../../src/protocol/upstreams/metadata.ts';
import {
  type Identity,
  type NewSession,
  type Storage,
  StorageConflict,
  type Upstream,
  type User,
} from '../../../src/storage/storage.ts';
import {
  aLogo,
  anEvent,
  aPasskey,
  aSession,
  aUser,
  hasEvent,
  later,
  type Rule,
  start,
  storedClient,
  storedUser,
} from '../records.ts';

let made = 0;

export function anUpstream(overrides: Partial<Upstream> = {}): Upstream {
  const name = `provider-${++made}`;
  return {
    name,
    kind: 'oidc',
    issuer: `https://${name}.example`,
    clientId: 'latchkey',
    sealedSecret: `sealed ${name}`,
    scopes: ['openid', 'email'],
    label: `Provider ${made} 🔑`,
    allowedDomains: ['people.example', 'xn--bcher-kva.example'],
    trustedDomains: ['*'],
    routesDomains: true,
    skipApproval: false,
    createsAccounts: false,
    trustedAmr: ['mfa'],
    trustedAcr: [],
    metadata: {
      kind: 'oidc',
      authorizationEndpoint: `https://${name}.example/authorize`,
      tokenEndpoint: `https://${name}.example/token`,
      jwksUri: `https://${name}.example/keys`,
      userinfoEndpoint: null,
      algorithms: ['RS256'],
      chosen: false,
      authentication: 'client_secret_post',
      namesIssuer: true,
    },
    iconVersion: null,
    createdAt: start,
    updatedAt: start,
    disabledAt: null,
    ...overrides,
  };
}

async function storedUpstream(storage: Storage, overrides: Partial<Upstream> = {}): Promise<Upstream> {
  const upstream = anUpstream(overrides);
  assert.ok(await storage.createUpstream(upstream, undefined, 100, anEvent()));
  return upstream;
}

function anIdentity({ issuer }: Upstream, user: User, overrides: Partial<Identity> = {}): Identity {
  const subject = `subject ${++made}`;
  return { issuer, subject, userId: user.id, email: user.email, linkedAt: start, lastUsedAt: null, ...overrides };
}

function aStart(user: User): NewSession {
  return { session: aSession(user), replacedDigest: undefined, deviceDigest: undefined };
}

/** Links the identity in a session of the user. */
async function link(storage: Storage, user: User, identity: Identity, limit = 20): Promise<boolean> {
  const session = aSession(user);
  assert.ok(await storage.startSession({ session, sessionGeneration: user.sessionGeneration }));
  return storage.linkIdentity(identity, session, user.sessionGeneration, limit, anEvent());
}

async function linked(storage: Storage, upstream: Upstream, user: User, overrides: Partial<Identity> = {}) {
  const identity = anIdentity(upstream, user, overrides);
  assert.ok(await link(storage, user, identity));
  return identity;
}

export function upstreamRules(rule: Rule): void {
  rule('an upstream is found as it was created, and listed oldest first', async (storage) => {
    const two = await storedUpstream(storage, { createdAt: later });
    const one = await storedUpstream(storage, { kind: 'github', metadata: githubMetadata('https://github.com') });
    assert.deepEqual(await storage.findUpstream(one.name), one);
    assert.deepEqual(await storage.listUpstreams(), [one, two]);
    assert.equal(await storage.findUpstream('other'), undefined);
  });

  rule('upstream names and issuers are unique, and their number is limited', async (storage) => {
    const { name, issuer } = await storedUpstream(storage);
    await assert.rejects(storage.createUpstream(anUpstream({ name }), undefined, 9, anEvent()), StorageConflict);
    await assert.rejects(storage.createUpstream(anUpstream({ issuer }), undefined, 9, anEvent()), StorageConflict);
    assert.equal(await storage.createUpstream(anUpstream(), undefined, 1, anEvent()), false);
    assert.equal((await storage.listUpstreams()).length, 1);
  });

  rule("an upstream update changes what is given, unless it's outdated", async (storage) => {
    const upstream = await storedUpstream(storage);
    const change = { label: 'New', allowedDomains: [], routesDomains: false, createsAccounts: true, trustedAmr: [] };
    assert.equal(await storage.changeUpstream(upstream, change, later, anEvent()), true);
    const changed = { ...upstream, ...change, updatedAt: later };
    assert.deepEqual(await storage.findUpstream(upstream.name), changed);
    assert.equal(await storage.changeUpstream(upstream, { label: 'Late' }, later, anEvent()), false);
    // The same millisecond doesn't make two changes look like one.
    assert.equal(await storage.changeUpstream(changed, { label: 'Next' }, later, anEvent()), true);
    assert.equal(await storage.changeUpstream(changed, { label: 'Late' }, later, anEvent()), false);
  });

  rule('an icon is replaced and removed with its version', async (storage) => {
    const upstream = anUpstream();
    const icon = aLogo();
    await storage.createUpstream(upstream, icon, 9, anEvent());
    const found = await storage.findUpstreamIcon(upstream.name, icon.version);
    assert.deepEqual(Buffer.from(found?.bytes ?? []), Buffer.from(icon.bytes));
    assert.equal((await storage.findUpstream(upstream.name))?.iconVersion, icon.version);
    assert.ok(await storage.changeUpstream(upstream, { icon: null }, later, anEvent()));
    assert.equal(await storage.findUpstreamIcon(upstream.name, icon.version), undefined);
    assert.equal((await storage.findUpstream(upstream.name))?.iconVersion, null);
  });

  rule('an upstream is disabled and enabled once each', async (storage) => {
    const { name } = await storedUpstream(storage);
    assert.equal(await storage.enableUpstream(name, later, anEvent()), false);
    assert.equal(await storage.disableUpstream(name, later, anEvent()), true);
    assert.equal(await storage.disableUpstream(name, later, anEvent()), false);
    assert.equal((await storage.findUpstream(name))?.disabledAt, later);
    assert.equal(await storage.enableUpstream(name, later, anEvent()), true);
    assert.equal(await storage.disableUpstream('other', later, anEvent()), false);
  });

  rule('deleting an upstream deletes its identities and icon, and nothing sends people there', async (storage) => {
    const gone = await storedUpstream(storage);
    const stays = await storedUpstream(storage);
    const user = await storedUser(storage);
    const client = await storedClient(storage, { upstream: gone.name });
    await linked(storage, gone, user);
    const kept = await linked(storage, stays, user);
    const byDefault = ({ name }: { name: string }) => ({ name: 'default_upstream', value: JSON.stringify(name) });
    await storage.storeSettings([byDefault(gone)], start, anEvent());
    assert.equal(await storage.deleteUpstream(gone.name, anEvent()), true);
    assert.equal(await storage.deleteUpstream(gone.name, anEvent()), false);
    assert.deepEqual(await storage.listIdentities(user.id), [kept]);
    assert.equal((await storage.findClient(client.id))?.upstream, null);
    assert.deepEqual(await storage.listSettings(), []);
    await storage.storeSettings([byDefault(stays)], start, anEvent());
    assert.equal(await storage.deleteUpstream((await storedUpstream(storage)).name, anEvent()), true);
    assert.deepEqual(await storage.listSettings(), [byDefault(stays)]);
  });

  rule('people without another way to sign in are counted', async (storage) => {
    const upstream = await storedUpstream(storage);
    const other = await storedUpstream(storage);
    const closed = await storedUpstream(storage, { disabledAt: start });
    const withPassword = await storedUser(storage);
    await linked(storage, upstream, withPassword);
    const passwordless = async (id: string) => {
      const user = await storedUser(storage, { id, passwordHash: '' });
      await linked(storage, upstream, user);
      return user;
    };
    await passwordless('alone');
    await linked(storage, other, await passwordless('two'));
    const passkeyOwner = await passwordless('passkey');
    await storage.addPasskey(aPasskey(passkeyOwner), undefined, anEvent());
    const atClosed = await passwordless('closed');
    assert.equal(await link(storage, atClosed, anIdentity(closed, atClosed)), false);
    assert.deepEqual(await storage.countUpstreamPeople(upstream.issuer), {
      all: { count: 5, more: false },
      withoutOtherWay: { count: 2, more: false },
    });
  });
}

export function identityRules(rule: Rule): void {
  rule('an identity is found with its user by issuer and subject together', async (storage) => {
    const [one, two] = [await storedUpstream(storage), await storedUpstream(storage)];
    const user = await storedUser(storage);
    const identity = await linked(storage, one, user, { subject: 'A' });
    const found = await storage.findIdentity(identity);
    assert.deepEqual(found?.identity, identity);
    assert.equal(found?.user.id, user.id);
    assert.equal(await storage.findIdentity({ issuer: two.issuer, subject: 'A' }), undefined);
    assert.equal(await storage.findIdentity({ issuer: one.issuer, subject: 'a' }), undefined);
  });

  rule('an identity belongs to one user: of racing links one succeeds, and nobody takes it over', async (storage) => {
    const upstream = await storedUpstream(storage);
    const users = await Promise.all(Array.from({ length: 4 }, () => storedUser(storage)));
    const linked = await Promise.all(
      users.map((user) => link(storage, user, anIdentity(upstream, user, { subject: 'same' }))),
    );
    assert.equal(linked.filter(Boolean).length, 1);
    const owner = (await storage.findIdentity({ issuer: upstream.issuer, subject: 'same' }))?.user;
    for (const user of users)
      assert.equal(await link(storage, user, anIdentity(upstream, user, { subject: 'same' })), false);
    const kept = await storage.findIdentity({ issuer: upstream.issuer, subject: 'same' });
    assert.equal(kept?.user.id, owner?.id);
  });

  rule('linking needs the session, its password, an enabled upstream and room for one more', async (storage) => {
    const upstream = await storedUpstream(storage);
    const user = await storedUser(storage);
    const session = aSession(user);
    const identity = anIdentity(upstream, user);
    const attempt = (limit = 20, generation = user.sessionGeneration) =>
      storage.linkIdentity(identity, session, generation, limit, anEvent());
    assert.equal(await attempt(), false);
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration });
    assert.equal(await attempt(20, 5), false);
    assert.equal(await attempt(0), false);
    await storage.disableUpstream(upstream.name, later, anEvent());
    assert.equal(await attempt(), false);
    await storage.enableUpstream(upstream.name, later, anEvent());
    await storage.disableUser(user.id, later, anEvent());
    assert.equal(await attempt(), false);
    assert.deepEqual(await storage.listIdentities(user.id), []);
    await storage.enableUser(user.id, later, anEvent());
    const again = { ...aSession(user), userGeneration: 1 };
    await storage.startSession({ session: again, sessionGeneration: 1 });
    assert.equal(await storage.linkIdentity(identity, again, 1, 20, anEvent()), true);
  });

  rule('a user, identity and session are created atomically', async (storage) => {
    const upstream = await storedUpstream(storage);
    const taken = await storedUser(storage);
    const create = (user: User, identity: Identity) =>
      storage.createUserWithIdentity(user, identity, aStart(user), anEvent());
    const user = aUser({ passwordHash: '' });
    const identity = anIdentity(upstream, user);
    assert.equal(await create(user, identity), true);
    assert.equal((await storage.findIdentity(identity))?.user.id, user.id);
    assert.equal((await storage.listSessions(user.id, 0)).length, 1);

    const second = aUser();
    assert.equal(await create(second, { ...identity, userId: second.id }), false);
    const homonym = aUser({ email: taken.email.toUpperCase() });
    await assert.rejects(create(homonym, anIdentity(upstream, homonym)), StorageConflict);
    await storage.disableUpstream(upstream.name, later, anEvent());
    const late = aUser();
    assert.equal(await create(late, anIdentity(upstream, late)), false);
    for (const { id } of [second, homonym, late]) assert.equal(await storage.findUser(id), undefined);
  });

  rule("a session needs an identity that's still the user's, at an enabled upstream", async (storage) => {
    const upstream = await storedUpstream(storage);
    const user = await storedUser(storage);
    const identity = await linked(storage, upstream, user);
    const begin = (used = { ...identity, email: 'new@people.example' }, condition = undefined) =>
      storage.startSessionWithIdentity({ ...aStart(user), sessionGeneration: user.sessionGeneration, condition }, used);
    assert.equal(await begin(), true);
    const noted = await storage.findIdentity(identity);
    assert.equal(noted?.identity.email, 'new@people.example');
    assert.equal(noted?.identity.lastUsedAt, start);
    assert.equal(await begin({ ...identity, subject: 'other', email: 'x@people.example' }), false);
    await storage.disableUpstream(upstream.name, later, anEvent());
    assert.equal(await begin(), false);
    await storage.enableUpstream(upstream.name, later, anEvent());
    await storage.unlinkIdentity(user.id, identity, anEvent());
    assert.equal(await begin(), false);
  });

  rule("proof with an identity only counts for its own user's session", async (storage) => {
    const upstream = await storedUpstream(storage);
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const identity = await linked(storage, upstream, user);
    const foreign = await linked(storage, upstream, other);
    const session = aSession(user, { provenAt: 0 });
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration });
    const prove = (used: Identity) =>
      storage.proveSessionWithIdentity(
        session,
        user.sessionGeneration,
        { provenAt: later - 5, now: later },
        used,
        undefined,
      );
    assert.equal(await prove(foreign), false);
    assert.equal((await storage.findSession(session.digest, start))?.session.provenAt, 0);
    assert.equal(await prove(identity), true);
    assert.equal((await storage.findSession(session.digest, start))?.session.provenAt, later - 5);
    assert.equal((await storage.findIdentity(identity))?.identity.lastUsedAt, later);
  });

  rule("the last way to sign in can't be unlinked, also concurrently", async (storage) => {
    const [one, two] = [await storedUpstream(storage), await storedUpstream(storage)];
    const user = await storedUser(storage, { passwordHash: '' });
    const identities = [await linked(storage, one, user), await linked(storage, two, user)];
    const unlinked = identities.map((each) => storage.unlinkIdentity(user.id, each, anEvent()));
    assert.equal((await Promise.all(unlinked)).filter(Boolean).length, 1);
    const [last] = await storage.listIdentities(user.id);
    assert.ok(last);
    const other = await storedUser(storage);
    assert.equal(await storage.unlinkIdentity(other.id, last, anEvent()), false);
    // An identity at an upstream that is disabled is no way in.
    const again = await linked(storage, last.issuer === one.issuer ? two : one, user);
    await storage.disableUpstream(again.issuer === one.issuer ? one.name : two.name, later, anEvent());
    assert.equal(await storage.unlinkIdentity(user.id, last, anEvent()), false);
    await storage.addPasskey(aPasskey(user), undefined, anEvent());
    assert.equal(await storage.unlinkIdentity(user.id, last, anEvent()), true);
  });

  rule("a passkey and an identity can't both be removed if there's no password", async (storage) => {
    const upstream = await storedUpstream(storage);
    for (let time = 0; time < 5; time++) {
      const user = await storedUser(storage, { passwordHash: '' });
      const identity = await linked(storage, upstream, user);
      const passkey = aPasskey(user);
      await storage.addPasskey(passkey, undefined, anEvent());
      const event = anEvent();
      const removed = await Promise.all([
        storage.removePasskey(user.id, passkey.id, event),
        storage.unlinkIdentity(user.id, identity, anEvent()),
      ]);
      assert.equal(removed.filter(Boolean).length, 1);
      assert.equal(await hasEvent(storage, event), removed[0]);
      const last = removed[0]
        ? await storage.unlinkIdentity(user.id, identity, anEvent())
        : await storage.removePasskey(user.id, passkey.id, anEvent());
      assert.equal(last, false);
    }
  });

  rule('passkeys stay when nothing else is left after all other access is removed', async (storage) => {
    const user = await storedUser(storage, { passwordHash: '' });
    const passkey = aPasskey(user);
    await storage.addPasskey(passkey, undefined, anEvent());
    const kept = { factors: false };
    assert.equal(await storage.removeOtherAccess(user, kept, later, anEvent()), false);
    assert.ok(await storage.findPasskey(passkey.id));
  });

  rule("revoking an identity can remove the last way to sign in, and ends that user's sessions", async (storage) => {
    const upstream = await storedUpstream(storage);
    const [user, other] = [await storedUser(storage, { passwordHash: '' }), await storedUser(storage)];
    const identity = await linked(storage, upstream, user);
    const sessions = [aSession(user), aSession(other)];
    for (const session of sessions) await storage.startSession({ session, sessionGeneration: 0 });
    assert.equal(await storage.revokeIdentity(other.id, identity, anEvent()), false);
    assert.equal(await storage.revokeIdentity(user.id, identity, anEvent()), true);
    assert.equal(await storage.revokeIdentity(user.id, identity, anEvent()), false);
    assert.deepEqual(await storage.listIdentities(user.id), []);
    const left = await Promise.all(sessions.map(({ digest }) => storage.findSession(digest, start)));
    assert.deepEqual(
      left.map((found) => found?.user.id),
      [undefined, other.id],
    );
  });

  rule('identities are deleted with their user', async (storage) => {
    const upstream = await storedUpstream(storage);
    const user = await storedUser(storage);
    const identity = await linked(storage, upstream, user);
    await storage.deleteUser(user.id, anEvent());
    assert.equal(await storage.findIdentity(identity), undefined);
  });

  rule('a password reset unlinks recent identities, but not the one the account was created with', async (storage) => {
    const upstream = await storedUpstream(storage);
    const user = aUser({ passwordHash: '' });
    const first = anIdentity(upstream, user);
    await storage.createUserWithIdentity(user, first, aStart(user), anEvent());
    const old = await linked(storage, upstream, user, { linkedAt: start + DAY });
    await linked(storage, upstream, user, { linkedAt: start + 20 * DAY });
    await storage.setPasswordHash(user.id, 'new', start + 21 * DAY, anEvent());
    assert.deepEqual(await storage.listIdentities(user.id), [first, old]);
    const kept = { factors: false };
    await storage.removeOtherAccess({ ...user, sessionGeneration: 1 }, kept, start + 21 * DAY, anEvent());
    assert.deepEqual(await storage.listIdentities(user.id), []);
  });
}
