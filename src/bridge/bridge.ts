// A running bridge: an OpenID provider for applications that can't use Latchkey directly, and towards Latchkey a client.

import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '../platform/clock.ts';
import { currentSecrets } from '../platform/config-file/members.ts';
import { readKeyFile } from '../platform/key-file.ts';
import { MetricRegistry } from '../platform/metrics/registry.ts';
import { Outage, type OutageLog } from '../platform/outage.ts';
import { issuerAt } from '../platform/relying-party/issuer.ts';
import { atMost, noticesTo } from '../platform/relying-party/notices.ts';
import { Reachability } from '../platform/relying-party/reachability.ts';
import { sender } from '../platform/relying-party/requests.ts';
import { type Serving, serving } from '../platform/relying-party/serving.ts';
import { webhookAddresses } from '../platform/webhooks/addresses.ts';
import { SECOND } from '../protocol/durations.ts';
import type { BridgeApplication, BridgeConfig } from './config-file.ts';
import type { Application, BridgeContext } from './context.ts';
import { bridgeKeys, openBridgeDatabase } from './database.ts';
import { openGrants } from './grants.ts';
import { openKeyStore } from './key-store.ts';
import { bridgeMeters } from './meters.ts';
import { makeProvider } from './provider.ts';
import { type Handle, handlerFor, plain } from './routes.ts';
import { secretLimit } from './secret-limit.ts';

export interface BridgeOptions {
  readonly log: OutageLog;
  readonly clock?: Clock;
  /** For requests to Latchkey and to applications, in milliseconds. */
  readonly deadline?: number | undefined;
}

/** Other processes rotate keys, and a new one begins to sign. */
const lookForKeysEvery = 20 * SECOND;

export async function startBridge(
  config: BridgeConfig,
  { clock = systemClock, log, deadline }: BridgeOptions,
): Promise<Serving> {
  const now = () => clock.now();
  // The key file may be in there, too.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const keys = bridgeKeys(readKeyFile(config.keyFile)[0]);
  const database = openBridgeDatabase(config.dataDir);
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

  const close = () => {
    send.close();
    database.close();
  };
  try {
    await signingKeys.ensure(new Set(config.applications.map(({ signing }) => signing)));
  } catch (error) {
    close();
    throw error;
  }
  const handle = handlerFor({
    context,
    library: latestLibrary(context),
    addressOf: addressIn(config.trustedProxies),
    send,
    async isReady() {
      // Fails if the file can't be read.
      grants.count();
      return (await context.ask(() => issuer.discover())).kind === 'answered';
    },
  });
  const isWorthALine = atMost(20);
  return serving({
    listen: config.listen,
    metrics: config.metrics,
    registry,
    respond(request, response) {
      handle(request, response).catch((error: unknown) => {
        if (isWorthALine()) log.error({ err: error }, 'a request failed');
        if (response.headersSent) response.destroy();
        else plain(response, 503, 'Something went wrong. Try again in a few seconds.');
      });
    },
    sweep() {
      grants.sweep();
      signingKeys.sweep();
    },
    sweepFailed: (error) => log.error({ err: error }, "expired grants couldn't be deleted"),
    close,
  });
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
