import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, isSystemError, messageOf } from '../../../src/protocol/reading/caught-errors.ts';

test('a caught value has a message, whatever was thrown', () => {
  assert.equal(messageOf(new TypeError('no')), 'no');
  assert.equal(messageOf('no'), 'no');
  assert.equal(messageOf(undefined), 'undefined');
});

test('only an error with a text as its code has one', () => {
  assert.equal(codeOf(Object.assign(new Error('no'), { code: 'ENOENT' })), 'ENOENT');
  assert.equal(codeOf(Object.assign(new Error('no'), { code: 5 })), undefined);
  for (const thrown of [new Error('no'), { code: 'ENOENT' }, 'ENOENT', null, undefined]) {
    assert.equal(codeOf(thrown), undefined);
  }
});

test('an error of the operating system is told from a bug', () => {
  assert.equal(isSystemError(Object.assign(new Error('no'), { code: 'ENOENT', syscall: 'open' })), true);
  for (const thrown of [new TypeError('no'), Object.assign(new Error('no'), { code: 'ENOENT' }), null]) {
    assert.equal(isSystemError(thrown), false);
  }
});
