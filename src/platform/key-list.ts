// The service's own secrets as an operator writes them, in LATCHKEY_KEYS or the key file: newest first. Decides which
// text is a list of keys, and which keys are too well known to be one; what is derived from them is in keys.ts.

/** At least one key, enforced by the type: an empty list would sign with ''. */
export type KeyList = readonly [newest: string, ...older: string[]];

export const keyListRule =
  'must contain keys of at least 43 base64url characters, newest first, separated by commas or spaces';

/** Shown to people who need a key. */
export const newKeyCommand = `openssl rand -base64 32 | tr '+/' '-_' | tr -d '='`;

/** Keys that were published in this project's files. */
const publishedKeys: readonly string[] = ['2Zq0mYI4iW5v3nR7cT1xLb8sK6dPfGhJoUaEyNtVwQk'];

/** In a random key of 43 characters, any of these is less likely than one in ten million. */
const placeholderText =
  /example|placeholder|password|secret|replace|change[-_]?(me|this)|your[-_]?key|0123456789|abcdefgh/i;

/** A random key of 43 characters has about 31 different ones, and one of hexadecimal digits nearly always 16. */
const fewestDifferentCharacters = 8;

export function readKeyList(text: string): KeyList | undefined {
  const keys = split(text);
  return isKeyList(keys) && !keys.some(isPlaceholder) ? keys : undefined;
}

/** What is wrong with a text that isn't a list of keys, completing a sentence. Never repeats the text. */
export function keyListProblem(text: string): string | undefined {
  const keys = split(text);
  if (!isKeyList(keys)) return keyListRule;
  if (!keys.some(isPlaceholder)) return undefined;
  return `contains an example or placeholder key, which others know; generate your own: ${newKeyCommand}`;
}

export function isKeyList(keys: readonly string[]): keys is KeyList {
  return keys.length > 0 && keys.every((key) => /^[A-Za-z0-9_-]{43,}$/.test(key));
}

function split(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function isPlaceholder(key: string): boolean {
  return publishedKeys.includes(key) || placeholderText.test(key) || new Set(key).size < fewestDifferentCharacters;
}
