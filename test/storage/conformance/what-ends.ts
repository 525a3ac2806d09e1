// Every cell of the table in protocol/account/what-ends.ts, measured: somebody who has all kinds of access, what happens, and what is
// left. The table here is the tests' own.

import assert from 'node:assert/strict';
import { holderOf } from '../../../src/protocol/account/roles.ts';
import { type Access, type Occasion, whatEnds } from '../../../src/protocol/account/what-ends.ts';
import { DAY } from '../../../src/protocol/durations.ts';
import * as schema from '../../../src/storage/schema.ts';
import type { Passkey, PasswordChange, Storage, User } from '../../../src/storage/storage.ts';
import { accessTables } from '../../../src/storage/users/what-ends-sql.ts';
import {
  activeGrant,
  aDigest,
  anApiKey,
  anEvent,
  aPasskey,
  aSession,
  connectedClientIds,
  type Rule,
  someDigests,
  start,
  storedAdministrator,
  storedClient,
  storedLink,
  tokenLives,
} from '../records.ts';
import { storedRequest } from './access-requests.ts';
import { anUpstream } from './upstreams.ts';

const now = start + 30 * DAY;
const recent = now - DAY;
const older = recent - 20 * DAY;

/**
 * What is left. `.` all; `x` nothing; `n` a new password; `h` what belongs to the browser that it happens in; `o` the older one,
 * because the recent one is paused or gone; `p` those in force, because the paused one is gone.
 */
const left = `
                       grants consents password identities factors recovery_codes sessions waiting_sign_ins known_browsers trust links api_keys scim_tokens sign_up_links role_invitations access_requests
password_changed       .      .        n        .          .       .              h        x                h              x     x     .        .           .             .                .
password_removed       .      .        x        .          .       .              h        x                h              x     x     .        .           .             .                .
password_reset         .      .        n        o          o       x              x        x                x              x     x     .        .           .             .                .
account_recovered      .      .        n        o          o       x              x        x                x              x     x     .        .           .             .                .
password_set           .      .        n        o          o       x              x        x                x              x     x     .        .           .             .                .
account_claimed        x      x        x        x          x       x              x        x                x              x     x     x        x           x             x                x
address_verified       x      x        .        .          .       .              h        x                h              x     x     .        .           .             .                .
address_vouched        .      .        .        .          .       .              .        .                .              .     .     .        .           .             .                .
address_changed        .      .        .        .          .       .              .        .                .              .     x     .        .           .             .                .
factor_undone          .      .        .        .          o       x              x        x                x              x     x     .        .           .             .                .
factor_removed         .      .        .        .          o       .              .        .                .              x     .     .        .           .             .                .
factors_removed        .      .        .        .          x       x              .        .                .              x     .     .        .           .             .                .
identity_revoked       .      .        .        o          .       .              x        x                .              .     x     .        .           .             .                .
signed_out_everywhere  .      .        .        .          .       .              x        x                .              .     x     .        .           .             .                .
signed_out_elsewhere   .      .        .        .          .       .              h        x                .              .     x     .        .           .             .                .
reviewed               x      x        .        .          p       .              h        x                h              x     x     x        x           x             x                .
reviewed_with_proof    x      x        .        x          x       x              h        x                h              x     x     x        x           x             x                .
disabled               x      .        .        .          .       .              x        x                .              x     x     x        x           x             x                x
expired                x      .        .        .          .       .              x        x                .              x     x     x        x           x             x                x
enabled                x      .        .        .          .       .              x        x                .              x     x     x        x           x             x                x
roles_changed          .      .        .        .          .       .              .        .                .              .     x     .        .           .             .                .
rights_lost            .      .        .        .          .       .              .        .                .              .     x     x        x           x             x                .
deleted                x      x        x        x          x       x              x        x                x              x     x     x        x           x             x                x`;

const [heading = [], ...rows] = left
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const expected = Object.fromEntries(
  rows.map(([occasion, ...cells]) => [occasion, Object.fromEntries(heading.map((name, at) => [name, cells[at]]))]),
);

type Person = Awaited<ReturnType<typeof withAllAccess>>;

const toPasskey = (user: User, createdAt: number): Passkey => aPasskey(user, { createdAt, id: aDigest() });

