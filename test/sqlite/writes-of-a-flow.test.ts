// What one authorization, exchange and first call of userinfo write in all, with what is written later. On the embedded engine,
// whose triggers count it past the service.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Statement } from '../../src/storage/driver.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  userinfo,
} from '../harness/relying-party.ts';
import { tables } from '../harness/service.ts';
import { serviceOfSuite } from '../harness/suite.ts';
import { aGrant, anEvent, exchangeOf, start, storageOn, storedWorld } from '../storage/records.ts';

/** Written by the service itself, whatever is asked of it. */
const passing = ['leases', 'instances', 'service_facts', 'service_keys', 'unsearchable', 'search_words'];

describe('the rows of a flow', () => {
  const service = serviceOfSuite();
  before(async () => {
    const triggers = tables
      .filter((table) => !passing.includes(table))
      .flatMap((table) =>
        ['INSERT', 'UPDATE', 'DELETE'].map(
          (change) => `CREATE TRIGGER count_${table}_${change} AFTER ${change} ON ${table}
            BEGIN INSERT INTO row_changes VALUES ('${change} ${table}'); END`,
        ),
      );
    await service.execute(['CREATE TABLE row_changes (change TEXT)', ...triggers].join('; '));
  });

  async function changesBy(work: () => Promise<void>): Promise<Record<string, number>> {
    const { journal } = service.running.services;
    await journal.flush();
    await service.execute('DELETE FROM row_changes');
    await work();
    await journal.flush();
    const counts: Record<string, number> = {};
    for (const { change } of await service.rows('row_changes'))
      counts[String(change)] = (counts[String(change)] ?? 0) + 1;
    return counts;
  }

  test('are a grant, twice, two events and four totals', async () => {
    const client = await service.newClient();
    const { person } = await obtainTokens(service, client, await service.newUser());
    const changes = await changesBy(async () => {
      const verifier = newVerifier();
      const { headers } = await person.request(authorizePath(client, verifier));
      const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
      const { body } = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.equal((await userinfo(service, String(body.access_token))).status, 200);
    });
    assert.deepEqual(changes, {
      'INSERT grants': 1,
      'UPDATE grants': 1,
      'INSERT events': 2,
      // Exchanges, of which there was one before, and userinfo calls: of all applications for the hour, of this one for the day.
      'INSERT hourly_totals': 2,
      'UPDATE hourly_totals': 2,
    });
  });
});

describe('the statements of a hundred flows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-flows-'));
  const driver = openSqlite(join(folder, 'latchkey.db'));
  let sent: readonly Statement[][] = [];
  const storage = storageOn({
    ...driver,
    write(statements) {
      sent = [...sent, [...statements]];
      return driver.write(statements);
    },
  });
  before(() => driver.migrate(readMigrations()));
  after(async () => {
    await driver.close();
    rmSync(folder, { recursive: true });
  });

  test('for 200 events are three, which tell no endpoint of a consent that was given before', async () => {
    const facts = { userId: 'somebody', clientId: 'an application' };
    const approved = () => anEvent({ kind: 'approved', ...facts, detail: { consent: 'remembered' } });
    const exchanged = () => anEvent({ kind: 'code_exchanged', ...facts });
    await storage.appendEvents(Array.from({ length: 100 }, () => [approved(), exchanged()]).flat());
    // Of 128, 64 and 8 rows.
    assert.deepEqual(
      sent.map(({ length }) => length),
      [3],
    );
  });

  test('that issue and consume a code are one each', async () => {
    const { user, client, session } = await storedWorld(storage);
    sent = [];
    const grant = aGrant(user, client, { sessionDigest: session.digest });
    assert.equal(await storage.issueCode(grant, start), true);
    assert.equal(await storage.consumeCode(exchangeOf(grant)), true);
    assert.equal(await storage.consumeCode(exchangeOf(grant)), false, 'it changes no row');
    assert.deepEqual(
      sent.map(({ length }) => length),
      [1, 1, 1],
    );
  });
});
