// The only place that constructs things: turns a configuration into the services of one command, or into a running
// service.

import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { App, AppOptions } from '../http/app.ts';
import type { Lifecycle } from '../http/context.ts';
import { answerRequest } from '../operations/email-links/request-email.ts';
import { AccessTokens } from '../operations/in-memory/access-tokens.ts';
import { CurrentSettings } from '../operations/in-memory/current-settings.ts';
import { Downloads } from '../operations/in-memory/downloads.ts';
import { ApprovalLimit, SecretGuessLimit } from '../operations/in-memory/oauth-limits.ts';
import { RecentlyRead } from '../operations/in-memory/recently-read.ts';
import { RefusalDelay } from '../operations/in-memory/refusal-delay.ts';
import { Journal } from '../operations/journal/journal.ts';
import { EmailQueue, type EmailRequest } from '../operations/mail/email-queue.ts';
import { operationMeters } from '../operations/meters.ts';
import type { Services } from '../operations/services.ts';
import { digestKeys } from '../operations/users/digest-keys.ts';
import { WebhookQueue } from '../operations/webhook-queue/webhook-queue.ts';
import { messagesIn } from '../pages/languages/languages.ts';
import { emailsIn } from '../pages/mail/emails.ts';
import { docsAreIncluded } from '../platform/client-guides.ts';
import { type Clock, type Stopwatch, type StoreClock, systemClock, systemStopwatch } from '../platform/clock.ts';
import { isCommonPassword } from '../platform/common-passwords.ts';
import type { Config } from '../platform/config.ts';
import type { LoadedKeys } from '../platform/key-file.ts';
import { smtpMailer } from '../platform/mailer.ts';
import { MetricRegistry } from '../platform/metrics/registry.ts';
import type { OutageLog } from '../platform/outage.ts';
import { argon2Passwords } from '../platform/passwords/passwords.ts';
import { bufferedRandom } from '../platform/random.ts';
import type { Tracing } from '../platform/tracing.ts';
import { upstreamConnector } from '../platform/upstreams/connector.ts';
import { webauthnFor } from '../platform/webauthn.ts';
import { webhookSender } from '../platform/webhooks/sender.ts';
import { HOUR } from '../protocol/durations.ts';
import { matchLanguage } from '../protocol/languages.ts';
import { sqlStorage } from '../storage/sql/sql-storage.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { CommandFailed } from './command.ts';
import { explainFilterErrors, openBreaches } from './passwords/breaches.ts';
import { startBackgroundWork } from './service/background.ts';
import { backupRounds } from './service/backup-schedule.ts';
import { type Instance, type JoinInstance, ownInstance } from './service/instance.ts';
import { logStream } from './service/log-lines.ts';
import type { ServeMetrics } from './service/metrics.ts';
import { watchedBreaches, watchedDriver, watchedMailer, watchedPasswords } from './service/outages.ts';
import { nameBuild, storeMeters, watchLoad } from './service/service-meters.ts';
import { tracedDriver, tracedPasswords } from './service/traced.ts';
import { ensureSchema, openKeys, openStore, retiredKey, type StoreOptions } from './store/open-store.ts';

/** Leaves a core for the event loop, and one of the four threads in Node's pool for everything else. */
const hashesAtOnce = Math.min(3, Math.max(1, availableParallelism() - 1));

/** Milliseconds for emails and webhook messages that are being sent when the service stops. */
const sendingTime = 2000;

interface ComposeOptions extends StoreOptions {
  readonly clock?: Clock;
  /** For tests, whose clock stands still: the store's own doesn't. */
  readonly storeClock?: StoreClock | undefined;
  /** For commands without LATCHKEY_BASE_URL: the configuration with the base URL that the service has stored. */
  readonly configAt?: ((baseUrl: string) => Config) | undefined;
  /** Where outages of the store and of other things are reported; a command fails instead. */
  readonly outageLog?: () => OutageLog | undefined;
  /** For tests that aren't about passwords: cheaper hashes. */
  readonly passwordMemory?: number | undefined;
  /** For tests: how long a webhook's receiver has, in milliseconds. */
  readonly webhookDeadline?: number | undefined;
  /** For tests: what refused sign-ins wait by. */
  readonly stopwatch?: Stopwatch | undefined;
  /** For tests: how long an identity provider has, in milliseconds. */
  readonly upstreamDeadline?: number | undefined;
  readonly tracing?: Tracing | undefined;
  /** For a rehearsal on a copy: no email, webhook message, sign-out or request to an identity provider goes out. */
  readonly silent?: boolean | undefined;
}

