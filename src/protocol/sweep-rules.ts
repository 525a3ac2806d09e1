// When the clock can be trusted to say what has expired. A wrong clock must not delete what it can't bring back, so a sweep
// after a jump waits until the clock has proven steady, and one that would delete too much waits for an operator.

import { DAY, HOUR } from './durations.ts';

/** A clock and the process's monotonic time further apart than this between two rounds: the clock was set. */
export const jumpTolerance = HOUR;
/** How long the two must agree after a jump. A machine that was suspended looks the same as a clock that was set. */
export const steadyTime = HOUR;
/** Sweeps are a minute apart. After a longer gap, what would be deleted is looked at first. */
export const gapTolerance = DAY;
/** Fewer rows than this are no evidence. */
const fewRows = 10;

export type PauseReason = 'clock_jumped' | 'too_much';

export interface SweepPause {
  readonly since: number;
  readonly reason: PauseReason;
}

/** How many of the newest grants and kept sessions there are, and how many of them a sweep would delete. */
export interface Expiring {
  readonly examined: number;
  readonly due: number;
}

/** Grants live for 30 days and kept sessions for 14 days after their last use: usually few of the newest are due. */
export function isImplausible({ examined, due }: Expiring): boolean {
  return due >= fewRows && due > examined / 2;
}

export interface Moment {
  /** By the clock, in milliseconds. */
  readonly now: number;
  /** Milliseconds that only ever go forward. */
  readonly elapsed: number;
}

/** How far the clock was set between two moments: positive when it was set forward. */
export function clockJump(before: Moment, after: Moment): number {
  return after.now - before.now - (after.elapsed - before.elapsed);
}

/** Whether an operator's word that the clock is right counts for this clock. */
export function isConfirmed(confirmedAt: number | undefined, pause: SweepPause, now: number): boolean {
  return confirmedAt !== undefined && confirmedAt >= pause.since - DAY && Math.abs(now - confirmedAt) <= DAY;
}

export function formatPause(pause: SweepPause | undefined): string {
  return pause === undefined ? '' : JSON.stringify(pause);
}

/** Reads what the service itself has written. */
export function parsePause(text: string | undefined): SweepPause | undefined {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as SweepPause);
}
