// Metrics of what nobody waits for: webhooks that are delivered, and rounds of the sweep.

import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { startBackgroundWork } from '../../src/cli/service/background.ts';
import { noBreachedPasswords } from '../../src/platform/breached-passwords/breached-passwords.ts';
import { scrape } from '../harness/metrics.ts';
import { Person } from '../harness/person.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { newSweep } from '../harness/sweep.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../harness/webhooks.ts';

const DAY = 24 * 60 * 60;

let service: TestService;
let receiver: Receiver;
let port: number;
before(async () => {
  port = await freePort();
  receiver = await startReceiver();
  service = await startTestService({ ...allowLoopback, LATCHKEY_METRICS_PORT: String(port) });
});
after(async () => {
  await service.stop();
  await receiver.stop();
});

const valueNow = async (series: string) => (await scrape(port)).of(series);
const rounds = (result: string) => valueNow(`latchkey_sweep_rounds_total{result="${result}"}`);

test('sweep rounds are counted by outcome, with the rows they deleted', async () => {
  const { services, app } = service.running;
  mock.timers.enable({ apis: ['setInterval'] });
  const stop = startBackgroundWork({
    services,
    instanceId: '',
    eventsDays: 90,
    retiredKey: '',
    log: app.log,
    breaches: noBreachedPasswords,
    refreshKeys: async () => ({ changed: false, retired: false }),
  });
  try {
    const begin = () => mock.timers.tick(60_000);
    begin();
    await until(async () => (await rounds('swept')) === 1, 'a round is counted');
    assert.equal(await valueNow('latchkey_sweep_last_success_timestamp_seconds'), service.clock.now() / 1000);
    assert.equal(await valueNow('latchkey_sweep_paused'), 0);

    await new Person(service).signIn({ ...(await service.newUser()), password: 'wrong' });
    // Less than what looks like a clock that was set.
    service.clock.advance(50 * 60);
    begin();
    await until(async () => (await rounds('swept')) === 2, 'another one is');
    assert.ok((await valueNow('latchkey_sweep_deleted_rows_total')) > 0, 'failures of an hour ago are deleted');

    service.clock.advance(10 * DAY);
    begin();
    await until(async () => (await rounds('paused')) === 1, 'the clock looks wrong');
    assert.equal(await valueNow('latchkey_sweep_paused'), 1);

    assert.equal((await newSweep(service, { holder: 'another instance' }).round()).kind, 'elsewhere');
    service.clock.advance(5 * 60);
    await newSweep(service, { holder: 'another instance' }).round();
    begin();
    await until(async () => (await rounds('elsewhere')) === 1, 'another instance has the lease');

    mock.method(services.storage, 'takeLease', async () => {
      throw new Error('out of order');
    });
    begin();
    await until(async () => (await rounds('failed')) === 1, 'a failure is counted');
  } finally {
    mock.restoreAll();
    mock.timers.reset();
    stop();
  }
});

test('webhook delivery attempts are counted by outcome and timed', async () => {
  const { webhooks } = service.running.services;
  const counted = (result: string) => valueNow(`latchkey_webhook_deliveries_total{result="${result}"}`);
  const reaches = async (result: string, count: number) => {
    await until(async () => {
      await webhooks.sendDue();
      // When the clock is set before a turn has ended, the next attempt follows at once.
      return (await counted(result)) >= count;
    }, `${count} ${result}`);
  };
  await newWebhook(service, { url: receiver.url, types: ['user.created'] });
  await service.newUser();
  await reaches('delivered', 1);

  receiver.answer = { status: 503 };
  await service.newUser();
  for (let attempt = 1; attempt < 10; attempt++) {
    await reaches('postponed', attempt);
    service.clock.advance(2 * DAY);
  }
  await reaches('given_up', 1);
  service.clock.advance(DAY);

  receiver.answer = { status: 410 };
  await service.newUser();
  await reaches('gone', 1);
  assert.deepEqual([await counted('delivered'), await counted('postponed'), await counted('given_up')], [1, 9, 1]);
  assert.equal(await valueNow('latchkey_webhook_delivery_duration_seconds_count'), 12);
});