/** Opens the store, creating it on first use, and constructs everything that operations need. */
export async function composeServices(given: Config, options: ComposeOptions = {}) {
  let config = given;
  const clock = options.clock ?? systemClock;
  const outageLog = options.outageLog ?? (() => undefined);
  const metrics = new MetricRegistry();
  const store = storeMeters(metrics);
  const { observer } = store;
  const { tracing } = options;
  const system = config.databaseUrl === undefined ? 'sqlite' : 'postgresql';
  const watched = watchedDriver(await openStore(config, { ...options, observer }), outageLog, store);
  const driver = tracing === undefined ? watched : tracedDriver(watched, tracing, system);
  const storage = sqlStorage(
    driver,
    observer,
    digestKeys(() => ({ keys, random })),
  );
  const storeClock = options.storeClock ?? storage;
  const settings = new CurrentSettings(storage, clock, { sign_up: config.signUp });
  let keys: LoadedKeys;
  let known: string | undefined;
  /** Reads the key file again, and learns which keys are in use and which ones were retired. */
  const refreshKeys = () => keys.refresh(() => storage.listServiceKeys());
  let schemaWarning: string | undefined;
  let isKeyRetired: boolean;
  try {
    schemaWarning = await ensureSchema(config, driver);
    keys = await openKeys(config, { storage, clock, ifMissing: options.ifMissing });
    // A command seals with the same key as the instances that have to open it.
    isKeyRetired = (await refreshKeys()).retired;
    // Whatever is done first knows the brand already.
    await settings.read();
    known = options.configAt && (await storage.findFact('base_url'));
  } catch (error) {
    await driver.close();
    throw error;
  }
  if (known !== undefined) config = options.configAt?.(known) ?? config;
  const random = bufferedRandom();
  const journal = new Journal(storage, clock, random, config.lastUsedHours * HOUR);
  const meters = operationMeters(metrics);
  const accessTokens = new AccessTokens(config.baseUrl, (now) => keys.accessTokenKeys(now));
  const secretGuesses = new SecretGuessLimit(clock);
  const passwordLimits = { concurrency: hashesAtOnce, queue: 100, memory: options.passwordMemory };
  const checked = watchedPasswords(argon2Passwords(passwordLimits), outageLog, metrics);
  const passwords = tracing === undefined ? checked : tracedPasswords(checked, tracing);
  const stopwatch = options.stopwatch ?? systemStopwatch;
  const refusals = new RefusalDelay({ storage, clock, stopwatch, costliestCheck: passwords.costliestCheck });
  const breaches = openBreaches(config);
  const isBreachedPassword =
    options.outageLog === undefined
      ? (password: string) => explainFilterErrors(config, () => breaches.has(password))
      : watchedBreaches(breaches, outageLog, metrics);
  watchLoad(metrics, { driver, passwords, journal });
  nameBuild(metrics, system);
  const email: Config['email'] = options.silent ? { kind: 'none' } : config.email;
  const mailer =
    email.kind === 'smtp'
      ? watchedMailer(
          smtpMailer(email.url, email.from, () => settings.brand.name),
          outageLog,
        )
      : undefined;
  const answer = (request: EmailRequest) => answerRequest(services, request);
  const emailParts = {
    kind: email.kind,
    mailer,
    storage,
    keys,
    clock,
    storeClock,
    random,
    journal,
    meters,
    answer,
  };
  const emailQueue = new EmailQueue(emailParts);
  const sender = webhookSender({
    networks: config.webhookNetworks,
    deadline: options.webhookDeadline,
    off: options.silent,
  });
  const webhooks = new WebhookQueue({
    issuer: config.baseUrl,
    sender,
    storage,
    keys,
    clock,
    storeClock,
    random,
    journal,
  });
  webhooks.onAttempt = (result, { duration }) => {
    // A logout token that its receiver doesn't want is no outage that anyone could fix here.
    if (result !== 'rejected') meters.webhookDeliveries.add({ result });
    meters.webhookDurations.observe({}, duration / 1000);
  };
  const services: Services = {
    issuer: config.baseUrl,
    emailsFor(locale) {
      const language = locale == null ? undefined : matchLanguage([locale]);
      return emailsIn(messagesIn(language ?? 'en'), config.baseUrl, settings.brand);
    },
    webauthn: webauthnFor(config.baseUrl, () => settings.brand.name),
    approvals: new ApprovalLimit(clock),
    downloads: new Downloads(),
    settings,
    webhooks,
    openUpstreams: new RecentlyRead(clock, async () =>
      (await storage.listUpstreams()).filter(({ disabledAt }) => disabledAt === null),
    ),
    upstreams: upstreamConnector({
      networks: config.upstreamNetworks,
      deadline: options.upstreamDeadline,
      off: options.silent,
    }),
    storage,
    clock,
    storeClock,
    random,
    keys,
    accessTokens,
    passwords,
    isCommonPassword,
    journal,
    meters,
    emailQueue,
    secretGuesses,
    refusals,
    isBreachedPassword,
  };
  return {
    config,
    services,
    metrics,
    breaches,
    schemaWarning,
    /** Whether the newest key was retired as compromised. */
    isKeyRetired,
    refreshKeys,
    /** Returns what couldn't be sent before, and stays in the store. */
    async close() {
      try {
        const timeIsUp = wait(sendingTime, undefined, { ref: false });
        const [emails, webhookMessages] = await Promise.all([emailQueue.close(timeIsUp), webhooks.close(timeIsUp)]);
        await journal.close();
        return { emails, webhookMessages };
      } finally {
        await Promise.all([storage.close(), breaches.close().catch(() => {})]);
      }
    },
  };
}

