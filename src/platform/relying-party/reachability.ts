// Whether Latchkey answers. While it doesn't, one request at a time tries again, and the others don't wait.

import type { Answer } from './issuer.ts';

/** Milliseconds between two attempts. */
const tryAgainAfter = 1000;

const unanswered = { kind: 'unanswered', problem: 'there was no answer a moment ago', isInvalid: false } as const;

export interface ReachabilityOptions {
  /** Of a clock that can't be set. */
  readonly now?: () => number;
  readonly failed: (problem: string) => void;
  /** Latchkey does answer, but not in a way that says anything. */
  readonly invalid: (problem: string) => void;
  readonly answered: () => void;
}

export class Reachability {
  readonly #now: () => number;
  readonly #options: ReachabilityOptions;
  #isDown = false;
  #isTrying = false;
  #tryAt = 0;
  #answeredAt = 0;

  constructor(options: ReachabilityOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#options = options;
  }

  async ask<Value>(question: () => Promise<Answer<Value>>): Promise<Answer<Value>> {
    const tries = this.#isDown;
    if (tries) {
      if (this.#isTrying || this.#now() < this.#tryAt) return unanswered;
      this.#isTrying = true;
    }
    const askedAt = this.#now();
    try {
      const answer = await question();
      // Made up, for all that's known: Latchkey wasn't asked.
      if (answer.kind === 'refused' && answer.isFromBrowser) return answer;
      // Another question was answered since: this one says nothing about now.
      if (answer.kind === 'unanswered' && askedAt < this.#answeredAt) return answer;
      // An invalid answer may be about one session only. It must not keep the others from asking.
      this.#isDown = answer.kind === 'unanswered' && !answer.isInvalid;
      if (answer.kind !== 'unanswered') {
        this.#answeredAt = this.#now();
        this.#options.answered();
      } else if (answer.isInvalid) this.#options.invalid(answer.problem);
      else {
        this.#tryAt = this.#now() + tryAgainAfter;
        this.#options.failed(answer.problem);
      }
      return answer;
    } finally {
      if (tries) this.#isTrying = false;
    }
  }
}