/** Somebody with all kinds of access, two of what can be partly lost. An account that is claimed has no factor in force. */
async function withAllAccess(storage: Storage, { emailVerifiedAt = start as number | null, factors = true } = {}) {
  const made = await storedAdministrator(storage, { emailVerifiedAt });
  const { id } = made;
  const paused = toPasskey(made, start + 1);
  await storage.addPasskey(paused, someDigests(), anEvent());
  await storage.setPasswordHash(id, made.passwordHash, start, anEvent());
  const passkeys = { older: toPasskey(made, older), recent: toPasskey(made, recent) };
  if (factors) {
    await storage.addPasskey(passkeys.older, undefined, anEvent());
    await storage.addPasskey(passkeys.recent, someDigests(), anEvent());
  }
  await storage.finishReview(await userOf(storage, id), []);
  const user = await userOf(storage, id);
  const { sessionGeneration } = user;
  const browsers = { here: aDigest(), elsewhere: aDigest() };
  const sessions = { here: aSession(user), elsewhere: aSession(user) };
  for (const place of ['here', 'elsewhere'] as const) {
    const begun = {
      session: sessions[place],
      sessionGeneration,
      deviceDigest: browsers[place],
      trustedUntil: now + DAY,
    };
    assert.ok(await storage.startSession(begun));
  }
  const upstream = anUpstream();
  await storage.createUpstream(upstream, undefined, 100, anEvent());
  const identityOf = (linkedAt: number) => {
    const key = { issuer: upstream.issuer, subject: aDigest() };
    return { ...key, userId: id, email: null, linkedAt, lastUsedAt: null };
  };
  const identities = { older: identityOf(older), recent: identityOf(recent) };
  for (const identity of Object.values(identities)) {
    assert.ok(await storage.linkIdentity(identity, sessions.here, sessionGeneration, 20, anEvent()));
  }
  const grant = await activeGrant(storage, user, await storedClient(storage));
  await giveRights(storage, id);
  await storedRequest(storage, { userId: id });
  const links = {
    proof: await storedLink(storage, { purpose: 'proof_code', userId: id, expiresAt: now + DAY }),
    undo: await storedLink(storage, { purpose: 'undo_factor', userId: id, expiresAt: now + DAY }),
  };
  return { id, user, sessions, browsers, passkeys, identities, grant, links };
}

const invitedBy = (id: string) => `invited-by-${id}@people.example`;

/** What they make for others. */
async function giveRights(storage: Storage, id: string): Promise<void> {
  await storage.createApiKey(anApiKey({ createdBy: id }), anEvent());
  const token = { digest: aDigest(), id: aDigest(), source: 'entra', name: 'Entra', adopts: false, upstream: null };
  const ofToken = { createdBy: id, createdAt: start, expiresAt: null, lastUsedAt: null, lastFour: null };
  await storage.createScimToken({ ...token, ...ofToken, subjectClaim: 'sub' }, anEvent());
  const ofLink = { id: aDigest(), uses: 1, used: 0, groupIds: [], note: '', createdAt: start, revokedAt: null };
  await storage.createSignUpLink(
    { ...ofLink, createdBy: id, createdByKey: null, expiresAt: now + DAY },
    aDigest(),
    100,
    anEvent(),
  );
  const invitation = { email: invitedBy(id), invitedBy: { kind: 'administrator', id }, admin: 'yes' } as const;
  await storedLink(storage, { purpose: 'invite', data: invitation, expiresAt: now + DAY });
}

async function userOf(storage: Storage, id: string): Promise<User> {
  const user = await storage.findUser(id);
  assert.ok(user);
  return user;
}

const keptHere = ({ sessions, browsers }: Person) => ({ digest: sessions.here.digest, device: browsers.here });
const review = ({ sessions, browsers }: Person, factors: boolean) => ({
  session: sessions.here.digest,
  device: browsers.here,
  factors,
});
const linkTo = (storage: Storage, { id }: Person, purpose: 'reset_password' | 'recover' | 'change_email') =>
  storedLink(storage, {
    purpose,
    userId: id,
    data: purpose === 'change_email' ? { email: 'new@people.example' } : {},
    expiresAt: now + DAY,
  });

async function changeInSession(storage: Storage, person: Person, change: Partial<PasswordChange>) {
  const { user, sessions, browsers } = person;
  const proof = {
    kind: 'session',
    sessionGeneration: user.sessionGeneration,
    session: sessions.here.digest,
  } as const;
  // As it goes on in the product: under another digest. The tests look for the one that they know.
  const session = { ...sessions.here, digest: sessions.here.digest };
  const whole = { passwordHash: 'new hash', proof, session, keptDevice: browsers.here, ...change };
  return storage.changePassword(user.id, whole, now, anEvent());
}

