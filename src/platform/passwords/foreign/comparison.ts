/** What a password comes to, and what it should come to. They are of the same length. */
export interface Comparison {
  readonly computed: Uint8Array;
  readonly expected: Uint8Array;
}
