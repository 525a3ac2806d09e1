// Where a sign-in continues when it's done: the authorization request that it interrupted, or a page of the service. In tickets
// and links, a destination is the path and query that the browser is redirected to.

import { soleParameter } from '../oauth/authorization-request.ts';
import { readQuery } from '../reading/parameters.ts';

export type Destination = AuthorizationDestination | PageDestination;

export interface AuthorizationDestination {
  readonly kind: 'authorization';
  /** The request's query, byte for byte: a session remembers the request that it has answered by this text's digest. */
  readonly query: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface PageDestination {
  readonly kind: 'page';
  readonly path: string;
}

export const authorizationPath = '/oauth-authorize';
export const accountPage: PageDestination = { kind: 'page', path: '/account' };
export const consolePage: PageDestination = { kind: 'page', path: '/admin' };

const authorizationPrefix = `${authorizationPath}?`;
// A segment can be a person's ID; `.` and `..` would resolve to another page.
const segment = String.raw`(?!\.{1,2}(?:[/?]|$))(?:[\w.|:@~-]|%7C|%3A|%40)+`;
const pageForm = new RegExp(String.raw`^/(account|admin)(/${segment})*(\?[\w.~%&=+@-]*)?$`);

export function authorizationUrl(query: string): string {
  return authorizationPrefix + query;
}

export function formatDestination(destination: Destination): string {
  return destination.kind === 'authorization' ? authorizationUrl(destination.query) : destination.path;
}

/** For storing a destination without the secret of a link that its query may have. */
export function withoutLink(destination: Destination): Destination {
  if (destination.kind === 'authorization') return destination;
  const [path = '', query] = destination.path.split('?');
  return new URLSearchParams(query).has('link') ? { kind: 'page', path } : destination;
}

/** Undefined if the text is neither an authorization request nor a page that a sign-in can continue to. */
export function parseDestination(text: string): Destination | undefined {
  if (!text.startsWith(authorizationPrefix)) return parsePage(text);
  const query = text.slice(authorizationPrefix.length);
  const reading = readQuery(query);
  const clientId = soleParameter(reading, 'client_id');
  const redirectUri = soleParameter(reading, 'redirect_uri');
  if (clientId === undefined || redirectUri === undefined) return undefined;
  return { kind: 'authorization', query, clientId, redirectUri };
}

/** One of the account and console pages, and nothing else, to prevent open redirects. */
export function parsePage(text: string): PageDestination | undefined {
  return pageForm.test(text) ? { kind: 'page', path: text } : undefined;
}
