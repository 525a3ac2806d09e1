// The files in deploy/cluster, as an operator would install them, except for what several nodes on one machine can't share:
// folders and passwords.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../deploy/cluster/', import.meta.url));

/** The text of a file, with parts of it replaced that must be there. */
export function configuration(file: string, changes: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(folder, file), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/cluster/${file} no longer says ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** The settings in a file of lines `NAME=value`. */
export function environmentIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** What is written for db1, for another of the database machines; lines about the whole cluster stay as they are. */
export function forMachine(text: string, name: string, address: string): string {
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('ETCD_INITIAL_CLUSTER=')) return line;
    return line.replaceAll('10.66.77.11', address).replaceAll('=db1', `=${name}`);
  });
  return lines.join('\n');
}
