// What Latchkey stores, as named operations by subject; the records are in records.ts. Every operation is atomic: it
// happens as a whole or not at all, and once it is answered it survives a crash and every later call from any process
// sees it. A change never relies on what was read before: it states its condition and answers whether it took place.
//
// Where an operation takes an event, both are written together, or neither is. An operation that answers false has
// changed nothing. One that fails has changed nothing either, unless the error is an OutcomeUnknown; consumeCode finds out
// by itself what happened, as long as the store can be reached again.

import type { EventRecord, TotalKind } from '../protocol/event.ts';
import type { Grant } from '../protocol/oauth/grant.ts';
import type { Scope } from '../protocol/oauth/scope.ts';
import type { FailureCount } from '../protocol/sign-in/throttle-rules.ts';
import type { Assurance } from './assurance.ts';
import type { Access } from './groups/access.ts';
import type { Housekeeping } from './housekeeping.ts';
import type { Page, PagePosition, PageQuery } from './paging.ts';
import type {
  ApiKey,
  AuthorizationContext,
  Client,
  ClientChange,
  CodeConsumption,
  ConnectedApp,
  CountedFailure,
  EventFilter,
  GrantUse,
  Link,
  LinkPurpose,
  ListedUser,
  Logo,
  NewGrant,
  NewSession,
  PasswordChange,
  Profile,
  QueuedEmail,
  SecretUse,
  TokenHolder,
  User,
} from './records.ts';
import type { AccountRecovery, SecondFactors } from './second-factors.ts';
import type { Sessions } from './sessions.ts';
import type { KeyRecords } from './settings/key-records.ts';
import type { SettingRecords } from './settings/setting-records.ts';
import type { TrustedDevices } from './trusted-devices.ts';
import type { Identities, Upstreams } from './upstreams/upstreams.ts';
import type { Imports } from './users/imports.ts';
import type { UserAdministration } from './users/invitations.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export type * from './assurance.ts';
export { OutcomeUnknown, StorageConflict, StorageUnavailable, StoreUnusable } from './driver.ts';
export type * from './groups/access.ts';
export type * from './housekeeping.ts';
export type * from './paging.ts';
export type * from './records.ts';
export type * from './sessions.ts';
export type * from './settings/key-records.ts';
export type * from './settings/setting-records.ts';
export type * from './trusted-devices.ts';
export type * from './upstreams/upstreams.ts';
export type * from './users/imports.ts';
export type * from './users/invitations.ts';
export type * from './webhooks/webhooks.ts';

export interface Storage
  extends Users,
    Sessions,
    TrustedDevices,
    Links,
    SecondFactors,
    AccountRecovery,
    Assurance,
    Clients,
    Access,
    Launcher,
    Grants,
    Mail,
    Events,
    ApiKeys,
    KeyRecords,
    SettingRecords,
    Search,
    UserAdministration,
    Imports,
    Throttling,
    Webhooks,
    Upstreams,
    Identities,
    Housekeeping {}

