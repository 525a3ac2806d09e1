// Sends a request to an identity provider's endpoint, at an address that was checked: the host is resolved once, and the
// connection goes to the result. Redirects aren't followed, proxy variables are ignored, certificates are verified, and
// time and size are limited.

import { isIP } from 'node:net';
import { hasPlainHost, isLoopbackHost } from '../../protocol/oauth/redirect-uri.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { webhookAddresses } from '../webhooks/addresses.ts';
import {
  type Connection,
  hostOf,
  type OutgoingOptions,
  type OutgoingRequest,
  requestTo,
  Unreachable,
  withCheckedHost,
} from '../webhooks/checked-host.ts';

export interface UpstreamFetch {
  /** Why the URL can't be used, as far as that's known without resolving its host. */
  urlProblem(text: string): string | undefined;
  /** Rejects with Unreachable. */
  send(url: string, request: OutgoingRequest): Promise<Response>;
}

/** Key sets and discovery documents have a few kilobytes. */
const responseLimit = 512 * 1024;
const longestUrl = 1000;
/** The constructor of a response refuses a body with these. */
const withoutBody = new Set([204, 205, 304]);

export function upstreamFetch(options: OutgoingOptions): UpstreamFetch {
  const addresses = webhookAddresses(options.networks);
  const addressProblem = (address: string) =>
    addresses.isReachable(address)
      ? undefined
      : `${address} isn't a public IP address; LATCHKEY_UPSTREAM_NETWORKS can allow its network`;

  const urlProblem = (text: string): string | undefined => {
    const url = text.length > longestUrl || /\s/.test(text) ? null : URL.parse(text);
    if (url === null) return `must be a URL of at most ${longestUrl} characters`;
    // What pages and terminals show would be another URL than the one that is called.
    if (escapeMisleading(text) !== text) return "can't contain invisible characters";
    if (url.username !== '' || url.password !== '') return "can't contain a user name or password";
    if (url.hash !== '') return "can't contain a fragment (#…)";
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
      return 'must begin with https: unless it is on this machine';
    }
    if (!hasPlainHost(url)) return 'must have a plain host behind its //';
    const host = hostOf(url);
    return isIP(host) === 0 ? undefined : addressProblem(host);
  };

  return {
    urlProblem,

    async send(target, request) {
      const problem = urlProblem(target);
      if (problem !== undefined) throw new Unreachable(`the URL ${problem}`);
      const url = new URL(target);
      try {
        return await withCheckedHost(url, options, addressProblem, (connection) => exchange(url, request, connection));
      } catch (error) {
        throw new Unreachable(`${url.host}: ${messageOf(error)}`);
      }
    },
  };
}

function exchange(url: URL, request: OutgoingRequest, connection: Connection): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    const sent = requestTo(url, { ...request, headers }, connection, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > responseLimit) sent.destroy(new Unreachable('the response is too large'));
      });
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status < 200 || status > 599) return reject(new Unreachable('the response is not valid HTTP'));
        const type = response.headers['content-type'];
        const given = { status, headers: type === undefined ? {} : { 'content-type': type } };
        resolve(new Response(withoutBody.has(status) ? null : new Uint8Array(Buffer.concat(chunks)), given));
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    // Statuses such as 101 end the request without a response and without an error.
    sent.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    sent.end(request.body);
  });
}
