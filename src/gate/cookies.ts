// The gate's cookies. Each holds 256 random bits and nothing else.

import type { IncomingMessage } from 'node:http';
import type { Place } from './original-request.ts';

const names = { session: 'latchkey_gate', browser: 'latchkey_gate_browser' } as const;
type Kind = keyof typeof names;

/** Browsers accept the prefix over https only, and then no other host and no plain http can set the cookie. */
function nameOf(kind: Kind, { scheme }: Place): string {
  return scheme === 'https' ? `__Host-${names[kind]}` : names[kind];
}

const patterns = new Map<string, RegExp>();

/** Undefined for anything that the gate can't have set. */
export function readCookie({ headers }: IncomingMessage, kind: Kind, place: Place): string | undefined {
  const name = nameOf(kind, place);
  let pattern = patterns.get(name);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|; ?)${name}=([A-Za-z0-9_-]{43})(?:;|$)`);
    patterns.set(name, pattern);
  }
  return pattern.exec(headers.cookie ?? '')?.[1];
}

/** Without an expiry: the browser forgets it when it's closed. */
export function setCookie(kind: Kind, place: Place, value: string): readonly string[] {
  const secure = place.scheme === 'https' ? '; Secure' : '';
  return ['Set-Cookie', `${nameOf(kind, place)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`];
}

export function removeCookie(kind: Kind, place: Place): readonly string[] {
  const [name = '', value = ''] = setCookie(kind, place, '');
  return [name, `${value}; Max-Age=0`];
}
