// How many items a list has. They are counted up to a limit: what is beyond takes longer than it's worth.

export const mostCounted = 10_000;

export interface Total {
  readonly count: number;
  /** Whether there are more, or may be. */
  readonly more: boolean;
}

/** Of what was counted until one more than `most`. */
export function totalOf(counted: number, most = mostCounted): Total {
  return { count: Math.min(counted, most), more: counted > most };
}
