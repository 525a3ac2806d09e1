// Who has a password, who can have one, and until when one signs in whose owner shouldn't have it any more. A change of the
// setting takes no password away: it's judged whenever one is set or given. How hashes are made and checked is up to platform/.

import { endOfDay } from '../ends.ts';
import type { Settings } from '../resources/settings.ts';

export type PasswordSettings = Pick<Settings, 'passwords' | 'passwords_until'>;

/** Whether a person can set a password, or get an account with one. */
export function canHavePassword({ passwords }: PasswordSettings, hasRole: boolean): boolean {
  return passwords === 'allowed' || (passwords === 'not_for_administrators' && !hasRole);
}

export type PasswordStanding =
  | { readonly kind: 'allowed' }
  /** It signs in, and its owner is asked to create a passkey. `until` is the last moment; undefined if there is no end. */
  | { readonly kind: 'ending'; readonly until: number | undefined }
  /** It's no way to sign in, and proves nothing. */
  | { readonly kind: 'over' };

/** Of a password that a person has. */
export function passwordStanding(settings: PasswordSettings, hasRole: boolean, now: number): PasswordStanding {
  if (canHavePassword(settings, hasRole)) return { kind: 'allowed' };
  const until = endOfDay(settings.passwords_until);
  return until !== undefined && now > until ? { kind: 'over' } : { kind: 'ending', until };
}

/** Of a person without a password, who signs in with an upstream or a passkey. */
export const noPassword = '';

/** The prefix of a hash of another service. The first sign-in replaces it. */
export const foreignPrefix = 'foreign:';

export function hasPassword(user: { readonly passwordHash: string }): boolean {
  return user.passwordHash !== noPassword;
}

export function isForeignHash(hash: string): boolean {
  return hash.startsWith(foreignPrefix);
}
