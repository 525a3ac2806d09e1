// A reporter for Node's test runner that writes test/timings.json. test/run.ts makes each file a suite named after it.

import { existsSync, writeFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { readTimings, timingsFile, updatedTimings } from './timings.ts';

export default async function* writeTimings(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const milliseconds = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.nesting !== 0 || !data.name.startsWith('test/')) continue;
    // An HTTP suite runs on two engines: what counts is the slower one.
    milliseconds.set(data.name, Math.max(milliseconds.get(data.name) ?? 0, data.details.duration_ms));
  }
  const timings = updatedTimings(readTimings(), milliseconds, existsSync);
  writeFileSync(timingsFile, `${JSON.stringify(timings, undefined, 2)}\n`);
  yield `Wrote test/timings.json with ${milliseconds.size} files.\n`;
}
