// Shared by requests to other people's servers: the host is resolved and checked once, the connection goes to the result,
// and what went wrong is described.

import { lookup, Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf } from '../../protocol/reading/caught-errors.ts';
import { request as httpRequest } from '../node-http.ts';

export interface OutgoingOptions {
  /** Internal networks that the operator allows. */
  readonly networks: readonly string[];
  readonly resolve?: Resolve;
  /** From the beginning to the last byte of the response, in milliseconds. */
  readonly deadline?: number | undefined;
  /** Ends requests before their deadline. */
  readonly stop?: AbortSignal | undefined;
  /** Nothing goes out at all. */
  readonly off?: boolean | undefined;
}

/** Why a request wasn't sent, or got no response. The message is a phrase that fits into a sentence. */
export class Unreachable extends Error {}

/** How a request gets to the addresses that were checked, and when it's given up. */
export interface Connection {
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
}

/**
 * Calls `exchange` for the addresses of the host that have no problem, and rejects with Unreachable whatever goes wrong,
 * once time is up at the latest.
 */
export async function withCheckedHost<Result>(
  url: URL,
  { resolve = resolveHost, deadline = 5000, stop, off = false }: Omit<OutgoingOptions, 'networks'>,
  problemOf: (address: string) => string | undefined,
  exchange: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (off) throw new Unreachable('outgoing connections are off');
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort();
  const timer = setTimeout(abort, deadline);
  stop?.addEventListener('abort', abort);
  try {
    const host = hostOf(url);
    const found = isIP(host) === 0 ? await untilAborted(signal, resolve(host, signal)) : [host];
    const problems = found.map(problemOf);
    const reachable = found.filter((_, index) => problems[index] === undefined);
    if (reachable.length === 0) throw new Unreachable(problems[0] ?? 'the host has no IP address');
    return await exchange({ lookup: lookupOf(reachable), signal });
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(signal.aborted ? `no response within ${deadline / 1000} s` : connectionProblem(error));
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', abort);
  }
}

export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The caller listens to its events, and ends it with the body. */
export function requestTo(
  url: URL,
  { method, headers, body }: OutgoingRequest,
  connection: Connection,
  answered: (response: IncomingMessage) => void,
): ClientRequest {
  // TLS takes time and memory to load, and not everyone has webhooks or identity providers.
  const request = url.protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const sent = { ...headers, ...length, 'user-agent': 'Latchkey', connection: 'close' };
  // A new connection: none from before the address was checked.
  return request(url, { method, headers: sent, agent: false, ...connection }, answered);
}

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Always resolves to these addresses, even if DNS changes. */
function lookupOf(found: readonly string[]): LookupFunction {
  return (_host, { all }, done) => {
    const answers = found.map((address) => ({ address, family: isIP(address) }));
    const [first] = answers;
    if (all === true) done(null, answers);
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

/** Rejects as soon as time is up, whatever the work does. */
function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** By the error's code: certificates that aren't accepted. */
export const invalidCertificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** By the error's code: certificates of an authority that this machine doesn't know. */
export const untrustedCertificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not from a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not from a trusted authority',
};

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before the response',
  EPIPE: 'the connection was closed before the response',
  ENOTFOUND: 'the host is unknown',
  ENODATA: 'the host is unknown',
  ETIMEOUT: 'the name servers did not answer',
  ESERVFAIL: 'the name servers failed to look up the host',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  ...invalidCertificates,
  ...untrustedCertificates,
};

/** Why a request to another server got no response. */
function connectionProblem(error: unknown): string {
  const code = codeOf(error) ?? '';
  // One for each address of the host.
  const each = error instanceof AggregateError ? error.errors.map((one) => codeOf(one) ?? '') : [];
  const known = [code, ...each].find((one) => one in codes);
  if (known !== undefined) return codes[known] ?? known;
  if (code.startsWith('HPE_')) return 'the response is not valid HTTP';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** One at a time, so that it never takes more than one thread. */
let asking: Promise<unknown> = Promise.resolve();

/**
 * The system's resolver blocks one of the few threads that also hash passwords for as long as a name server takes; so name
 * servers are queried directly, and the system's resolver only for names that they don't know, such as those in /etc/hosts.
 */
const resolveHost: Resolve = async (host, signal) => {
  setMaxListeners(0, signal);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const found = isLocal ? [] : await askNameServers(host, signal);
  if (found.length > 0) return found;
  const asked = asking.then(async () => {
    signal.throwIfAborted();
    return (await lookup(host, { all: true })).map(({ address }) => address);
  });
  asking = asked.catch(() => {});
  return asked;
};

/** Empty if there's no such name. Rejects if the name servers don't respond in time. */
async function askNameServers(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const unanswered = answers.find((answer) => answer.status === 'rejected' && isUnanswered(answer.reason));
    if (found.length === 0 && unanswered?.status === 'rejected') throw unanswered.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function isUnanswered(error: { readonly code?: string }): boolean {
  return error.code === 'ETIMEOUT' || error.code === 'ECANCELLED' || error.code === 'ESERVFAIL';
}
