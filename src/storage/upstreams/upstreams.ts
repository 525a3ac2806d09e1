// Part of the storage contract (storage.ts): the providers that people sign in with instead of a password, and the
// identities that they have there.

import type { EventRecord } from '../../protocol/event.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import type { Logo, NewSession, Session, User } from '../records.ts';
import type { SessionCondition, SessionStart } from '../sessions.ts';

export interface Upstream {
  /** Part of the address that the provider sends people back to. */
  readonly name: string;
  readonly kind: 'oidc' | 'github';
  /** Together with a subject it is an identity. No two upstreams have the same one, and it never changes. */
  readonly issuer: string;
  readonly clientId: string;
  readonly sealedSecret: string;
  readonly scopes: readonly string[];
  readonly label: string;
  /** Whose people may come; none means everyone's. */
  readonly allowedDomains: readonly string[];
  /** For whose addresses the provider's word that they are verified counts; `*` for all. */
  readonly trustedDomains: readonly string[];
  /** Whether people of the trusted domains are sent there without being asked for a password. */
  readonly routesDomains: boolean;
  readonly createsAccounts: boolean;
  /** The values that mean that the provider has checked two factors. */
  readonly trustedAmr: readonly string[];
  readonly trustedAcr: readonly string[];
  readonly metadata: UpstreamMetadata;
  readonly iconVersion: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly disabledAt: number | null;
}

/** What is given changes. A null icon removes it. */
export interface UpstreamChange
  extends Partial<
    Omit<Upstream, 'name' | 'kind' | 'issuer' | 'iconVersion' | 'createdAt' | 'updatedAt' | 'disabledAt'>
  > {
  readonly icon?: Logo | null;
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly userId: string;
  /** The address that the provider gave last, for people to recognise the identity by. It decides nothing. */
  readonly email: string | null;
  readonly linkedAt: number;
  readonly lastUsedAt: number | null;
}

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>;

/** An identity that somebody has just signed in with, and the address that the provider gave. */
export type UsedIdentityKey = Pick<Identity, 'issuer' | 'subject' | 'email'>;

/** How many people have an identity at an upstream, and how many of them no other way to sign in. */
export interface UpstreamPeople {
  readonly all: number;
  readonly withoutOtherWay: number;
}

export interface Upstreams {
  /** False when there are as many as there may be. A name or issuer that is taken is a StorageConflict. */
  createUpstream(upstream: Upstream, icon: Logo | undefined, limit: number, event: EventRecord): Promise<boolean>;
  findUpstream(name: string): Promise<Upstream | undefined>;
  /** Oldest first. */
  listUpstreams(): Promise<Upstream[]>;
  /** False when there is no such upstream, or it's no longer the one that was last changed at `updatedAt`. */
  changeUpstream(
    basis: Pick<Upstream, 'name' | 'updatedAt'>,
    change: UpstreamChange,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** Nobody gets in with it, and its identities stay. False when unknown or disabled already. */
  disableUpstream(name: string, now: number, event: EventRecord): Promise<boolean>;
  enableUpstream(name: string, now: number, event: EventRecord): Promise<boolean>;
  /** Its identities go with it, and neither a client nor the setting sends people there any more. */
  deleteUpstream(name: string, event: EventRecord): Promise<boolean>;
  findUpstreamIcon(name: string, version: string): Promise<Logo | undefined>;
  countUpstreamPeople(issuer: string): Promise<UpstreamPeople>;
}

/**
 * Ways to sign in are a password, a passkey in force, and identities at upstreams that aren't disabled. An identity is one
 * user's, and is never moved to another.
 */
export interface Identities {
  findIdentity(key: IdentityKey): Promise<{ identity: Identity; user: User } | undefined>;
  /** Oldest first. */
  listIdentities(userId: string): Promise<Identity[]>;
  /**
   * Creates the user together with their identity and, if it's given, session. False when somebody has the identity, or the upstream is
   * gone or disabled; an address that is taken is a StorageConflict.
   */
  createUserWithIdentity(
    user: User,
    identity: Identity,
    start: NewSession | undefined,
    event: EventRecord,
  ): Promise<boolean>;
  /**
   * Starts a session as `startSession` does, and notes the use. False also when the identity is no longer the user's, or
   * the upstream is gone or disabled.
   */
  startSessionWithIdentity(start: SessionStart, used: UsedIdentityKey): Promise<boolean>;
  /**
   * Links the identity to the user of the session. False when somebody has it, the user has as many as they may, the
   * upstream is gone or disabled, the session has ended, or its user has changed their password meanwhile.
   */
  linkIdentity(
    identity: Identity,
    session: Session,
    passwordHash: string,
    limit: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** False when it isn't the user's, or is their last way to sign in. */
  unlinkIdentity(userId: string, key: IdentityKey, event: EventRecord): Promise<boolean>;
  /** Unlinks even the last way to sign in, and ends the user's sessions. False when it isn't the user's. */
  revokeIdentity(userId: string, key: IdentityKey, event: EventRecord): Promise<boolean>;
  /** The same as proveSession, with an identity instead of the password. */
  proveSessionWithIdentity(
    session: Session,
    passwordHash: string,
    now: number,
    used: UsedIdentityKey,
    condition: SessionCondition | undefined,
  ): Promise<boolean>;
}
