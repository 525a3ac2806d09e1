// What lists of people and entries show as ending soon.

import { DAY } from '../../protocol/durations.ts';
import type { Services } from '../services.ts';

/** "Ending soon" means within so many days, wherever lists can be limited to it. */
export const endingSoonDays = 30;

/** From now until what counts as soon. */
export function endingSoon({ clock }: Pick<Services, 'clock'>) {
  const now = clock.now();
  return { after: now, until: now + endingSoonDays * DAY };
}
