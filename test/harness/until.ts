// Waiting for what announces itself nowhere: looks again and again until a condition holds.

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves as soon as the condition holds; rejects with `what` when it still doesn't after some seconds. They're there to
 * end a test that fails, and long enough for cores that are busy with something else.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  seconds = 60,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`not within ${seconds} s: ${typeof what === 'string' ? what : what()}`);
    await pause(15);
  }
}
