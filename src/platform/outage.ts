// Turns the failures of one thing that the service depends on into a few lines of log: one when they begin, a count every
// ten seconds, and one when they are over. During an outage every request fails, and a line for each would fill the disk.

export interface OutageLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

export interface OutageTexts {
  /** The log level. */
  readonly level: 'warn' | 'error';
  readonly begins: string;
  readonly continues: string;
  readonly ends: string;
}

/** Milliseconds between two counts. */
const countEvery = 10_000;
/** Failures within this time of each other are one outage. */
const quietFor = 1000;

export class Outage {
  readonly #texts: OutageTexts;
  /** Undefined until there's a logger. */
  readonly #log: () => OutageLog | undefined;
  readonly #now: () => number;
  /** What has failed and not succeeded since, with the time of its last failure. */
  readonly #failing = new Map<string, number>();
  #failures = 0;
  #beganAt = 0;
  #loggedAt = 0;

  constructor(texts: OutageTexts, log: () => OutageLog | undefined, now = () => performance.now()) {
    this.#texts = texts;
    this.#log = log;
    this.#now = now;
  }

  /** `kind` is what was tried: reads can succeed while writes fail, and the outage lasts until both work. */
  failed(kind: string, error: Error): void {
    const now = this.#now();
    const begins = this.#failing.size === 0;
    this.#failing.set(kind, now);
    this.#failures++;
    if (begins) {
      this.#beganAt = now;
      this.#loggedAt = now;
      this.#log()?.[this.#texts.level]({ reason: error.message }, this.#texts.begins);
    } else if (now - this.#loggedAt >= countEvery) {
      this.#loggedAt = now;
      this.#log()?.[this.#texts.level]({ ...this.#facts(now), reason: error.message }, this.#texts.continues);
    }
  }

  succeeded(kind: string): void {
    if (this.#failing.size === 0) return;
    const now = this.#now();
    if (now - (this.#failing.get(kind) ?? 0) < quietFor) return;
    this.#failing.delete(kind);
    if (this.#failing.size > 0) return;
    this.#log()?.info(this.#facts(now), this.#texts.ends);
    this.#failures = 0;
  }

  /** Watches one attempt. Errors that aren't part of an outage are left to the caller. */
  watch<Attempt>(kind: string, isOutage: (error: unknown) => boolean, attempt: () => Attempt): Attempt {
    const failed = (error: unknown) => {
      if (isOutage(error) && error instanceof Error) this.failed(kind, error);
    };
    let result: Attempt;
    try {
      result = attempt();
    } catch (error) {
      failed(error);
      throw error;
    }
    if (result instanceof Promise) result.then(() => this.succeeded(kind), failed);
    else this.succeeded(kind);
    return result;
  }

  #facts(now: number) {
    return { failures: this.#failures, seconds: Math.round((now - this.#beganAt) / 1000) };
  }
}
