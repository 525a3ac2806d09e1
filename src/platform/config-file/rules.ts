// What texts in the files of the gate and the bridge can be. A pattern is what a schema can express of a rule; a function
// returns the end of a sentence that says what is wrong, or undefined.

import { isLoopbackHost } from '../../protocol/oauth/redirect-uri.ts';
import { isPlainText } from '../../protocol/reading/control-characters.ts';
import { isAddressOrNetwork } from '../config.ts';

/** Such as a claim's name: not empty, and without control characters. */
export const plainPattern = /^[^\u0000-\u001f\u007f-\u009f]+$/;
export const originPattern =
  /^(?:https:\/\/[^\s/?#@\\]+|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d{1,5})?)$/;
export const hostName = String.raw`(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])`;
export const listenPattern = new RegExp(String.raw`^${hostName}:(?:0|[1-9]\d{0,4})$`);
export const proxyPattern = /^[0-9A-Fa-f.:]+(?:\/\d{1,3})?$/;
export const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** By the rule for LATCHKEY_BASE_URL. `what` is such as "Latchkey's base URL". */
export function originProblem(text: string, what: string, example: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return `must be ${what}, such as ${example}`;
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'must use https; plain http works only on localhost, 127.0.0.1 and [::1]';
  }
  if (text === url.origin) return undefined;
  return `must be just an origin, without a path, query or trailing slash: ${url.origin}`;
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

/** `port` is that of the example. */
export const listenProblem = (port: number) =>
  `must be an IP address or host name with a port, such as 127.0.0.1:${port} or [::1]:${port}`;

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
