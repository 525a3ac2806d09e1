// The emails that operations send, as an interface: each is a function from its facts to a message. The text itself is in
// pages/mail and pages/messages, with everything else that people read.

import type { EmailMessage } from '../../platform/mailer.ts';
import type { Permission, Role } from '../../protocol/admin/rights.ts';

interface EmailWithLink {
  readonly to: string;
  readonly url: string;
}

interface EmailFromDevice {
  readonly to: string;
  readonly device: string;
  readonly address: string;
}

export interface EmailTemplates {
  finishSignUp(email: EmailWithLink): EmailMessage;
  /** A person asked for a new account, or to change their address, with an address that already has an account. */
  addressHasAccount(email: EmailWithLink): EmailMessage;
  resetPassword(email: EmailWithLink): EmailMessage;
  /** `use` is what the code is for; where it was asked for is in the others. */
  emailCode(email: EmailFromDevice & { code: string; use: 'sign_in' | 'proof' }): EmailMessage;
  /** A person asked for a code who has a second factor, and so doesn't get one. */
  codeNotForYou(email: EmailFromDevice): EmailMessage;
  /** A person asked for a code with an address that has no account. */
  noAccountForCode(email: EmailFromDevice): EmailMessage;
  /** `inviter` is the name of the administrator; undefined for the command line. */
  invitation(email: EmailWithLink & { inviter: string | undefined }): EmailMessage;
  /** An administrator has created the account, and `url` leads to choosing a password. */
  accountCreated(email: EmailWithLink & { inviter: string | undefined }): EmailMessage;
  /** An administrator has changed the person's name, or their email address. */
  profileEdited(email: { to: string; name: string }): EmailMessage;
  emailEdited(email: { to: string; email: string }): EmailMessage;
  /** A person asked to reset the password of an address that has no account. */
  noAccount(email: EmailWithLink): EmailMessage;
  confirmAddress(email: EmailWithLink): EmailMessage;
  passwordChanged(email: EmailWithLink): EmailMessage;
  /** In place of `resetPassword`, for a person who can't have a password. */
  passkeyLink(email: EmailWithLink): EmailMessage;
  /** They sign in with a passkey from now on. */
  accountClaimed(email: EmailWithLink): EmailMessage;
  passwordRemoved(email: EmailWithLink): EmailMessage;
  /** The password with which they signed in is known from breaches of other services. */
  passwordBreached(email: { to: string }): EmailMessage;
  /** To the current address, when a change to another one was requested. */
  addressChangeAsked(email: { to: string; newAddress: string }): EmailMessage;
  addressChanged(email: { to: string; newAddress: string }): EmailMessage;
  /** `url` undoes it; without one, nothing in the email does. */
  factorAdded(email: { to: string; change: SecondFactorAddition; url?: string }): EmailMessage;
  secondFactorChanged(email: { to: string; change: SecondFactorChange }): EmailMessage;
  identityLinked(email: { to: string; label: string }): EmailMessage;
  /** A person knows the password and keeps failing at the second step. */
  wrongCodes(email: { to: string; device: string; at: number; address: string }): EmailMessage;
  /** `left` is how many there are after it. */
  recoveryCodeUsed(email: { to: string; device: string; at: number; address: string; left: number }): EmailMessage;
  newDevice(email: { to: string; device: string; at: number; address: string }): EmailMessage;
  /** To the person who made the key, or to every administrator when it was made on the command line. */
  apiKeyCreated(email: {
    to: string;
    name: string;
    /** Its permission, or its roles. */
    can: readonly (Permission | Role)[];
    expiresAt: number | null;
    fromCommandLine: boolean;
  }): EmailMessage;
  /** An administrator has made the person one as well, taken all roles away, or given the person other ones. */
  adminAccessChanged(email: {
    to: string;
    change: 'given' | 'removed' | 'changed';
    roles: readonly Role[];
  }): EmailMessage;
  /** An administrator has made a link with which the person's password can be set. */
  recoveryLinkMade(email: { to: string }): EmailMessage;
  accountDeleted(email: { to: string }): EmailMessage;
  /** An administrator has approved the account, which was waiting for it. */
  accountApproved(email: { to: string }): EmailMessage;
  /** An administrator has declined to approve it. The message is what they have written, as plain text. */
  accountDeclined(email: { to: string; message: string }): EmailMessage;
  /** To administrators: so many people wait for approval. */
  peopleWaiting(email: { to: string; count: number }): EmailMessage;
  /** Soon, by itself. */
  accessEnds(email: { to: string; ending: readonly ShownEnd[] }): EmailMessage;
  /** To administrators: what ends soon, and how much more that is. */
  accessEndsList(email: { to: string; ending: readonly ShownEnd[]; more: number }): EmailMessage;
  /** To administrators: directories tried to change people with a role, and how often each did. */
  directoryRefused(email: { to: string; refused: readonly { source: string; count: number }[] }): EmailMessage;
}

/** An account, a membership, or a person or group on an application's list. What doesn't apply is empty. */
export interface ShownEnd {
  readonly kind: 'account' | 'membership' | 'person' | 'group';
  readonly person: string;
  readonly group: string;
  readonly application: string;
  readonly at: number;
}

export type SecondFactorAddition = 'authenticator_added' | 'passkey_added' | 'recovery_codes_replaced';

export type SecondFactorChange =
  | 'authenticator_removed'
  | 'passkey_removed'
  | 'all_factors_removed'
  | 'second_factors_removed';
