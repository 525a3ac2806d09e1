/**
 * Whether a list of known values has one that came from outside. The `includes` of an array only takes what the array can
 * hold, and the compiler learns nothing from its answer.
 */
export function includes<Known>(known: readonly Known[], value: unknown): value is Known {
  const values: readonly unknown[] = known;
  return values.includes(value);
}
