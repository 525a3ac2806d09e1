import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Grant,
  judgeExchange,
  judgeRefresh,
  lifetimes,
  type PresentedCode,
  type RefusalReason,
} from '../../../src/protocol/oauth/grant.ts';

const issuedAt = 1_800_000_000_000;
const exchangedAt = issuedAt + 5000;

const issued: Grant = {
  id: '0123456789abcdefghjkmnpqrs',
  userId: 'user1',
  clientId: 'client1',
  scopes: ['openid'],
  redirectUri: 'https://app.example/cb',
  codeChallenge: 'challenge',
  nonce: null,
  sidKey: null,
  authTime: issuedAt - 1000,
  amr: ['pwd'],
  codeDigest: 'code digest',
  codeExpiresAt: issuedAt + 60_000,
  exchangedAt: null,
  refreshDigest: null,
  expiresAt: null,
  endedAt: null,
  lastUsedAt: null,
  partiesAreActive: true,
};
const active: Grant = {
  ...issued,
  exchangedAt,
  refreshDigest: 'refresh digest',
  expiresAt: exchangedAt + 30 * 24 * 3_600_000,
};
const rightCode: PresentedCode = {
  codeDigest: 'code digest',
  clientId: 'client1',
  redirectUri: 'https://app.example/cb',
  challenge: 'challenge',
};

test('the lifetimes are those of the interface', () => {
  assert.equal(lifetimes.code, 60_000);
  assert.equal(lifetimes.accessToken, 900_000);
  assert.equal(lifetimes.refreshToken, 2_592_000_000);
});

describe('exchanges that are accepted', () => {
  const cases = [
    { name: 'a code is exchanged at once', now: issuedAt },
    { name: 'a code is exchanged in its last millisecond', now: issuedAt + 59_999 },
  ];
  for (const c of cases) {
    test(c.name, () => {
      assert.deepEqual(judgeExchange(issued, rightCode, c.now), { kind: 'exchange', grant: issued });
    });
  }
});

describe('exchanges that are refused and leave the grant unchanged', () => {
  const soon = issuedAt + 1000;
  const cases: {
    name: string;
    grant: Grant | undefined;
    presented?: Partial<PresentedCode>;
    now: number;
    reasons: RefusalReason[];
  }[] = [
    { name: 'a code without a grant is unknown', grant: undefined, now: soon, reasons: ['unknown'] },
    {
      name: 'a code with another secret is unknown',
      grant: issued,
      presented: { codeDigest: 'code digesT' },
      now: soon,
      reasons: ['unknown'],
    },
    {
      name: 'a code with a longer digest is unknown',
      grant: issued,
      presented: { codeDigest: 'code digest ' },
      now: soon,
      reasons: ['unknown'],
    },
    {
      name: 'an unknown secret says nothing about the grant',
      grant: { ...active, endedAt: soon },
      presented: { codeDigest: 'x', clientId: 'x' },
      now: exchangedAt + 90_000,
      reasons: ['unknown'],
    },
    {
      name: 'another client is refused',
      grant: issued,
      presented: { clientId: 'client2' },
      now: soon,
      reasons: ['client_mismatch'],
    },
    {
      name: 'another redirect URI is refused',
      grant: issued,
      presented: { redirectUri: 'https://app.example/other' },
      now: soon,
      reasons: ['redirect_uri_mismatch'],
    },
    {
      name: 'a redirect URI with a trailing slash is another one',
      grant: issued,
      presented: { redirectUri: 'https://app.example/cb/' },
      now: soon,
      reasons: ['redirect_uri_mismatch'],
    },
    {
      name: 'a redirect URI in capitals is another one',
      grant: issued,
      presented: { redirectUri: 'https://APP.example/cb' },
      now: soon,
      reasons: ['redirect_uri_mismatch'],
    },
    {
      name: 'a redirect URI with the default port is another one',
      grant: issued,
      presented: { redirectUri: 'https://app.example:443/cb' },
      now: soon,
      reasons: ['redirect_uri_mismatch'],
    },
    {
      name: 'a wrong verifier is refused',
      grant: issued,
      presented: { challenge: 'challengE' },
      now: soon,
      reasons: ['verifier_mismatch'],
    },
    { name: 'a code is expired after exactly 60 seconds', grant: issued, now: issuedAt + 60_000, reasons: ['expired'] },
    { name: 'a code stays expired', grant: issued, now: issuedAt + 3_600_000, reasons: ['expired'] },
    { name: 'an ended grant is refused', grant: { ...issued, endedAt: soon }, now: soon, reasons: ['ended'] },
    {
      name: 'a grant whose person or client was stopped is refused',
      grant: { ...issued, partiesAreActive: false },
      now: soon,
      reasons: ['ended'],
    },
    {
      name: 'every wrong binding is named',
      grant: issued,
      presented: { clientId: 'x', redirectUri: 'x', challenge: 'x' },
      now: soon,
      reasons: ['client_mismatch', 'redirect_uri_mismatch', 'verifier_mismatch'],
    },
    {
      name: 'a wrong verifier on an expired code is named with the expiry',
      grant: issued,
      presented: { challenge: 'x' },
      now: issuedAt + 60_000,
      reasons: ['verifier_mismatch', 'expired'],
    },
    { name: 'a replay at once is only refused', grant: active, now: exchangedAt, reasons: ['replayed'] },
    {
      name: 'a replay after exactly 10 seconds is only refused',
      grant: active,
      now: exchangedAt + 10_000,
      reasons: ['replayed'],
    },
    {
      name: 'a late replay by another client ends nothing',
      grant: active,
      presented: { clientId: 'client2' },
      now: exchangedAt + 20_000,
      reasons: ['client_mismatch', 'replayed'],
    },
    {
      name: 'a late replay with another redirect URI ends nothing',
      grant: active,
      presented: { redirectUri: 'x' },
      now: exchangedAt + 20_000,
      reasons: ['redirect_uri_mismatch', 'replayed'],
    },
    {
      name: 'a late replay with a wrong verifier ends nothing',
      grant: active,
      presented: { challenge: 'x' },
      now: exchangedAt + 20_000,
      reasons: ['verifier_mismatch', 'replayed'],
    },
    {
      name: 'a late replay of an ended grant does not end it again',
      grant: { ...active, endedAt: exchangedAt + 1 },
      now: exchangedAt + 20_000,
      reasons: ['replayed', 'ended'],
    },
    {
      name: 'a late replay of a stopped client does not end the grant',
      grant: { ...active, partiesAreActive: false },
      now: exchangedAt + 20_000,
      reasons: ['replayed', 'ended'],
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const judgement = judgeExchange(c.grant, { ...rightCode, ...c.presented }, c.now);
      assert.deepEqual(judgement, { kind: 'refused', reasons: c.reasons, endGrant: false });
    });
  }
});

