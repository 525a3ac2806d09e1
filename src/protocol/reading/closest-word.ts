// Which of the words that there are was meant by one that isn't among them.

/** The word that was probably meant; undefined if none comes close. */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  const bare = (text: string) => text.replace(/^-+/, '').toLowerCase();
  const word = bare(typed);
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = known
    .map((each) => ({ each, far: distance(word, bare(each)) }))
    .filter(({ far }) => far <= most)
    .sort((one, other) => one.far - other.far)[0]?.each;
  // The beginning of exactly one word: --redirect for --redirect-uri.
  const longer = known.filter((each) => word.length >= 3 && bare(each).startsWith(word));
  return near ?? (longer.length === 1 ? longer[0] : undefined);
}

/** How many letters have to be typed, left out, replaced or swapped with the next one to get from one to the other. */
function distance(from: string, to: string): number {
  // A word of a kilobyte isn't a typing error.
  if (Math.abs(from.length - to.length) > 8) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
