// What the commands share: failing, refusals, and the requester that their events record.

import { userInfo } from 'node:os';
import type { AdminOutcome } from '../operations/admin/outcome.ts';
import type { Requester } from '../protocol/event.ts';
import { clauseOf, type Problem } from '../protocol/problem.ts';
import { messageOf } from '../protocol/reading/caught-errors.ts';

/** The command wasn't understood (exit status 2). */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command was understood but couldn't be carried out (exit status 1). */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** Events record which system user ran the command. */
export function commandRequester(): Requester {
  let user = 'unknown';
  try {
    user = userInfo().username;
  } catch {
    // In a container, the user id may have no name.
  }
  return { address: 'command line', requestId: `cli-${user}-${process.pid}` };
}

/** Whatever can't be read from disk, the failure names the file. */
export function readingFile<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new CommandFailed(`can't read ${file}: ${messageOf(error)}.`);
  }
}

/** An operation refused what the command was given. */
export class Rejected extends CommandFailed {
  readonly problem: Problem;
  /** `question` asks for what was probably meant, and completes the sentence. */
  constructor(problem: Problem, question = '') {
    const meant = problem.meant === undefined ? '.' : `. Did you mean "${problem.meant}"?`;
    super(`${clauseOf(problem)}${question || meant}`);
    this.problem = problem;
  }
}

export function requireDone<Result>(outcome: AdminOutcome<Result>): Result {
  if (outcome.kind === 'refused') throw new Rejected(outcome.problems[0]);
  return outcome;
}
