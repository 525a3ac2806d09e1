// When access ends that an administrator gives for some time, as they have written it.

import { DAY } from '../../protocol/durations.ts';
import { endRule, readEnd } from '../../protocol/ends.ts';
import type { Services } from '../services.ts';
import { type Refused, refused } from './outcome.ts';

/** A time, a date or days from now; null for never. */
export type WrittenEnd = string | null;

/** "Ending soon" means within so many days, wherever lists can be limited to it. */
export const endingSoonDays = 30;

/** In milliseconds; null for never, and undefined if nothing was said. */
export function readWrittenEnd(
  { clock }: Pick<Services, 'clock'>,
  written: WrittenEnd | undefined,
): { readonly kind: 'read'; readonly expiresAt: number | null | undefined } | Refused {
  if (written === undefined || written === null) return { kind: 'read', expiresAt: written };
  const end = typeof written === 'string' ? readEnd(written, clock.now()) : { problem: endRule };
  if (typeof end === 'number') return { kind: 'read', expiresAt: end };
  return refused({ field: 'expires_at', says: `the end ${end.problem}` });
}

/** From now until what counts as soon. */
export function endingSoon({ clock }: Pick<Services, 'clock'>) {
  const now = clock.now();
  return { after: now, until: now + endingSoonDays * DAY };
}
