// The only place that constructs things: from a configuration to a running service, or to services for one command.

import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AppOptions } from '../http/app.ts';
import { Journal } from '../operations/journal/journal.ts';
import { makeEverythingSearchable, sweep } from '../operations/journal/sweep.ts';
import { EmailQueue } from '../operations/mail/email-queue.ts';
import { AccessTokens } from '../operations/oauth/access-tokens.ts';
import { SecretGuessLimit } from '../operations/oauth/secret-guess-limit.ts';
import type { Services } from '../operations/services.ts';
import { emailTemplates } from '../pages/mail/emails.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { isCommonPassword } from '../platform/common-passwords.ts';
import type { Config } from '../platform/config.ts';
import { loadKeys } from '../platform/key-file.ts';
import { smtpMailer } from '../platform/mailer.ts';
import { argon2Passwords } from '../platform/passwords.ts';
import { bufferedRandom } from '../platform/random.ts';
import { webauthnFor } from '../platform/webauthn.ts';
import { newId } from '../protocol/identifiers.ts';
import { sqlStorage } from '../storage/sql/sql-storage.ts';
import { ensureSchema, explained, makeFolder, openStore, type StoreOptions } from './open-store.ts';

const journalEvery = 500;
const sweepEvery = 60_000;
const emailsEvery = 2000;
const keysEvery = 2000;
/** One core stays free for the event loop, and one of Node's four pool threads for everything else. */
const hashesAtOnce = Math.min(3, Math.max(1, availableParallelism() - 1));

export interface Composed {
  readonly config: Config;
  readonly services: Services;
  /** Takes on keys that were rotated. */
  refreshKeys(): boolean;
  close(): Promise<void>;
}

export interface ComposeOptions extends StoreOptions {
  readonly clock?: Clock;
  /** For a command that is not told where the service is: the configuration with what the service has said itself. */
  readonly configAt?: ((baseUrl: string) => Config) | undefined;
  /** For tests that are not about passwords: hashes that take less memory, and so less time. */
  readonly passwordMemory?: number | undefined;
}

/** Opens the store (making it on first use) and everything that operations need. */
export async function composeServices(given: Config, options: ComposeOptions = {}): Promise<Composed> {
  let config = given;
  const keys = explained(`The keys in ${config.keysFile} cannot be used`, () => {
    if (config.keys === undefined) makeFolder(dirname(config.keysFile));
    return loadKeys(config);
  });
  const driver = await openStore(config, options);
  try {
    await ensureSchema(config, driver);
  } catch (error) {
    await driver.close();
    throw error;
  }
  const storage = sqlStorage(driver);
  const known = options.configAt && (await storage.findFact('base_url'));
  if (known !== undefined) config = options.configAt?.(known) ?? config;
  const clock = options.clock ?? systemClock;
  const random = bufferedRandom();
  const journal = new Journal(storage, clock, random);
  const accessTokens = new AccessTokens(config.baseUrl, () => keys.accessTokenKeys);
  const secretGuesses = new SecretGuessLimit(clock);
  const passwords = argon2Passwords({ concurrency: hashesAtOnce, queue: 100, memory: options.passwordMemory });
  const mailer = config.email.kind === 'smtp' ? smtpMailer(config.email.url, config.email.from) : undefined;
  const emailQueue = new EmailQueue({ kind: config.email.kind, mailer, storage, keys, clock, random, journal });
  const services: Services = {
    issuer: config.baseUrl,
    emailTemplates: emailTemplates(config.baseUrl),
    webauthn: webauthnFor(config.baseUrl),
    ...{ storage, clock, random, keys, accessTokens, passwords, isCommonPassword, journal, emailQueue, secretGuesses },
  };
  return {
    config,
    services,
    refreshKeys: () => keys.refresh(),
    async close() {
      try {
        await emailQueue.close();
        await journal.flush();
      } finally {
        await storage.close();
      }
    },
  };
}

export interface RunningService {
  readonly services: Services;
  readonly app: FastifyInstance;
  /** Finishes what is in flight, writes what is noted, closes the store. */
  stop(): Promise<void>;
}

export interface StartOptions extends ComposeOptions {
  readonly logger?: AppOptions['logger'];
}

export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  // Loaded here and not above: the other commands start faster without the web framework.
  const { buildApp } = await import('../http/app.ts');
  const { loadAssets } = await import('../http/assets.ts');
  const { services, refreshKeys, close } = await composeServices(config, options);
  const context = {
    services,
    baseUrl: config.baseUrl,
    secure: config.baseUrl.startsWith('https:'),
    assets: loadAssets(),
    signUp: config.signUp,
    docs: config.docs,
  };
  await services.passwords.prepare();
  const logger = options.logger ?? { level: config.logLevel };
  const app = buildApp(context, { logger, trustProxy: config.trustProxy });

  const background = (work: () => Promise<unknown>) => () => {
    work().catch((error: Error) => app.log.warn({ err: error }, 'background work failed; it is tried again'));
  };
  const { emailQueue } = services;
  const sendEmails = background(() => emailQueue.sendDue());
  emailQueue.onQueued = () => setImmediate(sendEmails);
  const sweeper = newId(services.random);
  const makeSearchable = background(() => makeEverythingSearchable(services));
  makeSearchable();
  const timers = [
    setInterval(
      background(() => services.journal.flush()),
      journalEvery,
    ),
    setInterval(sendEmails, emailsEvery),
    setInterval(() => {
      if (refreshKeys()) app.log.info('the keys have changed, and the new ones are in use');
    }, keysEvery),
    setInterval(
      background(() => sweep(services, sweeper, config.eventsDays)),
      sweepEvery,
    ),
    setInterval(makeSearchable, sweepEvery),
  ];
  const stop = async () => {
    for (const timer of timers) clearInterval(timer);
    // A connection whose last answer leaves after closing has begun would otherwise be kept alive for its next request.
    const hurry = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    clearInterval(hurry);
    await close();
  };
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await stop();
    throw error;
  }
  await services.storage.noteFact('base_url', config.baseUrl);
  return { services, app, stop };
}
