// The records that storage keeps and answers with. How they are stored is up to sql/; times are milliseconds since the
// epoch, and a null time means that it has not happened.

import type { AttributePatch, AttributeValues } from '../protocol/account/attribute-values.ts';
import type { OwnerProof } from '../protocol/account/what-ends.ts';
import type { VisibleEvents } from '../protocol/admin/event-subjects.ts';
import type { Actor, EventRecord } from '../protocol/event.ts';
import type { EventKind } from '../protocol/events/kinds.ts';
import type { ApplicationClaim } from '../protocol/oauth/application-claims.ts';
import type { ClaimsSubject } from '../protocol/oauth/claims.ts';
import type { Grant } from '../protocol/oauth/grant.ts';
import type { Scope } from '../protocol/oauth/scope.ts';
import type { Logo } from '../protocol/reading/logo.ts';
import type { ApiKeyValues } from '../protocol/resources/api-key.ts';
import type { ClientValues, clientFields } from '../protocol/resources/client.ts';
import type { ReadOf } from '../protocol/resources/resource.ts';
import type { storedUpstreamFields, UpstreamValues } from '../protocol/resources/upstream.ts';
import type { UpstreamMetadata } from '../protocol/upstreams/metadata.ts';
import type { ClientSecret, NewClientSecret } from './clients/client-secret.ts';
import type { FactorRef } from './link-records.ts';
import type {
  accessRequests,
  attributes,
  authenticators,
  ColumnOf,
  groups,
  identities,
  knownDevices,
  mails,
  passkeys,
  RecordOf,
  sessions,
  signInFailures,
  signUpLinks,
} from './schema.ts';

export type { CodePurpose, FactorRef, Link, LinkData, LinkPurpose } from './link-records.ts';
export type { Logo };

export interface User extends ClaimsSubject {
  /** Empty for a user without a password. */
  readonly passwordHash: string;
  readonly adminSince: number | null;
  readonly disabledAt: number | null;
  /** How often the user has been disabled. Sessions and grants of an earlier generation are void. */
  readonly generation: number;
  /**
   * How often all sessions have ended at once, as `whatEnds` says. A first factor, proof of identity or form from before doesn't count.
   */
  readonly sessionGeneration: number;
  readonly createdAt: number;
  readonly inactiveEnd: number | null;
  /** When the password was reset, until the user has completed the review. */
  readonly reviewSince: number | null;
  /** When the password was first found in a data breach, until it's changed. */
  readonly breachedSince: number | null;
  readonly attributes: AttributeValues;
  /** When access ends; null for never. */
  readonly expiresAt: number | null;
  /** Since when a new account waits for approval, disabled until then. */
  readonly pendingSince: number | null;
  /** Besides being an administrator (protocol/account/roles.ts). */
  readonly roles: string | null;
  /** The directory that created the account or took it over, what it's called there, and when it was taken over. */
  readonly managedBy: string | null;
  readonly externalId: string | null;
  readonly adoptedAt: number | null;
  /** Whether they own an application: directly, or as a member of a group. */
  readonly isOwner: boolean;
  /**
   * When they were imported without the second factor that they had, until they have one: a password alone doesn't sign them in.
   */
  readonly lostFactorAt: number | null;
}

export type Attribute = RecordOf<typeof attributes, Exclude<ColumnOf<typeof attributes>, 'deleted_at' | 'cleared_to'>>;

/** A change of a user's values. It takes place only while the attributes are as they were when it was checked. */
export interface AttributeChange {
  readonly patch: AttributePatch;
  readonly checkedBy: readonly Attribute[];
}

/** The claims that a client has instead, unless it was changed meanwhile. */
export interface ClaimsChange {
  readonly client: Pick<Client, 'id' | 'updatedAt' | 'claims'>;
  readonly claims: Client['claims'];
}

/** What users change about themselves at once. */
export type Profile = Pick<User, 'name' | 'givenName' | 'familyName' | 'locale' | 'preferredUsername'>;

/** A passkey to store, with the digests of the recovery codes that come with it; undefined leaves the user's codes. */
export interface NewPasskey {
  readonly passkey: Passkey;
  readonly codeDigests: readonly string[] | undefined;
}

/** Proof that an account with an unverified email address is its owner's. */
export interface Claim {
  /** About what ends. The first one is the reason why it does. */
  readonly events: readonly [EventRecord, ...EventRecord[]];
  readonly proof: OwnerProof;
  /** Whether the owner looks through what is left. */
  readonly review: boolean;
}

