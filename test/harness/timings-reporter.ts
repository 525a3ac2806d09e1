// A reporter for Node's test runner that keeps how long each file has taken; with TEST_TIMINGS=write, in test/timings.json, too.
// test/run.ts makes each file a suite named after it.

import { existsSync, writeFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { isReleaseLane } from './lane.ts';
import { keepSeconds, readTimings, timingsFile, updatedTimings } from './timings.ts';

export default async function* keepTimings(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const measured: Record<string, number> = {};
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.nesting !== 0 || !data.name.startsWith('test/')) continue;
    const seconds = Math.round(data.details.duration_ms / 100) / 10;
    measured[data.name] = Math.max(measured[data.name] ?? 0, seconds);
  }
  const lane = isReleaseLane ? 'release' : 'quick';
  keepSeconds(lane, measured);
  if (process.env.TEST_TIMINGS !== 'write') return;
  const timings = updatedTimings(readTimings(), lane, measured, existsSync);
  writeFileSync(timingsFile, `${JSON.stringify(timings, undefined, 2)}\n`);
  yield `Wrote test/timings.json with ${Object.keys(measured).length} files.\n`;
}
