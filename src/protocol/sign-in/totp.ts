// One-time codes from an authenticator app (RFC 6238), and the address by which the app learns the secret. Many apps
// ignore all parameters but the usual ones, so those are used: SHA-1, 30 seconds, 6 digits.

import { createHmac } from 'node:crypto';
import { sameText } from '../digest.ts';

const period = 30;
const usualDigits = 6;
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export type TotpAlgorithm = 'sha1' | 'sha256' | 'sha512';

/** The number of the 30 seconds that a time in milliseconds falls into. */
export function totpStep(now: number): number {
  return Math.floor(now / (period * 1000));
}

export function totpCode(
  secret: Uint8Array,
  step: number,
  digits = usualDigits,
  algorithm: TotpAlgorithm = 'sha1',
): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, secret).update(counter).digest();
  // RFC 4226, section 5.3: the low half of the last byte says where the 31 bits of the code begin.
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The step whose code this is, to be kept as the last one used, or undefined. Clocks differ and people type slowly, so
 * the steps before and after the current one count too; a step that was used, or is older than one that was, does not.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  now: number,
  lastUsedStep: number | null,
): number | undefined {
  const typed = code.replace(/\s/g, '');
  const current = totpStep(now);
  // The newest comes first: where two steps happen to share a code, using it uses up both.
  return [current + 1, current, current - 1]
    .filter((step) => step > (lastUsedStep ?? -1))
    .find((step) => sameText(typed, totpCode(secret, step)));
}

/** RFC 4648, section 6, without padding: authenticator apps do not expect any. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += base32Alphabet.charAt(pending >> pendingBits);
      pending &= (1 << pendingBits) - 1;
    }
  }
  return pendingBits === 0 ? text : text + base32Alphabet.charAt(pending << (5 - pendingBits));
}

/** What the QR code for an authenticator app holds. */
export function totpUri(entry: { issuer: string; account: string; secret: Uint8Array }): string {
  const issuer = encodeURIComponent(withoutColons(entry.issuer));
  const account = encodeURIComponent(withoutColons(entry.account));
  const parameters = [
    `secret=${base32(entry.secret)}`,
    `issuer=${issuer}`,
    'algorithm=SHA1',
    `digits=${usualDigits}`,
    `period=${period}`,
  ];
  return `otpauth://totp/${issuer}:${account}?${parameters.join('&')}`;
}

/** The colon ends the issuer, and an app looks for it after decoding: encoding one in a name does not hide it. */
function withoutColons(name: string): string {
  return name
    .split(':')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
}
