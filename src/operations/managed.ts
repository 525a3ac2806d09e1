// The outcome of what an administrator asks for: done, with what it led to, or rejected with a reason in words.

/** What was given is no good, what it is about is not there, or things are not in a state for it. */
export type Reason = 'invalid' | 'not_found' | 'conflict';
export type Rejected = { kind: 'rejected'; problem: string; reason: Reason };
export type Managed<Result> = ({ kind: 'done' } & Result) | Rejected;

export function rejected(problem: string, reason: Reason = 'invalid'): Rejected {
  return { kind: 'rejected', problem, reason };
}
