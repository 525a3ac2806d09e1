// How a process that serves ends: which signal stops it, and how long it takes at most to finish.

/** Supervisors usually kill a process ten seconds after asking it to stop. */
const stopDeadline = 9000;
/** Milliseconds that requests in flight have at least, when draining takes longer than usual. */
const finishingTime = 4000;

/** What a worker sends to the primary process when it's ready. */
export const workerReady = 'ready';

export type StopSignal = 'SIGTERM' | 'SIGINT';

export interface StopSignals {
  /** The first signal that asks the process to stop. */
  readonly first: Promise<StopSignal>;
  /** The second, of someone who doesn't want to wait. */
  readonly second: Promise<StopSignal>;
}

/** From the call on, signals no longer end the process by themselves. */
export function stopSignals(): StopSignals {
  const first = Promise.withResolvers<StopSignal>();
  const second = Promise.withResolvers<StopSignal>();
  let count = 0;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => (count++ === 0 ? first : second).resolve(name));
  }
  return { first: first.promise, second: second.promise };
}

/** Ends the process at the deadline, whatever isn't finished by then. */
export function exitByDeadline(drainSeconds = 0): void {
  setTimeout(() => process.exit(1), Math.max(stopDeadline, drainSeconds * 1000 + finishingTime)).unref();
}
