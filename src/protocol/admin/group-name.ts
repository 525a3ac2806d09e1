// When two group names are the same.

/** The same for all spellings of a group's name, which are unique by it. */
export function groupKey(name: string): string {
  // Names are at most 100 characters long; normalizing can take time quadratic in the length.
  return name.slice(0, 1000).trim().normalize('NFKC').toLowerCase();
}
