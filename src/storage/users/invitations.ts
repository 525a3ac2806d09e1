// What administrators do for users: pending invitations, and corrections of a name or an email address.

import type { Actor, EventRecord } from '../../protocol/event.ts';
import type { ListPart, Page } from '../paging.ts';
import type { User } from '../records.ts';

export interface PendingInvitation {
  /** The digest of its link. */
  readonly id: string;
  readonly email: string;
  /** The name that the account starts with; empty when none was given. */
  readonly name: string;
  readonly expiresAt: number;
  /** Undefined for the command line, and for invitations from before this was recorded. */
  readonly invitedBy: Actor | undefined;
}

/** What a user goes by. */
export type UserIdentity = Pick<User, 'name' | 'givenName' | 'familyName' | 'email'>;

export interface UserAdministration {
  /** The newest first. */
  pageInvitations(part: ListPart, now: number): Promise<Page<PendingInvitation>>;
  findInvitation(email: string, now: number): Promise<PendingInvitation | undefined>;
  /** False when there is none. */
  withdrawInvitation(email: string, now: number, event: EventRecord): Promise<boolean>;
  /**
   * Another email address is not verified, and ends the user's links. False when the user is not, or no longer, what
   * `basis` says; a StorageConflict when the address is somebody else's.
   */
  editUser(
    userId: string,
    basis: UserIdentity,
    identity: UserIdentity,
    now: number,
    event: EventRecord,
  ): Promise<boolean>;
  /** False when the email address is verified already, or is another one by now. */
  verifyEmail(userId: string, email: string, now: number, event: EventRecord): Promise<boolean>;
}
