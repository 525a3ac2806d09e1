// Explains a sign-in that was refused because of its redirect URI, next to what is registered now.

import type { EventRecord } from '../event.ts';
import { redirectUriProblem } from '../oauth/redirect-uri.ts';
import { closest, type Difference, differenceOf } from './text-difference.ts';

export interface RedirectMismatch {
  readonly clientId: string;
  readonly received: string;
  /** Compared with the most similar URI that was registered; undefined when there is nothing to compare. */
  readonly difference: Difference | undefined;
  /** Whether the received URI is registered by now, and otherwise whether it could be. */
  readonly state: 'registered' | 'can_be_registered' | { readonly problem: string };
}

export interface RegisteredClient {
  readonly id: string;
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
}

/** Undefined for every other kind of event. */
export function redirectMismatchIn(event: EventRecord, client: RegisteredClient): RedirectMismatch | undefined {
  if (event.detail?.reason !== 'redirect_uri_mismatch') return undefined;
  const received = String(event.detail.received ?? '');
  const registered = [event.detail.registered ?? []].flat().map(String);
  const nearest = received === '' ? undefined : closest(received, registered);
  const problem = redirectUriProblem(received, client.isPublic);
  const canBe = problem === undefined ? 'can_be_registered' : { problem };
  return {
    clientId: client.id,
    received,
    difference: nearest === undefined ? undefined : differenceOf(received, nearest),
    state: client.redirectUris.includes(received) ? 'registered' : canBe,
  };
}
