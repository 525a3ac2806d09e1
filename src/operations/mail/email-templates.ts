// The mails that operations have sent. What stands in them is written where everything is that people read.

import type { Mail } from '../../platform/mailer.ts';

interface LinkLetter {
  readonly to: string;
  readonly url: string;
}

export interface Letters {
  /** To finish a sign-up. */
  finishSignUp(letter: LinkLetter): Mail;
  /** Somebody wanted to sign up, or to change their address, to one that has an account. */
  addressHasAccount(letter: LinkLetter): Mail;
  resetPassword(letter: LinkLetter): Mail;
  /** An administrator invites somebody. */
  invitation(letter: LinkLetter): Mail;
  /** Somebody wanted to reset the password of an address that has no account. */
  noAccount(letter: LinkLetter): Mail;
  confirmAddress(letter: LinkLetter): Mail;
  passwordChanged(letter: LinkLetter): Mail;
  /** To the address as it is, when somebody asks for another. */
  addressChangeAsked(letter: { to: string; newAddress: string }): Mail;
  addressChanged(letter: { to: string; newAddress: string }): Mail;
  secondFactorChanged(letter: { to: string; change: SecondFactorChange }): Mail;
  newDevice(letter: { to: string; device: string; at: number; address: string }): Mail;
  accountDeleted(letter: { to: string }): Mail;
}

export type SecondFactorChange =
  | 'authenticator_added'
  | 'authenticator_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_replaced'
  | 'recovery_code_used'
  | 'second_factors_removed';
