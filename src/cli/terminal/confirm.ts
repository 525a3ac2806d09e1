// The question before something is lost for good. Only a person at a terminal is asked: a script, which can't answer, goes
// on as if it had said yes.

import { createInterface } from 'node:readline/promises';
import { CommandFailed } from '../command.ts';
import { printError, render, styled } from './output.ts';
import { withoutProgress } from './progress.ts';

/** For commands that ask. */
export const yesOption = { yes: { short: 'y', about: "don't ask on a terminal" } } as const;

export interface Loss {
  /** What is deleted, such as an email address. */
  readonly what: string;
  /** What goes with it: a number, what it counts, and its plural. */
  readonly with: readonly (readonly [count: number, one: string, many: string])[];
}

/** Returns if the answer is yes, or nobody has to be asked. */
export async function confirmLoss(skip: boolean, describe: () => Promise<Loss>): Promise<void> {
  if (skip || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const loss = await describe();
  const lost = loss.with
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  const list = new Intl.ListFormat('en').format(lost);
  printError(`This deletes ${loss.what}${list === '' ? '' : `, with ${list}`}. It can't be undone.`);
  if (!(await withoutProgress(() => isYes(`Delete ${loss.what}? [y/N] `))))
    throw new CommandFailed('nothing was deleted.');
}

async function isYes(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
    const answer = await Promise.race([prompt.question(render([styled('bold', question)], process.stderr)), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
