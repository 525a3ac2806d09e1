// What API keys and SCIM tokens have in common: how long they work, and how to tell them apart.

import type { EventDetail } from '../event.ts';
import { number, shown, time } from './field.ts';

const longest = 3650;

/** Of a new one. `what` begins a sentence, such as "an API key". */
export function daysOf(what: string) {
  return number({
    description: 'How many days it works.',
    least: 1,
    most: longest,
    nullable: true,
    settable: 'create',
    rule: `${what} can be valid for 1 to ${longest} days`,
    option: { value: 'N', about: 'days until it expires; default: it never expires' },
  });
}

export const lastFourDescription = 'Its last four characters; null for one from before they were kept.';

/** What events say about a secret. */
export function lastFourDetail(secret: { readonly lastFour: string | null } | undefined): EventDetail {
  return secret === undefined || secret.lastFour === null ? {} : { last_four: secret.lastFour };
}

export const secretLife = {
  last_four: shown<string | null>({ kind: 'text', description: lastFourDescription, nullable: true }),
  created_at: time(),
  expires_at: time({ nullable: true }),
  last_used_at: time({ nullable: true }),
};
