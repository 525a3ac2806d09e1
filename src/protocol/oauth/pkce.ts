// PKCE (RFC 7636) with S256, the only method that is supported.

import { hash } from 'node:crypto';

const challengeForm = /^[A-Za-z0-9_-]{43}$/;
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

export function isChallenge(value: string): boolean {
  return challengeForm.test(value);
}

export function isVerifier(value: string): boolean {
  return verifierForm.test(value);
}

export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}
