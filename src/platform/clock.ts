// Time behind interfaces, so that tests can pass in clocks of their own.

import { setTimeout } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The one clock that all instances on a store have in common. It takes a trip to the store to read. */
export interface StoreClock {
  /** Milliseconds since the epoch. */
  now(): Promise<number>;
}

/** Measures time that passes, however the clock is set. */
export interface Stopwatch {
  /** Milliseconds since no particular moment. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export const systemStopwatch: Stopwatch = {
  now: () => performance.now(),
  async wait(milliseconds) {
    await setTimeout(milliseconds);
  },
};
