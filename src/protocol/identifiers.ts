// The formats of ids and secrets, and how a code or a refresh token refers to its grant. Random bytes are passed in.

export type RandomBytes = (size: number) => Uint8Array;

/** Without i, l, o and u, which are mistaken for other characters. */
export const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/** 128 random bits in `0-9a-z`, for users, clients and the public ids of sessions. Safe in a command line and a URL. */
export function newId(random: RandomBytes): string {
  return base32(random(16));
}

/** An id that starts with the time in 48 bits, so that rows created together are next to each other in the index. */
export function newTimeOrderedId(now: number, random: RandomBytes): string {
  withTime.writeUIntBE(now, 0, 6);
  withTime.set(random(10), 6);
  return base32(withTime);
}

const withTime = Buffer.alloc(16);

/** The smallest time-ordered ID of this time. */
export function firstIdAt(at: number): string {
  const bounded = Math.min(Math.max(0, Math.floor(at)), 2 ** 48 - 1);
  return newTimeOrderedId(bounded, (size) => new Uint8Array(size));
}

/** 256 random bits, ASCII and URL-safe. The prefix lets people and secret scanners recognize what it is. */
export function newSecret(prefix: string, random: RandomBytes): string {
  return prefix + Buffer.from(random(32)).toString('base64url');
}

/** What tells a secret from others to those who have it. Of 256 bits, the rest is still beyond guessing. */
export function lastFourOf(secret: string): string {
  return secret.slice(-4);
}

export interface GrantCredential {
  readonly grantId: string;
  readonly secret: string;
}

const credentialForm = /^(lkc|lkr)_([0-9a-z]{26})\.([A-Za-z0-9_-]{43})$/;

export function formatCode(credential: GrantCredential): string {
  return `lkc_${credential.grantId}.${credential.secret}`;
}

export function formatRefreshToken(credential: GrantCredential): string {
  return `lkr_${credential.grantId}.${credential.secret}`;
}

export function parseCode(text: string): GrantCredential | undefined {
  return parseCredential('lkc', text);
}

export function parseRefreshToken(text: string): GrantCredential | undefined {
  return parseCredential('lkr', text);
}

function parseCredential(prefix: string, text: string): GrantCredential | undefined {
  const match = credentialForm.exec(text);
  if (match?.[1] !== prefix || match[2] === undefined || match[3] === undefined) return undefined;
  return { grantId: match[2], secret: match[3] };
}

/** 128 bits as 26 characters of five bits, the first of which holds only three. */
function base32(bytes: Uint8Array): string {
  return inFives(bytes, crockford, 2);
}

/** Five bits per character. As many zeros as `leading` come first; the last character is filled up with zeros. */
export function inFives(bytes: Uint8Array, alphabet: string, leading = 0): string {
  // In one piece: adding a character at a time makes a string of strings, which everyone who uses it has to put together.
  const text = Buffer.allocUnsafe(Math.ceil((leading + bytes.length * 8) / 5));
  let length = 0;
  let bits = 0;
  let held = leading;
  for (let index = 0; index < bytes.length; index++) {
    bits = (bits << 8) | (bytes[index] ?? 0);
    held += 8;
    while (held >= 5) {
      held -= 5;
      text[length++] = alphabet.charCodeAt(bits >> held);
      bits &= (1 << held) - 1;
    }
  }
  if (held > 0) text[length] = alphabet.charCodeAt(bits << (5 - held));
  return text.toString('latin1');
}
