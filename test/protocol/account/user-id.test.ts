import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUserId } from '../../../src/protocol/account/names.ts';
import { newId } from '../../../src/protocol/identifiers.ts';

test('IDs of this service and of others are accepted', () => {
  const generated = newId((size) => new Uint8Array(size));
  const ids = [
    generated,
    '1',
    'auth0|507f1f77bcf86cd799439020',
    'f:3d6b:ada',
    'ada@example.com',
    '...',
    '-1',
    'A'.repeat(255),
  ];
  for (const id of ids) assert.equal(isUserId(id), true, id);
});

test("IDs that can't be in a URL, a command or a file are refused", () => {
  const texts = ['', '.', '..', 'a b', 'a/b', 'a\n', 'a%7C', 'ä', 'a+b', '{a}', 'A'.repeat(256)];
  for (const text of texts) assert.equal(isUserId(text), false, JSON.stringify(text));
});
