// Decides whether what was recorded can have happened: for each session and each grant, there has to be one order of the
// operations in which the model gives every response, and in which nothing that had ended comes after what began later. An
// operation without a response may have taken place at any time since, or never.

import { after, concerns, initial, isRead, type State } from './model.ts';
import type { Operation, Subject } from './operation.ts';

export interface Violation {
  readonly subject: Subject;
  /** In the order in which they began. */
  readonly operations: readonly Operation[];
}

/** What no order explains, among the operations of one person. */
export function violationsIn(operations: readonly Operation[]): Violation[] {
  return subjectsOf(operations)
    .map((subject) => ({ subject, operations: projected(operations, subject) }))
    .filter((each) => !isExplained(each));
}

/** Every session, and every grant whose code was seen. */
export function subjectsOf(operations: readonly Operation[]): Subject[] {
  const sessions = new Set(operations.flatMap((each) => ('session' in each ? [each.session] : [])));
  const grants = operations.flatMap((each) =>
    (each.kind === 'authorize' || each.kind === 'approve') && each.outcome === 'done'
      ? [{ session: each.session, grant: each.grant }]
      : [],
  );
  return [...[...sessions].map((session) => ({ session })), ...grants];
}

function projected(operations: readonly Operation[], subject: Subject): Operation[] {
  return operations.filter((each) => concerns(each, subject)).toSorted((one, other) => one.start - other.start);
}

const endOf = ({ outcome, end }: Operation) => (outcome === 'unknown' ? Number.POSITIVE_INFINITY : end);

function isExplained({ operations, subject }: Violation): boolean {
  const visited = new Set<string>();

  const explains = (waiting: readonly number[], state: State): boolean => {
    const rest = withoutObservations(waiting, state);
    if (rest.every((index) => operationAt(index).outcome === 'unknown')) return true;
    const key = `${pendingKey(rest)} ${JSON.stringify(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    for (const index of candidates(rest)) {
      const remaining = rest.filter((each) => each !== index);
      for (const next of after(state, operationAt(index), subject)) if (explains(remaining, next)) return true;
    }
    return false;
  };

  const operationAt = (index: number) => operations[index] as Operation;

  /** What may come next: whatever began before the first of the others had ended. */
  function candidates(waiting: readonly number[]): number[] {
    let firstEnd = Number.POSITIVE_INFINITY;
    const found: number[] = [];
    for (const index of waiting) {
      const operation = operationAt(index);
      if (operation.start > firstEnd) break;
      firstEnd = Math.min(firstEnd, endOf(operation));
      found.push(index);
    }
    return found.filter((index) => operationAt(index).start <= firstEnd);
  }

  /** Something that changes nothing, now or later, can come first wherever its response is right: no need to try others. */
  function withoutObservations(waiting: readonly number[], state: State): readonly number[] {
    for (let rest = waiting; ; ) {
      const observed = candidates(rest).filter((index) => {
        const operation = operationAt(index);
        if (operation.outcome === 'unknown' || !changesNothing(operation, state)) return false;
        const next = after(state, operation, subject);
        return next.length === 1 && JSON.stringify(next[0]) === JSON.stringify(state);
      });
      if (observed.length === 0) return rest;
      rest = rest.filter((index) => !observed.includes(index));
    }
  }

  /** Short for almost all: what comes after the last that has a place in the order is left out. */
  function pendingKey(waiting: readonly number[]): string {
    const early: number[] = [];
    for (const [place, index] of waiting.entries()) {
      early.push(index);
      if (index === operations.length - (waiting.length - place)) break;
    }
    return early.join(' ');
  }

  return explains([...operations.keys()], initial);
}

/** What ends something that has ended is without effect forever, unlike a second approval, which a removal may precede. */
function changesNothing(operation: Operation, { grant }: State): boolean {
  if (isRead(operation)) return true;
  if (operation.kind === 'exchange') return operation.outcome === 'refused' && grant.kind !== 'code';
  return operation.kind === 'revoke' || operation.kind === 'revoke-token' || operation.kind === 'sign-out';
}

/**
 * The same violation with as little as possible: reads that can go without explaining anything are left out, and of what
 * else isn't needed it's assumed that there was no response. Both only ever allow more orders.
 */
export function shrunk({ subject, operations }: Violation): Violation {
  let kept = operations;
  const keepIfUnexplained = (weaker: readonly Operation[]) => {
    if (!isExplained({ subject, operations: weaker })) kept = weaker;
  };
  for (const read of operations.filter(isRead)) keepIfUnexplained(kept.filter((each) => each !== read));
  for (const change of kept.filter((each) => !isRead(each))) {
    keepIfUnexplained(kept.map((each) => (each === change ? { ...each, outcome: 'unknown' } : each)));
  }
  return { subject, operations: kept };
}
