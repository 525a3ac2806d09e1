// The difference between two strings that should be equal: what they share at both ends, and what differs in between.

export interface Difference {
  readonly before: string;
  readonly received: string;
  readonly registered: string;
  readonly after: string;
}

export function differenceOf(received: string, registered: string): Difference {
  const a = [...received];
  const b = [...registered];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return {
    before: a.slice(0, start).join(''),
    received: a.slice(start, a.length - end).join(''),
    registered: b.slice(start, b.length - end).join(''),
    after: a.slice(a.length - end).join(''),
  };
}

/** The registered string that is most similar to the received one. */
export function closest(received: string, registered: readonly string[]): string | undefined {
  const shared = (candidate: string) => {
    const { before, after } = differenceOf(received, candidate);
    return before.length + after.length;
  };
  return registered.toSorted((a, b) => shared(b) - shared(a) || a.length - b.length)[0];
}
