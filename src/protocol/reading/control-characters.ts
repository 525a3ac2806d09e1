// Characters that text from outside must not contain: they could end a header or a string, forge a log line, or control a
// terminal. Besides ASCII's there's a second set, U+0080 to U+009F, which terminals obey too.

const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Characters that show nothing, and marks that break a line or change the direction of the text around them. Joiners aren't
 * among them, because some scripts and emoji need them.
 */
const invisible =
  /[\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0001}]/gu;
const misleading = new RegExp(`${controlCharacter.source}|${invisible.source}`, 'gu');

export function hasControlCharacters(text: string): boolean {
  return controlCharacter.test(text);
}

/** No control characters and no half of a surrogate pair, which can't be encoded in UTF-8. */
export function isPlainText(text: string): boolean {
  return !hasControlCharacters(text) && text.isWellFormed();
}

/** Without what shows nothing. Control characters of ASCII stay: text that has them is refused. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '');
}

export function replaceMisleading(text: string, replacement: (character: string) => string): string {
  return text.replace(misleading, replacement);
}

/** Replaces each misleading character with its JSON escape. */
export function escapeMisleading(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return replaceMisleading(text, (character) => character.split('').map(escaped).join(''));
}
