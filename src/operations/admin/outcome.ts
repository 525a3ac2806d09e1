// The outcome of what an administrator asks for: done, with what it led to, or rejected with a reason in words.

/** What was given is no good, what it is about is not there, or things are not in a state for it. */
export type Reason = 'invalid' | 'not_found' | 'conflict';
export type Refused = { kind: 'refused'; problem: string; reason: Reason };
export type AdminOutcome<Result> = ({ kind: 'done' } & Result) | Refused;

export function refused(problem: string, reason: Reason = 'invalid'): Refused {
  return { kind: 'refused', problem, reason };
}

/** Problems are written to stand within a sentence. One that begins with an id or an address keeps it as it is. */
export function sentenceOf({ problem }: Refused): string {
  return `${problem.replace(/^[a-z]{1,5}(?= )/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)}.`;
}
