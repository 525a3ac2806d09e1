// What is logged about requests that go wrong. A stranger can send as many of them as they like, so there are only a few lines
// in a minute.

import { MINUTE } from '../../protocol/durations.ts';
import type { OutageLog } from '../outage.ts';

/** Milliseconds. */
const period = MINUTE;

const limits: Readonly<Record<string, number>> = { 'sign-in': 20 };

/** True as often as the limit says in each minute. */
export function atMost(limit: number): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - since >= period) {
      since = now;
      count = 0;
    }
    return ++count <= limit;
  };
}

/** Logs what an operator has to fix, once in a while and not for every request that a stranger sends. */
export type Notice<About extends string> = (about: About, text: string, facts?: object) => void;

export function noticesTo<About extends string>(log: OutageLog): Notice<About> {
  const known = new Map<string, () => boolean>();
  return (about, text, facts = {}) => {
    const isWorthALine = known.get(about) ?? atMost(limits[about] ?? 1);
    known.set(about, isWorthALine);
    if (isWorthALine()) log.warn(facts, text);
  };
}
