// The outages that a running service reports: of its store, of its mail server, of webhook endpoints, of the time to check
// passwords, and of the filter of breached ones. What is watched for them is counted on the way.

import type { WebhookQueue } from '../../operations/webhook-queue/webhook-queue.ts';
import type { BreachedPasswords } from '../../platform/breached-passwords/breached-passwords.ts';
import type { Mailer } from '../../platform/mailer.ts';
import type { MetricRegistry } from '../../platform/metrics/registry.ts';
import { Outage, type OutageLog, type OutageTexts } from '../../platform/outage.ts';
import { type Passwords, PasswordsBusy } from '../../platform/passwords/passwords.ts';
import { concernsOneEmail, replyOf } from '../../protocol/mail-schedule.ts';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import type { Driver } from '../../storage/driver.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { StoreMeters } from './service-meters.ts';

type Log = () => OutageLog | undefined;

/** The driver, counted, and with a few lines of log when it cannot read or write. */
export function watchedDriver(driver: Driver, log: Log, meters: StoreMeters): Driver {
  const texts: OutageTexts = {
    level: 'error',
    begins: 'the store is unreachable or read-only; requests that need it get 503',
    continues: 'the store is still unavailable; failures so far',
    ends: 'the store is available again',
  };
  const outage = new Outage(texts, log);
  const watching = (operation: 'read' | 'write') => {
    const failed = (error: unknown) => {
      meters.failed(operation, error);
      return error instanceof StorageUnavailable;
    };
    return <Attempt>(work: () => Attempt): Attempt => {
      meters.asked(operation);
      return outage.watch(operation, failed, work);
    };
  };
  const [reading, writing] = [watching('read'), watching('write')];
  return {
    ...driver,
    read: (sql, params, anew) => reading(() => driver.read(sql, params, anew)),
    write: (statements) => writing(() => driver.write(statements)),
  };
}

/** A refused recipient is no outage: anyone can request an email to one. */
export function watchedMailer(mailer: Mailer, log: Log): Mailer {
  const texts: OutageTexts = {
    level: 'error',
    begins: "emails can't be sent; they stay in the store and are retried",
    continues: "emails still can't be sent; failed attempts so far",
    ends: 'emails are being sent again',
  };
  const outage = new Outage(texts, log);
  return {
    ...mailer,
    async send(email) {
      try {
        await mailer.send(email);
        outage.succeeded('email');
      } catch (error) {
        if (!concernsOneEmail(error)) outage.failed('email', new Error(mailProblem(error)));
        throw error;
      }
    },
  };
}

/** A reply may quote the recipient's address, so only its status is shown. */
function mailProblem(error: unknown): string {
  const status = replyOf(error);
  return status === undefined ? messageOf(error) : `${codeOf(error) ?? 'refused'}, the server replied ${status}`;
}

/** Says when an endpoint begins to fail, and when it works again. One instance says it for all of them. */
export function reportWebhookOutages(webhooks: WebhookQueue, log: OutageLog): void {
  webhooks.onOutage = (change, { id, purpose, clientId, failures, failingSince }, { at, status, error }) => {
    const which = purpose === 'logout' ? { application: clientId } : { webhook: id };
    const what = purpose === 'logout' ? 'a back-channel logout endpoint' : 'a webhook endpoint';
    if (change === 'begins') {
      const reason = error ?? `status ${status}`;
      return log.warn({ ...which, reason }, `${what} is failing; its messages are retried`);
    }
    const seconds = Math.round((at - (failingSince ?? at)) / 1000);
    log.info({ ...which, failures, seconds }, `${what} is working again`);
  };
}

/** Around the time that one hash takes, and what a queue adds to it. */
const passwordBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function watchedPasswords(passwords: Passwords, log: Log, registry: MetricRegistry): Passwords {
  const durations = registry.histogram(
    'latchkey_password_duration_seconds',
    'How long hashing or checking a password took, including the wait for it.',
    passwordBounds,
  );
  const refused = registry.counter(
    'latchkey_passwords_refused_total',
    'Passwords not checked because too many waited.',
  );
  const texts: OutageTexts = {
    level: 'warn',
    begins: 'too many sign-ins at once; further ones get 503',
    continues: 'still too many sign-ins at once; refused so far',
    ends: 'sign-ins are no longer refused',
  };
  const outage = new Outage(texts, log);
  const isOutage = (error: unknown) => {
    if (error instanceof PasswordsBusy) refused.add({});
    return error instanceof PasswordsBusy;
  };
  const watched = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const started = performance.now();
    const result = await outage.watch('password', isOutage, work);
    durations.observe({}, (performance.now() - started) / 1000);
    return result;
  };
  return {
    ...passwords,
    hash: (...args) => watched(() => passwords.hash(...args)),
    verify: (...args) => watched(() => passwords.verify(...args)),
  };
}

/** If the file can't be read, a password counts as not breached, so that people can still sign in. */
export function watchedBreaches(
  { has }: BreachedPasswords,
  log: Log,
  registry: MetricRegistry,
): (password: string) => Promise<boolean> {
  const checks = registry.counter(
    'latchkey_breached_password_checks_total',
    'Passwords that were looked up among those known from breaches.',
    { result: ['breached', 'not_known', 'failed'] },
  );
  const texts: OutageTexts = {
    level: 'error',
    begins: "the filter of breached passwords can't be read; passwords aren't checked against it",
    continues: "the filter of breached passwords still can't be read; passwords that weren't checked so far",
    ends: 'passwords are checked against the filter of breached passwords again',
  };
  const outage = new Outage(texts, log);
  return async (password) => {
    try {
      const found = await outage.watch(
        'breach',
        () => true,
        () => has(password),
      );
      checks.add({ result: found ? 'breached' : 'not_known' });
      return found;
    } catch {
      checks.add({ result: 'failed' });
      return false;
    }
  };
}
