// What all tests of a process share is closed after the last of them. test/run.ts imports this before any suite, so that
// the hook belongs to none of them.

import { after } from 'node:test';

const closings: (() => Promise<unknown>)[] = [];

after(() => Promise.all(closings.map((close) => close())));

export function atEnd(close: () => Promise<unknown>): void {
  closings.push(close);
}
