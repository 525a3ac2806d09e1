// What a real service answers while it's killed, recorded and checked; and the same of services that are broken on purpose.
// `npm run histories` does it at length, and on PostgreSQL as well.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shrunk } from '../../histories/checker.ts';
import { defects, startBroken } from '../../histories/defects.ts';
import { startEmbedded } from '../../histories/embedded.ts';
import { described } from '../../histories/report.ts';
import { peopleFor, run } from '../../histories/run.ts';
import type { System } from '../../histories/system.ts';

const operations = 600;
/** The most that it may take until a defect shows. */
const operationsUntilNoticed = 3000;
const limits = { seed: 21, seconds: 120, say: () => {} };

let system: System;
before(async () => {
  const names = Object.keys(defects);
  system = await startEmbedded(peopleFor(operations) + names.length * peopleFor(operationsUntilNoticed));
});
after(() => system?.[Symbol.asyncDispose]());

test('one order explains all responses of a service that is killed under load', async () => {
  const { 'service killed': kill = assert.fail() } = system.faults;
  const result = await run({ ...system, faults: { kill } }, { ...limits, operations, faults: 1, active: 4 });
  assert.deepEqual(
    result.violations.map((violation) => described(shrunk(violation))),
    [],
  );
  assert.deepEqual(result.unexpected, []);
  assert.deepEqual(result.faults, new Map([['kill', 1]]));
  assert.ok(result.operations >= operations, `${result.operations} operations`);
  assert.ok((result.outcomes.get('done') ?? 0) > operations / 4, 'many of them successful');
});

for (const [name, makeDefect] of Object.entries(defects)) {
  test(`a service that ${name} is noticed`, async () => {
    await using broken = await startBroken(system.instances[0]?.url ?? '', makeDefect());
    const plan = { ...limits, operations: operationsUntilNoticed, faults: 0, untilNoticed: true, active: 2 };
    const result = await run(system, { ...plan, urls: [broken.url] });
    assert.notEqual(result.violations.length, 0, `${result.operations} operations`);
  });
}
