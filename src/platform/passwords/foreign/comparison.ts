/** The computed hash and the expected one, which have the same length. */
export interface Comparison {
  readonly computed: Uint8Array;
  readonly expected: Uint8Array;
}
