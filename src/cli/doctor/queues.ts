// Whether emails and webhook messages leave the store, or wait in it.

import type { Config } from '../../platform/config.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { outageAfter } from '../../protocol/webhooks/schedule.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** An email that has to wait this long, in milliseconds, has been tried eight times. */
const longWait = 15 * 60 * 1000;

export async function* examineQueues({ email }: Config, storage: Storage, now: number): AsyncGenerator<Finding> {
  const { count, oldestAt = now } = await storage.countEmails();
  // The outbox page is where emails stay.
  if (email.kind !== 'outbox' && now - oldestAt > longWait) {
    const waiting = count === 1 ? '1 email is waiting' : `${count} emails are waiting, the oldest`;
    const todo = '"latchkey events --kind mail_delayed" gives the reason.';
    yield warning('email', `${waiting} since ${isoTime(oldestAt)}. ${todo}`);
  }
  const endpoints = (await storage.listWebhooks()).filter(({ disabledAt }) => disabledAt === null);
  const failing = endpoints.filter(({ failures }) => failures >= outageAfter);
  const waiting = await storage.countWaitingDeliveries();
  for (const { id, url, failures, failingSince } of failing) {
    // Without the path and the query, which may contain a secret.
    const name = `${id} (${new URL(url).host})`;
    const since = failingSince === null ? '' : ` since ${isoTime(failingSince)}`;
    const todo = `See "latchkey webhook deliveries ${id}", then fix or disable it.`;
    const queued = `${waiting.get(id) ?? 0} waiting`;
    yield problem('webhooks', `${name} has failed ${failures} times in a row${since}; messages: ${queued}. ${todo}`);
  }
  if (endpoints.length > 0 && failing.length === 0) yield ok('webhooks', 'no endpoint is failing.');
}