async function changeByLink(storage: Storage, person: Person, purpose: 'reset_password' | 'recover') {
  const { digest } = await linkTo(storage, person, purpose);
  const change = { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose } } as const;
  return storage.changePassword(person.id, change, now, anEvent());
}

/** Makes each of them happen. */
const happenings: Readonly<Record<Occasion, (storage: Storage, person: Person) => Promise<boolean>>> = {
  password_changed: (storage, person) => changeInSession(storage, person, {}),
  password_removed: (storage, person) =>
    changeInSession(storage, person, { passwordHash: '', instead: { kind: 'own_passkeys' } }),
  password_reset: (storage, person) => changeByLink(storage, person, 'reset_password'),
  account_recovered: (storage, person) => changeByLink(storage, person, 'recover'),
  password_set: (storage, { id }) => storage.setPasswordHash(id, 'new hash', now, anEvent()),
  async account_claimed(storage, { user }) {
    const code = await storedLink(storage, { purpose: 'email_code', userId: user.id, expiresAt: now + DAY });
    const claim = { events: [anEvent()], proof: 'email_code', review: false } as const;
    return storage.useEmailCode(user, { digest: code.digest, purpose: 'email_code' }, now, { claim });
  },
  async address_verified(storage, person) {
    const { digest } = await linkTo(storage, person, 'change_email');
    return storage.changeEmail(person.user, person.user.email, digest, now, anEvent(), keptHere(person));
  },
  address_vouched: (storage, { user }) => storage.verifyEmail(user.id, user.email, now, anEvent()),
  async address_changed(storage, person) {
    const { digest } = await linkTo(storage, person, 'change_email');
    return storage.changeEmail(person.user, 'new@people.example', digest, now, anEvent(), keptHere(person));
  },
  factor_undone(storage, { id, passkeys, links }) {
    const factor = { kind: 'passkey', id: passkeys.recent.id, createdAt: recent } as const;
    return storage.undoFactor(id, factor, links.undo.digest, now, anEvent());
  },
  factor_removed: (storage, { id, passkeys }) => storage.removePasskey(id, passkeys.recent.id, anEvent()),
  factors_removed: (storage, { id }) => storage.removeSecondFactors(id, anEvent()),
  identity_revoked: (storage, { id, identities }) => storage.revokeIdentity(id, identities.recent, anEvent()),
  signed_out_everywhere: (storage, { id }) => storage.endSessions(id, anEvent()),
  signed_out_elsewhere: async (storage, { id, sessions }) =>
    (await storage.endOtherSessions(id, sessions.here.digest, anEvent())) === 1,
  reviewed: (storage, person) => storage.removeOtherAccess(person.user, review(person, true), now, anEvent()),
  reviewed_with_proof: (storage, person) =>
    storage.removeOtherAccess(person.user, review(person, false), now, anEvent()),
  disabled: (storage, { id }) => storage.disableUser(id, now, anEvent()),
  async expired(storage, { id }) {
    await storage.changeUserEnd(id, now - 1, start, anEvent());
    return storage.expireUser(id, now, anEvent());
  },
  async enabled(storage, { id }) {
    await storage.disableUser(id, start, anEvent());
    // By a request that was under way.
    await giveRights(storage, id);
    return storage.enableUser(id, now, anEvent());
  },
  roles_changed: (storage, { user }) =>
    storage.setRoles(user.id, user, holderOf(['administrator', 'auditor'], user.adminSince ?? start), now, anEvent()),
  rights_lost: (storage, { user }) => storage.setRoles(user.id, user, holderOf([], start), now, anEvent()),
  deleted: (storage, { id }) => storage.deleteUser(id, anEvent()),
};

/** What comes before, where an account isn't as usual. */
const accounts: Partial<Record<Occasion, Parameters<typeof withAllAccess>[1]>> = {
  account_claimed: { emailVerifiedAt: null, factors: false },
  address_verified: { emailVerifiedAt: null },
  address_vouched: { emailVerifiedAt: null },
};

const some = (all: boolean, here: boolean, letter: string) => (all ? '.' : here ? letter : 'x');
const any = (found: boolean) => (found ? '.' : 'x');

