// What the inspector shows: the requests and responses of one browser's sign-in, masked. Kept in memory only, and
// limited in number, size and time.

import { randomBytes } from 'node:crypto';
import type { Check } from './checks.ts';
import type { ExperimentName } from './experiments.ts';

/** A request, a response or a decoded token: a line that sums it up, and the details. */
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
  /** Shown with everything only, unless it fails; it has the number of the step before. */
  readonly detail: boolean;
  /** The parts that are expanded at first. */
  readonly open: readonly Part['label'][];
  parts: readonly Part[];
  checks: readonly Check[];
  /** What a client concludes from the outcome. */
  conclusion: string | undefined;
}

export interface Recording {
  readonly id: string;
  readonly steps: readonly Step[];
  /** The experiment that went wrong as intended, whose lesson is shown. */
  experiment: ExperimentName | undefined;
  /** Why the sign-in failed. */
  failure: string | undefined;
  add(step: Pick<Step, 'title' | 'why'> & Partial<Step>): Step;
}

const maxRecordings = 100;
const maxSteps = 60;
const maxText = 4000;
const lifetime = 60 * 60 * 1000;

export class Recordings {
  readonly #kept = new Map<string, { recording: Recording; usedAt: number }>();

  /** The id is a secret of the browser that the recording belongs to. */
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
      const blank = { open: [], parts: [], checks: [], conclusion: undefined, detail: false };
      const made = { ...blank, ...step, number: step.detail ? count : ++count, at: new Date() };
      // Drop the oldest step. The numbers show that it is missing.
      if (steps.push(made) > maxSteps) steps.shift();
      return made;
    },
  };
}

/** Whether something in the step was refused, or failed a check. */
export function hasFailed(step: Step): boolean {
  return step.checks.some((check) => !check.ok) || step.parts.some((part) => part.refused);
}

/** The anchor of the first step that failed, from a number on; undefined if all went well. */
export function failingStep(recording: Recording, from = 1): string | undefined {
  const step = recording.steps.find((each) => each.number >= from && hasFailed(each));
  return step && anchorOf(step);
}

export function anchorOf({ number, detail }: Step): string {
  return `step-${number}${detail ? '-detail' : ''}`;
}

/** One field per line, up to the limit. */
export function lines(fields: Iterable<readonly [string, string]>): string {
  return bounded([...fields].map(([name, value]) => `${name}: ${value}`).join('\n'));
}

export function bounded(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}… (${text.length - maxText} more characters)`;
}
