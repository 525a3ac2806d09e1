// Prints events as they happen, until it's interrupted or its output is closed.

import { setTimeout as wait } from 'node:timers/promises';
import { type EventsQuery, listEvents } from '../../operations/events/events.ts';
import type { Services } from '../../operations/services.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { requireDone } from '../command.ts';

const pollEvery = 300;
/** Processes don't write events in the exact order of their IDs: one that is this much older may still appear. */
export const lateness = 10_000;

export async function follow(
  services: Services,
  query: EventsQuery,
  past: readonly EventRecord[],
  startedAt: number,
  show: (events: readonly EventRecord[]) => Promise<void>,
): Promise<void> {
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  process.stdout.once('error', stop);

  await show(past);
  const seen = new Map(past.map((event) => [event.id, event.at]));
  while (!stopped) {
    const now = services.clock.now();
    const since = Math.max(startedAt, now - lateness);
    const { items } = requireDone(await listEvents(services, { ...query, since, sort: 'at', limit: 10_000 }));
    await show(items.filter(({ id }) => !seen.has(id)));
    for (const { id, at } of items) seen.set(id, at);
    for (const [id, at] of seen) if (at < now - 2 * lateness) seen.delete(id);
    await wait(pollEvery);
  }
}
