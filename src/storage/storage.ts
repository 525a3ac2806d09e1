// What Latchkey keeps, as records and named operations. Each operation is atomic: it happens whole or not at all, and
// once it is answered it survives a crash and is seen by every later call from any process. Nothing is read first and
// written after: a transition states its condition and tells whether it took place.

import type { EventKind, EventRecord, TotalKind } from '../protocol/event.ts';
import type { Person } from '../protocol/oauth/claims.ts';
import type { Grant } from '../protocol/oauth/grant.ts';
import type { Scope } from '../protocol/oauth/scope.ts';
import type { ImageType } from '../protocol/reading/image.ts';
import type { FailureCount } from '../protocol/sign-in/throttle-rules.ts';

export { StorageConflict, StorageUnavailable } from './driver.ts';

export interface User extends Person {
  readonly passwordHash: string;
  readonly adminSince: number | null;
  readonly disabledAt: number | null;
  readonly generation: number;
  readonly createdAt: number;
}

export interface ClientSecret {
  readonly digest: string;
  readonly createdAt: number;
  /** Good to the hour; null when it was never used. */
  readonly usedAt: number | null;
}

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  /** The newest first; at most two; none for public clients. */
  readonly secrets: readonly ClientSecret[];
  /** Changes whenever the logo does; null without one. */
  readonly logoVersion: string | null;
  readonly revokedAt: number | null;
  readonly generation: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Logo {
  readonly version: string;
  readonly contentType: ImageType;
  readonly bytes: Uint8Array;
}

export interface Session {
  readonly digest: string;
  readonly userId: string;
  readonly userGeneration: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly authTime: number;
  readonly amr: readonly string[];
  /** Which authorization request the person has just signed in for, or chosen this account for. */
  readonly answered: string | null;
  /** What the person would call the browser ("Firefox on Linux"), and where it was at the sign-in. */
  readonly device: string | null;
  readonly address: string | null;
}

export interface Profile {
  readonly name: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly locale: string | null;
  /** Unique whatever its case. */
  readonly preferredUsername: string | null;
}

/** What a link lets its holder do, once. Most are sent by mail; an administrator hands over the others. */
export type LinkPurpose = 'set_up' | 'invite' | 'sign_up' | 'reset_password' | 'recover' | 'change_email';

export interface Link {
  readonly digest: string;
  readonly purpose: LinkPurpose;
  readonly userId: string | null;
  /** JSON: what was asked for when the link was sent. */
  readonly detail: string;
  readonly expiresAt: number;
}

export interface QueuedEmail {
  readonly id: string;
  readonly sealed: string;
  readonly createdAt: number;
  readonly attempts: number;
}

export interface Authenticator {
  readonly sealedSecret: string;
  /** The time step of the last code that was accepted. */
  readonly lastStep: number;
}

export interface Passkey {
  readonly id: string;
  readonly userId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** What signing in depends on besides the password. */
export interface SignInFacts {
  /** Whether the person has signed in in this very browser before. */
  readonly knownDevice: boolean;
  readonly authenticator: Authenticator | undefined;
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
}

export interface PasswordChange {
  readonly passwordHash: string;
  /** The hash of the password that was given, which must still be the current one, or the link that this uses up. */
  readonly proof:
    | { readonly kind: 'password'; readonly currentHash: string }
    | { readonly kind: 'link'; readonly digest: string; readonly purpose: 'reset_password' | 'recover' };
  /** The session that the user goes on with; every other one ends. */
  readonly session?: Session;
  /** The browser that stays known; all others are forgotten. */
  readonly keptDevice?: string | undefined;
}

/** A list is read a page at a time; `prefix` is how a word of what is looked for begins, and empty for everything. */
export interface PageQuery {
  readonly prefix: string;
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

/** Where a page has ended, as the store has told it. */
export type PagePosition = readonly [string, string];

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: PagePosition | undefined;
}

export interface EventFilter {
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly kind?: EventKind | undefined;
  readonly requestId?: string | undefined;
  /** Ids begin with their time: these two are a span of time, and where a page has ended. */
  readonly fromId?: string | undefined;
  readonly beforeId?: string | undefined;
}

export interface ApiKey {
  readonly digest: string;
  /** What it is called by: the key itself is shown once. */
  readonly id: string;
  readonly name: string;
  readonly permission: 'read' | 'write';
  /** The administrator; null for the command line. */
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Good to the hour. */
  readonly lastUsedAt: number | null;
  /** A key is worth nothing when the administrator who has made it is none any more. */
  readonly makerStands: boolean;
}

export interface SecretUse {
  readonly clientId: string;
  readonly digest: string;
  readonly at: number;
}

export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}

