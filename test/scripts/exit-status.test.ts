// A test run that fails must say so to whoever started it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { firstUntilRelease } from '../harness/lane.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-exit-status-'));
after(() => rmSync(folder, { recursive: true }));

for (const [outcome, body, status] of firstUntilRelease([
  ['fails', `throw new Error('on purpose')`, 1],
  ['passes', '', 0],
])) {
  test(`the exit status is ${status} when a test ${outcome}`, () => {
    const file = join(folder, `${outcome}.test.mjs`);
    writeFileSync(file, `import test from 'node:test';\ntest('it ${outcome}', () => { ${body} });\n`);
    // In a test, Node's test runner would not start another one.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const script = fileURLToPath(new URL('../run.ts', import.meta.url));
    const run = spawnSync(process.execPath, [script, file], {
      encoding: 'utf8',
      env: { ...env, TEST_ENGINE: 'sqlite' },
    });
    assert.equal(run.status, status, run.stdout + run.stderr);
    assert.match(run.stdout, new RegExp(`it ${outcome}`));
  });
}
