// No attack is left out or tried twice, and each says where it comes from.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../harness/command.ts';
import { advisories, cannotApply } from './attack.ts';

const files = globSync('test/hostile/*.test.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

test('each attack is one test, with an advisory', () => {
  const tried = files.flatMap((text) => [...text.matchAll(/^attack\(\s*(\d+),/gm)].map(([, number]) => Number(number)));
  const known = Object.keys(advisories).map(Number);
  assert.deepEqual(
    known,
    Array.from({ length: 64 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    tried.toSorted((one, other) => one - other),
    known,
  );
  for (const source of Object.values(advisories)) assert.match(source, /\d/);
});

test('what of an attack cannot apply is said in a sentence', () => {
  for (const reason of Object.values(cannotApply)) assert.match(reason, /^[A-Z].{20,}\.$/);
});
