// Where a sign-in leads once it is done: back to the authorization request that it interrupted, or to a page of the
// service. In tickets and links a destination is the path and query to which the browser is sent in the end.

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
// A segment may be a person's id; `.` and `..` would lead to another page.
const segment = String.raw`(?!\.{1,2}(?:[/?]|$))(?:[\w.|:@~-]|%7C|%3A|%40)+`;
const pageForm = new RegExp(String.raw`^/(account|admin)(/${segment})*(\?[\w.~%&=+@-]*)?$`);

export function authorizationUrl(query: string): string {
  return authorizationPrefix + query;
}

export function formatDestination(destination: Destination): string {
  return destination.kind === 'authorization' ? authorizationUrl(destination.query) : destination.path;
}

/** For a destination that is stored: the secret of a link, which its query may hold, must not be. */
export function withoutLink(destination: Destination): Destination {
  if (destination.kind === 'authorization') return destination;
  const [path = '', query] = destination.path.split('?');
  return new URLSearchParams(query).has('link') ? { kind: 'page', path } : destination;
}

/** Undefined when the text is neither an authorization request nor a page that a sign-in may lead to. */
export function parseDestination(text: string): Destination | undefined {
  if (!text.startsWith(authorizationPrefix)) return parsePage(text);
  const query = text.slice(authorizationPrefix.length);
  const reading = readQuery(query);
  const clientId = soleParameter(reading, 'client_id');
  const redirectUri = soleParameter(reading, 'redirect_uri');
  if (clientId === undefined || redirectUri === undefined) return undefined;
  return { kind: 'authorization', query, clientId, redirectUri };
}

/** One of the account and console pages, and nothing else: an address from outside must not lead anywhere else. */
export function parsePage(text: string): PageDestination | undefined {
  return pageForm.test(text) ? { kind: 'page', path: text } : undefined;
}
