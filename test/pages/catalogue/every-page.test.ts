// No page is forgotten.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every page in src/pages is tested in this folder', () => {
  const folder = new URL('../../../src/pages/', import.meta.url);
  // The page that shows the components exists for developers alone.
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('dev/'),
  );
  const makers = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^export function (\w+Page)\b/gm)].map(
      ([, maker]) => maker,
    ),
  );
  const suites = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.ts'));
  const here = suites.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('');
  assert.ok(makers.length > 20);
  for (const maker of makers) assert.match(here, new RegExp(`\\b${maker}\\((frame|own)`));
});
