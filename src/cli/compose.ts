// The only place that constructs things: turns a configuration into the services of one command, or into a running
// service.

import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AppOptions } from '../http/app.ts';
import { Downloads } from '../operations/account/downloads.ts';
import { Journal } from '../operations/journal/journal.ts';
import { EmailQueue } from '../operations/mail/email-queue.ts';
import { AccessTokens } from '../operations/oauth/access-tokens.ts';
import { ApprovalLimit } from '../operations/oauth/approval-limit.ts';
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
import { sqlStorage } from '../storage/sql/sql-storage.ts';
import { startBackgroundWork } from './service/background.ts';
import { ensureSchema, explainFileErrors, makeFolder, openStore, type StoreOptions } from './store/open-store.ts';

/** Leaves a core for the event loop, and one of the four threads in Node's pool for everything else. */
const hashesAtOnce = Math.min(3, Math.max(1, availableParallelism() - 1));

export interface Composed {
  readonly config: Config;
  readonly services: Services;
  /** Reads the key file again; true if the keys have changed. */
  refreshKeys(): boolean;
  close(): Promise<void>;
}

export interface ComposeOptions extends StoreOptions {
  readonly clock?: Clock;
  /** For commands without LATCHKEY_BASE_URL: the configuration with the base URL that the service has stored. */
  readonly configAt?: ((baseUrl: string) => Config) | undefined;
  /** For tests that aren't about passwords: cheaper hashes. */
  readonly passwordMemory?: number | undefined;
}

/** Opens the store, creating it on first use, and constructs everything that operations need. */
export async function composeServices(given: Config, options: ComposeOptions = {}): Promise<Composed> {
  let config = given;
  const keys = explainFileErrors(`The keys in ${config.keysFile} cannot be used`, () => {
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
    approvals: new ApprovalLimit(clock),
    downloads: new Downloads(),
    ...{ storage, clock, random, keys, accessTokens, passwords, isCommonPassword, journal, emailQueue, secretGuesses },
  };
  return {
    config,
    services,
    refreshKeys: () => keys.refresh(),
    async close() {
      try {
        await emailQueue.close();
        await journal.close();
      } finally {
        await storage.close();
      }
    },
  };
}

export interface RunningService {
  readonly services: Services;
  readonly app: FastifyInstance;
  /** Finishes the requests in flight, writes the journal, and closes the store. */
  stop(): Promise<void>;
}

export interface StartOptions extends ComposeOptions {
  readonly logger?: AppOptions['logger'];
}

export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  // Loaded here because the other commands start faster without the web framework.
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

  const { eventsDays } = config;
  const stopBackgroundWork = startBackgroundWork({ services, eventsDays, refreshKeys, log: app.log });
  const stop = async () => {
    stopBackgroundWork();
    // A connection that becomes idle only after closing has begun would otherwise be kept alive for its next request.
    const closing = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    clearInterval(closing);
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
