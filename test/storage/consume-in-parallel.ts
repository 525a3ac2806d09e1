// A separate process that exchanges codes: prints `ready`, reads the exchanges as one line of JSON, tries each of them,
// and prints the grants whose code it has consumed.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { CodeConsumption } from '../../src/storage/storage.ts';

const storage = sqlStorage(openSqlite(process.argv[2] ?? '', { busyTimeout: 20_000 }));
// A first write starts the writer thread, so that the exchanges race from the beginning.
await storage.noteSecretUses([]);
console.log('ready');

const lines = createInterface({ input: process.stdin });
const [line] = await once(lines, 'line');
lines.close();
const consumed: string[] = [];
for (const exchange of JSON.parse(line) as CodeConsumption[]) {
  if (await storage.consumeCode(exchange)) consumed.push(exchange.grantId);
}
await storage.close();
console.log(JSON.stringify(consumed));
