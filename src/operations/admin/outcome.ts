// The result of an administrator's operation: done, with what it led to, or refused, with what is wrong.

import type { Right } from '../../protocol/admin/rights.ts';
import { clauseOf, type Problem, sentenceOf } from '../../protocol/problem.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import type { NewOf, NewReading } from '../../protocol/resources/resource.ts';
import { StorageConflict } from '../../storage/storage.ts';

/**
 * The input breaks a rule of form, what it is about doesn't exist, its current state doesn't allow it, there is too much to do
 * right now, or the person who asks may not do it.
 */
export type Reason = 'invalid' | 'not_found' | 'conflict' | 'busy' | 'forbidden';
export type Refused = {
  kind: 'refused';
  /** Where only one can be told, it's the first. */
  problems: Problems;
  reason: Reason;
  /** What was missing, if it's forbidden; `roles.change` if undefined. */
  right?: Right;
};
/** What it would do to others isn't confirmed yet. Each surface says how that's done. */
export interface Unconfirmed extends Refused {
  /** What that is, to go into a sentence. */
  readonly consequence: string;
}
type Problems = readonly [Problem, ...Problem[]];
export type AdminOutcome<Result> = ({ kind: 'done' } & Result) | Refused;
/** What nearly all of these operations return. */
export type Outcome<Result> = Promise<AdminOutcome<Result>>;

export function refused(what: string | Problem, reason: Reason = 'invalid'): Refused {
  return { kind: 'refused', problems: [typeof what === 'string' ? { says: what } : what], reason };
}

/** Someone else keeps changing what has this name. */
export function beingChanged(subject: string): Refused {
  return refused({ subject, says: 'is being changed by someone else; try again' }, 'conflict');
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

/** Undefined if nothing is wrong. */
export function refusedFields(problems: readonly Problem[]): Refused | undefined {
  const [first, ...others] = problems;
  return first && { ...refused(first), problems: [first, ...others] };
}

/** All of them in one sentence, each once. Undefined if nothing is wrong. */
export function refusedAll([first, ...others]: readonly Problem[], reason?: Reason): Refused | undefined {
  if (first === undefined) return undefined;
  const further = others.map(clauseOf).filter((clause) => clause !== clauseOf(first));
  if (further.length === 0) return refused(first, reason);
  const { meant: _ofOneOfMany, ...rest } = first;
  return refused({ ...rest, says: [first.says, ...new Set(further)].join('; ') }, reason);
}

/** A new resource as a whole, unless something is wrong with one of its fields, or with anything else. */
export function wholeOrRefused<Fields extends FieldTable>(
  read: NewReading<Fields>,
  more: readonly Problem[] = [],
): AdminOutcome<{ values: NewOf<Fields> }> {
  if (read.kind === 'invalid') return { ...refused(read.problems[0]), problems: [...read.problems, ...more] };
  return refusedFields(more) ?? { kind: 'done', values: read.values };
}

/** Of an input's field that names what was looked up. */
export function problemsAt(field: string, outcome: AdminOutcome<object>): readonly Problem[] {
  return outcome.kind === 'refused' ? outcome.problems.map((problem) => ({ ...problem, field })) : [];
}

/** To go into a sentence. */
export function refusalClause({ problems: [first] }: Refused): string {
  return clauseOf(first);
}

export function refusalSentence({ problems: [first] }: Refused): string {
  return sentenceOf(first);
}
