// The outages that a running service reports: of its store, of the time to check passwords, and of the filter of breached
// ones. What is watched for them is counted on the way.

import type { BreachedPasswords } from '../../platform/breached-passwords/breached-passwords.ts';
import { Outage, type OutageLog } from '../../platform/outage.ts';
import { type Passwords, PasswordsBusy } from '../../platform/passwords/passwords.ts';
import type { Driver } from '../../storage/driver.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { BreachMeters, PasswordMeters, StoreMeters } from './service-meters.ts';

type Log = () => OutageLog | undefined;

/** The same driver, counted, and with a few lines of log when it cannot read or write. */
export function watchedDriver(driver: Driver, log: Log, meters: StoreMeters): Driver {
  const texts = {
    level: 'error' as const,
    begins: 'the store is unreachable or read-only; requests that need it get 503',
    continues: 'the store is still unavailable; failures so far',
    ends: 'the store is available again',
  };
  const outage = new Outage(texts, log);
  const failed = (operation: 'read' | 'write') => (error: unknown) => {
    meters.failed(operation, error);
    return error instanceof StorageUnavailable;
  };
  const readFailed = failed('read');
  const writeFailed = failed('write');
  return {
    ...driver,
    read(sql, params) {
      meters.asked('read');
      return outage.watch('read', readFailed, driver.read(sql, params));
    },
    write(statements) {
      meters.asked('write');
      return outage.watch('write', writeFailed, driver.write(statements));
    },
  };
}

export function watchedPasswords(passwords: Passwords, log: Log, meters: PasswordMeters): Passwords {
  const texts = {
    level: 'warn' as const,
    begins: 'too many sign-ins at once; further ones get 503',
    continues: 'still too many sign-ins at once; refused so far',
    ends: 'sign-ins are no longer refused',
  };
  const outage = new Outage(texts, log);
  const isOutage = (error: unknown) => {
    if (!(error instanceof PasswordsBusy)) return false;
    meters.refused();
    return true;
  };
  const watched = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const started = performance.now();
    const result = await outage.watch('password', isOutage, work());
    meters.took(performance.now() - started);
    return result;
  };
  return {
    ...passwords,
    hash: (...args) => watched(() => passwords.hash(...args)),
    verify: (...args) => watched(() => passwords.verify(...args)),
  };
}

/** Without an answer, a password counts as one that isn't known: nobody is kept out because a file can't be read. */
export function watchedBreaches(
  { has }: BreachedPasswords,
  log: Log,
  meters: BreachMeters,
): (password: string) => Promise<boolean> {
  const texts = {
    level: 'error' as const,
    begins: "the filter of breached passwords can't be read; passwords aren't checked against it",
    continues: "the filter of breached passwords still can't be read; passwords that weren't checked so far",
    ends: 'passwords are checked against the filter of breached passwords again',
  };
  const outage = new Outage(texts, log);
  return async (password) => {
    try {
      const found = await outage.watch('breach', () => true, has(password));
      meters.checked(found ? 'breached' : 'not_known');
      return found;
    } catch {
      meters.checked('failed');
      return false;
    }
  };
}