async function measure(storage: Storage, person: Person): Promise<Record<Access, string>> {
  const { id, user, sessions, browsers, passkeys, identities, grant, links } = person;
  const current = await storage.findUser(id);
  const facts = await storage.findSignInFacts(id, undefined);
  const inForce = facts.passkeys.map((each) => each.id);
  const identityLeft = async (which: 'older' | 'recent') =>
    (await storage.findIdentity(identities[which])) !== undefined;
  const known = async (place: 'here' | 'elsewhere') =>
    (await storage.findKnownDevice(id, [browsers[place]])) !== undefined;
  const trusted = await storage.listTrustedDevices(id, now);
  const own = await storage.listApiKeysOf(id);
  const tokens = await storage.listScimTokens();
  const shared = await storage.listSignUpLinksOf(id, now);
  const invitation = await storage.findInvitation(invitedBy(id), now);
  const linkLeft = await storage.findLink(links.proof.digest, 'proof_code', start);
  const requests = await storage.listRequestsOf(id);
  // Last: whoever was stopped comes back, and what was stopped with them mustn't.
  if (current?.expiresAt != null) await storage.changeUserEnd(id, null, now, anEvent());
  else if (current?.disabledAt != null) await storage.enableUser(id, now, anEvent());
  const sessionLeft = async (place: 'here' | 'elsewhere') =>
    (await storage.findSession(sessions[place].digest, now)) !== undefined;
  const factorsLeft = () => {
    if (inForce.length === 0 && facts.suspended.length === 0) return 'x';
    if (!inForce.includes(passkeys.recent.id)) return inForce.includes(passkeys.older.id) ? 'o' : 'x';
    return facts.suspended.some((each) => each.kind === 'passkey') ? '.' : 'p';
  };
  const password = current === undefined ? '' : current.passwordHash;
  return {
    grants: any(await tokenLives(storage, grant)),
    consents: any((await connectedClientIds(storage, user)).length > 0),
    password: password === '' ? 'x' : password === user.passwordHash ? '.' : 'n',
    identities: some(await identityLeft('recent'), await identityLeft('older'), 'o'),
    factors: factorsLeft(),
    recovery_codes: any(facts.recoveryCodes > 0),
    sessions: some(await sessionLeft('elsewhere'), await sessionLeft('here'), 'h'),
    waiting_sign_ins: any(current?.sessionGeneration === user.sessionGeneration),
    known_browsers: some(await known('elsewhere'), await known('here'), 'h'),
    trust: any(trusted.length > 0),
    links: any(linkLeft !== undefined),
    api_keys: any(own.length > 0),
    scim_tokens: any(tokens.some(({ createdBy }) => createdBy === id)),
    sign_up_links: any(shared.length > 0),
    role_invitations: any(invitation !== undefined),
    access_requests: any(requests.length > 0),
  };
}

export function whatEndsRules(rule: Rule): void {
  rule('the table of what ends what has the rows and columns of this one', async () => {
    assert.deepEqual(Object.keys(expected), Object.keys(whatEnds));
    for (const ends of Object.values(whatEnds)) {
      for (const column of Object.keys(ends)) assert.ok(heading.includes(column), column);
    }
  });

  rule('a person who is deleted leaves no row but their events', async (storage, driver) => {
    await storedAdministrator(storage);
    const { id } = await withAllAccess(storage);
    const rowsOf = async (names: readonly string[]) => {
      const counted = names.map(async (name) => {
        const [row] = await driver.read(`SELECT COUNT(*) AS count FROM ${name} WHERE user_id = $1`, [id]);
        return [name, Number(row?.count)] as const;
      });
      return Object.fromEntries((await Promise.all(counted)).filter(([, count]) => count > 0));
    };
    const tables: readonly schema.Table[] = Object.values(schema);
    const names = tables.filter(({ columns }) => 'user_id' in columns).map(({ name }) => name);
    const before = await rowsOf(names);
    for (const name of Object.values(accessTables).flat()) {
      assert.ok(name === 'authenticators' || before[name] !== undefined, name);
    }
    assert.equal(await storage.deleteUser(id, anEvent({ userId: id })), true);
    assert.deepEqual(Object.keys(await rowsOf(names)), ['events']);
  });

  for (const [occasion, happen] of Object.entries(happenings) as [Occasion, (typeof happenings)[Occasion]][]) {
    rule(`what ends, and what stays: ${occasion}`, async (storage) => {
      const last = await storedAdministrator(storage);
      const person = await withAllAccess(storage, accounts[occasion]);
      const bystander = await withAllAccess(storage, accounts[occasion]);
      assert.equal(await happen(storage, person), true);
      assert.deepEqual(await measure(storage, person), expected[occasion]);
      const others = Object.entries(await measure(storage, bystander)).filter(([, cell]) => cell !== '.');
      assert.deepEqual(
        others,
        accounts[occasion]?.factors === false
          ? [
              ['factors', 'x'],
              ['recovery_codes', 'x'],
            ]
          : [],
      );
      assert.ok(await storage.findUser(last.id));
    });
  }
}
