// The outcome of what an administrator asks for: done, with what it led to, or rejected with a reason in words.

export type Rejected = { kind: 'rejected'; problem: string };
export type Managed<Result> = ({ kind: 'done' } & Result) | Rejected;

export function rejected(problem: string): Rejected {
  return { kind: 'rejected', problem };
}
