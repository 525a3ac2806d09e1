// How often someone may present a wrong secret for an application. After that, the right one isn't looked at either, so
// guessing tells nothing.

import { MINUTE } from '../protocol/durations.ts';
import { networkOf } from '../protocol/sign-in/throttle-rules.ts';

const mostWrong = 20;
/** Each has some hundred bytes. */
const mostRemembered = 10_000;

export interface SecretLimit {
  isReached(clientId: string, address: string): boolean;
  count(clientId: string, address: string): void;
}

export function secretLimit(now = () => performance.now()): SecretLimit {
  const found = new Map<string, { count: number; readonly until: number }>();
  const keyOf = (clientId: string, address: string) => JSON.stringify([clientId, networkOf(address)]);
  const current = (key: string) => {
    const entry = found.get(key);
    if (entry === undefined || now() < entry.until) return entry;
    found.delete(key);
    return undefined;
  };
  return {
    isReached: (clientId, address) => (current(keyOf(clientId, address))?.count ?? 0) >= mostWrong,
    count(clientId, address) {
      const key = keyOf(clientId, address);
      const entry = current(key);
      if (entry !== undefined) entry.count++;
      else {
        if (found.size >= mostRemembered) found.delete(found.keys().next().value ?? '');
        found.set(key, { count: 1, until: now() + MINUTE });
      }
    },
  };
}
