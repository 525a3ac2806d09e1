// Records for tests: each call makes a valid one that differs from all others, apart from what the test overrides.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newAccount } from '../../src/protocol/account/standing.ts';
import { DAY } from '../../src/protocol/durations.ts';
import type { EventRecord } from '../../src/protocol/event.ts';
import { newId, newTimeOrderedId } from '../../src/protocol/identifiers.ts';
import { type Grant, lifetimes } from '../../src/protocol/oauth/grant.ts';
import { clientFields } from '../../src/protocol/resources/client.ts';
import { readNew } from '../../src/protocol/resources/resource.ts';
import { type Driver, nobody } from '../../src/storage/driver.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import type {
  ApiKey,
  Authenticator,
  Client,
  CodeConsumption,
  Link,
  Logo,
  NewGrant,
  Passkey,
  Profile,
  Session,
  SignInFacts,
  Storage,
  SweepLimits,
  TokenClient,
  User,
} from '../../src/storage/storage.ts';

/** Brings somebody back who was deleted, with the same ID. */
export async function restoredUser(storage: Storage, user: User): Promise<boolean> {
  return storage.importUsers('backup', [{ oldId: user.id, user }], start, anEvent(), { restoresIds: true });
}

/** Registers a test that gets a store of its own. The driver is for what no call of storage does any more. */
export type Rule = (name: string, body: (storage: Storage, driver: Driver) => Promise<void>) => void;

/** The time of every record, unless a test says otherwise. */
export const start = Date.UTC(2026, 0, 15, 12);
export const later = start + 1000;

/** 8192 characters from several scripts, with combining marks and characters outside the basic plane. */
export const longText = 'Zoë Ω 漢字 עברית e\u0301 👩🏽‍🚀 '
  .repeat(300)
  .slice(0, 4_090)
  .toWellFormed()
  .padEnd(8_192, 'ß');

const random = (size: number) => randomBytes(size);
let made = 0;

/** With keys of its own for the IDs of deleted people. */
export function storageOn(driver: Driver): Storage {
  return sqlStorage(driver, nobody, {
    newSealed: (number) => `key ${number}`,
    open: (_number, sealed) => Buffer.from(sealed),
  });
}

export function aDigest(): string {
  return randomBytes(32).toString('base64url');
}

export function aUser(overrides: Partial<User> = {}): User {
  const id = newId(random);
  return {
    ...newAccount(start),
    id,
    email: `${id}@people.example`,
    // Not in the moment when the account was made: what was set up then, by an emailed link, would count as such.
    emailVerifiedAt: start + 1,
    name: `Person ${id}`,
    passwordHash: `hash of ${id}`,
    ...overrides,
  };
}

/** A profile with nothing but a name. */
export function aProfile(overrides: Partial<Profile> = {}): Profile {
  return { name: 'New name', givenName: null, familyName: null, locale: null, preferredUsername: null, ...overrides };
}

export function aClient(overrides: Partial<Client> = {}): Client {
  const id = newId(random);
  const read = readNew(clientFields, {
    name: `Application ${id}`,
    redirectUris: [`https://${id}.example/callback`],
  });
  assert.ok(read.kind === 'whole');
  const { logo: _logo, ...fields } = read.values;
  return {
    ...fields,
    id,
    secrets: [{ digest: aDigest(), createdAt: start, usedAt: null, sealedStates: null, lastFour: null }],
    claims: [],
    logoVersion: null,
    revokedAt: null,
    generation: 0,
    createdAt: start,
    updatedAt: start,
    ...overrides,
  };
}

export function aLogo(bytes: Uint8Array = randomBytes(64)): Logo {
  return { version: newId(random), contentType: 'image/png', bytes };
}

export function aSession(user: User, overrides: Partial<Session> = {}): Session {
  return {
    digest: aDigest(),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: start,
    lastSeenAt: start,
    authTime: start,
    amr: ['pwd'],
    answered: null,
    device: null,
    address: null,
    provenAt: start,
    kept: true,
    trusted: false,
    id: newId(random),
    ...overrides,
  };
}

export function aGrant(user: User, client: Client, overrides: Partial<NewGrant> = {}): NewGrant {
  return {
    id: newTimeOrderedId(start, random),
    userId: user.id,
    userGeneration: user.generation,
    clientId: client.id,
    clientGeneration: client.generation,
    scopes: ['openid', 'email'],
    redirectUri: client.redirectUris[0] ?? '',
    codeChallenge: aDigest(),
    nonce: null,
    authTime: start,
    amr: ['pwd'],
    codeDigest: aDigest(),
    codeExpiresAt: start + lifetimes.code,
    claims: null,
    sessionId: null,
    sidKey: null,
    ...overrides,
  };
}

