// What an experiment of `npm run faults` is: something is broken on purpose, and what came of it is counted.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Findings {
  /** What was done, with numbers: "150 kills under load, 4 connections". */
  readonly done: string;
  /** What was checked afterwards, and how much of it: `{ grants: 4112, revocations: 1370 }`. None of them may be 0. */
  readonly checks: Readonly<Record<string, number>>;
  /** What else was checked or measured. */
  readonly remarks?: readonly string[];
  /** One line for each thing that was lost or broken; empty when all is well. */
  readonly broken: readonly string[];
}

/** What was lost or broken. An experiment that has checked nothing proves nothing. */
export function problemsOf({ checks, broken }: Findings): string[] {
  const unchecked = Object.entries(checks).filter(([, count]) => !(count > 0));
  const vacuous = unchecked.map(([what, count]) => `checked nothing: ${count} ${what}`);
  const isEmpty = Object.keys(checks).length === 0 && broken.length === 0;
  return [...broken, ...vacuous, ...(isEmpty ? ['checked nothing'] : [])];
}

export function shownChecks({ checks, remarks = [] }: Findings): string {
  const counts = Object.entries(checks).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  return [...counts, ...remarks].join(', ');
}

export interface Experiment {
  /** For `--only`, such as `kill-embedded`. */
  readonly name: string;
  readonly title: string;
  /** Why it can't run here (not root, a tool is missing); undefined when it can. */
  readonly unavailable?: () => string | undefined;
  /** Left out by `--quick`, which has the same on the other engine. */
  readonly onlyInFull?: true;
  /** `scale` is 1 for a full run and less for `--quick`: it multiplies how often, not what. */
  readonly run: (context: { scale: number; say: (progress: string) => void }) => Promise<Findings>;
}

/** So many times at this scale, but at least once. */
export function times(full: number, scale: number): number {
  return Math.max(1, Math.round(full * scale));
}

/** A folder for this work alone. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-faults-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
