// What administrators change about users: pending invitations, and corrections of a name or email address.

import type { Actor, EventRecord } from '../../protocol/event.ts';
import type { ListPart, Page } from '../paging.ts';
import type { User } from '../records.ts';

export interface PendingInvitation {
  /** The digest of its link. */
  readonly id: string;
  readonly email: string;
  /** The account's initial name; empty if none was given. */
  readonly name: string;
  readonly expiresAt: number;
  /** Undefined for the command line, and for invitations from before this was recorded. */
  readonly invitedBy: Actor | undefined;
}

/** A user's name and email address. */
export type UserIdentity = Pick<User, 'name' | 'givenName' | 'familyName' | 'email'>;

export interface UserAdministration {
  /** The newest first. */
  pageInvitations(part: ListPart, now: number): Promise<Page<PendingInvitation>>;
  findInvitation(email: string, now: number): Promise<PendingInvitation | undefined>;
  /** False when there is none. */
  withdrawInvitation(email: string, now: number, event: EventRecord): Promise<boolean>;
  /**
   * A new email address is unverified, and voids the user's links. False if the user is not, or no longer, as in `basis`; a
   * StorageConflict if the address is taken.
   */
  editUser(
    userId: string,
    basis: UserIdentity,
    identity: UserIdentity,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** False if the email address is already verified, or has changed. */
  verifyEmail(userId: string, email: string, now: number, event: EventRecord): Promise<boolean>;
}
