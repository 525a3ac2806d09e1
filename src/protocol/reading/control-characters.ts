// What text from outside must not hold: characters that end a line, a header or a string, or fake one in a log.

const controlCharacter = /[\u0000-\u001f\u007f]/;

export function hasControlCharacters(text: string): boolean {
  return controlCharacter.test(text);
}
