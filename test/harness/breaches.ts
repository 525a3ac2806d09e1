// Filters of breached passwords, and lists to build them from.

import { hash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilterHeader } from '../../src/platform/breached-passwords/filter-format.ts';
import { FilterWriter } from '../../src/platform/breached-passwords/filter-writer.ts';
import { atEnd } from './at-end.ts';

/** A folder that is gone when the tests of this process are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-breaches-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const sha1 = (text: string): Buffer => hash('sha1', text, 'buffer');

export const ascending = (hashes: readonly Buffer[]): Buffer[] => hashes.toSorted(Buffer.compare);

export function writeFilter(file: string, hashes: readonly Buffer[]): FilterHeader {
  const descriptor = openSync(file, 'w');
  try {
    const writer = new FilterWriter(descriptor, 1);
    for (const each of ascending(hashes)) writer.add(each);
    return writer.finish();
  } finally {
    closeSync(descriptor);
  }
}

/** A list as it's published. */
export function publishedList(passwords: readonly string[], count = 1): string {
  const lines = ascending(passwords.map(sha1)).map((each) => `${each.toString('hex').toUpperCase()}:${count}`);
  return lines.map((line) => `${line}\r\n`).join('');
}
