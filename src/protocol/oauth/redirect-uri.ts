// Redirect URIs: which may be registered, and how an answer is appended to one. Matching is plain string equality and
// lives with the request; nothing here ever normalises a URI that a client has sent.

const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const webSchemes = new Set(['http:', 'https:']);
const privateUseScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;
/** The characters of RFC 3986, with every percent sign beginning an encoded byte. */
const uriCharacters = /^([A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;
const webAuthority = /^https?:\/\/[^/?#@]+([/?]|$)/i;

/** A sentence that says what is wrong with the URI, or undefined when it may be registered. */
export function redirectUriProblem(uri: string, clientIsPublic: boolean): string | undefined {
  if (uri.length > 2000) return 'is longer than 2000 characters';
  if (uri === '') return 'is empty';
  if (!uriCharacters.test(uri)) return 'has characters that must be percent-encoded';
  if (uri.includes('*')) return 'has a wildcard; register each address exactly';
  if (uri.includes('#')) return 'has a fragment (#…), which an answer cannot carry';
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    return 'is not an absolute URI';
  }
  if (url.username !== '' || url.password !== '') return 'has credentials in it';
  if (webSchemes.has(url.protocol)) {
    // The parser repairs what it can (https:x, https:///x); what is registered must need no repair.
    if (!webAuthority.test(uri)) return 'must have a plain host behind its //';
    if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined;
    return 'uses plain http, which is allowed only for localhost, 127.0.0.1 and [::1]';
  }
  if (!privateUseScheme.test(url.protocol)) {
    return 'must be https, http on loopback, or a private-use scheme such as com.example.app:/callback';
  }
  return clientIsPublic ? undefined : 'uses a private-use scheme, which only public clients may have';
}

export function isLoopbackHost(hostname: string): boolean {
  return loopbackHost.test(hostname);
}

/** The redirect URI with the answer's parameters added to its query. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
  if (!uri.includes('?')) return `${uri}?${query}`;
  return uri.endsWith('?') || uri.endsWith('&') ? uri + query : `${uri}&${query}`;
}

/**
 * What a page's `form-action` must allow so that a browser follows the form's redirect to this URI: its origin, or its
 * scheme where there is no origin. CSP cannot name an IPv6 host, so there too only the scheme is left.
 */
export function formActionSource(uri: string): string {
  const url = new URL(uri);
  return webSchemes.has(url.protocol) && !url.hostname.startsWith('[') ? url.origin : url.protocol;
}

/** What a person is shown as the place they return to. */
export function displayHost(uri: string): string {
  const url = new URL(uri);
  return webSchemes.has(url.protocol) ? url.host : url.protocol.slice(0, -1);
}
