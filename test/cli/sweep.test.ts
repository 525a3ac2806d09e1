// `latchkey sweep` and the doctor tell why nothing is deleted, and let an operator vouch for the clock.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function run(...args: string[]) {
  return runCommand(args, { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir });
}

test("resuming a sweep that isn't paused does nothing", async () => {
  const { status, stdout } = await run('sweep', '--resume', '--json');
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), { paused: null, resumes: false });
  assert.equal(await service.running.services.storage.findFact('sweep_confirmed_at'), undefined);
});

test('a pause is explained and can be ended by the operator', async () => {
  const { storage } = service.running.services;
  await storage.noteFact('sweep_paused', JSON.stringify({ since: 0, reason: 'too_much' }));
  const [shown, doctor] = await Promise.all([run('sweep'), run('doctor')]);
  assert.match(shown.stdout, /^Paused since 1970-01-01T00:00:00.000Z: by this clock, most grants and sessions have/);
  assert.match(shown.stdout, /run "latchkey sweep --resume"/);
  assert.equal(doctor.status, 1);
  assert.match(doctor.stdout, /problem +sweep +paused since 1970.*"latchkey sweep --resume"/);
  assert.match((await run('sweep', '--resume')).stdout, /Deletion resumes within a minute/);
  const confirmedAt = Number(await storage.findFact('sweep_confirmed_at'));
  assert.ok(Math.abs(confirmedAt - Date.now()) < 60_000);
});
