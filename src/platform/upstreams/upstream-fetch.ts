// Sends a request to an identity provider's endpoint, at an address that was checked: the host is resolved once, and the
// connection goes to the result. Redirects aren't followed, proxy variables are ignored, certificates are verified, and
// time and size are limited.

import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../protocol/oauth/redirect-uri.ts';
import { type Addresses, webhookAddresses } from '../webhooks/addresses.ts';
import {
  connectionProblem,
  hostOf,
  lookupOf,
  type Resolve,
  resolveHost,
  untilAborted,
} from '../webhooks/checked-host.ts';

/** The message is a phrase that fits into a sentence. */
export class UpstreamUnreachable extends Error {}

export interface UpstreamRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface UpstreamFetchOptions {
  /** Internal networks that the operator allows. */
  readonly networks: readonly string[];
  readonly resolve?: Resolve;
  /** From the beginning to the last byte of the response, in milliseconds. */
  readonly deadline?: number | undefined;
}

export interface UpstreamFetch {
  /** Why the URL can't be used, as far as that's known without resolving its host. */
  urlProblem(text: string): string | undefined;
  /** Rejects with UpstreamUnreachable. */
  send(url: string, request: UpstreamRequest): Promise<Response>;
}

/** Key sets and discovery documents have a few kilobytes. */
const responseLimit = 512 * 1024;
const longestUrl = 1000;
/** The constructor of a response refuses a body with these. */
const withoutBody = new Set([204, 205, 304]);

export function upstreamFetch({
  networks,
  resolve = resolveHost,
  deadline = 5000,
}: UpstreamFetchOptions): UpstreamFetch {
  const addresses = webhookAddresses(networks);

  const urlProblem = (text: string): string | undefined => {
    const url = text.length > longestUrl || /\s/.test(text) ? null : URL.parse(text);
    if (url === null) return `must be a URL of at most ${longestUrl} characters`;
    if (url.username !== '' || url.password !== '') return "can't contain a user name or password";
    if (url.hash !== '') return "can't contain a fragment (#…)";
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
      return 'must begin with https: unless it is on this machine';
    }
    const host = hostOf(url);
    return isIP(host) === 0 || addresses.isReachable(host) ? undefined : unreachable(host);
  };

  return {
    urlProblem,

    async send(target, request) {
      const problem = urlProblem(target);
      if (problem !== undefined) throw new UpstreamUnreachable(`the URL ${problem}`);
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), deadline);
      try {
        const url = new URL(target);
        const found = await untilAborted(signal, addressesOf(addresses, url, resolve, signal));
        return await exchange(url, found, request, signal);
      } catch (error) {
        throw new UpstreamUnreachable(`${new URL(target).host}: ${inWords(error, signal, deadline)}`);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function addressesOf(addresses: Addresses, url: URL, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url);
  const found = isIP(host) === 0 ? await resolve(host, signal) : [host];
  const reachable = found.filter((address) => addresses.isReachable(address));
  if (reachable.length === 0) {
    throw new UpstreamUnreachable(found[0] === undefined ? 'the host has no IP address' : unreachable(found[0]));
  }
  return reachable;
}

function unreachable(address: string): string {
  return `${address} isn't a public IP address; LATCHKEY_UPSTREAM_NETWORKS can allow its network`;
}

function exchange(
  url: URL,
  found: readonly string[],
  { method, headers, body }: UpstreamRequest,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = {
      method,
      headers: { ...headers, ...length, 'user-agent': 'Latchkey', 'accept-encoding': 'identity', connection: 'close' },
      // A new connection: none from before the address was checked.
      agent: false as const,
      lookup: lookupOf(found),
      signal,
    };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > responseLimit) sent.destroy(new UpstreamUnreachable('the response is too large'));
      });
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status < 200 || status > 599) return reject(new UpstreamUnreachable('the response is not valid HTTP'));
        const type = response.headers['content-type'];
        const given = { status, headers: type === undefined ? {} : { 'content-type': type } };
        resolve(new Response(withoutBody.has(status) ? null : new Uint8Array(Buffer.concat(chunks)), given));
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    // Statuses such as 101 end the request without a response and without an error.
    sent.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    sent.end(body);
  });
}

function inWords(error: unknown, signal: AbortSignal, deadline: number): string {
  if (error instanceof UpstreamUnreachable) return error.message;
  if (signal.aborted) return `no response within ${deadline / 1000} s`;
  return connectionProblem(error);
}
