// The outages that a running service reports: of its store, and of the time to check passwords.

import { Outage, type OutageLog } from '../../platform/outage.ts';
import { type Passwords, PasswordsBusy } from '../../platform/passwords.ts';
import type { Driver } from '../../storage/driver.ts';
import { StorageUnavailable } from '../../storage/storage.ts';

type Log = () => OutageLog | undefined;

/** The same driver, with a few lines of log when it cannot read or write. */
export function watchedDriver(driver: Driver, log: Log): Driver {
  const texts = {
    level: 'error' as const,
    begins: 'the store is unreachable or read-only; requests that need it get 503',
    continues: 'the store is still unavailable; failures so far',
    ends: 'the store is available again',
  };
  const outage = new Outage(texts, log);
  const isOutage = (error: unknown) => error instanceof StorageUnavailable;
  return {
    ...driver,
    read: (sql, params) => outage.watch('read', isOutage, driver.read(sql, params)),
    write: (statements) => outage.watch('write', isOutage, driver.write(statements)),
  };
}

export function watchedPasswords(passwords: Passwords, log: Log): Passwords {
  const texts = {
    level: 'warn' as const,
    begins: 'too many sign-ins at once; further ones get 503',
    continues: 'still too many sign-ins at once; refused so far',
    ends: 'sign-ins are no longer refused',
  };
  const outage = new Outage(texts, log);
  const isOutage = (error: unknown) => error instanceof PasswordsBusy;
  return {
    ...passwords,
    hash: (password) => outage.watch('password', isOutage, passwords.hash(password)),
    verify: (...args) => outage.watch('password', isOutage, passwords.verify(...args)),
  };
}
