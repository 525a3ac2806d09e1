// Links in emails and from administrators, and codes by email: what each lets its holder do, and what is stored with it.

import type { Actor } from '../protocol/event.ts';

/** What a link lets its holder do, once. Most are sent by email; administrators share the others. */
export type LinkPurpose =
  | 'set_up'
  | 'invite'
  | 'sign_up'
  | 'reset_password'
  | 'recover'
  | 'change_email'
  | 'set_up_factor'
  | 'undo_factor';

/**
 * Codes by email are kept among the links. A code for signing in that a known browser asked for isn't replaced by one that any
 * other browser asks for.
 */
export type CodePurpose = 'email_code' | 'known_email_code' | 'proof_code';

export interface Link {
  readonly digest: string;
  readonly purpose: LinkPurpose | CodePurpose;
  readonly userId: string | null;
  readonly data: LinkData;
  readonly expiresAt: number;
}

/** What was known when the link was made. */
export interface LinkData {
  /** The address that the link is about, and the name that an invited user starts with. */
  readonly email?: string;
  readonly name?: string;
  /** Where the user was going. */
  readonly target?: string;
  /** Whether an invitation was emailed or shared. */
  readonly mailed?: 'yes' | 'no';
  /** Who sent the invitation; undefined for the command line. */
  readonly invitedBy?: Actor;
  /** The groups that an invited user joins, by ID, and when their access ends. */
  readonly groups?: readonly string[];
  readonly accountExpiresAt?: number;
  /** An invitation that gives admin access, if the person who sent it still can when it's accepted. */
  readonly admin?: 'yes';
  /** Other roles that an invitation gives, as they're stored (protocol/account/roles.ts). */
  readonly roles?: string;
  /** The ID of the link to sign up with that the user had when they asked for this one. */
  readonly signUpLink?: string;
  /** The second factor that the link undoes. */
  readonly factor?: FactorRef;
  /** That of the user when the link was made, which has to be theirs still. */
  readonly sessionGeneration?: number;
}

/** Identifies a second factor, or a set of recovery codes, by when it was added. */
export type FactorRef =
  | { readonly kind: 'authenticator' | 'recovery_codes'; readonly createdAt: number }
  | { readonly kind: 'passkey'; readonly id: string; readonly createdAt: number };
