// "Did you mean …?" for a word that there isn't.

/** What people type who are used to other command lines, by the words of this one. The first that there is wins. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  client: ['app', 'application', 'applications', 'apps'],
  create: ['add', 'new'],
  delete: ['destroy', 'remove', 'rm'],
  end: ['remove', 'revoke', 'rm'],
  disable: ['revoke'],
  events: ['log', 'logs'],
  import: ['restore'],
  list: ['ls'],
  migrate: ['upgrade'],
  serve: ['run', 'start'],
  settings: ['config'],
  show: ['get', 'info'],
  update: ['edit'],
  user: ['people', 'person'],
};

/** A question to add to the complaint, or nothing if no word comes close. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const found = closest(typed, known);
  return found === undefined ? '' : `. Did you mean "${found}"?`;
}

export function closest(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const synonym = Object.keys(synonyms).find((each) => synonyms[each]?.includes(word) && known.includes(each));
  if (synonym !== undefined) return synonym;
  const bare = (text: string) => text.replace(/^-+/, '');
  const most = Math.max(1, Math.floor(bare(word).length / 3));
  const near = known
    .map((each) => ({ each, far: distance(bare(word), bare(each)) }))
    .filter(({ far }) => far <= most)
    .sort((one, other) => one.far - other.far)[0]?.each;
  // The beginning of exactly one word: --redirect for --redirect-uri.
  const longer = known.filter((each) => bare(word).length >= 3 && bare(each).startsWith(bare(word)));
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
