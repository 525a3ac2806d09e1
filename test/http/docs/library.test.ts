// The documents are rendered when they're read, and few of them stay in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLibrary } from '../../../src/http/docs/library.ts';
import { inReadingOrder } from '../../../src/pages/docs/navigation.ts';
import { firstUntilRelease } from '../../harness/lane.ts';

test('a document that was dropped from memory is the same when it is rendered again', async () => {
  const library = openLibrary();
  const all = inReadingOrder(library.navigation()).map(({ name }) => name);
  assert.ok(all.length > 100);
  const names = firstUntilRelease(all, 40);
  const first = new Map<string, object | undefined>();
  for (const name of names) first.set(name, await library.documentAt(name));
  let kept = 0;
  // From the last one on, so that what is still there is found before it's dropped.
  for (const name of names.toReversed()) {
    const again = await library.documentAt(name);
    assert.deepEqual(again, first.get(name), name);
    if (again === first.get(name)) kept++;
  }
  assert.ok(kept > 0 && kept < 20, `${kept} of ${names.length} documents were kept`);
});

test('the page that somebody reads again and again is rendered once', async () => {
  const library = openLibrary();
  const names = inReadingOrder(library.navigation()).map(({ name }) => name);
  const [first = '', ...others] = names;
  const document = await library.documentAt(first);
  for (const name of others.slice(0, 30)) {
    await library.documentAt(name);
    assert.equal(await library.documentAt(first), document);
  }
});
