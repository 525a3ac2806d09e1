// Whether a request or a command has already changed something. If it loses the store after that, it must not say that nothing
// was changed.

import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ made: boolean }>();

export function trackChanges<Result>(work: () => Result): Result {
  return current.run({ made: false }, work);
}

/** What an event records has been stored. Counting an attempt, for example, is no change to anybody. */
export function noteChange(): void {
  const changes = current.getStore();
  if (changes !== undefined) changes.made = true;
}

export function hasChanged(): boolean {
  return current.getStore()?.made === true;
}
