// The service's own secrets as an operator writes them, in LATCHKEY_KEYS or the key file: newest first. Decides which
// text is a list of keys; what is derived from them is in keys.ts.

/** At least one key, enforced by the type: an empty list would sign with ''. */
export type KeyList = readonly [newest: string, ...older: string[]];

export const keyListRule =
  'must hold keys of at least 43 base64url characters, newest first, separated by commas or spaces';

export function readKeyList(text: string): KeyList | undefined {
  const keys = text.split(/[\s,]+/).filter(Boolean);
  return isKeyList(keys) ? keys : undefined;
}

export function isKeyList(keys: readonly string[]): keys is KeyList {
  return keys.length > 0 && keys.every((key) => /^[A-Za-z0-9_-]{43,}$/.test(key));
}
