// Explains a sign-in that was refused because of its redirect URI, or a sign-out without a redirect because of its post-logout
// redirect URI, compared with what is registered now.

import type { EventRecord } from '../event.ts';
import { redirectUriProblem } from '../oauth/redirect-uri.ts';
import { closest, type Difference, differenceOf } from './text-difference.ts';

export interface RedirectMismatch {
  readonly clientId: string;
  /** The list that the URI should have been in. */
  readonly list: UriList;
  readonly received: string;
  /** Compared with the most similar registered URI; undefined if there's none. */
  readonly difference: Difference | undefined;
  /** Whether the received URI is registered by now, and otherwise whether it could be. */
  readonly state: 'registered' | 'can_be_registered' | { readonly problem: string };
}

export type UriList = 'redirectUris' | 'postLogoutRedirectUris';

export interface RegisteredClient extends Readonly<Record<UriList, readonly string[]>> {
  readonly id: string;
  readonly isPublic: boolean;
}

const lists: ReadonlyMap<unknown, UriList> = new Map([
  ['redirect_uri_mismatch', 'redirectUris'],
  ['post_logout_redirect_uri_mismatch', 'postLogoutRedirectUris'],
]);

/** Undefined for every other kind of event. */
export function redirectMismatchIn(event: EventRecord, client: RegisteredClient): RedirectMismatch | undefined {
  const list = lists.get(event.detail?.reason);
  if (list === undefined) return undefined;
  const received = String(event.detail?.received ?? '');
  const registered = [event.detail?.registered ?? []].flat().map(String);
  const nearest = received === '' ? undefined : closest(received, registered);
  const problem = redirectUriProblem(received, client.isPublic);
  const canBe = problem === undefined ? 'can_be_registered' : { problem };
  return {
    clientId: client.id,
    list,
    received,
    difference: nearest === undefined ? undefined : differenceOf(received, nearest),
    state: client[list].includes(received) ? 'registered' : canBe,
  };
}
