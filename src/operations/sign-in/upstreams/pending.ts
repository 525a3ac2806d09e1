// What a round trip to an upstream is for. Nothing is stored for strangers: it travels in a cookie, sealed for the browser
// that it was given to, is valid for ten minutes, and is used once.

import { digestOf } from '../../../protocol/digest.ts';
import type { Services, Storing } from '../../services.ts';

/** Signing in, linking the identity to the account of a session, or proving who is in that session. */
export type UpstreamPurpose = 'sign_in' | 'link' | 'prove';

export interface PendingUpstream {
  /** The upstream's name. A response that arrives at another one's address is refused. */
  readonly upstream: string;
  readonly purpose: UpstreamPurpose;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly at: number;
  /** Where the user is going, as `formatDestination` writes it. */
  readonly target: string;
  readonly keep: boolean;
  /** The digest of the session that an identity is linked to, or proof is for. */
  readonly session: string | null;
  /** How recent the sign-in at the upstream has to be for the application that they come from, in milliseconds. */
  readonly freshSince: number | null;
}

/** How long signing in at the upstream may take. */
export const pendingLifetime = 10 * 60 * 1000;

/** `browser` is the value of the browser's cookie. */
export function sealPending({ keys }: Pick<Services, 'keys'>, browser: string, pending: PendingUpstream): string {
  return keys.seal(purposeFor(browser), JSON.stringify(pending));
}

/** Undefined when it was given to another browser, or too long ago. */
export function openPending(
  { keys, clock }: Pick<Services, 'clock' | 'keys'>,
  browser: string | undefined,
  sealed: string | undefined,
): PendingUpstream | undefined {
  if (browser === undefined || sealed === undefined) return undefined;
  const text = keys.unseal(purposeFor(browser), sealed);
  if (text === undefined) return undefined;
  const pending = JSON.parse(text) as PendingUpstream;
  return clock.now() - pending.at < pendingLifetime ? pending : undefined;
}

/** However many responses come with the same state, exactly one is looked into. */
export function usePending({ storage }: Storing, { state, at }: PendingUpstream): Promise<boolean> {
  return storage.consumeTicket(digestOf(`upstream ${state}`), at + pendingLifetime);
}

function purposeFor(browser: string): string {
  return `upstream sign-in ${digestOf(browser)}`;
}
