// What the log says about a sweep that is paused, and why.

import type { FastifyBaseLogger } from 'fastify';
import type { SweepOutcome } from '../../operations/housekeeping/sweep.ts';
import type { PauseReason } from '../../protocol/sweep-rules.ts';

/** Worded to follow "because" or a colon. */
export const pauseReasons: Record<PauseReason, string> = {
  clock_jumped: 'the clock jumped, and has to be steady for an hour first',
  too_much: 'by this clock, most grants and sessions have expired',
};

/** Says when the sweep stops, then once an hour, and when it goes on. */
export function sweepReport(
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  roundsPerHour: number,
): (outcome: SweepOutcome) => void {
  let rounds = 0;
  return (outcome) => {
    if (outcome.kind === 'elsewhere') return;
    if (outcome.kind === 'swept') {
      if (rounds > 0) log.info('deleting expired data again');
      rounds = 0;
    } else if (rounds++ % roundsPerHour === 0) {
      const why = pauseReasons[outcome.pause.reason];
      log.error(
        `expired data isn't being deleted because ${why}. Check the clock; if it's right, run "latchkey sweep --resume".`,
      );
    }
  };
}
