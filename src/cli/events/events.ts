// `latchkey events`: prints what happened, newest last, and with --follow what happens from then on.

import { setTimeout as wait } from 'node:timers/promises';
import { readNewestEvents } from '../../operations/admin/events.ts';
import type { Services } from '../../operations/services.ts';
import { detailWithActor, type EventRecord } from '../../protocol/event.ts';
import { firstIdAt } from '../../protocol/identifiers.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { print, printJson } from '../terminal/output.ts';
import { withServices } from '../with-services.ts';

const pollEvery = 300;
/** Processes don't write events in the exact order of their IDs: one that is this much older may still appear. */
const lateness = 10_000;

export const events = defineCommand(
  {
    summary: 'show recent events, oldest first',
    options: {
      follow: { short: 'f', about: 'keep printing new events' },
      limit: { value: 'N', about: 'how many; default: 50' },
      json: { about: 'print a JSON array; with --follow, one JSON value per line' },
    },
    examples: ['latchkey events', 'latchkey events --limit 500', 'latchkey events --follow --json'],
  },
  async ({ values }, environment) => {
    const limit = Number(values.limit ?? 50);
    if (!Number.isInteger(limit) || limit < 0 || limit > 10_000)
      throw new UsageError('--limit must be from 0 to 10000');
    await withServices(environment, async (services) => {
      const past = await readNewestEvents(services, '', limit);
      if (values.follow) return follow(services, past, values.json);
      if (values.json) return printJson(past.map(toJson));
      for (const event of past) print(toLine(event));
    });
  },
);

async function follow(services: Services, past: readonly EventRecord[], asJson: boolean): Promise<void> {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopped = true;
    });
  process.stdout.once('error', () => {
    stopped = true;
  });

  const show = (event: EventRecord) => print(asJson ? JSON.stringify(toJson(event)) : toLine(event));
  for (const event of past) show(event);
  const startedAt = services.clock.now();
  const seen = new Map(past.map((event) => [event.id, event.at]));
  while (!stopped) {
    const now = services.clock.now();
    const since = firstIdAt(Math.max(startedAt, now - lateness) - 1);
    for (const event of await readNewestEvents(services, since, 10_000)) {
      if (!seen.has(event.id)) show(event);
      seen.set(event.id, event.at);
    }
    for (const [id, at] of seen) if (at < now - 2 * lateness) seen.delete(id);
    await wait(pollEvery);
  }
}

function toJson(event: EventRecord) {
  return {
    id: event.id,
    at: isoTime(event.at),
    kind: event.kind,
    user_id: event.userId ?? null,
    client_id: event.clientId ?? null,
    address: event.address,
    request_id: event.requestId,
    detail: detailWithActor(event),
  };
}

function toLine(event: EventRecord): string {
  const detail = Object.entries(detailWithActor(event)).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? value.join(',') : value}`,
  );
  const about = [
    ...(event.userId === undefined ? [] : [`user=${event.userId}`]),
    ...(event.clientId === undefined ? [] : [`client=${event.clientId}`]),
    ...detail,
    ...(event.address === '' ? [] : [`from=${event.address}`]),
    ...(event.requestId === '' ? [] : [`request=${event.requestId}`]),
  ];
  // A line break in a value would forge another event.
  return escapeMisleading(`${isoTime(event.at)}  ${event.kind.padEnd(24)}  ${about.join(' ')}`);
}
