// A running bridge: an OpenID provider for applications that can't use Latchkey directly, and towards Latchkey a client.

import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../platform/clock.ts';
import { currentSecrets } from '../platform/config-file/members.ts';
import { readKeyFile } from '../platform/key-file.ts';
import { serveMetrics } from '../platform/metrics/listener.ts';
import { measureProcess } from '../platform/metrics/process-metrics.ts';
import { MetricRegistry } from '../platform/metrics/registry.ts';
import { createServer } from '../platform/node-http.ts';
import { Outage, type OutageLog } from '../platform/outage.ts';
import { issuerAt } from '../platform/relying-party/issuer.ts';
import { atMost, noticesTo } from '../platform/relying-party/notices.ts';
import { Reachability } from '../platform/relying-party/reachability.ts';
import { sender } from '../platform/relying-party/requests.ts';
import { webhookAddresses } from '../platform/webhooks/addresses.ts';
import { MINUTE, SECOND } from '../protocol/durations.ts';
import type { BridgeApplication, BridgeConfig } from './config-file.ts';
import type { Application, BridgeContext } from './context.ts';
import { bridgeKeys, openDatabase } from './database.ts';
import { openGrants } from './grants.ts';
import { openKeyStore } from './key-store.ts';
import { bridgeMeters } from './meters.ts';
import { makeProvider } from './provider.ts';
import { type Handle, handlerFor, plain } from './routes.ts';
import { secretLimit } from './secret-limit.ts';

