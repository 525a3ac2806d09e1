// `latchkey events`: prints what happened, newest last, and with --follow what happens from then on. `latchkey events export`
// writes events as lines of JSON, for a SIEM or an archive.

import { setTimeout as wait } from 'node:timers/promises';
import { eventsDownload } from '../../http/downloads/lists.ts';
import { type NamedEvent, readAllEvents, withNames } from '../../operations/downloads/list-download.ts';
import { type EventsQuery, listEvents } from '../../operations/events/events.ts';
import type { Services } from '../../operations/services.ts';
import { ownVersion } from '../../platform/version.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { requireDone, UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { didYouMean } from '../frame/suggest.ts';
import { summaries } from '../summaries.ts';
import { noteOnTerminal, print, printError, printJson, writeOut } from '../terminal/output.ts';
import { type Progress, withProgress } from '../terminal/progress.ts';
import { withServices } from '../with-services.ts';
import { filterOptions, lateness, prepareFor, readFilter, readTimeOption } from './filter.ts';
import { toOcsf } from './ocsf/ocsf.ts';
import { eventJson, eventLine, printEvent, sentenceOf } from './report.ts';

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
      const read = () => listEvents(services, { ...query, limit });
      const { items, next } = requireDone(await withProgress({ label: 'Reading' }, read));
      const past = items.toReversed();
      if (values.follow) return follow(services, query, past, startedAt, shower(services, values.json));
      if (values.json) printJson(past.map(eventJson));
      else if (past.length === 0) noteOnTerminal('No matching events.');
      else await shower(services, false)(past);
      if (next !== undefined && values.since !== undefined) {
        printError(`Showing the newest ${limit}. "latchkey events export" writes all of them.`);
      }
    });
  },
});

const formats = ['jsonl', 'ocsf'] as const;

const exportEvents = defineCommand({
  summary: 'write events to standard output, one JSON value per line, oldest first',
  details: `jsonl has the members of the console's download; ocsf is OCSF 1.5.0, which many SIEMs read.

Events can be written a few seconds after they happened, so the export ends 10 seconds ago unless you set --until. Continue
later with --after and the last id (in ocsf: metadata.uid), and no event is missing or written twice.`,
  options: {
    ...filterOptions,
    until: { value: 'TIME', about: 'only before then; default: 10 seconds ago' },
    after: { value: 'ID', about: 'only what comes after this event' },
    format: { values: formats, about: 'default: jsonl' },
  },
  examples: [
    'latchkey events export --since 7d > events.jsonl',
    'latchkey events export --since 2026-01-01 --format ocsf | gzip > events.ocsf.jsonl.gz',
    'latchkey events export --after 01kvcm3x7h2q9d5w8r4t6y1e0b --format ocsf',
  ],
  async run({ values, environment }) {
    const now = Date.now();
    const filter = readFilter(values, now);
    const until = readTimeOption('until', values.until, now) ?? now - lateness;
    const { format = 'jsonl' } = values;
    if (!includes(formats, format)) {
      throw new UsageError(`--format must be one of: ${formats.join(', ')}${didYouMean(format, formats)}`);
    }
    if (values.after !== undefined && !/^[0-9a-z]{26}$/.test(values.after)) {
      throw new UsageError('--after must be the id of an event');
    }
    const version = ownVersion();
    const rowOf = (named: NamedEvent) =>
      format === 'ocsf' ? toOcsf(named, sentenceOf(named.event), version) : eventsDownload.toRow(named);
    // Escapes are part of JSON, so a program reads the same text, and a terminal does nothing.
    const toLine = (named: NamedEvent) => `${escapeMisleading(JSON.stringify(rowOf(named)))}\n`;
    await withServices(environment, async (services) => {
      await prepareFor(services, filter);
      const query = { ...filter, until, sort: 'at', cursor: values.after };
      const { pages } = requireDone(await readAllEvents(services, query));
      await exportPages(pages, Math.min(until, now), toLine);
    });
  },
});

export const events: CommandGroup = {
  summary: summaries.events,
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

/** They come in the order of their time, so the time of the last one says how far it is. */
async function exportPages(
  pages: AsyncIterable<readonly NamedEvent[]>,
  end: number,
  toLine: (named: NamedEvent) => string,
): Promise<void> {
  let count = 0;
  let first: number | undefined;
  let reached = 0;
  const writeAll = async (progress?: Progress) => {
    for await (const page of pages) {
      await writeOut(page.map(toLine).join(''));
      count += page.length;
      first ??= page[0]?.event.at;
      reached = page.at(-1)?.event.at ?? reached;
      progress?.add(page.length);
    }
  };
  // Events that are printed on the terminal are progress enough.
  if (process.stdout.isTTY) return writeAll();
  const share = () => (first === undefined ? 0 : (reached - first) / Math.max(1, end - first));
  await withProgress({ label: 'Exporting', share }, writeAll);
  noteOnTerminal(`Exported ${count.toLocaleString('en')} events.`);
}
