// Nothing that could sign in a client's name stays in memory: this looks at all of a process's memory, as an attacker would
// who can read it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('no pad of a text that has signed is left in memory', { skip: !existsSync('/proc/self/mem') }, () => {
  // In a process of its own: that of the other tests has many times the memory, and all of it would be searched.
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'signs-and-searches-memory.ts')]);
  const { innerPad, outerPad, present } = JSON.parse(output.toString());
  assert.equal(innerPad, 0, 'the inner pad');
  assert.equal(outerPad, 0, 'the outer pad');
  assert.ok(present > 0, 'the search finds what is there');
});
