// The gate's cookies.

import type { CookieKind } from '../platform/relying-party/cookies.ts';
import type { Place } from './original-request.ts';

const names = { session: 'latchkey_gate', browser: 'latchkey_gate_browser' } as const;

export function cookieAt({ scheme }: Place, kind: keyof typeof names): CookieKind {
  return { name: names[kind], secure: scheme === 'https' };
}
