// Cursors: where a page of a list starts or ends, as opaque text, and how many items come before it.

import { isUserId } from '../account/names.ts';
import { isPlainText } from '../reading/control-characters.ts';

export type Position = readonly [string, string];

/** A place that is a text, in a list by name. */
export function placeOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** Undefined for the place of another list, and for what we'd never have sent. */
export function textAt(place: string): string | undefined {
  const text = Buffer.from(place, 'hex').toString();
  return isPlainText(text) ? text : undefined;
}

export interface Cursor {
  readonly position: Position;
  readonly direction: 'after' | 'before';
  /** How many items come before the page that begins here, or before the item that the page ends at. */
  readonly count: number;
}

export function formatCursor({ position, direction, count }: Cursor): string {
  const parts = [...position, count, ...(direction === 'before' ? ['before'] : [])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Undefined for text that isn't a cursor of ours. */
export function parseCursor(text: string): Cursor | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(value) || value.length < 2 || value.length > 4) return undefined;
    // 0.3.0 gives out cursors without a count.
    const [place, id, count = 0, direction = 'after'] = value;
    const isPlace = typeof place === 'string' && /^(\d{1,15}|([0-9a-f]{2}){1,400})$/.test(place);
    const isId = typeof id === 'string' && isUserId(id);
    const isCount = Number.isSafeInteger(count) && count >= 0;
    const isDirection = direction === 'before' || (direction === 'after' && value.length < 4);
    return isPlace && isId && isCount && isDirection ? { position: [place, id], direction, count } : undefined;
  } catch {
    return undefined;
  }
}
