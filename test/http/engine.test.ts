// The suites of this folder run on every engine. This one holds them to the engine that they are told to run on.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestService } from '../harness/service.ts';

test('the test service stores its data in the engine under test', async () => {
  const service = await startTestService();
  try {
    const user = await service.newUser();
    assert.deepEqual(
      (await service.rows('users')).map(({ id }) => id),
      [user.id],
    );
    const isEmbedded = process.env.TEST_ENGINE !== 'postgres';
    assert.equal(existsSync(join(service.dataDir, 'latchkey.db')), isEmbedded);
  } finally {
    await service.stop();
  }
});
