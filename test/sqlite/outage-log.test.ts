// While the store can't be used, the log says so once, without a stack trace, however many requests fail.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Person } from '../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let service: TestService;
before(async () => {
  service = await startTestService({}, { busyTimeout: 0 });
});
after(() => service.stop());

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly failures?: number;
}

/** What an operator sees at the default level. */
function logged(): Line[] {
  const lines = service.log().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.level >= 30);
}

test('a store outage is logged once when it starts and once when it ends', async () => {
  const client = await service.newClient();
  const user = await service.newUser();
  const { person } = await obtainTokens(service, client, user);
  const before = logged().length;

  const lock = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 5000 });
  lock.exec('BEGIN IMMEDIATE');
  for (let request = 0; request < 50; request++) {
    assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 503);
  }
  const [begins, ...more] = logged().slice(before);
  assert.deepEqual(more, []);
  assert.equal(begins?.level, 50);
  assert.match(`${begins?.msg} ${begins?.reason}`, /^the store is unreachable or read-only; .*503 database is locked$/);
  assert.doesNotMatch(service.log(), /"stack"/);

  lock.exec('ROLLBACK');
  lock.close();
  const ends = () => logged().find(({ msg }) => msg === 'the store is available again');
  await until(async () => {
    await new Person(service).signIn(user);
    return ends() !== undefined;
  }, 'the log says that it is over');
  assert.ok(Number(ends()?.failures) >= 50);
  assert.equal(logged().length, before + 2);
});
