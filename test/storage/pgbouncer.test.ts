// PostgreSQL through PgBouncer in transaction mode, with nothing set for it in DATABASE_URL: the rules of the conformance
// suite, twenty of them until a release, and what a pooler that keeps connections open could hide.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { MINUTE } from '../../src/protocol/durations.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { pgbouncerUnavailable, startPgbouncer } from '../harness/pgbouncer.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres, startPostgres } from '../harness/postgres.ts';
import { until } from '../harness/until.ts';
import { storageConformance } from './conformance.ts';
import { lendStores } from './lent-stores.ts';
import { anEvent, issuedGrant, later, storageOn, storedClient, storedUser } from './records.ts';

const missing = pgbouncerUnavailable();

if (missing !== undefined) test('storage through PgBouncer', { skip: missing });
else {
  const postgres = await sharedPostgres();
  const pooler = await startPgbouncer(postgres.port);
  // Twenty writes of one row follow one another, each of dozens of statements, and wait for three connections: the limit for a request's
  // write isn't what they are about.
  const lend = lendStores(async () => openPostgres(pooler.through(await postgres.newDatabase()), { timeout: MINUTE }));
  after(async () => {
    await pooler.stop();
    await removeSharedPostgres();
  });

  const openStore = async () => {
    const { driver, close } = await lend();
    return { storage: storageOn(driver), driver, close };
  };
  storageConformance('PostgreSQL through PgBouncer', openStore, isReleaseLane ? {} : { sample: 20 });

  describe('behind a pooler that keeps connections open', () => {
    test('nothing is read from a primary that has become a standby', async () => {
      const own = await startPostgres();
      const ownPooler = await startPgbouncer(own.port);
      const storage = storageOn(openPostgres(ownPooler.through(await own.newDatabase())));
      try {
        const user = await storedUser(storage);
        const grant = await issuedGrant(storage, user, await storedClient(storage));
        await own.stop();
        await own.startAsStandby();
        const alone = () => storage.findUser(user.id);
        const together = () => Promise.all([user.id, 'nobody', 'neither'].map((id) => storage.findUser(id)));
        const ordered = () => storage.findEvents({ userId: user.id }, 10);
        for (const read of [alone, together, ordered]) {
          await assert.rejects(read, (error) => {
            assert(error instanceof StorageUnavailable, String(error));
            return true;
          });
        }
        await assert.rejects(storage.endGrant(grant.id, later, anEvent()), StorageUnavailable);
        await queryPostgres(own.urlOf('postgres'), 'SELECT pg_promote()');
        await until(() => alone().then(Boolean, () => false), 'the promoted server is used');
        assert.equal((await alone())?.id, user.id);
      } finally {
        await storage.close();
        await ownPooler.stop();
        await own.remove();
      }
    });
  });
}
