// Cookies of 256 random bits and nothing else, which belong to one host and end with the browser's session.

import type { IncomingMessage } from 'node:http';

export interface CookieKind {
  readonly name: string;
  /** Whether the browser reaches the host over https. */
  readonly secure: boolean;
}

/** Browsers accept the prefix over https only, and then no other host and no plain http can set the cookie. */
function nameOf({ name, secure }: CookieKind): string {
  return secure ? `__Host-${name}` : name;
}

const patterns = new Map<string, RegExp>();

/** Undefined for anything that can't have been set here. */
export function readCookie({ headers }: IncomingMessage, kind: CookieKind): string | undefined {
  const name = nameOf(kind);
  let pattern = patterns.get(name);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|; ?)${name}=([A-Za-z0-9_-]{43})(?:;|$)`);
    patterns.set(name, pattern);
  }
  return pattern.exec(headers.cookie ?? '')?.[1];
}

/** Without an expiry: the browser forgets it when it's closed. */
export function setCookie(kind: CookieKind, value: string): readonly [name: string, value: string] {
  return ['Set-Cookie', `${nameOf(kind)}=${value}; Path=/; HttpOnly; SameSite=Lax${kind.secure ? '; Secure' : ''}`];
}

export function removeCookie(kind: CookieKind): readonly string[] {
  const [name, value] = setCookie(kind, '');
  return [name, `${value}; Max-Age=0`];
}
