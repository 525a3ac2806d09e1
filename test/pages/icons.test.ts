// Every icon that is loaded is shown somewhere: the set is copied from the library by name, and names are forgotten.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { iconNames } from '../../src/pages/components/icon.ts';

test('each icon is used by a page or a component, not only by the page that lists them', () => {
  const pages = new URL('../../src/pages/', import.meta.url).pathname;
  const sources = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== 'components/icon.ts' && !path.startsWith('dev/'))
    .map((path) => readFileSync(join(pages, path), 'utf8'))
    .join('\n');
  assert.deepEqual(
    iconNames.filter((name) => !sources.includes(`'${name}'`)),
    [],
  );
});