describe('replays that end the grant', () => {
  const cases = [
    { name: 'a valid replay a millisecond after 10 seconds ends the grant', now: exchangedAt + 10_001 },
    { name: 'a valid replay after the code has lived 60 seconds ends the grant', now: issuedAt + 60_001 },
    { name: 'a valid replay a day later ends the grant', now: issuedAt + 24 * 3_600_000 },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const judgement = judgeExchange(active, rightCode, c.now);
      assert.deepEqual(judgement, { kind: 'refused', reasons: ['replayed'], endGrant: true });
    });
  }
});

describe('a refresh', () => {
  const right = { refreshDigest: 'refresh digest', clientId: 'client1' };
  const expiry = active.expiresAt as number;

  for (const c of [
    { name: 'a refresh right after the exchange goes ahead', now: exchangedAt },
    { name: 'a refresh in the last millisecond of the 30 days goes ahead', now: expiry - 1 },
  ]) {
    test(c.name, () => assert.deepEqual(judgeRefresh(active, right, c.now), { kind: 'refresh', grant: active }));
  }

  const cases: {
    name: string;
    grant: Grant | undefined;
    presented?: Partial<typeof right>;
    now?: number;
    reason: RefusalReason;
  }[] = [
    { name: 'a token without a grant is unknown', grant: undefined, reason: 'unknown' },
    {
      name: 'a token with another secret is unknown',
      grant: active,
      presented: { refreshDigest: 'refresh digesT' },
      reason: 'unknown',
    },
    {
      name: 'a grant without a refresh token knows none',
      grant: { ...active, refreshDigest: null },
      reason: 'unknown',
    },
    {
      name: 'an empty digest matches no grant without a refresh token',
      grant: { ...active, refreshDigest: null },
      presented: { refreshDigest: '' },
      reason: 'unknown',
    },
    { name: 'a code that was never exchanged refreshes nothing', grant: issued, reason: 'unknown' },
    {
      name: 'another client may not refresh',
      grant: active,
      presented: { clientId: 'client2' },
      reason: 'client_mismatch',
    },
    { name: 'a refresh token is expired after exactly 30 days', grant: active, now: expiry, reason: 'expired' },
    { name: 'a grant without an expiry is not refreshed', grant: { ...active, expiresAt: null }, reason: 'expired' },
    { name: 'an ended grant is not refreshed', grant: { ...active, endedAt: exchangedAt }, reason: 'ended' },
    {
      name: 'a grant whose person or client was stopped is not refreshed',
      grant: { ...active, partiesAreActive: false },
      reason: 'ended',
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const judgement = judgeRefresh(c.grant, { ...right, ...c.presented }, c.now ?? exchangedAt + 1000);
      assert.deepEqual(judgement, { kind: 'refused', reason: c.reason });
    });
  }
});
