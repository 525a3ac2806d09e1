// Characters that text from outside must not contain: they could end a header or a string, or forge a line in a log.

const controlCharacter = /[\u0000-\u001f\u007f]/;

export function hasControlCharacters(text: string): boolean {
  return controlCharacter.test(text);
}

/** No control characters and no half of a surrogate pair, which can't be encoded in UTF-8. */
export function isPlainText(text: string): boolean {
  return !hasControlCharacters(text) && text.isWellFormed();
}
