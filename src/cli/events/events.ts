// `latchkey events`: prints what happened, newest last, and with --follow what happens from then on.

import { setTimeout as wait } from 'node:timers/promises';
import { withNames } from '../../operations/downloads/list-download.ts';
import { type EventsQuery, listEvents } from '../../operations/events/events.ts';
import type { Services } from '../../operations/services.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { requireDone, UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { noteOnTerminal, print, printError, printJson } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { withServices } from '../with-services.ts';
import { exportEvents } from './export.ts';
import { filterOptions, lateness, prepareFor, readFilter } from './filter.ts';
import { eventJson, eventLine, printEvent } from './report.ts';

const most = 10_000;
const pollEvery = 300;

const list = defineCommand({
  summary: 'show recent events and why something failed, oldest first',
  options: {
    ...filterOptions,
    follow: { short: 'f', about: 'keep printing new events' },
    limit: { value: 'N', about: `how many of the newest; default: 50, or with --since ${most}` },
    json: { about: 'print a JSON array; with --follow, one JSON value per line' },
  },
  examples: [],
  async run({ values, environment }) {
    const given = values.limit ?? String(values.since === undefined ? 50 : most);
    const limit = Number(given);
    if (!/^\d+$/.test(given) || limit > most) throw new UsageError(`--limit must be from 0 to ${most}`);
    const query = readFilter(values, Date.now());
    await withServices(environment, async (services) => {
      await prepareFor(services, query);
      const startedAt = services.clock.now();
      const { past, hasMore } = await withProgress({ label: 'Reading' }, () => newest(services, query, limit));
      if (values.follow) return follow(services, query, past, startedAt, shower(services, values.json));
      if (values.json) printJson(past.map(eventJson));
      else if (past.length === 0) noteOnTerminal('No matching events.');
      else await shower(services, false)(past);
      if (hasMore && values.since !== undefined) {
        printError(`Showing the newest ${limit}. "latchkey events export" writes all of them.`);
      }
    });
  },
});

export const events: CommandGroup = {
  summary: 'show and export events, with the reason for every failure',
  examples: [
    'latchkey events',
    'latchkey events --failures --since 2h',
    'latchkey events --user ada@example.com --kind sign_in_failed --kind signed_in',
    'latchkey events --client Photos --follow',
    'latchkey events export --since 7d --format ocsf',
  ],
  commands: { export: exportEvents },
  own: list,
};

/** The newest events that match, oldest first. */
async function newest(services: Services, query: EventsQuery, limit: number) {
  const { items, next } = requireDone(await listEvents(services, { ...query, limit }));
  return { past: items.toReversed(), hasMore: next !== undefined };
}

function shower(services: Services, asJson: boolean): (events: readonly EventRecord[]) => Promise<void> {
  const isTerminal = process.stdout.isTTY && !asJson;
  const toText = (event: EventRecord) => (asJson ? JSON.stringify(eventJson(event)) : eventLine(event));
  return async (shown) => {
    if (isTerminal) for (const named of await withNames(services, shown)) printEvent(named);
    else for (const event of shown) print(toText(event));
  };
}

/** Prints events as they happen, until it's interrupted or its output is closed. */
async function follow(
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