/** Email addresses and usernames are unique, ignoring case: a duplicate is a StorageConflict. */
export interface Users {
  createUser(user: User, event: EventRecord): Promise<void>;
  /**
   * Creates the user that a link stands for, which uses it up, and starts their session. False when the link was used or
   * has expired, and for a set-up link also when there is an administrator.
   */
  signUp(
    user: User,
    link: { readonly digest: string; readonly purpose: 'sign_up' | 'invite' | 'set_up' },
    now: number,
    event: EventRecord,
    start?: NewSession,
  ): Promise<boolean>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  findUserByUsername(username: string): Promise<User | undefined>;
  /** Oldest first. */
  listUsers(): Promise<User[]>;
  /** How many there are, and how many of them have signed in or used a client since then. */
  countUsers(activeSince: number): Promise<{ all: number; active: number }>;
  changeProfile(userId: string, profile: Profile, now: number, event: EventRecord): Promise<boolean>;
  /** The picture and the URL where it is served; undefined removes it. */
  setPicture(
    userId: string,
    picture: (Logo & { readonly url: string }) | undefined,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  findPicture(userId: string, version: string): Promise<Logo | undefined>;
  /** By a link that was sent to the new address, which verifies it. Ends all links of the user. */
  changeEmail(userId: string, email: string, linkDigest: string, now: number, event: EventRecord): Promise<boolean>;
  /**
   * Ends the user's sessions and links, and starts the session that is given; with a link, suspends recent factors.
   * False when the password or the link is not what it was, or the user was disabled meanwhile.
   */
  changePassword(userId: string, change: PasswordChange, now: number, event: EventRecord): Promise<boolean>;
  /** For administrators: needs no proof; otherwise the same as with a link. False for an unknown user. */
  setPasswordHash(userId: string, passwordHash: string, now: number, event: EventRecord): Promise<boolean>;
  /**
   * Notes that the password was found among those known from breaches; setting another one clears it. False when that was
   * noted before, or the password is no longer the one that was checked.
   */
  noteBreach(userId: string, passwordHash: string, now: number, event: EventRecord): Promise<boolean>;
  /** Those who can sign in. */
  countAdministrators(): Promise<number>;
  /** Those who can sign in, oldest first. */
  listAdministrators(): Promise<User[]>;
  /**
   * Null removes admin access. False when nothing would change, the user is disabled, or no administrator would remain.
   * Ends the API keys that the user has made, as `disableUser`, `enableUser` and `deleteUser` do; `keyEvents` are about
   * them.
   */
  setAdministrator(
    userId: string,
    since: number | null,
    event: EventRecord,
    keyEvents?: readonly EventRecord[],
  ): Promise<boolean>;
  /** Ends the user's sessions and grants. False when disabled already, unknown, or the last administrator. */
  disableUser(userId: string, now: number, event: EventRecord, keyEvents?: readonly EventRecord[]): Promise<boolean>;
  /** Revives no session and no grant. False when not disabled or unknown. */
  enableUser(userId: string, now: number, event: EventRecord): Promise<boolean>;
  /** False when unknown, or the last administrator. */
  deleteUser(userId: string, event: EventRecord, keyEvents?: readonly EventRecord[]): Promise<boolean>;
}

/** Each link works once. A new one ends the earlier ones for the same purpose and user, or email address. */
export interface Links {
  findLink(digest: string, purpose: LinkPurpose, now: number): Promise<Link | undefined>;
  /** For a link that an administrator shares. False if its user is disabled or gone. */
  storeLink(link: Link, event: EventRecord): Promise<boolean>;
  /** However many calls race, exactly one returns true. */
  consumeTicket(digest: string, expiresAt: number): Promise<boolean>;
}

export interface Clients {
  createClient(client: Client, logo: Logo | undefined, event: EventRecord): Promise<void>;
  findClient(clientId: string): Promise<Client | undefined>;
  /** Oldest first. */
  listClients(): Promise<Client[]>;
  /** Changes what is given and leaves the rest. False when the client is not, or no longer, as `basis` says. */
  updateClient(
    basis: Pick<Client, 'id' | 'updatedAt'>,
    change: ClientChange,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** The new secret works at once, the newest of the earlier ones stays valid, an older one stops working. */
  rotateClientSecret(clientId: string, secretDigest: string, now: number, event: EventRecord): Promise<boolean>;
  /** False when there is only one secret. */
  retireOldSecret(clientId: string, now: number, event: EventRecord): Promise<boolean>;
  noteSecretUses(uses: readonly SecretUse[]): Promise<void>;
  /** The number of users with an active consent for the client. */
  countConnectedUsers(clientId: string): Promise<number>;
  /** Ends every code, token and consent of the client. False when revoked already or unknown. */
  revokeClient(clientId: string, now: number, event: EventRecord): Promise<boolean>;
  /** Revives no token and no consent. False when not revoked or unknown. */
  restoreClient(clientId: string, now: number, event: EventRecord): Promise<boolean>;
  deleteClient(clientId: string, event: EventRecord): Promise<boolean>;
  findLogo(clientId: string, version: string): Promise<Logo | undefined>;
}

/** The clients that a user can open from their account. */
export interface Launcher {
  /** Clients with a URL that the user can use, by name; `next` is undefined on the last page. */
  pageClientsToLaunch(
    userId: string,
    part: { readonly after: PagePosition | undefined; readonly limit: number },
  ): Promise<{ readonly items: readonly Client[]; readonly next: PagePosition | undefined }>;
}

export interface Grants {
  /** Everything that decides an authorization request, in one query. */
  findAuthorizationContext(
    clientId: string,
    sessionDigest: string | undefined,
  ): Promise<AuthorizationContext | undefined>;
  /**
   * Issues a code under the remembered consent. False when the consent, the session, the user or the client was stopped
   * meanwhile, or the user has lost access to the client.
   */
  issueCode(grant: NewGrant): Promise<boolean>;
  /**
   * Remembers the consent to all of `scopes` and issues the code. False when the session, the user or the client was
   * stopped meanwhile, or the user has lost access to the client.
   */
  approve(grant: NewGrant, scopes: readonly Scope[], now: number, event: EventRecord): Promise<boolean>;
  /**
   * The client, and the grant if it exists, in one query, even if the grant belongs to another client. `partiesAreActive`
   * considers the client only if the grant is its own: another client's grant is of no use to it either way.
   */
  findClientAndGrant(
    clientId: string,
    grantId: string | undefined,
  ): Promise<{ client: Client; grant: Grant | undefined } | undefined>;
  /** Code issued → active. However many calls race, exactly one returns true. */
  consumeCode(consumption: CodeConsumption): Promise<boolean>;
  /** Active → ended. False when it had ended before. */
  endGrant(grantId: string, now: number, event: EventRecord): Promise<boolean>;
  /** The user, client and grant of an access token, in one query; undefined if anything it depends on has ended. */
  findTokenHolder(grantId: string, tokenId: string): Promise<TokenHolder | undefined>;
  revokeAccessToken(tokenId: string, deleteAfter: number, event: EventRecord): Promise<void>;
  noteGrantUses(uses: readonly GrantUse[]): Promise<void>;
  /** The last used first. */
  listConnectedApps(userId: string): Promise<ConnectedApp[]>;
  /** Ends consent, grants and unexchanged codes of this user with this client together. */
  removeConnectedApp(userId: string, clientId: string, now: number, event: EventRecord): Promise<boolean>;
}

export interface Mail {
  /** Queues the email together with the link in it. Nothing is queued when the link's user is gone. */
  queueEmail(mail: Omit<QueuedEmail, 'attempts'>, link?: Link, event?: EventRecord): Promise<void>;
  /** Replaces a request with the email that answers it. False when it was answered before, or the link's user is gone. */
  answerEmailRequest(request: Pick<QueuedEmail, 'id' | 'sealed'>, sealed: string, link?: Link): Promise<boolean>;
  /** Claims emails that are due, exclusively until `claimedUntil`. */
  claimEmails(now: number, claimedUntil: number, limit: number): Promise<QueuedEmail[]>;
  deleteEmail(mailId: string): Promise<void>;
  postponeEmail(mailId: string, nextAttemptAt: number): Promise<void>;
  /** Newest first. */
  listEmails(limit: number): Promise<QueuedEmail[]>;
}

/** Events one by one, and how often things happened: by the hour, and for one client by the day. */
export interface Events {
  appendEvents(events: readonly EventRecord[]): Promise<void>;
  /** Writes events whose count still grows, replacing one with the same ID. */
  replaceEvents(events: readonly EventRecord[]): Promise<void>;
  /** The newest that match, newest first; or the oldest, oldest first. */
  findEvents(filter: EventFilter, limit: number, order?: 'newest' | 'oldest'): Promise<EventRecord[]>;
  addTotals(totals: readonly { hour: number; kind: TotalKind; clientId: string; total: number }[]): Promise<void>;
  sumTotalsByHour(since: number): Promise<{ hour: number; kind: TotalKind; total: number }[]>;
  /** Since the beginning of that day. */
  sumTotalsByClient(since: number): Promise<{ clientId: string; kind: TotalKind; total: number }[]>;
}

export interface ApiKeys {
  /** False if its creator isn't an administrator. */
  createApiKey(key: Omit<ApiKey, 'makerIsAdmin'>, event: EventRecord): Promise<boolean>;
  findApiKey(digest: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  listApiKeys(): Promise<ApiKey[]>;
  /** The keys that a user created. */
  listApiKeysOf(userId: string): Promise<ApiKey[]>;
  revokeApiKey(keyId: string, event: EventRecord): Promise<boolean>;
  noteApiKeyUses(keyIds: readonly string[], now: number): Promise<void>;
}

export type UserOrder = 'created' | 'name' | 'last_sign_in';
export type ClientOrder = 'created' | 'name';

/** Lists a page at a time. */
export interface Search {
  pageUsers(query: PageQuery<UserOrder>): Promise<Page<ListedUser>>;
  pageClients(query: PageQuery<ClientOrder>): Promise<Page<Client>>;
  findListedUser(userId: string): Promise<ListedUser | undefined>;
  /** Indexes again some users and clients of 0.3.0, which were found by fewer words; returns how many it looked at. */
  makeSearchable(limit: number): Promise<number>;
}

/** Failed attempts, by counter and by the minute in which they stop counting. */
export interface Throttling {
  countFailures(counters: readonly string[], sinceBucket: number): Promise<FailureCount[]>;
  /** Counts one more failure on each counter and answers the new counts, other callers' failures included. */
  addFailures(failures: readonly CountedFailure[], sinceBucket: number): Promise<FailureCount[]>;
  takeBackFailures(failures: readonly CountedFailure[]): Promise<void>;
}
