// One check that a client makes, together with the values it compared, so that the inspector can show it.

import { timingSafeEqual } from 'node:crypto';

export interface Check {
  readonly name: string;
  /** The rest of a sentence that starts with the name. */
  readonly rule: string;
  readonly ok: boolean;
  /** The values that were compared. */
  readonly detail: string;
}

export function equal(name: string, rule: string, found: unknown, expected: string): Check {
  const ok = typeof found === 'string' && same(Buffer.from(found), Buffer.from(expected));
  return { name, rule, ok, detail: ok ? expected : `${shown(found)} instead of ${expected}` };
}

/** Bounded, because the value comes from outside. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300);
}

/** In constant time: some of the compared values are secrets of one browser. */
function same(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