export interface PasswordChange {
  /** Empty for a user who won't have a password any more; `instead` is what they sign in with. */
  readonly passwordHash: string;
  /** The session that it's changed in, which must not have ended, or the link that this uses up. */
  readonly proof:
    | { readonly kind: 'session'; readonly sessionGeneration: number; readonly session?: string }
    | { readonly kind: 'link'; readonly digest: string; readonly purpose: 'reset_password' | 'recover' };
  /** With a link, for an account without a second factor whose email address isn't verified. */
  readonly claim?: Claim | undefined;
  /** The session that the user continues with; all others end. */
  readonly session?: Session;
  /** The browser that stays known; all others are forgotten. */
  readonly keptDevice?: string | undefined;
  /**
   * A passkey that is added, if the user's second factors allow it, or those that they have, of which one could be lost. With
   * a link, `second_factor` and `recovery_code` say that they were proved.
   */
  readonly instead?:
    | (NewPasskey & {
        readonly kind: 'new_passkey';
        readonly condition: Extract<SessionCondition, { kind: 'no_second_factor' | 'second_factor' | 'recovery_code' }>;
      })
    | { readonly kind: 'own_passkeys' };
}

export type Session = RecordOf<typeof sessions>;

/** A session to start, and what starting it changes in the browser that it is for. */
export interface NewSession {
  readonly session: Session;
  /** The session that it replaces, which ends. */
  readonly replacedDigest: string | undefined;
  /** The browser, which is remembered for this user from now on. */
  readonly deviceDigest: string | undefined;
  /** Until when the browser is trusted; undefined leaves that as it is. */
  readonly trustedUntil?: number | undefined;
  readonly event?: EventRecord | undefined;
  /** Replaces the hash of another service that was just checked. */
  readonly replacementHash?: string | undefined;
}

export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}

export type SignUpLink = RecordOf<typeof signUpLinks, Exclude<ColumnOf<typeof signUpLinks>, 'digest'>>;

/** What becomes of a user who is created by a link, besides the account. */
export interface NewMember {
  /** The groups that they join, unless they're deleted. */
  readonly groups: readonly ListedChange[];
  /** The ID of a link to sign up with, whose uses are counted. */
  readonly signUpLink?: string | undefined;
  /** For a user with a role: who invited them. */
  readonly role?: { readonly inviter: Actor | undefined } | undefined;
  /** What they sign in with. */
  readonly passkey?: NewPasskey | undefined;
}

export type AccessRequest = RecordOf<typeof accessRequests, Exclude<ColumnOf<typeof accessRequests>, 'told'>>;

export type QueuedEmail = RecordOf<typeof mails, 'id' | 'sealed' | 'created_at' | 'attempts'>;

export type Authenticator = RecordOf<typeof authenticators, 'sealed_secret' | 'last_step'>;

export type Passkey = RecordOf<typeof passkeys, Exclude<ColumnOf<typeof passkeys>, 'suspended_at'>>;

/** What signing in depends on besides the password. Suspended factors are not among the others. */
export interface SignInFacts {
  /** The digest of the browser's mark for this user; undefined when they have not signed in with it before. */
  readonly knownDevice: string | undefined;
  readonly trustedUntil: number | undefined;
  readonly authenticator: Authenticator | undefined;
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
  readonly suspended: readonly SuspendedFactor[];
}

/** A suspended factor, until the user decides about it. */
export type SuspendedFactor = FactorRef & {
  /** Only passkeys have one. */
  readonly name?: string;
};

/** A grant when its code is issued. */
export interface NewGrant
  extends Omit<Grant, 'exchangedAt' | 'refreshDigest' | 'expiresAt' | 'endedAt' | 'lastUsedAt' | 'partiesAreActive'> {
  readonly userGeneration: number;
  readonly clientGeneration: number;
  /** The session that the code is for. Once it has ended, no code is issued. */
  readonly sessionDigest?: string;
  /** The keys of the client's claims that the user agreed to, with spaces between them; null for none. */
  readonly claims: string | null;
  /** The session by the ID that it keeps, for clients with back-channel logout. */
  readonly sessionId: string | null;
}

export interface CodeConsumption {
  readonly grantId: string;
  readonly codeDigest: string;
  readonly now: number;
  /** Of a new secret, which identifies this exchange; a public client never gets it. */
  readonly refreshDigest: string;
  readonly expiresAt: number;
  readonly deleteAfter: number;
}

export interface GrantUse {
  readonly grantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly at: number;
}

export interface ConnectedApp {
  readonly client: Client;
  readonly scopes: readonly Scope[];
  /** The keys of the client's claims that the user agreed to. */
  readonly claims: string | null;
  readonly grantedAt: number;
  readonly lastUsedAt: number;
}

export interface ApiKey extends ApiKeyValues {
  readonly digest: string;
  /** Instead of a permission, as a person's are stored; null for a key with a permission. */
  readonly roles: string | null;
  /** The administrator who created it; null for the command line. */
  readonly createdBy: string | null;
  /** False once the administrator who created the key no longer is one, which makes the key worthless. */
  readonly makerIsAdmin: boolean;
}

