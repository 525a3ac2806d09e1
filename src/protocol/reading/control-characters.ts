// Characters that text from outside must not contain: they could end a header or a string, forge a log line, or control a
// terminal. Besides ASCII's there's a second set, U+0080 to U+009F, which terminals obey too.

const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** Those, and marks that change the direction of the text around them. */
const misleading = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export function hasControlCharacters(text: string): boolean {
  return controlCharacter.test(text);
}

/** No control characters and no half of a surrogate pair, which can't be encoded in UTF-8. */
export function isPlainText(text: string): boolean {
  return !hasControlCharacters(text) && text.isWellFormed();
}

export function replaceMisleading(text: string, replacement: (character: string) => string): string {
  return text.replace(misleading, replacement);
}

/** Replaces each misleading character with its JSON escape. */
export function escapeMisleading(text: string): string {
  return replaceMisleading(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
