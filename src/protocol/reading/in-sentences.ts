// How words and numbers are written in sentences.

/** What begins a sentence. */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A whole number as English groups it: 10,000. At the start: `toLocaleString` would first load a locale, which takes 20 ms. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
