// Waiting for what announces itself nowhere: looks again and again until a condition holds.

import { setTimeout as pause } from 'node:timers/promises';

/** Resolves as soon as the condition holds; rejects with `what` when it still doesn't after some seconds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  seconds = 20,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`not within ${seconds} s: ${typeof what === 'string' ? what : what()}`);
    await pause(15);
  }
}
