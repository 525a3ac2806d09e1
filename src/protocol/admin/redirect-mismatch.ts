// Explains a sign-in that was refused because of its redirect URI, or a sign-out without a redirect because of its post-logout
// redirect URI, compared with what is registered now.

import type { EventRecord } from '../event.ts';
import { newRedirectUriProblem, redirectUriProblem } from '../oauth/redirect-uri.ts';

export interface RedirectMismatch {
  readonly clientId: string;
  /** The list that the URI should have been in, by its place in the console. */
  readonly path: string;
  readonly received: string;
  /** Compared with the most similar registered URI; undefined if there's none. */
  readonly difference: Difference | undefined;
  /** Whether the received URI is registered by now, and otherwise whether it could be. */
  readonly state: 'registered' | 'can_be_registered' | { readonly problem: string };
}

/** What two strings that should be equal share at both ends, and what differs in between. */
export interface Difference {
  readonly before: string;
  readonly received: string;
  readonly registered: string;
  readonly after: string;
}

/** The lists of registered URIs: the reason of an event about one, and the path where the console adds to one. */
export const uriLists = [
  { list: 'redirectUris', reason: 'redirect_uri_mismatch', path: 'redirect-uris' },
  { list: 'postLogoutRedirectUris', reason: 'post_logout_redirect_uri_mismatch', path: 'post-logout-redirect-uris' },
] as const;
export type UriList = (typeof uriLists)[number]['list'];

export interface RegisteredClient extends Readonly<Record<UriList, readonly string[]>> {
  readonly id: string;
  readonly isPublic: boolean;
}

/** Undefined for every other kind of event. */
export function redirectMismatchIn(event: EventRecord, client: RegisteredClient): RedirectMismatch | undefined {
  const found = uriLists.find(({ reason }) => reason === event.detail?.reason);
  if (found === undefined) return undefined;
  const { list, path } = found;
  const received = String(event.detail?.received ?? '');
  const registered = [event.detail?.registered ?? []].flat().map(String);
  const nearest = received === '' ? undefined : closest(received, registered);
  const isSignIn = list === 'redirectUris';
  const problem =
    redirectUriProblem(received, client.isPublic) ?? (isSignIn ? newRedirectUriProblem(received) : undefined);
  const canBe = problem === undefined ? 'can_be_registered' : { problem };
  return {
    clientId: client.id,
    path,
    received,
    difference: nearest === undefined ? undefined : differenceOf(received, nearest),
    state: client[list].includes(received) ? 'registered' : canBe,
  };
}

function differenceOf(received: string, registered: string): Difference {
  const a = [...received];
  const b = [...registered];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return {
    before: a.slice(0, start).join(''),
    received: a.slice(start, a.length - end).join(''),
    registered: b.slice(start, b.length - end).join(''),
    after: a.slice(a.length - end).join(''),
  };
}

/** The registered string that is most similar to the received one. */
function closest(received: string, registered: readonly string[]): string | undefined {
  const shared = (candidate: string) => {
    const { before, after } = differenceOf(received, candidate);
    return before.length + after.length;
  };
  return registered.toSorted((a, b) => shared(b) - shared(a) || a.length - b.length)[0];
}
