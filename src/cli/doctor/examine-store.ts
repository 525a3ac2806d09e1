// What `latchkey doctor` says about what is stored: names that two have, the IDs of those who were deleted, redirect URIs of
// earlier versions, and messages that wait.

import type { Config } from '../../platform/config.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { newRedirectUriProblem } from '../../protocol/oauth/redirect-uri.ts';
import { outageAfter } from '../../protocol/webhooks/schedule.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Of each kind. */
const mostShown = 10;

const others = {
  email: ['the email address', 'person'],
  username: ['the username', 'person'],
  group: ['the name', 'group'],
} as const;

export async function* examineNames(storage: Storage): AsyncGenerator<Finding> {
  for (const { kind, text, nameOf } of await storage.listSharedNames(mostShown)) {
    const [what, which] = others[kind];
    const meaning = `Where an ID or a name can be given, it means the ${which} with this ID.`;
    yield warning('names', `${what} ${text} of ${nameOf} is the ID of another ${which}. ${meaning} Change ${what}.`);
  }
  if (await storage.lacksDeletedIds()) {
    const todo = "Restore the service's keys. Until then, imports refuse to keep IDs.";
    yield problem('deleted IDs', `the keys can't open what recognizes the IDs of people who were deleted. ${todo}`);
  }
}

/** A sentence for each. */
export async function outdatedRedirectUris(storage: Storage): Promise<string[]> {
  const clients = await storage.listClients();
  return clients.flatMap(({ id, redirectUris }) =>
    redirectUris.flatMap((uri) => {
      const problem = newRedirectUriProblem(uri);
      const todo = 'Register another one, change the application, then remove it.';
      return problem === undefined ? [] : [`${id}: ${uri} ${problem}. ${todo}`];
    }),
  );
}

/** An email that has to wait this long, in milliseconds, has been tried eight times. */
const longWait = 15 * MINUTE;

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
