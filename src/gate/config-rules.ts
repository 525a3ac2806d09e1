// What texts in the gate's file can be. A pattern is what a schema can express of a rule; a function returns the end of a
// sentence that says what is wrong, or undefined.

import { hostName } from '../platform/config-file/rules.ts';
import { isLoopbackHost } from '../protocol/oauth/redirect-uri.ts';
import { isPlainText } from '../protocol/reading/control-characters.ts';

export const hostPattern = new RegExp(String.raw`^${hostName}(?::[1-9]\d{0,4})?$`);
export const pathPattern = /^(?![\s\S]*(?:\/\/|\/\.|[\\;%?#\u0000-\u001f\u007f-\u009f]))\/[^*]*\*?$/;
/** Programs such as CGI scripts can't tell other signs from hyphens. */
export const headerPattern = /^[A-Za-z][A-Za-z0-9-]*$/;

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
