// How a client reads a logout token.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { readLogoutToken } from '../../../src/protocol/oauth/logout-token.ts';

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;
const client = { issuer: 'https://login.example', clientId: 'wiki', secret: 'a secret of the client' };
const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const valid = {
  iss: client.issuer,
  aud: 'wiki',
  sub: 'ada',
  iat: seconds,
  exp: seconds + 120,
  jti: 'x',
  events,
  sid: 's',
};

function signed(claims: object): string {
  const parts = [{ alg: 'HS256', typ: 'logout+jwt' }, claims];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${createHmac('sha256', client.secret).update(input).digest('base64url')}`;
}

describe('a logout token', () => {
  for (const [name, changes, expected] of [
    ['as Latchkey sends it', {}, 's'],
    ['from a clock that is a minute ahead', { iat: seconds + 60, exp: seconds + 180 }, 's'],
    ['a minute late', { iat: seconds - 179, exp: seconds - 59 }, 's'],
    ['from the future', { iat: seconds + 61 }, undefined],
    ['expired', { exp: seconds - 60 }, undefined],
    ['without an end', { exp: undefined }, undefined],
    ['without a beginning', { iat: undefined }, undefined],
    ['of another issuer', { iss: 'https://login.example/' }, undefined],
    ['for another client', { aud: 'blog' }, undefined],
    ['for several clients', { aud: ['wiki', 'blog'] }, undefined],
    ['with a nonce, as ID tokens have', { nonce: 'n' }, undefined],
    ['about nothing', { events: undefined }, undefined],
    ['about something else', { events: { other: {} } }, undefined],
    ['whose events are a text', { events: 'http://schemas.openid.net/event/backchannel-logout' }, undefined],
    ['about no session', { sid: undefined }, undefined],
  ] as const) {
    test(name, () => assert.equal(readLogoutToken(signed({ ...valid, ...changes }), client, now)?.sid, expected));
  }

  test('signed with another secret', () => {
    assert.equal(readLogoutToken(signed(valid), { ...client, secret: 'another' }, now), undefined);
  });
});
