// A separate process that appends events until it is killed, and prints the id of each event once its write is
// answered.

import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { anEvent } from './records.ts';

const storage = sqlStorage(openSqlite(process.argv[2] ?? ''));
for (;;) {
  const event = anEvent();
  await storage.appendEvents([event]);
  console.log(event.id);
}
