// Whether Latchkey answers. While it doesn't, one request at a time finds out whether it does again, and nobody else waits.

import type { Answer } from './issuer.ts';

/** Milliseconds between two attempts. */
const tryAgainAfter = 1000;

const unanswered = { kind: 'unanswered', problem: 'there was no answer a moment ago', isInvalid: false } as const;

export class Reachability {
  readonly #now: () => number;
  readonly #failed: (problem: string) => void;
  readonly #answered: () => void;
  #isDown = false;
  #isTrying = false;
  #tryAt = 0;

  /** `now` is of a clock that can't be set. */
  constructor(options: { now?: () => number; failed: (problem: string) => void; answered: () => void }) {
    this.#now = options.now ?? (() => performance.now());
    this.#failed = options.failed;
    this.#answered = options.answered;
  }

  async ask<Value>(question: () => Promise<Answer<Value>>): Promise<Answer<Value>> {
    const tries = this.#isDown;
    if (tries) {
      if (this.#isTrying || this.#now() < this.#tryAt) return unanswered;
      this.#isTrying = true;
    }
    try {
      const answer = await question();
      this.#isDown = answer.kind === 'unanswered';
      if (answer.kind === 'unanswered') {
        this.#tryAt = this.#now() + tryAgainAfter;
        this.#failed(answer.problem);
      } else this.#answered();
      return answer;
    } finally {
      if (tries) this.#isTrying = false;
    }
  }
}
