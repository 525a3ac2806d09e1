// The headers that tell an application who it is.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountOf, identityHeaders, trustedClaims } from '../../src/gate/identity.ts';

const bytes = (text: string) => Buffer.from(text).toString('latin1');

describe('the value of an identity header', () => {
  for (const [claim, value] of [
    ['Grace Hopper', 'Grace Hopper'],
    ['Hopper, Grace 100%', 'Hopper, Grace 100%'],
    ['Żółć 木', bytes('Żółć 木')],
    ['a\r\nX-Admin: yes\0\t\u0085b', 'aX-Admin: yesb'],
    ['  padded ', 'padded'],
    ['\ud800half', bytes('\ufffdhalf')],
    [['Staff', 'Board'], 'Staff,Board'],
    [['R&D, Berlin', '100%', 'Größe'], bytes('R&D%2C Berlin,100%25,Größe')],
    [['a', 7, null, {}, '', 'b'], 'a,7,b'],
    [[], ''],
    [true, 'true'],
    [12, '12'],
    [null, ''],
    [undefined, ''],
    [{ a: 1 }, ''],
  ] as const) {
    test(JSON.stringify(claim) ?? 'undefined', () => {
      assert.deepEqual(identityHeaders({ 'Remote-X': 'x' }, { x: claim }), ['Remote-X', value]);
    });
  }
});

test('every header is there, in order, and only claims of the object itself count', () => {
  const headers = { 'Remote-User': 'sub', 'Remote-Email': 'email', 'Remote-Odd': 'constructor' };
  assert.deepEqual(identityHeaders(headers, { sub: 'a' }), ['Remote-User', 'a', 'Remote-Email', '', 'Remote-Odd', '']);
});

test('an email address counts only if it is verified', () => {
  const claims = { sub: 'a', email: 'a@example.test' };
  assert.deepEqual(trustedClaims({ ...claims, email_verified: true }), { ...claims, email_verified: true });
  for (const email_verified of [false, 'true', 1, undefined]) {
    assert.equal('email' in trustedClaims({ ...claims, email_verified }), false, String(email_verified));
  }
});

test('an account is shown by its email address, name or subject', () => {
  assert.equal(accountOf({ sub: 's', name: 'n', email: 'e' }), 'e');
  assert.equal(accountOf({ sub: 's', name: 'n', email: '' }), 'n');
  assert.equal(accountOf({ sub: 's' }), 's');
});
