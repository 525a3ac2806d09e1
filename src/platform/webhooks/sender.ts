// Sends one webhook message over HTTP, to an address that was checked: the host is resolved once, and the connection goes to
// the result. Redirects aren't followed, proxy variables are ignored, and certificates are verified.

import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { type Addresses, webhookAddresses } from './addresses.ts';
import { connectionProblem, hostOf, lookupOf, type Resolve, resolveHost, untilAborted } from './checked-host.ts';

export type SendResult =
  /** `body` is the beginning of the response. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly duration: number }
  /** The error is a readable phrase. */
  | { readonly kind: 'failed'; readonly error: string; readonly duration: number };

export interface WebhookSender {
  /** Why no message can be sent to this URL, as far as that's known without resolving its host. */
  urlProblem(url: URL): string | undefined;
  /** Never rejects. The duration is in milliseconds. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SendResult>;
}

export interface SenderOptions {
  /** The networks that the operator allows. */
  readonly networks: readonly string[];
  readonly resolve?: Resolve;
  /** From the beginning to the last byte of the response, in milliseconds. */
  readonly deadline?: number | undefined;
}

/** The part of a response that is read. */
const responseLimit = 64 * 1024;

class Refusal extends Error {}

export function webhookSender({ networks, resolve = resolveHost, deadline = 5000 }: SenderOptions): WebhookSender {
  const addresses = webhookAddresses(networks);
  return {
    urlProblem(url) {
      if (url.protocol === 'http:' && networks.length === 0) {
        return 'the URL must begin with https: unless LATCHKEY_WEBHOOK_NETWORKS allows a network';
      }
      const host = hostOf(url);
      return isIP(host) === 0 ? undefined : addressProblem(addresses, url, host);
    },

    async send(target, headers, body) {
      const begun = performance.now();
      const duration = () => performance.now() - begun;
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), deadline);
      try {
        const url = new URL(target);
        const found = await untilAborted(signal, addressesOf(addresses, url, resolve, signal));
        return { kind: 'answered', ...(await post(url, found, headers, body, signal)), duration: duration() };
      } catch (error) {
        return { kind: 'failed', error: inWords(error, signal, deadline), duration: duration() };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The host's addresses that messages may be sent to. */
async function addressesOf(addresses: Addresses, url: URL, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url);
  const found = isIP(host) === 0 ? await resolve(host, signal) : [host];
  const problems = found.map((address) => addressProblem(addresses, url, address));
  const reachable = found.filter((_, index) => problems[index] === undefined);
  if (reachable.length === 0) throw new Refusal(problems[0] ?? 'the host has no IP address');
  return reachable;
}

function addressProblem(addresses: Addresses, url: URL, address: string): string | undefined {
  if (!addresses.isReachable(address)) {
    return `${address} isn't a public IP address; LATCHKEY_WEBHOOK_NETWORKS can allow its network`;
  }
  // Without TLS, anyone in between could read and answer messages.
  if (url.protocol === 'http:' && !addresses.isAllowed(address)) {
    return `plain http is only for networks that LATCHKEY_WEBHOOK_NETWORKS allows, and ${address} is in none of them`;
  }
  return undefined;
}

function post(
  url: URL,
  found: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const { request } = url.protocol === 'https:' ? https : http;
    const length = Buffer.byteLength(body);
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': length, 'user-agent': 'Latchkey', connection: 'close' },
      // A new connection: none from before the address was checked.
      agent: false as const,
      lookup: lookupOf(found),
      signal,
    };
    const sent = request(url, options, (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let size = 0;
      // The status says whether the message was accepted, however the rest of the response ends.
      const finish = () => {
        resolve({ status, body: Buffer.concat(chunks).toString('utf8') });
        sent.destroy();
      };
      answered = true;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= responseLimit) finish();
      });
      response.on('end', finish);
      response.on('error', finish);
      sent.on('error', finish);
      sent.on('close', finish);
    });
    sent.on('error', (error) => {
      if (!answered) reject(error);
    });
    // Statuses such as 101 end the request without a response and without an error.
    sent.on('close', () => {
      if (!answered) reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
    sent.end(body);
  });
}

function inWords(error: unknown, signal: AbortSignal, deadline: number): string {
  if (error instanceof Refusal) return error.message;
  if (signal.aborted) return `no response within ${deadline / 1000} s`;
  return connectionProblem(error);
}
