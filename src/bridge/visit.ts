// What belongs to one request and has to get past the library: who has come back from Latchkey, and what Latchkey has said. The
// library's adapter and settings read it here, so none of it is stored.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { OAuthError } from '../platform/relying-party/issuer.ts';
import type { Claims } from '../protocol/oauth/jwt.ts';
import type { GrantFacts } from './grants.ts';

/** What an authorization request asks of Latchkey, which the library doesn't get to see. */
export interface Outgoing {
  readonly parameters: Readonly<Record<string, string>>;
  /** Whom the application expects; null for a hint that isn't valid. */
  readonly expected: string | null | undefined;
  /** Of the browser's cookie. */
  readonly browser: string;
}

export type Arrival =
  | { readonly kind: 'signed_in'; readonly grantId: string; readonly facts: GrantFacts }
  | { readonly kind: 'refused'; readonly error: OAuthError };

export interface Visit {
  /** Where the request comes from. */
  readonly address: string;
  readonly outgoing?: Outgoing;
  readonly arrival?: Arrival;
  /** Whether the browser goes on to Latchkey, for which it needs its cookie. */
  isLeaving?: boolean;
  isRefresh?: boolean;
  /** Latchkey's access token, for a new one of the bridge. */
  access?: { readonly token: string; readonly until: number };
  /** What Latchkey has said about the person. */
  claims?: Claims;
  /** Whether a grant that ends is over at Latchkey already. */
  isRevoked?: boolean;
}

const visits = new AsyncLocalStorage<Visit>();

export const duringVisit = <Result>(visit: Visit, work: () => Result): Result => visits.run(visit, work);

export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (visit === undefined) throw new Error('there is no request');
  return visit;
}
