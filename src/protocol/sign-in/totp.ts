// One-time codes of authenticator apps (RFC 6238), and the URI that gives an app the secret. Many apps ignore parameters
// and assume the defaults, so the defaults are used: SHA-1, 30 seconds, 6 digits.

import { createHmac } from 'node:crypto';
import { sameText } from '../digest.ts';
import { inFives } from '../identifiers.ts';

const period = 30;
const usualDigits = 6;
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export type TotpAlgorithm = 'sha1' | 'sha256' | 'sha512';

/** The number of the 30-second step at a time in milliseconds. */
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
  // RFC 4226, section 5.3: the low four bits of the last byte are the offset of the 31 bits that make the code.
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The step that the code is for, to be stored as the last one used; undefined when the code is wrong. Clocks differ and
 * people type slowly, so the steps before and after the current one are valid too. Steps up to the last used one are not.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  now: number,
  lastUsedStep: number | null,
): number | undefined {
  const typed = code.replace(/\s/g, '');
  const current = totpStep(now);
  // Newest first: when two steps happen to have the same code, using it uses up both.
  return [current + 1, current, current - 1]
    .filter((step) => step > (lastUsedStep ?? -1))
    .find((step) => sameText(typed, totpCode(secret, step)));
}

/** RFC 4648, section 6, without padding, which authenticator apps do not expect. */
export function base32(bytes: Uint8Array): string {
  return inFives(bytes, base32Alphabet);
}

/** In upper or lower case, with or without padding; people often write it in groups. Undefined if it's anything else. */
export function readBase32(text: string): Uint8Array | undefined {
  const characters = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  const values = [...characters].map((character) => base32Alphabet.indexOf(character));
  // These lengths are no whole number of bytes.
  if (values.includes(-1) || [1, 3, 6].includes(values.length % 8)) return undefined;
  const bytes = Buffer.alloc(Math.floor((values.length * 5) / 8));
  let [held, bits, length] = [0, 0, 0];
  for (const value of values) {
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = held >> bits;
    }
  }
  return bytes;
}

/** The content of the QR code that an authenticator app scans. */
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

/** A colon separates issuer and account, and apps look for it after decoding, so encoding one would not help. */
function withoutColons(name: string): string {
  return name
    .split(':')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
}
