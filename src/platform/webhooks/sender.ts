// Sends one webhook message over HTTP, to an address that was checked: the host is resolved once, and the connection goes to
// the result. Redirects aren't followed, proxy variables are ignored, and certificates are verified.

import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { type Addresses, webhookAddresses } from './addresses.ts';
import {
  type Connection,
  hostOf,
  type OutgoingOptions,
  type OutgoingRequest,
  requestTo,
  withCheckedHost,
} from './checked-host.ts';

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
  /** Makes what is being sent fail. */
  close(): void;
}

/** The part of a response that is read. */
const responseLimit = 64 * 1024;

export function webhookSender(options: OutgoingOptions): WebhookSender {
  const { networks } = options;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
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
      try {
        const url = new URL(target);
        const problemOf = (address: string) => addressProblem(addresses, url, address);
        const answer = await withCheckedHost(url, { ...options, stop: closing.signal }, problemOf, (connection) =>
          post(url, { method: 'POST', headers, body }, connection),
        );
        return { kind: 'answered', ...answer, duration: duration() };
      } catch (error) {
        return { kind: 'failed', error: messageOf(error), duration: duration() };
      }
    },

    close: () => closing.abort(),
  };
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

function post(url: URL, message: OutgoingRequest, connection: Connection): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const sent = requestTo(url, message, connection, (response) => {
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
    sent.end(message.body);
  });
}
