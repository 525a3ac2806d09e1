// URLs that pages link to: of the service's own brand, and of clients. Only what is safe to put behind a link is accepted,
// so no URL can run a script or show credentials.

import { hasPlainHost, isLoopbackHost, uriCharacters, webSchemes } from '../oauth/redirect-uri.ts';

export const webUrlLimit = 1000;

/** The URL parser would repair https:x and https:///x. */
const webAuthority = /^https?:\/\/[^/?#@]+([/?#]|$)/i;
const emailLink = /^mailto:[^\s@?]+@[^\s@?]+(\?[^#]*)?$/i;

/** What is wrong with the URL, as the end of a sentence; undefined when pages may link to it. */
export function webUrlProblem(text: string, allowed: { readonly fragment?: boolean; readonly email?: boolean } = {}) {
  if (text.length > webUrlLimit) return `is longer than ${webUrlLimit} characters`;
  if (!uriCharacters.test(text)) return 'has characters that must be percent-encoded';
  if (allowed.email && emailLink.test(text)) return undefined;
  const url = URL.parse(text);
  const schemes = allowed.email ? 'https: or mailto:' : 'https:';
  if (url === null || !webSchemes.has(url.protocol)) return `must begin with ${schemes}`;
  if (url.username !== '' || url.password !== '') return 'has credentials in it';
  if (!webAuthority.test(text) || !hasPlainHost(url)) return 'must have a plain host behind its //';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'uses plain http, which is allowed only for localhost, 127.0.0.1 and [::1]';
  }
  return text.includes('#') && !allowed.fragment ? 'has a fragment (#…)' : undefined;
}