export interface RunningBridge {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface BridgeOptions {
  readonly log: OutageLog;
  readonly clock?: Clock;
  /** For requests to Latchkey and to applications, in milliseconds. */
  readonly deadline?: number | undefined;
}

/** Latchkey's limit of a URL comes back in the callback's, and cookies come with it. */
const headerLimit = 32 * 1024;
/** Milliseconds. Longer than proxies keep connections, so that they're the ones to close them. */
const keepAliveTimeout = 75_000;
const requestTimeout = 15_000;
const sweepEvery = 10 * MINUTE;
/** Other processes rotate keys, and a new one begins to sign. */
const lookForKeysEvery = 20 * SECOND;

export async function startBridge(
  config: BridgeConfig,
  { clock = systemClock, log, deadline }: BridgeOptions,
): Promise<RunningBridge> {
  const now = () => clock.now();
  // The key file may be in there, too.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const keys = bridgeKeys(readKeyFile(config.keyFile)[0]);
  const database = openDatabase(config.dataDir);
  const grants = openGrants(database, keys, now);
  const signingKeys = openKeyStore(database, keys, now);
  const send = sender('Latchkey bridge', deadline);
  const registry = new MetricRegistry();
  const meters = bridgeMeters(registry, () => grants.count());
  const issuer = issuerAt(config.issuer, send, now, meters.unanswered);
  const outage = new Outage(
    {
      level: 'warn',
      begins: "Latchkey doesn't answer: nobody can sign in, and applications can't refresh",
      continues: "Latchkey still doesn't answer",
      ends: 'Latchkey answers again',
    },
    () => log,
  );
  const reachability = new Reachability({
    failed: (problem) => outage.failed('ask', new Error(problem)),
    invalid: (problem) => context.notice('answer', `Latchkey's answer is invalid: ${problem}`),
    answered: () => outage.succeeded('ask'),
  });
  const context: BridgeContext = {
    config,
    applications: new Map(config.applications.map((each) => [each.clientId, applicationFrom(each)])),
    grants,
    keys,
    signingKeys,
    issuer,
    ask: (question) => reachability.ask(question),
    async revoke(ended) {
      for (const { clientId, refreshToken } of ended) {
        const application = context.applications.get(clientId);
        if (application === undefined) continue;
        const answer = await context.ask(() => issuer.revoke(application.registration(), refreshToken));
        if (answer.kind === 'answered') continue;
        log.warn({ client: clientId, reason: answer.problem }, "the tokens of a grant couldn't be revoked at Latchkey");
      }
    },
    log,
    meters,
    now,
    notice: noticesTo(log),
  };

  let isStopping = false;
  let sweeping: NodeJS.Timeout | undefined;
  let stopMetrics = async () => {};
  const closeFiles = () => {
    clearInterval(sweeping);
    send.close();
    database.close();
  };
  try {
    await signingKeys.ensure(new Set(config.applications.map(({ signing }) => signing)));
    const library = latestLibrary(context);
    const handle = handlerFor({
      context,
      library,
      addressOf: addressIn(config.trustedProxies),
      send,
      async isReady() {
        // Fails if the file can't be read.
        grants.count();
        return (await context.ask(() => issuer.discover())).kind === 'answered';
      },
    });
    const isWorthALine = atMost(20);
    const server = createServer(
      { maxHeaderSize: headerLimit, keepAliveTimeout, requestTimeout },
      (request, response) => {
        if (isStopping) response.shouldKeepAlive = false;
        handle(request, response).catch((error: unknown) => {
          if (isWorthALine()) log.error({ err: error }, 'a request failed');
          if (response.headersSent) response.destroy();
          else plain(response, 503, 'Something went wrong. Try again in a few seconds.');
        });
      },
    );
    const sweep = () => {
      try {
        grants.sweep();
        signingKeys.sweep();
      } catch (error) {
        log.error({ err: error }, "expired grants couldn't be deleted");
      }
    };
    sweep();
    sweeping = setInterval(sweep, sweepEvery).unref();
    if (config.metrics !== undefined) stopMetrics = await servedMetrics(config.metrics, registry);
    const { port } = await listening(server, config.listen);
    return {
      host: config.listen.host,
      port,
      async stop() {
        isStopping = true;
        const closed = new Promise((resolve) => server.close(resolve));
        // Connections of requests that are answered in the meantime become idle one after the other.
        const closing = setInterval(() => server.closeIdleConnections(), 50);
        await closed;
        clearInterval(closing);
        await stopMetrics();
        closeFiles();
      },
    };
  } catch (error) {
    await stopMetrics();
    closeFiles();
    throw error;
  }
}

function applicationFrom({ clientSecret, applicationSecret, ...rest }: BridgeApplication): Application {
  const secrets = currentSecrets(clientSecret);
  const presented = applicationSecret === undefined ? secrets : currentSecrets(applicationSecret);
  return { ...rest, registration: () => ({ clientId: rest.clientId, secrets: secrets() }), presented };
}

/** The library as the keys are now. Requests that have begun end with the one that they began with. */
function latestLibrary(context: BridgeContext): () => Handle {
  const { signingKeys, now, notice } = context;
  const limit = secretLimit();
  let current: { readonly kids: string; readonly handle: Handle } | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    const list = signingKeys.list();
    const kids = JSON.stringify(list.map(({ kid, state }) => [kid, state]));
    if (current?.kids !== kids) {
      const callback = makeProvider(context, list, limit).callback();
      current = { kids, handle: async (request, response) => void (await callback(request, response)) };
    }
    return current.handle;
  };
  return () => {
    if (current !== undefined && Math.abs(now() - lookedAt) < lookForKeysEvery) return current.handle;
    lookedAt = now();
    try {
      return look();
    } catch (error) {
      if (current === undefined) throw error;
      notice('keys', "the signing keys couldn't be read", { err: error });
      return current.handle;
    }
  };
}

/** Proxies that are trusted say where a request comes from, the nearest last. */
function addressIn(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const { isAllowed } = webhookAddresses(trustedProxies);
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((address) => address.trim())
      .filter(Boolean);
    const path = [...forwarded, socket.remoteAddress ?? ''];
    while (path.length > 1 && isAllowed(path.at(-1) ?? '')) path.pop();
    return path.at(-1) ?? '';
  };
}

/** Returns a function that stops it. */
async function servedMetrics(address: { host: string; port: number }, registry: MetricRegistry) {
  const listener = await serveMetrics(address, async () => registry.snapshot());
  const stopMeasuring = measureProcess(registry);
  return async () => {
    stopMeasuring();
    await listener.close();
  };
}

function listening(
  server: ReturnType<typeof createServer>,
  { host, port }: BridgeConfig['listen'],
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
