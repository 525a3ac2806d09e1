// An account when it's new; whether it can be used now; and the new ones that wait for an administrator's approval: how many, for how long, and
// what can be said to those who are declined.

import { DAY } from '../durations.ts';
import { isPlainText, withoutInvisible } from '../reading/control-characters.ts';
import { noPassword } from '../sign-in/password-policy.ts';

/** An account that begins now, of which nothing is known: without a password, a role or a directory. */
export const newAccount = (now: number) =>
  ({
    givenName: null,
    familyName: null,
    preferredUsername: null,
    picture: null,
    locale: null,
    passwordHash: noPassword,
    adminSince: null,
    disabledAt: null,
    generation: 0,
    sessionGeneration: 0,
    createdAt: now,
    updatedAt: now,
    reviewSince: null,
    breachedSince: null,
    attributes: {},
    expiresAt: null,
    pendingSince: null,
    roles: null,
    managedBy: null,
    externalId: null,
    adoptedAt: null,
    inactiveEnd: null,
    isOwner: false,
    lostFactorAt: null,
  }) as const;

export interface AccountTimes {
  readonly disabledAt: number | null;
  /** Since when a new account waits for approval. It's disabled as well. */
  readonly pendingSince: number | null;
  /** When access ends. Once that has been written, the account is disabled as well. */
  readonly expiresAt: number | null;
}

export type Standing = 'active' | 'waiting' | 'expired' | 'disabled';

export function standingOf({ disabledAt, pendingSince, expiresAt }: AccountTimes, now: number): Standing {
  if (pendingSince !== null) return 'waiting';
  if (expiresAt !== null && expiresAt <= now && (disabledAt === null || disabledAt === expiresAt)) return 'expired';
  return disabledAt === null ? 'active' : 'disabled';
}

/** Why an account is disabled, if it wasn't an administrator or a directory. */
export function disabledReasonOf({ disabledAt, inactiveEnd }: DisabledTimes): 'inactive' | null {
  return disabledAt !== null && disabledAt === inactiveEnd ? 'inactive' : null;
}

export interface DisabledTimes extends Pick<AccountTimes, 'disabledAt'> {
  /** When the account is disabled for not being used, as the person was told, or has been. */
  readonly inactiveEnd: number | null;
}

/** More than anyone looks through: beyond that, the list is being filled on purpose. */
export const mostWaiting = 1000;

/** An undecided request is deleted after this long. */
export const longestWait = 30 * DAY;

/** Administrators get an email about those who wait once in this time. */
export const noticeInterval = DAY;

export const messageLimit = 500;

/** What an administrator has typed, as it's sent. */
export function cleanMessage(given: string): string {
  return withoutInvisible(given.replaceAll(/\r\n?/g, '\n')).trim();
}

/** Completes a sentence that starts with "the message". It can have several lines. */
export function messageProblem(message: string): string | undefined {
  if ([...message].length > messageLimit) return `must have at most ${messageLimit} characters`;
  return isPlainText(message.replaceAll('\n', ' ')) ? undefined : 'has characters that are not allowed';
}
