// What each email is made from. Operations send them by name; the text itself is in pages/mail and pages/languages, with everything
// else that people read.

import type { Permission, Role } from './admin/rights.ts';

export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Makes emails in some language. */
export type EmailTemplates = { readonly [Name in keyof EmailFacts]: (facts: EmailFacts[Name]) => EmailMessage };

interface Addressed {
  readonly to: string;
}

export interface EmailWithLink extends Addressed {
  readonly url: string;
}

export interface EmailFromDevice extends Addressed {
  readonly device: string;
  readonly address: string;
}

interface EmailFacts {
  finishSignUp: EmailWithLink;
  /** A person asked for a new account, or to change their address, with an address that already has an account. */
  addressHasAccount: EmailWithLink;
  resetPassword: EmailWithLink;
  /** `use` is what the code is for; where it was asked for is in the others. */
  emailCode: EmailFromDevice & { code: string; use: 'sign_in' | 'proof' };
  /** A person asked for a code who has a second factor, and so doesn't get one. */
  codeNotForYou: EmailFromDevice;
  /** A person asked for a code with an address that has no account. */
  noAccountForCode: EmailFromDevice;
  /** `inviter` is the name of the administrator; undefined for the command line. */
  invitation: EmailWithLink & { inviter: string | undefined };
  /** An administrator has created the account, and `url` leads to choosing a password. */
  accountCreated: EmailWithLink & { inviter: string | undefined };
  /** An administrator has changed the person's name, or their email address. */
  profileEdited: Addressed & { name: string };
  emailEdited: Addressed & { email: string };
  /** A person asked to reset the password of an address that has no account. */
  noAccount: EmailWithLink;
  confirmAddress: EmailWithLink;
  passwordChanged: EmailWithLink;
  /** In place of `resetPassword`, for a person who can't have a password. */
  passkeyLink: EmailWithLink;
  /** They were imported without their second factor, and have signed in with their password. */
  setUpFactor: EmailWithLink;
  /** They sign in with a passkey from now on. */
  accountClaimed: EmailWithLink;
  passwordRemoved: EmailWithLink;
  /** The password with which they signed in is known from breaches of other services. */
  passwordBreached: Addressed;
  /** To the current address, when a change to another one was requested. */
  addressChangeAsked: Addressed & { newAddress: string };
  addressChanged: Addressed & { newAddress: string };
  /** `url` undoes it; without one, nothing in the email does. */
  factorAdded: Addressed & { change: SecondFactorAddition; url?: string };
  secondFactorChanged: Addressed & { change: SecondFactorChange };
  identityLinked: Addressed & { label: string };
  /** A person knows the password and keeps failing at the second step. */
  wrongCodes: EmailFromDevice & { at: number };
  /** `left` is how many there are after it. */
  recoveryCodeUsed: EmailFromDevice & { at: number; left: number };
  newDevice: EmailFromDevice & { at: number };
  /** To the person who made the key, or to every administrator when it was made on the command line. */
  apiKeyCreated: Addressed & {
    name: string;
    /** Its permission, or its roles. */
    can: readonly (Permission | Role)[];
    expiresAt: number | null;
    fromCommandLine: boolean;
  };
  /** An administrator has made the person one as well, taken all roles away, or given the person other ones. */
  adminAccessChanged: Addressed & {
    change: 'given' | 'removed' | 'changed';
    roles: readonly Role[];
  };
  /** An administrator has made a link with which the person's password can be set. */
  recoveryLinkMade: Addressed;
  accountDeleted: Addressed;
  /** An administrator has approved the account, which was waiting for it. */
  accountApproved: Addressed;
  /** An administrator has declined to approve it. The message is what they have written, as plain text. */
  accountDeclined: Addressed & { message: string };
  /** To administrators: so many people wait for approval. */
  peopleWaiting: Addressed & { count: number };
  /** To those who decide about requests for access: what waits, and how much more that is. */
  accessRequested: Addressed & {
    waiting: readonly { readonly person: string; readonly application: string }[];
    more: number;
  };
  /** Someone decided about the person's request. The URL opens the application; the reason, which can be empty, is plain text. */
  accessRequestAllowed: Addressed & { application: string; url: string | undefined; expiresAt: number | null };
  accessRequestDeclined: Addressed & { application: string; reason: string };
  /** Unless the person uses it by then, the account is disabled. */
  accountInactive: Addressed & { at: number };
  /** Soon, by itself. */
  accessEnds: Addressed & { ending: readonly ShownEnd[] };
  /** To administrators: what ends soon, and how much more that is. */
  accessEndsList: Addressed & { ending: readonly ShownEnd[]; more: number };
  /** To reviewers: a review is due soon, and so many of its items are open. */
  reviewDue: Addressed & { review: string; id: string; at: number; left: number };
  /** To administrators: directories tried to change people with a role, and how often each did. */
  directoryRefused: Addressed & { refused: readonly { source: string; count: number }[] };
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
