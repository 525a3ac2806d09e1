// Part of the storage contract (storage.ts): the identity providers that people sign in with instead of a password, and the
// identities that they have there.

import type { EventRecord } from '../../protocol/event.ts';
import type { ReadOf } from '../../protocol/resources/resource.ts';
import type { storedUpstreamFields, UpstreamValues } from '../../protocol/resources/upstream.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import type { Logo, NewSession, Session, User } from '../records.ts';
import type { SessionCondition, SessionStart } from '../sessions.ts';

export interface Upstream extends UpstreamValues {
  readonly sealedSecret: string;
  readonly metadata: UpstreamMetadata;
  /** Changes whenever the icon does; null without one. */
  readonly iconVersion: string | null;
}

/** Only given fields change. A null icon removes it. */
export interface UpstreamChange
  extends Partial<Pick<Upstream, 'sealedSecret' | 'metadata'> & Omit<ReadOf<typeof storedUpstreamFields>, 'secret'>> {}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly userId: string;
  /** The latest email address from the identity provider. It's only shown, for people to recognize the identity. */
  readonly email: string | null;
  readonly linkedAt: number;
  readonly lastUsedAt: number | null;
}

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>;

/** An identity that somebody has just signed in with, and the email address from the identity provider. */
export type UsedIdentityKey = Pick<Identity, 'issuer' | 'subject' | 'email'>;

/** How many people have an identity at an upstream, and how many of them have no other way to sign in. */
export interface UpstreamPeople {
  readonly all: number;
  readonly withoutOtherWay: number;
}

export interface Upstreams {
  /** False if the limit is reached. A name or issuer that is taken is a StorageConflict. */
  createUpstream(upstream: Upstream, icon: Logo | undefined, limit: number, event: EventRecord): Promise<boolean>;
  findUpstream(name: string): Promise<Upstream | undefined>;
  /** Oldest first. */
  listUpstreams(): Promise<Upstream[]>;
  /** False if there's no such upstream, or it was changed after `updatedAt`. */
  changeUpstream(
    basis: Pick<Upstream, 'name' | 'updatedAt'>,
    change: UpstreamChange,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** Nobody can sign in with it; its identities are kept. False if it's unknown or disabled already. */
  disableUpstream(name: string, now: number, event: EventRecord): Promise<boolean>;
  enableUpstream(name: string, now: number, event: EventRecord): Promise<boolean>;
  /** Also deletes its identities; no client and no setting sends people there any more. */
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
   * Creates the user with their identity and, if given, session. False if the identity is taken, or the upstream is gone or
   * disabled; a taken email address is a StorageConflict.
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
   * Links the identity to the session's user. False if the identity is taken, the user has reached the limit, the upstream
   * is gone or disabled, the session has ended, or its user has changed their password meanwhile.
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