export interface EventFilter {
  /** Only these; all events if undefined. */
  readonly visible?: VisibleEvents | undefined;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly kind?: EventKind | undefined;
  readonly requestId?: string | undefined;
  readonly traceId?: string | undefined;
  /** Any of these. Like `actorId`, it has no index: give what narrows it down. */
  readonly kinds?: readonly EventKind[] | undefined;
  readonly actorId?: string | undefined;
  /** IDs start with their time, so these two are a time range. `beforeId` is also where the next page starts. */
  readonly fromId?: string | undefined;
  readonly beforeId?: string | undefined;
}

export interface CountedFailure extends RecordOf<typeof signInFailures, 'counter'> {
  /** `next` is the minute after that of the last one that counts, or else the first that there can be. */
  readonly bucket: number | 'next';
}

/** What tokens are issued by. */
export type TokenClient = Pick<Client, 'id' | 'isPublic' | 'scopes' | 'revokedAt' | 'backchannelLogoutUri'> & {
  readonly secrets: readonly Omit<ClientSecret, 'lastFour'>[];
};

export interface Client extends Omit<ClientValues, 'claims'> {
  readonly claims: readonly ApplicationClaim[];
  /** Newest first; at most two; none for public clients. */
  readonly secrets: readonly ClientSecret[];
  /** Changes whenever the logo does; null without one. */
  readonly logoVersion: string | null;
  /** How often the client has been revoked. Consents and grants of an earlier generation are void. */
  readonly generation: number;
}

/** What changes; a client that becomes confidential gets a secret. */
export interface ClientChange extends Partial<Omit<ReadOf<typeof clientFields>, 'claims'>> {
  readonly claims?: readonly ApplicationClaim[];
  readonly newSecret?: NewClientSecret;
}

/**
 * What must hold when a session starts. `no_second_factor`: the user may add one while the password is being checked.
 * `second_factor`: they may lose the one that they've just proved. `recovery_code`: starting the session consumes the code,
 * which must be unused. `trusted_device`: the browser with this mark is trusted at that time. `passkey`: the one that they've
 * just used is in force.
 */
export type SessionCondition =
  | { kind: 'no_second_factor' }
  | { kind: 'second_factor' }
  | { kind: 'recovery_code'; digest: string }
  | { kind: 'trusted_device'; digest: string; at: number }
  | { kind: 'passkey'; id: string };

/** A session to start, and what must still be true when it does. */
export interface SessionStart extends Partial<NewSession> {
  readonly session: Session;
  /** Of the user who was checked. */
  readonly sessionGeneration: number;
  readonly condition?: SessionCondition | undefined;
}

/** A session that continues under a new digest, so that a copy of the old secret gains nothing. */
export interface RaisedSession {
  readonly session: Session;
  readonly replacedDigest: string;
}

export type TrustedDevice = RecordOf<typeof knownDevices, 'digest' | 'device' | 'last_seen_at'> & {
  readonly trustedUntil: number;
};

export type Group = RecordOf<typeof groups, Exclude<ColumnOf<typeof groups>, 'name_key' | 'ended_by'>>;

/** Neither protected nor from a directory unless it says so. */
export type NewGroup = Partial<Group> & Pick<Group, 'id' | 'name' | 'createdAt' | 'updatedAt'>;

/** A user or group to add or remove, and the event that's written if that changes anything. */
export interface ListedChange {
  readonly id: string;
  readonly event: EventRecord;
  /** When one that is added ends by itself; null for never. Undefined leaves the end of one that is there as it is. */
  readonly expiresAt?: number | null | undefined;
  /** The change with which an entry began that is over: it begins again as it was, or nothing of the write takes place. */
  readonly restores?: number | undefined;
}

/** A person or a group on a list, and when that ends by itself; null for never. */
export type Listed<Subject> = Subject & { readonly listedUntil: number | null; readonly listedSince: number | null };

/** A person or a group on a list, by its ID. */
export interface ListEntry {
  readonly person?: string | undefined;
  readonly group?: string | undefined;
}

export interface AccessChange {
  readonly access?: { readonly to: Client['access']; readonly event: EventRecord } | undefined;
  readonly allow: ListedSubjects;
  readonly disallow: ListedSubjects;
}

export interface ListedSubjects {
  readonly people: readonly ListedChange[];
  readonly groups: readonly ListedChange[];
}

export interface Upstream extends UpstreamValues {
  readonly sealedSecret: string;
  readonly metadata: UpstreamMetadata;
  /** Changes whenever the icon does; null without one. */
  readonly iconVersion: string | null;
}

/** Only given fields change. A null icon removes it. */
export interface UpstreamChange
  extends Partial<Pick<Upstream, 'sealedSecret' | 'metadata'> & Omit<ReadOf<typeof storedUpstreamFields>, 'secret'>> {}

export type Identity = RecordOf<typeof identities>;

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>;

/** An identity that a person has just signed in with, and the email address from the identity provider. */
export type UsedIdentityKey = Pick<Identity, 'issuer' | 'subject' | 'email'>;
