// Whether a person can create an account themselves. It's asked for the page, when an email is requested, and again when the
// account is created: the settings may have changed in between. What an address's domain decides can be told at once,
// because it depends on nothing else that is known about the address.

import type { Settings } from '../resources/settings.ts';
import { emailDomain } from '../upstreams/claims.ts';

export type SignUpVerdict =
  | 'allowed'
  | 'closed'
  /** An email address can't be proved. */
  | 'no_mail'
  | 'link_needed'
  /** Said without the domains, which we don't disclose. */
  | 'other_domain';

export interface SignUpAttempt extends Pick<Settings, 'sign_up' | 'sign_up_domains'> {
  readonly canSendEmail: boolean;
  /** Whether they have a link to sign up with that can be used. */
  readonly hasLink: boolean;
  /** Undefined if it isn't known yet. */
  readonly email?: string | undefined;
}

export function judgeSignUp(attempt: SignUpAttempt): SignUpVerdict {
  const { sign_up: mode, sign_up_domains: domains, canSendEmail, hasLink, email } = attempt;
  if (mode === 'closed') return 'closed';
  if (!canSendEmail) return 'no_mail';
  if (hasLink) return 'allowed';
  if (mode === 'links') return 'link_needed';
  const isElsewhere = mode === 'domains' && email !== undefined && !domains.includes(emailDomain(email));
  return isElsewhere ? 'other_domain' : 'allowed';
}

/** Why a link to sign up with can't be used any more. */
export type SignUpLinkEnd = 'revoked' | 'expired' | 'used_up';

/** Undefined while it can be used. */
export function signUpLinkEnd(
  link: {
    readonly uses: number;
    readonly used: number;
    readonly expiresAt: number;
    readonly revokedAt: number | null;
  },
  now: number,
): SignUpLinkEnd | undefined {
  if (link.revokedAt !== null) return 'revoked';
  if (link.used >= link.uses) return 'used_up';
  return link.expiresAt <= now ? 'expired' : undefined;
}
