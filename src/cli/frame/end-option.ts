// The option that says when access ends.

export const endOption = {
  expires: { value: 'DATE', about: 'when access ends: 2027-01-31, 2027-01-31T17:00Z, 30d, or never' },
} as const;

/** Null for never; undefined if nothing was said, or the command has no such option. */
export function endIn(values: object): string | null | undefined {
  // Options with a value are text.
  const { expires } = values as { readonly expires?: string };
  return expires === 'never' ? null : expires;
}
