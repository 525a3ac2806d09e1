import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { challengeOf, isChallenge, isVerifier } from '../../../src/protocol/oauth/pkce.ts';

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('the challenge matches the example in RFC 7636', () => {
  assert.equal(challengeOf(verifier), challenge);
});

test('the longest verifier has a valid challenge', () => {
  assert.ok(isChallenge(challengeOf('~'.repeat(128))));
});

describe('valid and invalid verifiers', () => {
  const cases = [
    { name: 'the verifier in RFC 7636 is accepted', value: verifier, expected: true },
    { name: 'a verifier of 43 characters is accepted', value: 'a'.repeat(43), expected: true },
    { name: 'a verifier of 128 characters is accepted', value: 'a'.repeat(128), expected: true },
    { name: 'every unreserved character is accepted', value: `AZaz09-._~${'x'.repeat(33)}`, expected: true },
    { name: 'a verifier of 42 characters is refused', value: 'a'.repeat(42), expected: false },
    { name: 'a verifier of 129 characters is refused', value: 'a'.repeat(129), expected: false },
    { name: 'an empty verifier is refused', value: '', expected: false },
    { name: 'a verifier with a space is refused', value: `${'a'.repeat(43)} `, expected: false },
    { name: 'a verifier with a plus sign is refused', value: `${'a'.repeat(43)}+`, expected: false },
    { name: 'a verifier with a slash is refused', value: `${'a'.repeat(43)}/`, expected: false },
    { name: 'a verifier with padding is refused', value: `${'a'.repeat(43)}=`, expected: false },
    { name: 'a verifier with a final line feed is refused', value: `${'a'.repeat(43)}\n`, expected: false },
    { name: 'a verifier outside ASCII is refused', value: `${'a'.repeat(43)}é`, expected: false },
  ];
  for (const c of cases) test(c.name, () => assert.equal(isVerifier(c.value), c.expected));
});

describe('valid and invalid challenges', () => {
  const cases = [
    { name: 'the challenge in RFC 7636 is accepted', value: challenge, expected: true },
    { name: 'a challenge of 42 characters is refused', value: challenge.slice(1), expected: false },
    { name: 'a challenge of 44 characters is refused', value: `${challenge}A`, expected: false },
    { name: 'a challenge with padding is refused', value: `${challenge}=`, expected: false },
    { name: 'padding in place of a character is refused', value: `${challenge.slice(0, 42)}=`, expected: false },
    {
      name: 'a challenge in the alphabet of plain base64 is refused',
      value: `${challenge.slice(0, 42)}+`,
      expected: false,
    },
    {
      name: 'a challenge with a character of verifiers is refused',
      value: `${challenge.slice(0, 42)}~`,
      expected: false,
    },
    { name: 'a challenge with a final line feed is refused', value: `${challenge}\n`, expected: false },
    { name: 'an empty challenge is refused', value: '', expected: false },
  ];
  for (const c of cases) test(c.name, () => assert.equal(isChallenge(c.value), c.expected));
});