export interface AuthorizationContext {
  readonly client: Client;
  readonly signedIn: SignedIn | undefined;
  readonly consentedScopes: readonly Scope[] | undefined;
}

export interface ConnectedApp {
  readonly client: Client;
  readonly scopes: readonly Scope[];
  readonly grantedAt: number;
  readonly lastUsedAt: number;
}

/** A grant as it is when its code is issued. */
export interface NewGrant
  extends Omit<Grant, 'exchangedAt' | 'refreshDigest' | 'expiresAt' | 'endedAt' | 'lastUsedAt' | 'partiesStand'> {
  readonly userGeneration: number;
  readonly clientGeneration: number;
}

export interface GrantUse {
  readonly grantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly at: number;
}

export interface Storage {
  // People. An e-mail address and a username belong to one person, whatever their case (StorageConflict otherwise).
  createUser(user: User, event: EventRecord): Promise<void>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  listUsers(): Promise<User[]>;
  /** The newest first; with a prefix, in the order of the words that begin with it. */
  pageUsers(query: PageQuery): Promise<Page<User>>;
  /** Also ends every session of the person; false when there is no such person. */
  setPasswordHash(userId: string, passwordHash: string, now: number, event: EventRecord): Promise<boolean>;
  /** Those who can sign in. */
  countAdministrators(): Promise<number>;
  /** Null takes it away; false when it is so already, the person is disabled, or no administrator would be left. */
  setAdministrator(userId: string, since: number | null, event: EventRecord): Promise<boolean>;
  /** Ends the person's sessions and grants by one row; false when already disabled or unknown, or the last administrator. */
  disableUser(userId: string, now: number, event: EventRecord): Promise<boolean>;
  /** Revives no session and no grant; false when not disabled or unknown. */
  enableUser(userId: string, now: number, event: EventRecord): Promise<boolean>;
  /** False when unknown, or the last administrator. */
  deleteUser(userId: string, event: EventRecord): Promise<boolean>;
  /** How many there are, and how many have signed in, or used an application, since then. */
  countUsers(activeSince: number): Promise<{ all: number; active: number }>;

  // Applications.
  createClient(client: Client, logo: Logo | undefined, event: EventRecord): Promise<void>;
  findClient(clientId: string): Promise<Client | undefined>;
  listClients(): Promise<Client[]>;
  /** As with people. */
  pageClients(query: PageQuery): Promise<Page<Client>>;
  /**
   * Changes what is given and leaves the rest; a null logo removes it. False when there is no such client, or its addresses
   * and type are not what the change was made for.
   */
  updateClient(client: ClientBasis, change: ClientChange, now: number, event: EventRecord): Promise<boolean>;
  /** The new secret works at once, the newest of the earlier ones goes on working, an older one stops. */
  rotateClientSecret(clientId: string, secretDigest: string, now: number, event: EventRecord): Promise<boolean>;
  /** False when there is only one secret. */
  retireOldSecret(clientId: string, now: number, event: EventRecord): Promise<boolean>;
  noteSecretUses(uses: readonly SecretUse[]): Promise<void>;
  /** How many people have let the client in. */
  countConnectedUsers(clientId: string): Promise<number>;
  /** Stops every code, token and consent of the client by one row; false when already revoked or unknown. */
  revokeClient(clientId: string, now: number, event: EventRecord): Promise<boolean>;
  /** Revives no token and no consent; false when not revoked or unknown. */
  restoreClient(clientId: string, now: number, event: EventRecord): Promise<boolean>;
  deleteClient(clientId: string, event: EventRecord): Promise<boolean>;
  findLogo(clientId: string, version: string): Promise<Logo | undefined>;

  // Sessions. A session is found only while its person is as they were when it began.
  /**
   * Starts a session and ends the one that it takes the place of; false when the person was stopped meanwhile, their
   * password is no longer the one that was checked, or it is no longer enough.
   */
  startSession(
    session: Session,
    passwordHash: string,
    replacedDigest: string | undefined,
    /** The browser, which is known for this person from now on. */
    deviceDigest?: string,
    /** Only while the person has no second factor: they may turn one on while a password is being checked. */
    passwordAlone?: boolean,
  ): Promise<boolean>;
  findSession(digest: string): Promise<SignedIn | undefined>;
  endSession(digest: string): Promise<boolean>;
  /** Notes for which authorization request the person has answered, or that it is settled. */
  answerRequest(digest: string, answered: string | null): Promise<boolean>;
  noteSessionsSeen(digests: readonly string[], now: number): Promise<void>;

