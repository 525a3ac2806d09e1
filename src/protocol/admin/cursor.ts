// Cursors: where the next page of a list begins, as opaque text.

export type Position = readonly [string, string];

export function formatCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Undefined for text that isn't a cursor of ours. */
export function parseCursor(text: string): Position | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [place, id] = value;
    const isPlace = typeof place === 'string' && /^(\d{1,15}|([0-9a-f]{2}){1,400})$/.test(place);
    return isPlace && typeof id === 'string' && /^[a-z0-9_-]{1,40}$/.test(id) ? [place, id] : undefined;
  } catch {
    return undefined;
  }
}
