// The question before something is deleted permanently. Only a person at a terminal is asked: a script, which can't answer, goes
// on as if it had said yes. The next release refuses that, so this one says it.

import { createInterface } from 'node:readline/promises';
import type { Loss } from '../../operations/admin/subject.ts';
import { countOf } from '../../pages/messages/counts.ts';
import { CommandFailed } from '../command.ts';
import { printError, render, styled } from './output.ts';
import { withoutProgress } from './progress.ts';

/** For commands that ask. */
export const yesOption = { yes: { short: 'y', about: "don't ask" } } as const;

/** Returns if the answer is yes, or if there is no need to ask. */
export async function confirmLoss(skip: boolean, describe: () => Promise<Loss>): Promise<void> {
  // With standard error in a file, the question can still be asked on standard output.
  const screen = [process.stderr, process.stdout].find(({ isTTY }) => isTTY);
  if (skip) return;
  if (!process.stdin.isTTY || screen === undefined) {
    return printError('The next release will need --yes to delete something without a terminal.');
  }
  const loss = await describe();
  const lost = loss.with
    .map(([number, one, many]) => ({
      total: typeof number === 'number' ? { count: number, more: false } : number,
      one,
      many,
    }))
    .filter(({ total }) => total.count > 0)
    .map(({ total, one, many }) => countOf(total, one, many));
  const list = new Intl.ListFormat('en').format(lost);
  const warning = `This deletes ${loss.what}${list === '' ? '' : `, with ${list}`}. It can't be undone.\n`;
  const ask = () => {
    screen.write(render([warning], screen));
    return isYes(`Delete ${loss.what}? [y/N] `, screen);
  };
  if (!(await withoutProgress(ask))) throw new CommandFailed(loss.otherwise ?? 'nothing was deleted.');
}

async function isYes(question: string, screen: NodeJS.WriteStream): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: screen });
  try {
    const closed = new Promise<undefined>((resolve) => prompt.once('close', () => resolve(undefined)));
    const answer = await Promise.race([prompt.question(render([styled('bold', question)], screen)), closed]);
    // Ctrl-C and Ctrl-D leave the cursor behind the question.
    if (answer === undefined) screen.write('\n');
    return /^y(es)?$/i.test(answer?.trim() ?? '');
  } finally {
    prompt.close();
  }
}