/** The grant as it is read back before its code is exchanged. */
export function asIssued(grant: NewGrant): Grant {
  const {
    userGeneration: _,
    clientGeneration: __,
    sessionDigest: ___,
    claims: ____,
    sessionId: _____,
    ...rest
  } = grant;
  const notYet = { exchangedAt: null, refreshDigest: null, expiresAt: null, endedAt: null, lastUsedAt: null };
  return { ...rest, ...notYet, partiesAreActive: true };
}

/** An exchange of the grant's code, one second after `start`. */
export function exchangeOf(grant: NewGrant, overrides: Partial<CodeConsumption> = {}): CodeConsumption {
  const now = start + 1000;
  return {
    grantId: grant.id,
    codeDigest: grant.codeDigest,
    now,
    refreshDigest: aDigest(),
    expiresAt: now + lifetimes.refreshToken,
    deleteAfter: now + lifetimes.refreshToken + lifetimes.accessToken,
    ...overrides,
  };
}

/** Later events have greater ids. */
export function anEvent(overrides: Partial<EventRecord> = {}): EventRecord {
  const at = overrides.at ?? start + made++;
  return {
    id: newTimeOrderedId(at, random),
    at,
    kind: 'client_updated',
    address: '192.0.2.7',
    requestId: 'req-1',
    detail: {},
    ...overrides,
  };
}

export function eventsInOrder(count: number): EventRecord[] {
  return Array.from({ length: count }, (_, index) => anEvent({ at: start + DAY + index, requestId: `req-${index}` }));
}

export async function storedUser(storage: Storage, overrides: Partial<User> = {}): Promise<User> {
  const user = aUser(overrides);
  await storage.createUser(user, anEvent());
  return user;
}

export function storedAdministrator(storage: Storage, overrides: Partial<User> = {}): Promise<User> {
  return storedUser(storage, { adminSince: start, ...overrides });
}

/** What a person's roles are besides stays as it is. Null removes admin access. */
export async function setAdministrator(
  storage: Storage,
  userId: string,
  adminSince: number | null,
  event: EventRecord,
  endEvents: readonly EventRecord[] = [],
): Promise<boolean> {
  const basis = (await storage.findUser(userId)) ?? { adminSince: adminSince === null ? start : null, roles: null };
  const next = { adminSince: adminSince && (basis.adminSince ?? adminSince), roles: basis.roles };
  return storage.setRoles(userId, basis, next, event.at, event, endEvents);
}

export async function storedClient(storage: Storage, overrides: Partial<Client> = {}, logo?: Logo): Promise<Client> {
  const client = aClient(overrides);
  await storage.createClient(client, logo, anEvent());
  return client;
}

export async function storedSession(storage: Storage, user: User, overrides: Partial<Session> = {}): Promise<Session> {
  const session = aSession(user, overrides);
  await storage.startSession({ session, sessionGeneration: user.sessionGeneration });
  return session;
}

/** The condition of a session that a password alone starts. */
export const withoutFactor = { kind: 'no_second_factor' } as const;

/** Whether a sign-in with this recovery code, given by its digest, succeeds. */
export async function spendCode(storage: Storage, userId: string, digest: string): Promise<boolean> {
  const user = await storage.findUser(userId);
  if (user === undefined) return false;
  if (!(await storage.hasRecoveryCode(userId, digest))) return false;
  const condition = { kind: 'recovery_code', digest } as const;
  return storage.startSession({ session: aSession(user), sessionGeneration: user.sessionGeneration, condition });
}

/** A stored grant with a remembered consent, whose code is not exchanged. */
export async function issuedGrant(
  storage: Storage,
  user: User,
  client: Client,
  overrides: Partial<NewGrant> = {},
): Promise<NewGrant> {
  const grant = aGrant(user, client, overrides);
  await storage.approve(grant, grant.scopes, start, anEvent());
  return grant;
}

/** A stored grant whose code is exchanged. */
export async function activeGrant(
  storage: Storage,
  user: User,
  client: Client,
  overrides: Partial<CodeConsumption> = {},
): Promise<NewGrant> {
  const grant = await issuedGrant(storage, user, client);
  await storage.consumeCode(exchangeOf(grant, overrides));
  return grant;
}

export interface World {
  readonly user: User;
  readonly client: Client;
  readonly session: Session;
  /** Its code is not exchanged. */
  readonly issued: NewGrant;
  readonly active: NewGrant;
}

/** A user with a session, and a client that they have let in twice. */
export async function storedWorld(storage: Storage): Promise<World> {
  const user = await storedUser(storage);
  const client = await storedClient(storage);
  const session = await storedSession(storage, user);
  const issued = await issuedGrant(storage, user, client);
  const active = await activeGrant(storage, user, client);
  return { user, client, session, issued, active };
}

