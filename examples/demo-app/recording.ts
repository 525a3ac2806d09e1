// What the application has sent and received, for the inspector: kept in memory, for one browser, masked, and bounded in
// number, in size and in time. Nothing of it is written anywhere.

import { randomBytes } from 'node:crypto';
import type { Check } from './checks.ts';
import type { ExperimentName } from './experiments.ts';

/** One half of an exchange, or something decoded: a line that sums it up, and the text under it. */
export interface Part {
  readonly label: 'Request' | 'Response' | 'Header' | 'Payload';
  readonly summary: string;
  readonly sections: readonly { readonly label: string; readonly text: string }[];
  readonly refused?: boolean;
}

export interface Step {
  readonly number: number;
  readonly at: Date;
  readonly title: string;
  readonly why: string;
  /** Which parts are worth seeing at once. */
  readonly open: readonly Part['label'][];
  parts: readonly Part[];
  checks: readonly Check[];
  /** What follows for a client from how it went. */
  conclusion: string | undefined;
}

export interface Recording {
  readonly id: string;
  readonly steps: readonly Step[];
  /** What was tried and did go wrong: only then is its lesson told. */
  experiment: ExperimentName | undefined;
  /** Why there is no sign-in at the end of it. */
  failure: string | undefined;
  add(step: Pick<Step, 'title' | 'why'> & Partial<Step>): Step;
}

const maxRecordings = 100;
const maxSteps = 60;
const maxText = 4000;
const lifetime = 60 * 60 * 1000;

export class Recordings {
  readonly #kept = new Map<string, { recording: Recording; usedAt: number }>();

  /** A new recording; its id is a secret of the browser that it belongs to. */
  start(): Recording {
    const recording = newRecording();
    for (const [id, { usedAt }] of this.#kept) if (usedAt < Date.now() - lifetime) this.#kept.delete(id);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= maxRecordings && !oldest.done) this.#kept.delete(oldest.value);
    this.#kept.set(recording.id, { recording, usedAt: Date.now() });
    return recording;
  }

  find(id: string | undefined): Recording | undefined {
    const kept = this.#kept.get(id ?? '');
    if (kept === undefined || kept.usedAt < Date.now() - lifetime) return undefined;
    kept.usedAt = Date.now();
    return kept.recording;
  }

  forget(id: string | undefined): void {
    this.#kept.delete(id ?? '');
  }
}

function newRecording(): Recording {
  const steps: Step[] = [];
  let count = 0;
  return {
    id: randomBytes(32).toString('base64url'),
    steps,
    experiment: undefined,
    failure: undefined,
    add(step) {
      const made = { open: [], parts: [], checks: [], conclusion: undefined, ...step, number: ++count, at: new Date() };
      // The oldest give way, and the numbers tell that they did.
      if (steps.push(made) > maxSteps) steps.shift();
      return made;
    },
  };
}

/** Fields one on a line, as far as they are worth keeping. */
export function lines(fields: Iterable<readonly [string, string]>): string {
  return bounded([...fields].map(([name, value]) => `${name}: ${value}`).join('\n'));
}

export function bounded(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}… (${text.length - maxText} more characters)`;
}
