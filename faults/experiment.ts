// What an experiment of `npm run faults` is: something is broken on purpose, and what came of it is counted.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Findings {
  /** What was done, with numbers: "150 kills under load, 4 connections". */
  readonly done: string;
  /** What was checked afterwards, with numbers: "4,112 grants, 1,370 revocations". */
  readonly checked: string;
  /** One line for each thing that was lost or broken; empty when all is well. */
  readonly broken: readonly string[];
}

export interface Experiment {
  /** For `--only`, such as `kill-embedded`. */
  readonly name: string;
  readonly title: string;
  /** Why it can't run here (not root, a tool is missing); undefined when it can. */
  readonly unavailable?: () => string | undefined;
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
