// The mails that operations have sent. What stands in them is written where everything is that people read.

import type { EmailMessage } from '../../platform/mailer.ts';

interface LinkLetter {
  readonly to: string;
  readonly url: string;
}

export interface EmailTemplates {
  /** To finish a sign-up. */
  finishSignUp(letter: LinkLetter): EmailMessage;
  /** Somebody wanted to sign up, or to change their address, to one that has an account. */
  addressHasAccount(letter: LinkLetter): EmailMessage;
  resetPassword(letter: LinkLetter): EmailMessage;
  /** An administrator invites somebody. */
  invitation(letter: LinkLetter): EmailMessage;
  /** Somebody wanted to reset the password of an address that has no account. */
  noAccount(letter: LinkLetter): EmailMessage;
  confirmAddress(letter: LinkLetter): EmailMessage;
  passwordChanged(letter: LinkLetter): EmailMessage;
  /** To the address as it is, when somebody asks for another. */
  addressChangeAsked(letter: { to: string; newAddress: string }): EmailMessage;
  addressChanged(letter: { to: string; newAddress: string }): EmailMessage;
  secondFactorChanged(letter: { to: string; change: SecondFactorChange }): EmailMessage;
  newDevice(letter: { to: string; device: string; at: number; address: string }): EmailMessage;
  accountDeleted(letter: { to: string }): EmailMessage;
}

export type SecondFactorChange =
  | 'authenticator_added'
  | 'authenticator_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_replaced'
  | 'recovery_code_used'
  | 'second_factors_removed';