export async function hasEvent(storage: Storage, event: EventRecord): Promise<boolean> {
  return (await storage.findEvents({}, 10_000, 'oldest')).some(({ id }) => id === event.id);
}

/** Whether an access token of the grant is valid. */
export async function tokenLives(storage: Storage, grant: NewGrant, tokenId = 'token'): Promise<boolean> {
  return (await storage.findTokenHolder(grant.id, tokenId, start)) !== undefined;
}

export async function partiesAreActive(storage: Storage, grant: NewGrant): Promise<boolean | undefined> {
  return (await storage.findClientAndGrant(grant.clientId, grant.id, start))?.grant?.partiesAreActive;
}

export async function connectedClientIds(storage: Storage, user: User): Promise<string[]> {
  return (await storage.listConnectedApps(user.id)).map(({ client }) => client.id).sort();
}

/** Limits by which no record that is made here is swept. */
export function nothingIsOver(overrides: Partial<SweepLimits> = {}): SweepLimits {
  const limits = { now: start, keptSessionsSeenBefore: start, briefSessionsSeenBefore: start, failuresBefore: 0 };
  const older = {
    devicesSeenBefore: 0,
    mailsBefore: 0,
    signUpLinksBefore: 0,
    totalsBefore: 0,
    requestNotesBefore: 0,
    requestsBefore: 0,
    eventsBefore: '',
    settledAccessChange: 0,
  };
  return { ...limits, ...older, finishedDeliveries: 1000, ...overrides };
}

/** A sign-up link that works for one minute. */
export function aLink(overrides: Partial<Link> = {}): Link {
  const fresh = {
    digest: aDigest(),
    purpose: 'sign_up',
    userId: null,
    data: {},
    expiresAt: start + 60_000,
  } as const;
  return { ...fresh, ...overrides };
}

/** A stored link whose email was sent. */
export async function storedLink(storage: Storage, overrides: Partial<Link> = {}): Promise<Link> {
  const link = aLink(overrides);
  const mail = { id: link.digest, sealed: 'sealed', createdAt: start };
  await storage.queueEmail(mail, link);
  await storage.deleteEmail(mail.id);
  return link;
}

/** A client's new one. */
export function aSecret(): { digest: string; lastFour: string } {
  return { digest: aDigest(), lastFour: newId(random).slice(-4) };
}

export function anApiKey(overrides: Partial<ApiKey> = {}): ApiKey {
  const id = newId(random);
  return {
    digest: aDigest(),
    id,
    name: `Key ${id}`,
    permission: 'read',
    createdBy: null,
    createdAt: start,
    expiresAt: null,
    lastUsedAt: null,
    makerIsAdmin: true,
    roles: null,
    lastFour: null,
    ...overrides,
  };
}

export function aPasskey(user: User, overrides: Partial<Passkey> = {}): Passkey {
  const id = aDigest();
  return {
    id,
    userId: user.id,
    publicKey: `key of ${id}`,
    counter: 0,
    transports: ['internal', 'hybrid'],
    name: `Passkey ${id}`,
    createdAt: start,
    lastUsedAt: null,
    ...overrides,
  };
}

export function anAuthenticator(overrides: Partial<Authenticator> = {}): Authenticator {
  return { sealedSecret: `sealed ${aDigest()}`, lastStep: 1000, ...overrides };
}

export function someDigests(count = 10): string[] {
  return Array.from({ length: count }, aDigest);
}

/** The facts of a user who has only a password. */
export const noFacts: SignInFacts = {
  knownDevice: undefined,
  trustedUntil: undefined,
  authenticator: undefined,
  recoveryCodes: 0,
  passkeys: [],
  suspended: [],
};

/** How many callers race for one thing. */
export const atOnce = 20;

/** How many of the calls that are made at the same time are answered true. */
export async function winners(call: (index: number) => Promise<boolean>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: atOnce }, (_, index) => call(index)));
  return answers.filter(Boolean).length;
}

/** A failure on each of the counters, in one bucket. */
export function failuresAt(bucket: number, counters: readonly string[]): { counter: string; bucket: number }[] {
  return counters.map((counter) => ({ counter, bucket }));
}

/** As the token endpoint reads it. */
export function tokenClient({ id, isPublic, scopes, revokedAt, secrets, backchannelLogoutUri }: Client): TokenClient {
  const presented = secrets.map(({ lastFour: _, ...secret }) => secret);
  return { id, isPublic, scopes, revokedAt, backchannelLogoutUri, secrets: presented };
}
