// A list in a folder with a file for each range: the hashes that begin with its name, 00000 to FFFFF, without these digits.

import { opendirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HashListError, type HashListReader } from '../../platform/breached-passwords/hash-list.ts';
import { withProgress } from '../terminal/progress.ts';

export const rangeCount = 16 ** 5;

/** How the files may be called. */
const forms: readonly ((prefix: string) => string)[] = [
  (prefix) => `${prefix}.txt`,
  (prefix) => prefix,
  (prefix) => `${prefix.toLowerCase()}.txt`,
  (prefix) => prefix.toLowerCase(),
];

/** Reads the files in order, and returns how many are missing. */
export async function readRanges(folder: string, label: string, reader: HashListReader): Promise<number> {
  const formOf = formsIn(folder);
  let missing = 0;
  await withProgress({ label, total: { count: rangeCount, unit: 'ranges' } }, async (progress) => {
    for (const [range, form] of formOf.entries()) {
      if (form === 0) missing++;
      else readRange(folder, prefixOf(range), form, reader);
      progress.add(1);
      // Signals have their turn.
      if (range % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });
  if (missing === rangeCount) throw new HashListError('has no files of ranges, 00000.txt to FFFFF.txt');
  return missing;
}

/** For each range, how its file is called, counted from 1; 0 if there is none. A byte for each, not a million names. */
function formsIn(folder: string): Uint8Array {
  const found = new Uint8Array(rangeCount);
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const { name } = entry;
      if (!/^[0-9A-Fa-f]{5}(?:\.txt)?$/.test(name)) continue;
      const range = Number.parseInt(name.slice(0, 5), 16);
      found[range] = 1 + forms.findIndex((form) => form(prefixOf(range)) === name);
    }
  } finally {
    entries.closeSync();
  }
  return found;
}

function prefixOf(range: number): string {
  return range.toString(16).toUpperCase().padStart(5, '0');
}

function readRange(folder: string, prefix: string, form: number, reader: HashListReader): void {
  const name = forms[form - 1]?.(prefix) ?? prefix;
  const text = readFileSync(join(folder, name));
  try {
    reader.beginRange(prefix);
    reader.push(text);
    reader.end();
  } catch (error) {
    throw error instanceof HashListError ? new HashListError(`${error.message} (in ${name})`) : error;
  }
}
