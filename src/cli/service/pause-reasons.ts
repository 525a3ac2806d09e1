// Why the sweep is paused, in words.

import type { PauseReason } from '../../protocol/sweep-rules.ts';

/** Worded to follow "because" or a colon. */
export const pauseReasons: Record<PauseReason, string> = {
  clock_jumped: 'the clock was set, and has to be steady for an hour first',
  too_much: 'by this clock, most grants and sessions have expired',
};
