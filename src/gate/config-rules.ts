// What texts in the gate's file can be. A pattern is what a schema can express of a rule; a function returns the end of a
// sentence that says what is wrong, or undefined.

import { isAddressOrNetwork } from '../platform/config.ts';
import { isLoopbackHost } from '../protocol/oauth/redirect-uri.ts';
import { isPlainText } from '../protocol/reading/control-characters.ts';

/** Such as a claim's name: not empty, and without control characters. */
export const plainPattern = /^[^\u0000-\u001f\u007f-\u009f]+$/;
export const originPattern =
  /^(?:https:\/\/[^\s/?#@\\]+|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d{1,5})?)$/;
const hostName = String.raw`(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])`;
export const hostPattern = new RegExp(String.raw`^${hostName}(?::[1-9]\d{0,4})?$`);
export const listenPattern = new RegExp(String.raw`^${hostName}:(?:0|[1-9]\d{0,4})$`);
export const pathPattern = /^(?![\s\S]*(?:\/\/|\/\.|[\\;%?#\u0000-\u001f\u007f-\u009f]))\/[^*]*\*?$/;
export const proxyPattern = /^[0-9A-Fa-f.:]+(?:\/\d{1,3})?$/;
export const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Programs such as CGI scripts can't tell other signs from hyphens. */
export const headerPattern = /^[A-Za-z][A-Za-z0-9-]*$/;

/** Latchkey's base URL, by the rule for LATCHKEY_BASE_URL. */
export function issuerProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return "must be Latchkey's base URL, such as https://login.example.com";
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'must use https; plain http works only on localhost, 127.0.0.1 and [::1]';
  }
  if (text === url.origin) return undefined;
  return `must be just an origin, without a path, query or trailing slash: ${url.origin}`;
}

/** The host as requests have it: in lower case, and without the port of its scheme. */
export function readHost(text: string): { readonly host: string } | { readonly problem: string } {
  const url = hostPattern.test(text) ? URL.parse(`https://${text}`) : null;
  if (url === null) {
    const rule = 'must be a host such as wiki.example or wiki.example:8443';
    return { problem: `${rule}, without a scheme, path, wildcard or trailing dot` };
  }
  const typed = text.toLowerCase().replace(/:\d+$/, '');
  // Such as 127.1, which the URL parser completes.
  if (url.hostname !== typed) return { problem: `must be written as browsers send it: ${url.hostname}` };
  return { host: isLoopbackHost(url.hostname) ? url.host.replace(/:80$/, '') : url.host };
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Undefined if it's no address to listen on. Port 0 is any free one. */
export function readListenAddress(text: string): ListenAddress | undefined {
  const colon = text.lastIndexOf(':');
  const port = Number(text.slice(colon + 1));
  if (!listenPattern.test(text) || port > 65_535) return undefined;
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port };
}

export const listenProblem = 'must be an IP address or host name with a port, such as 127.0.0.1:8460 or [::1]:8460';

/** Besides what isn't a path, this finds what no request could match: the gate never takes such a path for a harmless one. */
export function pathProblem(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must be a path that begins with "/"';
  if (!isPlainText(text)) return 'has control characters, so it would never match';
  const star = text.indexOf('*');
  if (star >= 0 && star < text.length - 1) return 'can have "*" only at the end';
  if (text.includes('%'))
    return 'has "%", so it would never match: write characters as they are, without percent-encoding';
  const [never] = /\/\/|\/\.|[\\;?#]/.exec(text) ?? [];
  return never && `has ${JSON.stringify(never)}, so it would never match`;
}

const reservedHeaders = new Set(
  (
    'age allow authorization cache-control connection cookie date etag expect expires forwarded host keep-alive ' +
    'last-modified link location origin pragma range referer refresh retry-after server set-cookie ' +
    'strict-transport-security te trailer transfer-encoding upgrade user-agent vary via www-authenticate ' +
    'x-http-method-override x-real-ip'
  ).split(' '),
);
const reservedFamily = /^(accept|access-control|alt|content|if|proxy|sec|x-accel|x-forwarded|x-gate|x-original)(-|$)/;
/** Some applications read from these who is signed in. */
const identityHeader = /^x-forwarded-(user|email|groups|preferred-username)$/;

export function headerProblem(name: string): string | undefined {
  if (!headerPattern.test(name)) return 'must be a header name of letters, digits and hyphens';
  const key = name.toLowerCase();
  const isReserved = reservedHeaders.has(key) || (reservedFamily.test(key) && !identityHeader.test(key));
  return isReserved ? 'means something else in HTTP or to proxies' : undefined;
}

export function textProblem(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  return isPlainText(text) ? undefined : 'must not have control characters';
}

export function variableProblem(text: string): string | undefined {
  return variablePattern.test(text) ? undefined : 'must be the name of an environment variable';
}

export function trustedProxyProblem(text: string): string | undefined {
  // An IPv6 address with a zone is one machine's own view.
  if (!isAddressOrNetwork(text) || text.includes('%')) {
    return 'must be an IP address or network such as 10.0.0.0/8';
  }
  return /\/0+$/.test(text) ? 'would let everyone claim to be your proxy; list your proxies' : undefined;
}
