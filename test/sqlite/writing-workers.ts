// For shared-writer.test.ts: two workers that write to one store. After the first note of both, a message that the writer
// can't read ends its thread while further notes are on their way. Prints what became of each note.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { sharedWriter, writerOfPrimary } from '../../src/cli/service/shared-writer.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';

const file = process.argv[2] ?? '';

async function runPrimary(): Promise<void> {
  cluster.setupPrimary({ serialization: 'advanced' });
  const writer = sharedWriter(file);
  const start = () => {
    const worker = cluster.fork();
    writer.serve(worker);
    return worker;
  };
  const said = (worker: Worker, text: string) =>
    new Promise<void>((resolve) => worker.on('message', (message) => void (message === text && resolve())));
  const workers = [start(), start()];
  await Promise.all(workers.map((worker) => said(worker, 'has written')));
  const ended = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.send({ goOn: true });
  await Promise.all(ended);
  await writer.close();
}

async function runWorker(number: number): Promise<void> {
  const driver = openSqlite(file, { startWriter: writerOfPrimary });
  const add = async (note: string) => {
    const sql = 'INSERT INTO notes (text) VALUES ($1)';
    const outcome = await driver.write([{ sql, params: [note] }]).then(
      () => 'written',
      (error: Error) => error.name,
    );
    process.stdout.write(`${note}: ${outcome}\n`);
  };
  await add(`${number} before`);
  process.send?.('has written');
  await once(process, 'message');
  process.send?.({ source: 1 });
  await add(`${number} meanwhile`);
  await add(`${number} after`);
  await driver.close();
  process.disconnect?.();
}

await (cluster.worker === undefined ? runPrimary() : runWorker(cluster.worker.id));
