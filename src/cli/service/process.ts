// How a process that serves ends, and why it can't start: which signal stops it, how long it takes at most to finish, and what
// the operator reads when the service can't listen.

import type { Config } from '../../platform/config.ts';
import { codeOf, isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed } from '../command.ts';

/** Supervisors usually kill a process ten seconds after asking it to stop. */
const stopDeadline = 9000;
/** Milliseconds that requests in flight have at least, when draining takes longer than usual. */
const finishingTime = 4000;

/** What a worker sends to the primary process when it's ready. */
export const workerReady = 'ready';

export type StopSignal = 'SIGTERM' | 'SIGINT';

export type StopSignals = ReturnType<typeof stopSignals>;

/**
 * The first signal that asks the process to stop, and the second, of someone who doesn't want to wait. From the call on,
 * signals no longer end the process by themselves.
 */
export function stopSignals() {
  const first = Promise.withResolvers<StopSignal>();
  const second = Promise.withResolvers<StopSignal>();
  let count = 0;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => (count++ === 0 ? first : second).resolve(name));
  }
  return { first: first.promise, second: second.promise };
}

/** Ends the process at the deadline, whatever isn't finished by then. */
export function exitByDeadline(drainSeconds = 0): void {
  setTimeout(() => process.exit(1), Math.max(stopDeadline, drainSeconds * 1000 + finishingTime)).unref();
}

/** Ends a process that has finished its work, even if another server keeps a connection open that was closed here. */
export function exitSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

const requestTimeout = 2000;

/** Turns the error of a port that can't be used into a sentence for the operator. */
export async function explainListenErrors<Started>(config: Config, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new CommandFailed(await portInUse(config));
    if (!isSystemError(error)) throw error;
    throw new CommandFailed(`can't listen on port ${config.port} of ${config.host}: ${messageOf(error)}.`);
  }
}

async function portInUse({ host, port, baseUrl }: Config): Promise<string> {
  const running = await issuerAt(port);
  const other = new URL(baseUrl);
  // Behind a proxy, the port isn't part of the issuer.
  const isIssuersPort = other.protocol === 'http:' && other.port === String(port);
  other.port = String(port + 10);
  if (running === undefined) {
    const setting = isIssuersPort ? `LATCHKEY_BASE_URL=${other.origin}` : 'LATCHKEY_PORT to a free port';
    return `port ${port} on ${host} is in use by another program. Stop that program, or set ${setting}.`;
  }
  const second = isIssuersPort
    ? `To run a second one, give it its own URL and data: LATCHKEY_BASE_URL=${other.origin} LATCHKEY_DATA_DIR=./data-2`
    : 'Stop it first, or set LATCHKEY_PORT to a free port.';
  return `Latchkey is already running at ${running}, and other commands work while it runs. ${second}`;
}

/** The issuer of the Latchkey that listens there; undefined if it's something else. */
async function issuerAt(port: number): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(requestTimeout);
    const url = `http://127.0.0.1:${port}/.well-known/openid-configuration`;
    const response = await fetch(url, { redirect: 'error', signal });
    const { issuer, authorization_endpoint: page } = (await response.json()) as Record<string, unknown>;
    return typeof issuer === 'string' && page === `${issuer}/oauth-authorize.php` ? issuer : undefined;
  } catch {
    return undefined;
  }
}
