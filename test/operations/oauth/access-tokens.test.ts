import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessTokens } from '../../../src/operations/in-memory/access-tokens.ts';
import { issueAccessToken } from '../../../src/protocol/oauth/tokens.ts';

const key = Buffer.alloc(32, 7);
const keys = [key];
const otherKeys = [Buffer.alloc(32, 8)];
const issuer = 'https://id.example';
const subject = { issuer, grantId: 'g', userId: 'u', clientId: 'c' };
const token = (id: string) => issueAccessToken(subject, ['openid'], id, key, 1_000_000);

test('a genuine token reads the same the first time and every time after', () => {
  const tokens = new AccessTokens(issuer, () => keys);
  const first = tokens.read(token('a'), 0);
  assert.equal(first?.tokenId, 'a');
  assert.deepEqual(tokens.read(token('a'), 0), first);
});

test('a token that differs from a known one in a single character is not genuine', () => {
  const tokens = new AccessTokens(issuer, () => keys);
  const known = token('a');
  tokens.read(known, 0);
  const forged = known.slice(0, -2) + (known.at(-2) === 'A' ? 'B' : 'A') + known.at(-1);
  assert.equal(tokens.read(forged, 0), undefined);
  assert.equal(tokens.read(`${known}A`, 0), undefined);
});

test('a token signed with another key is never remembered', () => {
  const tokens = new AccessTokens(issuer, () => otherKeys);
  assert.equal(tokens.read(token('a'), 0), undefined);
  assert.equal(tokens.read(token('a'), 0), undefined);
});

test("tokens beyond the cache's size are verified again, not refused", () => {
  const tokens = new AccessTokens(issuer, () => keys);
  for (let count = 0; count < 9000; count++) tokens.read(token(String(count)), 0);
  for (let count = 0; count < 9000; count++) assert.equal(tokens.read(token(String(count)), 0)?.tokenId, String(count));
});

test("a cached token isn't genuine once its key is gone", () => {
  let current = keys;
  const tokens = new AccessTokens(issuer, () => current);
  assert.equal(tokens.read(token('a'), 0)?.tokenId, 'a');
  current = otherKeys;
  assert.equal(tokens.read(token('a'), 0), undefined);
  current = [...otherKeys, ...keys];
  assert.equal(tokens.read(token('a'), 0)?.tokenId, 'a');
});

test('an expected token reads the same as a verified one', () => {
  const tokens = new AccessTokens(issuer, () => keys);
  const issued = issueAccessToken(subject, ['openid', 'email'], 'a', key, 1_234_567);
  tokens.expect(issued, { ...subject, scopes: ['openid', 'email'], tokenId: 'a' }, key, 1_234_567);
  assert.deepEqual(tokens.read(issued, 0), new AccessTokens(issuer, () => keys).read(issued, 0));
  assert.equal(tokens.read(issued, 0)?.tokenId, 'a');
});

test("a token is refused, expected or not, if its key doesn't verify", () => {
  const tokens = new AccessTokens(issuer, () => otherKeys);
  tokens.expect(token('a'), { ...subject, scopes: ['openid'], tokenId: 'a' }, key, 1_000_000);
  assert.equal(tokens.read(token('a'), 0), undefined);
});
