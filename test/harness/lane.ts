// The two lanes of tests. `npm test` runs the quick one; `npm run test:release`, `npm run coverage` and whoever names a
// file run everything. Which files wait for a release as a whole is in plan.ts.

import { type TestContext, type TestOptions, test } from 'node:test';

export const isReleaseLane = process.env.TEST_LANE !== 'quick';

type Body = (t: TestContext) => void | Promise<void>;

/** A test that `npm test` leaves out. */
export function releaseTest(name: string, ...rest: [Body] | [TestOptions, Body]): void {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
  if (isReleaseLane) test(name, options, body);
}

/** What a rule goes through: all of it in the release lane, the first few in the quick one. */
export function firstUntilRelease<const T>(all: readonly T[], count = 1): readonly T[] {
  return isReleaseLane ? all : all.slice(0, count);
}
