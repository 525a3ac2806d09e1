// The result of an administrator's operation: done, with what it led to, or refused, with a reason in words.

import type { Right } from '../../protocol/admin/rights.ts';
import { StorageConflict } from '../../storage/storage.ts';

/**
 * The input breaks a rule of form, what it is about doesn't exist, its current state doesn't allow it, there is too much to do
 * right now, or whoever asks may not do it.
 */
export type Reason = 'invalid' | 'not_found' | 'conflict' | 'busy' | 'forbidden';
export type Refused = {
  kind: 'refused';
  problem: string;
  reason: Reason;
  /** What is wrong with each field of the input, by its name in forms. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** What was missing, if it's forbidden; `roles.change` if undefined. */
  right?: Right;
};
export type AdminOutcome<Result> = ({ kind: 'done' } & Result) | Refused;
/** What nearly all of these operations return. */
export type Outcome<Result> = Promise<AdminOutcome<Result>>;

export function refused(problem: string, reason: Reason = 'invalid'): Refused {
  return { kind: 'refused', problem, reason };
}

/** What a write returns, or that it conflicts with what is stored. */
export async function unlessTaken<Result>(write: Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof StorageConflict) return 'taken';
    throw error;
  }
}

/** Undefined if no field has a problem. Where only one can be told, it's the first. */
export function refusedFields(
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Refused | undefined {
  const wrong = Object.entries(given).flatMap(([name, problems = []]) => {
    const all = [problems].flat();
    return all.length === 0 ? [] : [[name, all] as const];
  });
  const problem = wrong[0]?.[1][0];
  return problem === undefined ? undefined : { ...refused(problem), fields: Object.fromEntries(wrong) };
}

/**
 * The problem as a sentence of its own. Problems are worded to fit into a sentence, so they begin in lower case; one that
 * begins with an ID or an email address keeps it as it is.
 */
export function refusalSentence({ problem }: Pick<Refused, 'problem'>): string {
  return `${problem.replace(/^[a-z]{1,5}(?= )/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)}.`;
}
