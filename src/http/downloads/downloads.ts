// Sends downloads piece by piece, no faster than the browser takes them.

import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { DownloadFormat, ListDownload } from '../../operations/downloads/list-download.ts';
import { type CsvValue, csvLine } from '../../protocol/admin/file-formats.ts';
import { MINUTE } from '../../protocol/durations.ts';

/** In seconds: about as long as a large download takes. */
export const downloadRetryAfter = 10;

export const downloadTypes: Record<DownloadFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** What a line of a download is made of, by column. */
export type DownloadRow = Readonly<Record<string, CsvValue | object>>;

export interface DownloadedList<Item> {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  toRow(item: Item): DownloadRow;
  /** A cell of CSV that isn't the column of the row. */
  cell?(item: Item, column: string): string | undefined;
}

export function sendDownload<Item>(
  reply: FastifyReply,
  format: DownloadFormat,
  { name, columns, toRow, cell }: DownloadedList<Item>,
  { pages, end }: ListDownload<Item>,
): FastifyReply {
  const pieces = format === 'csv' ? asCsv(pages, columns, toRow, cell) : asJsonLines(pages, toRow);
  return reply
    .headers({
      'Content-Type': downloadTypes[format],
      'Content-Disposition': `attachment; filename="latchkey-${name}.${format}"`,
      'Cache-Control': 'no-store',
    })
    .send(paced(pieces, end));
}

async function* asCsv<Item>(
  pages: AsyncIterable<readonly Item[]>,
  columns: readonly string[],
  toRow: (item: Item) => DownloadRow,
  cell: DownloadedList<Item>['cell'],
): AsyncGenerator<string, void> {
  yield csvLine(columns);
  for await (const items of pages) {
    const lines = items.map((item) => {
      const row = toRow(item);
      return csvLine(columns.map((column) => flat(cell?.(item, column) ?? row[column] ?? null)));
    });
    if (lines.length > 0) yield lines.join('');
  }
}

async function* asJsonLines<Item>(
  pages: AsyncIterable<readonly Item[]>,
  toRow: (item: Item) => DownloadRow,
): AsyncGenerator<string, void> {
  for await (const items of pages) {
    if (items.length > 0) yield items.map((item) => `${JSON.stringify(toRow(item))}\n`).join('');
  }
}

function flat(value: CsvValue | object): CsvValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** Milliseconds in which the browser must take the next piece, and all of them. */
const timeForPiece = 30_000;
const timeForAll = 10 * MINUTE;

/**
 * Makes the next piece when the browser has taken the one before, and rests as long as the event loop was busy with it, so that
 * other requests have half of its time. A download that takes too long is cut off, so that it doesn't keep others from theirs.
 */
export function paced(pieces: AsyncGenerator<string, void>, end: () => void): Readable {
  const stream = Readable.from(inTurns(), { objectMode: false, highWaterMark: 16 * 1024 });
  const stalled = setTimeout(() => stream.destroy(), timeForPiece);
  const late = setTimeout(() => stream.destroy(), timeForAll);
  stream.once('close', () => {
    clearTimeout(stalled);
    clearTimeout(late);
    end();
  });
  return stream;

  async function* inTurns() {
    let before = performance.eventLoopUtilization();
    for await (const piece of pieces) {
      stalled.refresh();
      const { active } = performance.eventLoopUtilization(before);
      yield piece;
      await wait(Math.ceil(active));
      before = performance.eventLoopUtilization();
    }
  }
}