  // A person's own account.
  /** StorageConflict when the username is another's. */
  changeProfile(userId: string, profile: Profile, now: number, event: EventRecord): Promise<boolean>;
  /** The picture and the address where it is; undefined removes it. */
  setPicture(
    userId: string,
    picture: (Logo & { readonly url: string }) | undefined,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  findPicture(userId: string, version: string): Promise<Logo | undefined>;
  /** By a link that was sent to the new address, which is verified by that. StorageConflict when it is another's. */
  changeEmail(userId: string, email: string, linkDigest: string, now: number, event: EventRecord): Promise<boolean>;
  /**
   * Ends the user's sessions and links, and starts the session that is given. False when the password or the link is not
   * what it was, or the user was stopped meanwhile.
   */
  changePassword(userId: string, change: PasswordChange, now: number, event: EventRecord): Promise<boolean>;
  listSessions(userId: string, seenAfter: number): Promise<Session[]>;
  endOtherSessions(userId: string, keptDigest: string, event: EventRecord): Promise<number>;
  findSignInFacts(userId: string, deviceDigest: string | undefined): Promise<SignInFacts>;
  /** When the person has last signed in in each browser that is known for them. */
  listKnownDevices(userId: string): Promise<number[]>;

  // Links, each of which works once.
  findLink(digest: string, purpose: LinkPurpose, now: number): Promise<Link | undefined>;
  /** Keeps a link that an administrator hands over, in the place of earlier ones; false when the person is disabled. */
  keepLink(link: Link, event: EventRecord): Promise<boolean>;
  /**
   * Creates the person that a link stands for; false when the link was used or has expired, and for a set-up link also
   * when there is an administrator.
   */
  signUp(
    user: User,
    link: { digest: string; purpose: 'sign_up' | 'invite' | 'set_up' },
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** Of any number of calls for one ticket exactly one is answered true. */
  spendTicket(digest: string, expiresAt: number): Promise<boolean>;

  // Mails.
  /** Keeps the mail, and the link that is in it; a person's earlier links for the same purpose are void then. */
  queueEmail(mail: Omit<QueuedEmail, 'attempts'>, link?: Link, event?: EventRecord): Promise<void>;
  /** Takes mails that are due, for this caller alone until `claimedUntil`. */
  claimEmails(now: number, claimedUntil: number, limit: number): Promise<QueuedEmail[]>;
  deleteEmail(mailId: string): Promise<void>;
  postponeEmail(mailId: string, nextAttemptAt: number): Promise<void>;
  /** The newest first. */
  listEmails(limit: number): Promise<QueuedEmail[]>;

  // Second factors. Turning the first one on brings recovery codes; turning the last one off takes them away.
  enableAuthenticator(
    userId: string,
    authenticator: Authenticator,
    recoveryCodes: readonly string[] | undefined,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  removeAuthenticator(userId: string, event: EventRecord): Promise<boolean>;
  /** Authenticator, passkeys and recovery codes together; false when there were none. */
  removeSecondFactors(userId: string, event: EventRecord): Promise<boolean>;
  /** False when a code of this step or a later one was accepted before. */
  acceptAuthenticatorStep(userId: string, step: number): Promise<boolean>;
  replaceRecoveryCodes(userId: string, codeDigests: readonly string[], event: EventRecord): Promise<void>;
  /** Of any number of calls with one code exactly one is answered true. */
  useRecoveryCode(userId: string, codeDigest: string): Promise<boolean>;
  /** `recoveryCodes` only with the first second factor. False when the passkey is registered already. */
  addPasskey(passkey: Passkey, recoveryCodes: readonly string[] | undefined, event: EventRecord): Promise<boolean>;
  removePasskey(userId: string, passkeyId: string, event: EventRecord): Promise<boolean>;
  findPasskey(passkeyId: string): Promise<{ passkey: Passkey; user: User } | undefined>;
  /** False when the key's counter has gone back, or stood still after having counted. */
  notePasskeyUse(passkeyId: string, counter: number, now: number): Promise<boolean>;

  // Authorization.
  /** All that an authorization request is decided by, in one look. */
  findAuthorizationContext(
    clientId: string,
    sessionDigest: string | undefined,
  ): Promise<AuthorizationContext | undefined>;
  /** Issues a code under the consent that is remembered; false when it, the person or the client was stopped meanwhile. */
  issueCode(grant: NewGrant): Promise<boolean>;
  /** Remembers the consent to all of `scopes` and issues the code; false when person or client was stopped meanwhile. */
  approve(grant: NewGrant, scopes: readonly Scope[], now: number, event: EventRecord): Promise<boolean>;

  // Grants.
  /**
   * The client, and the grant if it exists, in one look, whoever the grant belongs to. `partiesStand` looks at the
   * client only when the grant is its own: another's grant is of no use to it either way.
   */
  findClientAndGrant(
    clientId: string,
    grantId: string | undefined,
  ): Promise<{ client: Client; grant: Grant | undefined } | undefined>;
  /** Code issued → active. Of any number of calls for one code exactly one is answered true. */
  consumeCode(consumption: CodeConsumption): Promise<boolean>;
  /** Active → ended. False when it had ended before. */
  endGrant(grantId: string, now: number, event: EventRecord): Promise<boolean>;
  /** The person whom a living access token speaks for, in one look; undefined when anything about it has ended. */
  findTokenHolder(grantId: string, tokenId: string): Promise<TokenHolder | undefined>;
  revokeAccessToken(tokenId: string, deleteAfter: number, event: EventRecord): Promise<void>;
  /** Notes uses of grants for Connected apps. */
  noteGrantUses(uses: readonly GrantUse[]): Promise<void>;

  // Connected apps.
  listConnectedApps(userId: string): Promise<ConnectedApp[]>;
  /** Consent, grants and unexchanged codes of this person with this client: gone together. */
  removeConnectedApp(userId: string, clientId: string, now: number, event: EventRecord): Promise<boolean>;

  // Failed sign-ins, by counter and minute.
  countFailures(counters: readonly string[], sinceBucket: number): Promise<FailureCount[]>;
  /** Counts one more failure on each counter and tells the new counts, other callers' included. */
  addFailures(counters: readonly string[], bucket: number, sinceBucket: number): Promise<FailureCount[]>;
  takeBackFailures(counters: readonly string[], bucket: number): Promise<void>;

  // Events.
  appendEvents(events: readonly EventRecord[]): Promise<void>;
  /** The newest events with an id greater than `afterId`, oldest first. */
  listEvents(afterId: string, limit: number): Promise<EventRecord[]>;

  /** Those that the filter lets through, newest first. */
  findEvents(filter: EventFilter, limit: number): Promise<EventRecord[]>;

  // Totals by the hour, each known by its beginning; those of an application by the day.
  addTotals(totals: readonly { hour: number; kind: TotalKind; clientId: string; total: number }[]): Promise<void>;
  sumTotalsByHour(since: number): Promise<{ hour: number; kind: TotalKind; total: number }[]>;
  /** From the beginning of that day on. */
  sumTotalsByClient(since: number): Promise<{ clientId: string; kind: TotalKind; total: number }[]>;

  // API keys.
  createApiKey(key: Omit<ApiKey, 'makerStands'>, event: EventRecord): Promise<void>;
  findApiKey(digest: string): Promise<ApiKey | undefined>;
  listApiKeys(): Promise<ApiKey[]>;
  endApiKey(keyId: string, event: EventRecord): Promise<boolean>;
  noteApiKeyUses(keyIds: readonly string[], now: number): Promise<void>;

  /** Makes some of those searchable who were there before there was a search; tells how many it looked at. */
  makeSearchable(limit: number): Promise<number>;

  /** Deletes at most `limit` rows of each kind whose time is over; tells how many went. */
  sweep(limits: SweepLimits, limit: number): Promise<number>;

  /** Takes or renews a lease; false while another holder's has not expired. */
  takeLease(name: string, holder: string, now: number, expiresAt: number): Promise<boolean>;

  // What a running service says of itself.
  noteFact(name: 'base_url', value: string): Promise<void>;
  findFact(name: 'base_url'): Promise<string | undefined>;

  /** Answers when the store can be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface TokenHolder {
  readonly user: Person;
  /** What the client may ask for now; less than what the token says when an administrator has taken some away. */
  readonly clientScopes: readonly Scope[];
  readonly lastUsedAt: number | null;
}

/** What a change of a client depends on. */
export type ClientBasis = Pick<Client, 'id' | 'redirectUris' | 'isPublic'>;

export interface ClientChange {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly scopes?: readonly Scope[];
  readonly logo?: Logo | null;
  readonly type?: { readonly kind: 'public' } | { readonly kind: 'confidential'; readonly secretDigest: string };
}

export interface CodeConsumption {
  readonly grantId: string;
  readonly codeDigest: string;
  readonly now: number;
  readonly refreshDigest: string | null;
  readonly expiresAt: number;
  readonly deleteAfter: number;
}

export interface SweepLimits {
  readonly now: number;
  readonly sessionsSeenBefore: number;
  readonly failuresBefore: number;
  readonly eventsBefore: string;
  readonly devicesSeenBefore: number;
  readonly mailsBefore: number;
  readonly totalsBefore: number;
}
