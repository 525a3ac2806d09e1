// The result of an administrator's operation: done, with what it led to, or refused, with a reason in words.

/**
 * The input breaks a rule of form, what it is about doesn't exist, its current state doesn't allow it, or there is too
 * much to do right now.
 */
export type Reason = 'invalid' | 'not_found' | 'conflict' | 'busy';
export type Refused = { kind: 'refused'; problem: string; reason: Reason };
export type AdminOutcome<Result> = ({ kind: 'done' } & Result) | Refused;

export function refused(problem: string, reason: Reason = 'invalid'): Refused {
  return { kind: 'refused', problem, reason };
}

/**
 * The problem as a sentence of its own. Problems are worded to fit into a sentence, so they begin in lower case; one that
 * begins with an ID or an email address keeps it as it is.
 */
export function refusalSentence({ problem }: Refused): string {
  return `${problem.replace(/^[a-z]{1,5}(?= )/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)}.`;
}
