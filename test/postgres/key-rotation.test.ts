// A rotation of the service's keys on three instances, while requests keep coming, loses none of them.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { releaseTest } from '../harness/lane.ts';
import { removeSharedPostgres } from '../harness/postgres.ts';
import { type KeySource, rotateUnderLoad } from '../harness/rotation-under-load.ts';

after(removeSharedPostgres);

const sources: readonly [KeySource, string][] = [
  ['environment', 'in a rolling restart with another LATCHKEY_KEYS'],
  ['shared file', 'with "keys rotate" and a key file that all instances read'],
  ['own files', 'with a key file of its own for each instance, one after the other'],
];

for (const [source, how] of sources) {
  releaseTest(`a rotation under load ${how} loses no request`, async (context) => {
    const { tokens, forms, lost, seconds } = await rotateUnderLoad(source);
    context.diagnostic(`${tokens} tokens and ${forms} forms in ${seconds.toFixed(1)} s`);
    assert.deepEqual(lost, []);
    assert.ok(tokens > 20 && forms > 20, `${tokens} tokens and ${forms} forms`);
  });
}
