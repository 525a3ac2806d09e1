import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hmacFromStates, hmacStatesOf } from '../../src/protocol/resumable-hmac.ts';

const expected = (key: string, message: string) => createHmac('sha256', key).update(message).digest('base64url');

test('two states sign like the key, for keys and messages around the borders of blocks', () => {
  const around = [0, 1, 31, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 300];
  for (const keyLength of around) {
    // One character is one byte.
    const key = randomBytes(keyLength).toString('hex').slice(0, keyLength);
    const states = hmacStatesOf(key);
    for (const length of around) {
      const message = randomBytes(length).toString('hex').slice(0, length);
      assert.equal(hmacFromStates(states, message), expected(key, message), `${keyLength} and ${length}`);
    }
  }
});

test('random keys and messages, with text beyond ASCII', () => {
  for (let round = 0; round < 500; round++) {
    const [size = 0, length = 0] = randomBytes(2);
    const key = `${randomBytes(size).toString('latin1')}ключ🔑`;
    const message = `${randomBytes(length * 4).toString('latin1')}文`;
    assert.equal(hmacFromStates(hmacStatesOf(key), message), expected(key, message));
  }
});

test('the vectors of RFC 4231', () => {
  // Test cases 2 and 6: a short key, and one that is longer than a block.
  const short = hmacFromStates(hmacStatesOf('Jefe'), 'what do ya want for nothing?');
  assert.equal(
    Buffer.from(short, 'base64url').toString('hex'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('states have 64 bytes, and nothing else is accepted as such', () => {
  const states = hmacStatesOf('lk_secret_x');
  assert.equal(Buffer.from(states, 'base64url').length, 64);
  assert.throws(() => hmacFromStates(states.slice(0, 40), 'x'), /64 bytes/);
});
