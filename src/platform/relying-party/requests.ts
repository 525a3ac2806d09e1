// Requests to Latchkey, within limits: neither a slow response nor a large one may hold anyone up, and no redirect leads
// elsewhere.

import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { codeOf } from '../../protocol/reading/caught-errors.ts';
import { request as httpRequest } from '../node-http.ts';
import { type OutgoingRequest, Unreachable } from '../webhooks/checked-host.ts';

/** Rejects with Unreachable if there is no answer, or one that says that Latchkey can't answer now. */
export type Send = (url: string, request: OutgoingRequest) => Promise<Response>;

/** Latchkey can be reached, but not for this: the response is too large, or it has had too many requests like it. */
export class Unusable extends Unreachable {}

/** From the beginning to the last byte, in milliseconds. */
const standardDeadline = 5000;
const responseLimit = 256 * 1024;
/** What the constructor of a response refuses a body with. */
const withoutBody = new Set([204, 205, 304]);

/** `userAgent` is the name that Latchkey sees. */
export function sender(userAgent: string, deadline = standardDeadline): Send & { close(): void } {
  const agents = new Map<string, Agent>();
  const modules = { 'http:': 'node:http', 'https:': 'node:https' } as const;

  /** Connections are kept for questions about someone's access, which are most of what is sent. */
  function agentFor(protocol: 'http:' | 'https:'): Agent {
    const known = agents.get(protocol);
    if (known !== undefined) return known;
    const { Agent } = process.getBuiltinModule(modules[protocol]);
    const made = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 8 });
    agents.set(protocol, made);
    return made;
  }

  async function send(text: string, outgoing: OutgoingRequest): Promise<Response> {
    const url = new URL(text);
    const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
    // A request that may have been carried out isn't sent again, so it gets a connection of its own.
    const agent = outgoing.method === 'GET' ? agentFor(protocol) : false;
    const signal = AbortSignal.timeout(deadline);
    const request = protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest;
    const start = () =>
      request(url, {
        method: outgoing.method,
        headers: { ...headersOf(outgoing), 'user-agent': userAgent },
        agent,
        signal,
      });
    try {
      const first = start();
      return await exchange(first, outgoing.body).catch((error: unknown) => {
        // Latchkey has closed a connection that was idle.
        if (first.reusedSocket && codeOf(error) === 'ECONNRESET') return exchange(start(), outgoing.body);
        throw error;
      });
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      throw new Unreachable(signal.aborted ? `no response within ${deadline / 1000} s` : (codeOf(error) ?? 'failed'));
    }
  }

  return Object.assign(send, {
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  });
}

function headersOf({ headers, body }: OutgoingRequest): Record<string, string | number> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return { ...headers, ...length, 'accept-encoding': 'identity' };
}

function exchange(sent: ClientRequest, body: string | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    // Statuses such as 101 end a request without a response and without an error.
    sent.on('close', () => reject(new Unreachable('the connection was closed')));
    sent.on('response', (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > responseLimit) sent.destroy(new Unusable('the response is too large'));
      });
      response.on('end', () => {
        // Latchkey limits wrong secrets, which says nothing about the applications that have the right one.
        if (status === 429) return reject(new Unusable('status 429'));
        if (status >= 500 || status < 200) return reject(new Unreachable(`status ${status}`));
        const type = response.headers['content-type'] ?? 'application/octet-stream';
        const content = withoutBody.has(status) ? null : new Uint8Array(Buffer.concat(chunks));
        resolve(new Response(content, { status, headers: { 'content-type': type } }));
      });
    });
    sent.end(body);
  });
}
