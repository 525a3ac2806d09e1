// Redirect URIs: which ones may be registered, and how a response is added to one. Whether a request's URI is registered
// is plain string equality and decided elsewhere; nothing here normalizes a URI.

const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
export const webSchemes = new Set(['http:', 'https:']);
const privateUseScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;
/** The characters of RFC 3986, with percent signs only in percent-encoded bytes. */
export const uriCharacters = /^([A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;
const webAuthority = /^https?:\/\/[^/?#@]+([/?]|$)/i;
/** The URL parser takes hosts with characters such as ; and , which would end a directive or a source in a policy. */
const plainHost = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** What is wrong with the URI, as the end of a sentence; undefined when it may be registered. */
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
    // The URL parser fixes malformed URIs such as https:x and https:///x; those must not be registered.
    if (!webAuthority.test(uri) || !hasPlainHost(url)) return 'must have a plain host behind its //';
    if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined;
    return 'uses plain http, which is allowed only for localhost, 127.0.0.1 and [::1]';
  }
  if (!privateUseScheme.test(url.protocol)) {
    return 'must be https, http on loopback, or a private-use scheme such as com.example.app:/callback';
  }
  return clientIsPublic ? undefined : 'uses a private-use scheme, which only public clients may have';
}

/** What an authorization response can have, here or at other services. */
const responseParameters = ['code', 'state', 'iss', 'error', 'error_description', 'session_state'];

/**
 * What is wrong with the URI if a client doesn't have it yet, after `redirectUriProblem`. Earlier versions registered URIs with
 * parameters of a response in their query: the client gets each of them twice, and may believe the one that isn't ours.
 */
export function newRedirectUriProblem(uri: string): string | undefined {
  const [, query = ''] = uri.split(/\?(.*)/s);
  const names = new Set(new URLSearchParams(query).keys());
  const reserved = responseParameters.find((name) => names.has(name));
  return reserved && `has the parameter "${reserved}", which responses add themselves`;
}

/** Of letters, digits, dots, hyphens and underscores, or an IPv6 address. */
export function hasPlainHost({ hostname }: URL): boolean {
  return plainHost.test(hostname);
}

export function isLoopbackHost(hostname: string): boolean {
  return loopbackHost.test(hostname);
}

/** Whether only the owner of a domain receives what is sent there: it's https, and not on loopback. */
export function isWebUri(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' && !isLoopbackHost(hostname);
}

/** The redirect URI with the parameters of a response added to its query. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  let whole = uri;
  let separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  for (const name of Object.keys(parameters)) {
    const value = parameters[name];
    if (value === undefined) continue;
    whole += `${separator}${name}=${encodeURIComponent(value.toWellFormed())}`;
    separator = '&';
  }
  return whole;
}

/**
 * What the `form-action` of a page's content security policy must allow, so that browsers follow the form's redirect to
 * this URI: its origin, or only its scheme when it has no origin or has an IPv6 host, which CSP cannot express. Undefined
 * for a host that earlier versions registered and that no policy can name.
 */
export function formActionSource(uri: string): string | undefined {
  const url = new URL(uri);
  if (!webSchemes.has(url.protocol) || url.hostname.startsWith('[')) return url.protocol;
  return hasPlainHost(url) ? url.origin : undefined;
}

/** The part of the URI that the consent page shows. */
export function displayHost(uri: string): string {
  const url = new URL(uri);
  return webSchemes.has(url.protocol) ? url.host : url.protocol.slice(0, -1);
}
