// A PostgreSQL that takes connections and never answers, as one does whose disk or network hangs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { type Driver, StorageUnavailable } from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';

const texts = Array.from({ length: 9 }, (_, index) => `SELECT $1::text AS text, ${index} AS number`);

type Ask = (driver: Driver, sql: string) => Promise<unknown>;

/** What asks, and how many batches of it are under way at once. */
const asks: readonly (readonly [string, number, Ask])[] = [
  ['reads', 4, async (driver, sql) => driver.read(sql, ['a'])],
  ['writes', 2, async (driver, sql) => driver.write([{ sql, batchSql: sql, params: ['a'] }])],
];

for (const [what, underWay, ask] of asks) {
  test(`${what} behind others that get no answer wait no longer than those`, async () => {
    let connections = 0;
    await using cleanup = new AsyncDisposableStack();
    const server = createServer(() => connections++).listen(0, '127.0.0.1');
    cleanup.defer(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const driver = openPostgres(`postgres://latchkey@127.0.0.1:${port}/latchkey`, { timeout: 200 });
    cleanup.defer(() => driver.close());
    await Promise.all(texts.map((text) => assert.rejects(ask(driver, text), StorageUnavailable)));
    // Those in front connect in vain; those behind them don't try any more.
    assert.equal(connections, underWay);
  });
}