export interface RunningService extends App {
  readonly services: Services;
  /** From now on /readyz answers 503 and no connection is kept alive; requests are served as before. */
  drain(): void;
  /** Finishes the requests in flight, writes the journal, and closes the store. */
  stop(): Promise<void>;
}

export interface StartOptions extends ComposeOptions {
  readonly logger?: AppOptions['logger'];
  /** For tests: how long a client may take to send a request, in milliseconds. */
  readonly requestTimeout?: number | undefined;
  /** For tests: with false, the framework answers authorization requests that need no page, too. */
  readonly authorizesInFront?: boolean | undefined;
  /** For a worker, whose metrics the primary process serves. */
  readonly serveMetrics?: ServeMetrics;
  /** For a worker, for which the primary process reports that the instance runs. */
  readonly joinInstance?: JoinInstance;
}

/** Resolves when the service is ready. A start that fails leaves nothing behind: no port, no timer, no connection. */
export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  // Only if an SDK has registered: without one, the OpenTelemetry API would do nothing but take a twentieth of the start.
  const tracing = isTraced() && !options.silent ? (await import('../platform/tracing.ts')).findTracing() : undefined;
  let app: FastifyInstance | undefined;
  const outageLog = () => app?.log;
  const losses: string[] = [];
  const reportLoss = (sentence: string) => losses.push(sentence);
  // The web framework is loaded here, because the other commands start faster without it, and while the store is being opened.
  const [composed, { buildApp }, { loadAssets }] = await Promise.all([
    composeServices(config, { ...options, outageLog, reportLoss, tracing }),
    import('../http/app.ts'),
    import('../http/assets.ts'),
  ]);
  const { services, metrics, breaches, schemaWarning, isKeyRetired, refreshKeys, close } = composed;
  const lifecycle: Lifecycle = { phase: 'starting' };
  let stopBackgroundWork = () => {};
  let stopMetrics = async () => {};
  const instance: Instance = (options.joinInstance ?? ownInstance)(config, services);

  /** A key counts as known here once this process verifies with it, and is used once every instance knows it. */
  const report = async (serves = lifecycle.phase === 'serving') => {
    const isInUse = await instance.report({ keyIds: services.keys.ids, breachesDigest: breaches.digest(), serves });
    return isInUse ? refreshKeys() : undefined;
  };
  /** On a full disk, the embedded store can still be read; the heartbeat follows once there's room. */
  const reportIfPossible = (serves: boolean) =>
    report(serves).catch((error: unknown) => {
      if (config.databaseUrl !== undefined || !(error instanceof StorageUnavailable)) throw error;
    });
  const refreshAndReport = async () => {
    const refreshed = await refreshKeys();
    return (await report()) ?? refreshed;
  };

  const drain = () => {
    lifecycle.phase = 'draining';
    report().catch(() => {});
  };
  const stop = async () => {
    stopBackgroundWork();
    // A service that never became ready has no requests to finish.
    if (lifecycle.phase === 'serving') drain();
    await stopMetrics();
    if (app !== undefined) await closeApp(app, lifecycle);
    // Only now, because a key that this instance lacks must not be used while it answers requests.
    await instance.leave().catch(() => {});
    const unsent = await close();
    if (unsent.emails + unsent.webhookMessages > 0) {
      app?.log.warn(unsent, "emails or webhook messages couldn't be sent in time; the next start sends them");
    }
  };

  try {
    if (isKeyRetired) throw new CommandFailed(retiredKey(config));
    const context = {
      services,
      metrics,
      tracing,
      lifecycle,
      instanceId: instance.id,
      baseUrl: config.baseUrl,
      secure: config.baseUrl.startsWith('https:'),
      assets: loadAssets(),
      docs: docsAreIncluded() ? config.docs : 'off',
    };
    await services.refusals.prepare();
    await explainFilterErrors(config, () => breaches.prepare());
    // The keys were read a moment ago.
    await reportIfPossible(false);
    const isText = config.logFormat === 'text' || (config.logFormat === 'auto' && process.stdout.isTTY);
    const logger = options.logger ?? { level: config.logLevel, ...(isText && { stream: logStream(process.stdout) }) };
    const { requestTimeout, authorizesInFront } = options;
    const built = buildApp(context, { logger, trustProxy: config.trustProxy, requestTimeout, authorizesInFront });
    app = built.app;
    for (const sentence of losses) app.log.error(sentence);
    if (schemaWarning !== undefined) app.log.warn(schemaWarning);
    stopBackgroundWork = startBackgroundWork({
      services,
      instanceId: instance.id,
      eventsDays: config.eventsDays,
      backUp: backupRounds(services, config, app.log),
      breaches,
      refreshKeys: refreshAndReport,
      retiredKey: retiredKey(config),
      log: app.log,
    });
    stopMetrics = await (options.serveMetrics ?? serveMetricsIfAsked)(config, metrics);
    await app.listen({ host: config.host, port: config.port });
    // After listening, because a start that fails on a port in use must not rename the service that runs there. Always, because a
    // worker whose writes go to another file must not serve.
    await services.storage.noteFact('base_url', config.baseUrl);
    // Before it's ready, because that takes into account how its clock compares to those of the others.
    await reportIfPossible(true);
    lifecycle.phase = 'serving';
    return { services, app, frameworkAt: built.frameworkAt, drain, stop };
  } catch (error) {
    // What stopping runs into follows from the first failure, which is the one to report.
    await stop().catch(() => {});
    throw error;
  }
}

/** Without a port for them, what serves them isn't loaded. */
const serveMetricsIfAsked: ServeMetrics = async (config, registry) =>
  config.metrics === undefined
    ? async () => {}
    : (await import('./service/metrics.ts')).serveOwnMetrics(config, registry);

/** An SDK registers with the API that it was loaded with, under a name that all versions of the API know. */
function isTraced(): boolean {
  return Symbol.for('opentelemetry.js.api.1') in globalThis;
}

async function closeApp(app: FastifyInstance, lifecycle: Lifecycle): Promise<void> {
  const { server } = app;
  // Requests in flight are finished, and a connection that becomes idle only now would be kept alive for its next request.
  const ready = lifecycle.phase !== 'starting';
  const letGo = () => (ready ? server.closeIdleConnections() : server.closeAllConnections());
  const closing = setInterval(letGo, 50);
  try {
    await app.close();
  } finally {
    clearInterval(closing);
  }
}
