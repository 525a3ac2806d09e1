// A process of its own that appends events without end and prints the id of each one once it is answered.

import { sqlStorage } from '../../src/storage/sql.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { anEvent } from './records.ts';

const storage = sqlStorage(openSqlite(process.argv[2] ?? ''));
for (;;) {
  const event = anEvent();
  await storage.appendEvents([event]);
  console.log(event.id);
}
