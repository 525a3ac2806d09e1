// `latchkey events export`: writes events as lines of JSON, for a SIEM or an archive. They're read a page at a time, so it
// needs no more memory for a million of them than for a few.

import { readFileSync } from 'node:fs';
import { eventsDownload } from '../../http/downloads/lists.ts';
import { type NamedEvent, readAllEvents } from '../../operations/downloads/list-download.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { requireDone, UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { noteOnTerminal } from '../terminal/output.ts';
import { type Progress, withProgress } from '../terminal/progress.ts';
import { withServices } from '../with-services.ts';
import { filterOptions, lateness, prepareFor, readFilter, readTimeOption } from './filter.ts';
import { toOcsf } from './ocsf/ocsf.ts';
import { sentenceOf } from './report.ts';

const formats = ['jsonl', 'ocsf'] as const;

export const exportEvents = defineCommand({
  summary: 'write events to standard output, one JSON value per line, oldest first',
  details: `jsonl has the members of the console's download; ocsf is OCSF 1.5.0, which many SIEMs read.

Events can be written a few seconds after they happened, so the export ends 10 seconds ago unless you say --until. Continue
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
    if (!includes(formats, format)) throw new UsageError(`--format must be one of: ${formats.join(', ')}`);
    if (values.after !== undefined && !/^[0-9a-z]{26}$/.test(values.after)) {
      throw new UsageError('--after must be the id of an event');
    }
    const toLine = lineIn(format);
    await withServices(environment, async (services) => {
      await prepareFor(services, filter);
      const query = { ...filter, until, sort: 'at', cursor: values.after };
      const { pages } = requireDone(await readAllEvents(services, query));
      await exportPages(pages, Math.min(until, now), toLine);
    });
  },
});

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
      await write(page.map(toLine).join(''));
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

function lineIn(format: (typeof formats)[number]): (named: NamedEvent) => string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const rowOf = (named: NamedEvent) =>
    format === 'ocsf' ? toOcsf(named, sentenceOf(named.event), String(version)) : eventsDownload.toRow(named);
  // Escapes are part of JSON, so a program reads the same text, and a terminal does nothing.
  return (named) => `${escapeMisleading(JSON.stringify(rowOf(named)))}\n`;
}

/** Waits for a slow reader, so that nothing piles up in memory. */
async function write(text: string): Promise<void> {
  if (text === '' || process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}
