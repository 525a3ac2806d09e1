// In a checkout, a process makes the documents when the first page is read.

import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { openLibrary } from '../../../src/http/docs/library.ts';
import { inReadingOrder } from '../../../src/pages/docs/navigation.ts';

test('one process makes all documents, with the first of them, and nothing is rendered in this one', async () => {
  let started = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'PROCESSWRAP' && started++) }).enable();
  const library = openLibrary();
  await Promise.all([library.documentAt('quickstart'), library.searchIndex(), library.documentAt('')]);
  const names = inReadingOrder(await library.navigation()).map(({ name }) => name);
  assert.ok(names.length > 50);
  for (const name of names) assert.ok((await library.documentAt(name))?.title, name);
  assert.equal(await library.documentAt('decisions/05-replay'), undefined);
  hook.disable();
  assert.equal(started, 1);
});
