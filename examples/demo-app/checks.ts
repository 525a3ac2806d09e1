// A check that a client makes, with what it looked at, so that the inspector can show it with a tick or a cross.

import { timingSafeEqual } from 'node:crypto';

export interface Check {
  readonly name: string;
  /** What has to hold, as the end of a sentence that begins with the name. */
  readonly rule: string;
  readonly ok: boolean;
  /** The values that were looked at. */
  readonly detail: string;
}

export function equal(name: string, rule: string, found: unknown, expected: string): Check {
  const ok = typeof found === 'string' && same(Buffer.from(found), Buffer.from(expected));
  return { name, rule, ok, detail: ok ? expected : `${shown(found)} instead of ${expected}` };
}

/** Bounded: what a check looks at comes from outside. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300);
}

/** In the same time wherever they differ: some of what is compared is a secret of one browser. */
function same(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
