// PostgreSQL carries out a write and its answer gets lost: an exchange of a code finds out by itself that it has succeeded,
// and everything else says that it can't tell.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { digestOf } from '../../src/protocol/digest.ts';
import { parseCode } from '../../src/protocol/identifiers.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { type LossyProxy, startLossyProxy } from '../harness/lossy-proxy.ts';
import { scrape } from '../harness/metrics.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { exchangeParameters, obtainCode, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';

let proxy: LossyProxy;
let service: TestService;
let metricsPort: number;

before(async () => {
  const postgres = await sharedPostgres();
  proxy = await startLossyProxy(postgres.port);
  const direct = await postgres.newDatabase();
  metricsPort = await freePort();
  service = await startTestService({
    DATABASE_URL: direct.replace(`:${postgres.port}/`, `:${proxy.port}/`),
    LATCHKEY_METRICS_PORT: String(metricsPort),
  });
});
after(async () => {
  await service?.stop();
  await proxy?.stop();
  await removeSharedPostgres();
});

/** The answer to the statement that consumes this code gets lost. */
function loseExchangeOf(code: string, options = { thenGone: false }): void {
  proxy.loseAnswerTo(digestOf(parseCode(code)?.secret ?? assert.fail()), options);
}

const rounds = isReleaseLane ? 30 : 5;

for (const isPublic of [false, true]) {
  test(`${rounds} of ${rounds} exchanges by a ${isPublic ? 'public' : 'confidential'} client succeed although the answer was lost`, async () => {
    const client = await service.newClient({ isPublic });
    const user = await service.newUser();
    const repeated = async () => (await scrape(metricsPort)).of('latchkey_storage_retries_total{reason="lost_answer"}');
    const repeatedBefore = await repeated();
    for (let round = 0; round < rounds; round++) {
      const { code, verifier } = await obtainCode(service, client, user);
      const lostBefore = proxy.lost;
      loseExchangeOf(code);
      const parameters = exchangeParameters(client, code, verifier);
      // Of two at once only one may succeed, whichever of them loses its answer.
      const answers = await Promise.all([1, 2].map(() => postForm(service, '/oauth/token', parameters)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
      // Both, when they are on their way at the same moment.
      assert.ok(proxy.lost > lostBefore);
      const { body } = answers.find(({ status }) => status === 200) ?? assert.fail();
      assert.equal(body.refresh_token === undefined, isPublic);
    }
    assert.ok((await repeated()) - repeatedBefore >= rounds, 'each was sent again, and counted');
  });
}

test('the tokens of such an exchange work', async () => {
  const client = await service.newClient();
  const { code, verifier } = await obtainCode(service, client, await service.newUser());
  loseExchangeOf(code);
  const { status, body } = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  assert.equal(status, 200);
  assert.equal((await userinfo(service, body.access_token)).status, 200);
  assert.equal((await postForm(service, '/oauth/token', refreshParameters(client, body.refresh_token))).status, 200);
});

test("if the store stays unavailable, the response doesn't claim that nothing was changed", async () => {
  const client = await service.newClient();
  const { code, verifier } = await obtainCode(service, client, await service.newUser());
  const parameters = exchangeParameters(client, code, verifier);
  loseExchangeOf(code, { thenGone: true });
  const lost = await postForm(service, '/oauth/token', parameters);
  proxy.comeBack();
  assert.equal(lost.status, 503);
  assert.match(lost.body.error_description ?? '', /may have taken effect; check before repeating it/);
  const repeated = await postForm(service, '/oauth/token', parameters);
  assert.deepEqual([repeated.status, repeated.body.error], [400, 'invalid_grant']);
});

test('a failed write reports whether it may have taken effect', async () => {
  const postgres = await sharedPostgres();
  // The service's own statements would lose their answers instead, so it has no part in this.
  const proxy = await startLossyProxy(postgres.port);
  const driver = openPostgres((await postgres.newDatabase()).replace(`:${postgres.port}/`, `:${proxy.port}/`));
  const note = (name: string, mustReturn = false) => ({
    sql: 'INSERT INTO service_facts (name, value) VALUES ($1, $2) RETURNING name',
    params: [name, ''],
    mustReturn,
  });
  const stored = async (name: string) =>
    (await driver.read('SELECT name FROM service_facts WHERE name = $1', [name])).length === 1;
  try {
    await stored('nothing yet');
    for (const [name, lose, statements, outcome, kept] of [
      ['alone', 'alone', [note('alone')], OutcomeUnknown, true],
      ['together', 'COMMIT', [note('together'), note('2')], OutcomeUnknown, true],
      // Whether there is a commit depends on what the first statement returns, so none was sent yet.
      ['no commit', 'no commit', [note('no commit', true), note('3')], StorageUnavailable, false],
      ['no beginning', 'BEGIN', [note('no beginning', true), note('4')], StorageUnavailable, false],
    ] as const) {
      proxy.loseAnswerTo(lose);
      const write = driver.write(statements);
      await assert.rejects(write, (error) => {
        assert.equal((error as Error).constructor, outcome, name);
        return true;
      });
      assert.equal(await stored(name), kept, name);
    }
    await driver.close();
    const nowhere = openPostgres('postgres://nobody@localhost:1/nothing');
    await assert.rejects(nowhere.write([note('x')]), (error) => !(error instanceof OutcomeUnknown));
    await nowhere.close();
  } finally {
    await driver.close();
    await proxy.stop();
  }
});
