// Emails and webhook messages that can't leave the store: metrics and the log say so, and when it's over.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startBackgroundWork } from '../../src/cli/service/background.ts';
import { noBreachedPasswords } from '../../src/platform/breached-passwords/breached-passwords.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { type Scrape, scrape } from '../harness/metrics.ts';
import { freePort, movableClock, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../harness/webhooks.ts';

const MINUTE = 60;

let service: TestService;
/** By how many seconds the service's clock is ahead of the store's. */
let ahead = 0;
let mail: MailServer;
let receiver: Receiver;
let port: number;
before(async () => {
  [port, mail, receiver] = [await freePort(), await startMailServer(), await startReceiver()];
  const clock = movableClock();
  const storeClock = { now: async () => clock.now() - ahead * 1000 };
  const settings = {
    ...allowLoopback,
    LATCHKEY_METRICS_PORT: String(port),
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'latchkey@example.test',
  };
  service = await startTestService(settings, { clock, storeClock });
});
after(async () => {
  await service.stop();
  await receiver.stop();
  await mail.stop();
});

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly webhook?: string;
}

let alreadyLogged = 0;
/** What an operator has seen at the default level since the test began. */
function logged(): Line[] {
  const lines = service.log().trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => level >= 30)
    .slice(alreadyLogged);
}
beforeEach(() => {
  alreadyLogged = 0;
  alreadyLogged = logged().length;
});

/** Counts what is in the store now instead of in ten seconds. */
function measure(): void {
  const { services, app } = service.running;
  const refreshKeys = async () => ({ changed: false, retired: false });
  const work = {
    services,
    instanceId: '',
    eventsDays: 90,
    retiredKey: '',
    log: app.log,
    breaches: noBreachedPasswords,
    refreshKeys,
  };
  startBackgroundWork(work)();
}

async function measured(isExpected: (values: Scrape) => boolean, what: string): Promise<void> {
  let last: Scrape | undefined;
  await until(
    async () => {
      measure();
      last = await scrape(port);
      return isExpected(last);
    },
    () => `${what}: ${last?.text.match(/^latchkey_(email|webhook)\w+(waiting|seconds|failing) .*$/gm)}`,
  );
}

/** Sets the clock of the service, but not that of the store. */
function setClock(to: number): void {
  service.clock.advance(to - ahead);
  ahead = to;
}

const send = () => service.running.services.emailQueue.sendDue();
async function queueEmail(to: string): Promise<void> {
  const { emailQueue, emailsFor } = service.running.services;
  await emailQueue.queue(emailsFor('en').accountDeleted({ to }));
}

test('a mail outage is logged when it begins and ends, and the waiting emails are counted', async () => {
  await measured((now) => now.of('latchkey_emails_waiting') === 0, 'nothing waits');
  mail.refuse({ code: 550, text: 'no such sender' }, 'sender');
  // Their age is true, however wrong the clock is that they were queued by, or are counted by.
  setClock(5 * MINUTE);
  await queueEmail('one@example.test');
  await queueEmail('two@example.test');
  await until(async () => {
    await send();
    return mail.refused >= 2;
  }, 'both are tried');
  await until(() => logged().length > 0, 'the outage is logged');
  assert.deepEqual(
    logged().map(({ level, msg, reason }) => [level, msg, reason]),
    [[50, "emails can't be sent; they stay in the store and are retried", 'EENVELOPE, the server replied 550']],
  );
  setClock(-5 * MINUTE);
  service.clock.advance(20 * MINUTE);
  const waiting = (now: Scrape) => now.of('latchkey_emails_waiting') === 2;
  await measured((now) => waiting(now) && now.of('latchkey_email_oldest_seconds') >= 20 * MINUTE, 'both wait');
  setClock(0);

  mail.refuse(undefined);
  await until(async () => {
    // A success right after a failure may be one of several attempts at the same time, and isn't the end yet.
    await queueEmail('three@example.test');
    await send();
    return logged().some(({ msg }) => msg === 'emails are being sent again');
  }, 'the end is logged');
  await measured(
    (now) => now.of('latchkey_emails_waiting') === 0 && now.of('latchkey_email_oldest_seconds') === 0,
    'nothing waits any more',
  );
});

test("a refused recipient isn't an outage", async () => {
  mail.refuse({ code: 550, text: 'there is no stranger@example.test' });
  const before = mail.refused;
  await queueEmail('stranger@example.test');
  await until(async () => {
    await send();
    return mail.refused > before && (await service.rows('mails')).length === 0;
  }, 'it is given up');
  mail.refuse(undefined);
  assert.deepEqual(logged(), []);
});

test('a failing endpoint is logged and counted until it works again', async () => {
  const { webhook } = await newWebhook(service, { url: receiver.url, types: ['user.created'] });
  receiver.answer = { status: 503 };
  await service.newUser();
  const { webhooks } = service.running.services;
  for (const attempts of [1, 2, 3]) {
    await until(async () => {
      await webhooks.sendDue();
      const [message] = await service.rows('webhook_deliveries');
      return Number(message?.attempts) >= attempts;
    }, `${attempts} attempts`);
    // Not during an attempt: its claim would end, and there would be another one at the same time.
    service.clock.advance(10 * MINUTE);
  }
  await until(() => logged().length > 0, 'the outage is logged');
  assert.deepEqual(
    logged().map(({ level, msg, webhook, reason }) => [level, msg, webhook, reason]),
    [[40, 'a webhook endpoint is failing; its messages are retried', webhook.id, 'status 503']],
  );
  const state = (now: Scrape) =>
    [now.of('latchkey_webhook_messages_waiting'), now.of('latchkey_webhook_endpoints_failing')].join();
  await measured((now) => state(now) === '1,1', 'it fails');
  receiver.answer = { status: 204 };
  await until(async () => {
    // An attempt that began when the clock was set has failed, too, and the next one is due in half an hour.
    service.clock.advance(MINUTE);
    await webhooks.sendDue();
    return logged().length > 1;
  }, 'the end is logged');
  assert.equal(logged().at(-1)?.msg, 'a webhook endpoint is working again');
  await measured((now) => state(now) === '0,0', 'it works again');
});
