// Emails that have to wait: a server that is down, slow or refuses, two instances, and no server at all.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { emailClaim } from '../../src/protocol/mail-schedule.ts';
import type { QueuedEmail } from '../../src/storage/storage.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { type Form, formIn, Person } from '../harness/person.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { askToSignUp, newAddress, traitsOf } from '../harness/sign-up.ts';
import { linkFor } from '../harness/store.ts';
import { until } from '../harness/until.ts';

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

let service: TestService;

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
});
after(() => service.stop());
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('email', () => {
  const mail = { LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>', LATCHKEY_SIGN_UP: 'open' };

  /** Sends what is due until the rows satisfy the caller. Repeats, because a background round may be under way. */
  async function sendUntil(from: TestService, satisfied: (rows: Record<string, unknown>[]) => boolean): Promise<void> {
    let rows: Record<string, unknown>[] = [];
    const sent = async () => {
      await from.running.services.emailQueue.sendDue();
      rows = await from.rows('mails');
      return satisfied(rows);
    };
    await until(sent, () => `still ${JSON.stringify(rows)}`);
  }
  const gone = (rows: unknown[]) => rows.length === 0;

  test('while the server is down, the page is the same and the email is queued, sealed, and sent later', async () => {
    const server = await startMailServer();
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: server.url });
    try {
      const email = newAddress();
      const up = await traitsOf(await askToSignUp(sending, email));
      assert.match((await server.next(email, /Finish creating your account/)).link, /\/sign-up\/finish\?link=/);
      await sendUntil(sending, gone);
      assert.equal((await fetch(`${sending.url}/dev/outbox`)).status, 404, 'real mail is not for everybody to see');

      await server.stop();
      const started = performance.now();
      const down = await traitsOf(await askToSignUp(sending, email));
      assert.ok(performance.now() - started < 9000);
      assert.deepEqual(down, up);

      const waits: number[] = [];
      let attempts = 0;
      while (waits.length < 4) {
        await sendUntil(sending, ([row]) => Number(row?.attempts) > attempts && waitOf(row, sending) > 0);
        const [row] = await sending.rows('mails');
        attempts = Number(row?.attempts);
        waits.push(Math.round(waitOf(row, sending) / 5000) * 5);
        sending.clock.advance(waitOf(row, sending) / SECOND);
      }
      // Reading the rows answers the request; a round of the queue that is under way then has to look at it twice.
      const [first = 0] = waits;
      assert.ok(first === 5 || first === 10, `${first} s`);
      assert.deepEqual(waits, [first, 2 * first, 4 * first, 8 * first], 'less and less often');
      const stored = JSON.stringify(await sending.rows('mails'));
      for (const plain of [email, email.split('@')[0] as string, 'link', 'lkl_', 'Finish']) {
        assert.equal(stored.includes(plain), false, plain);
        assert.equal(stored.includes(Buffer.from(plain).toString('base64url').slice(0, -2)), false, plain);
      }

      await server.startAgain();
      await sendUntil(sending, gone);
      const { link, from } = await server.next(email, /Finish creating your account/);
      assert.equal(from, 'Latchkey <latchkey@example.test>');
      assert.equal((await fetch(link)).status, 200);
      assert.equal(server.received.length, 2);
      const delays = await sending.events('mail_delayed');
      assert.ok(delays.length >= 4);
      assert.equal(JSON.stringify(delays).includes(email), false);
    } finally {
      await sending.stop();
      await server.stop();
    }
  });

  /** Milliseconds until the next attempt. */
  function waitOf(row: Record<string, unknown> | undefined, from: TestService): number {
    return Number(row?.next_attempt_at) - from.clock.now();
  }

  test("uses the service's name if the sender has none", async () => {
    const server = await startMailServer();
    const mailFrom = 'latchkey@example.test';
    const sending = await startTestService({ ...mail, LATCHKEY_MAIL_FROM: mailFrom, LATCHKEY_SMTP_URL: server.url });
    const { services } = sending.running;
    try {
      await changeSettings(services, { service_name: 'Acme, "Ümlaut" <x@y.example>' }, requester);
      await services.emailQueue.queue(services.emailsFor('en').accountDeleted({ to: 'named@example.test' }));
      await sendUntil(sending, gone);
      const { from } = await server.next('named@example.test', /./);
      assert.equal(from.replaceAll('\\', ''), `Acme, "Ümlaut" <x@y.example> <${mailFrom}>`);
    } finally {
      await sending.stop();
      await server.stop();
    }
  });

  test('an email is dropped after a day of failures, or at once on a permanent error', async () => {
    const server = await startMailServer();
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: server.url });
    const { emailQueue, emailsFor } = sending.running.services;
    const emails = emailsFor('en');
    const queue = (to: string) => emailQueue.queue(emails.accountDeleted({ to }));
    const postponed = (attempts: number) => (rows: Record<string, unknown>[]) =>
      rows.length === 1 && Number(rows[0]?.attempts) === attempts && waitOf(rows[0], sending) < 65 * MINUTE * SECOND;
    try {
      server.refuse({ code: 450, text: 'try again later' });
      await queue('patient@example.test');
      await sendUntil(sending, postponed(1));
      sending.clock.advance(23 * HOUR);
      await sendUntil(sending, postponed(2));
      assert.equal((await sending.events('mail_given_up')).length, 0);
      sending.clock.advance(HOUR + 1);
      await sendUntil(sending, gone);
      assert.equal((await sending.events('mail_given_up')).length, 1);

      server.refuse({ code: 550, text: 'there is no refused@example.test' });
      await queue('refused@example.test');
      await sendUntil(sending, gone);
      const givenUp = await sending.events('mail_given_up');
      assert.equal(givenUp.length, 2);
      assert.equal(JSON.stringify(givenUp).includes('refused@'), false, 'events name no one');
      server.refuse(undefined);
      const now = sending.clock.now();
      await sending.running.services.storage.queueEmail({ id: 'x', sealed: 'of another key', createdAt: now });
      await sendUntil(sending, postponed(1));
      assert.equal((await sending.events('mail_delayed')).at(-1)?.detail?.reason, 'EUNREADABLE');
      sending.clock.advance(24 * HOUR + 1);
      await sendUntil(sending, gone);
      assert.equal((await sending.events('mail_given_up')).length, 3);
      await queue('next@example.test');
      assert.match((await server.next('next@example.test', /deleted/)).text, /Your account was deleted/);
    } finally {
      await sending.stop();
      await server.stop();
    }
  });

  test('a server that accepts connections but never responds delays no page', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${port}` });
    try {
      const started = performance.now();
      for (let count = 0; count < 3; count++) assert.equal((await askToSignUp(sending, newAddress())).status, 200);
      // Sending times out after ten seconds at the earliest.
      assert.ok(performance.now() - started < 9000);
      await until(() => sockets.length > 0, 'sending has begun');
      assert.equal((await sending.rows('mails')).length, 3);
    } finally {
      silent.close();
      for (const socket of sockets) socket.destroy();
      await sending.stop();
    }
  });

  test('two instances send each email once', async () => {
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-two-'));
    const shared = { ...mail, LATCHKEY_SMTP_URL: server.url, LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
    const instances = [await startTestService(shared), await startTestService(shared)];
    const queues = instances.map(({ running }) => running.services.emailQueue);
    try {
      const people = Array.from({ length: 35 }, newAddress);
      // Sent only once all of them are queued.
      for (const queue of queues) queue.onQueued = () => {};
      const emails = (instances[0] as TestService).running.services.emailsFor('en');
      await Promise.all(people.map((to, index) => queues[index % 2]?.queue(emails.accountDeleted({ to }))));
      await Promise.all(queues.map((queue) => queue.sendDue()));
      await Promise.all(queues.map((queue) => queue.sendDue()));
      assert.deepEqual(server.received.map(({ to }) => to).sort(), people.sort());
      assert.deepEqual(await queues[0]?.list(50), []);
    } finally {
      for (const instance of instances) await instance.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('an instance whose clock is five minutes off sends nothing twice, and what it queued is sent', async () => {
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-clocks-'));
    const shared = { ...mail, LATCHKEY_SMTP_URL: server.url, LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
    const right = await startTestService(shared);
    const ahead = await startTestService(shared, { storeClock: { now: async () => right.clock.now() } });
    ahead.clock.advance(5 * MINUTE);
    const { storage, emailsFor } = right.running.services;
    const queueAt = ({ running }: TestService) =>
      running.services.emailQueue.queue(emailsFor('en').accountDeleted({ to: newAddress() }));
    try {
      let claimed: QueuedEmail[] = [];
      await until(async () => {
        right.running.services.emailQueue.onQueued = () => {};
        await queueAt(right);
        const now = right.clock.now();
        claimed = await storage.claimEmails(now, now + emailClaim, 10);
        // A background round may have been faster.
        return claimed.length > 0;
      }, 'an instance is sending an email');
      await ahead.running.services.emailQueue.sendDue();
      for (const { id } of claimed) {
        const row = (await right.rows('mails')).find((each) => each.id === id);
        assert.equal(Number(row?.attempts), 1);
        await storage.deleteEmail(id);
      }
      await sendUntil(right, gone);

      server.refuse({ code: 450, text: 'try again later' });
      await queueAt(ahead);
      await sendUntil(right, ([row]) => Number(row?.attempts) === 1 && waitOf(row, right) === 5 * SECOND);
      assert.equal((await storage.countEmails()).oldestAt, right.clock.now(), 'its age is by the clock of the store');
      const before = server.received.length;
      server.refuse(undefined);
      right.clock.advance(5);
      await sendUntil(right, gone);
      assert.equal(server.received.length, before + 1);
    } finally {
      await ahead.stop();
      await right.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('an email is sent 15 seconds after the process that was sending it was killed, and not while one says that it is', async () => {
    const [server, silent] = [await startMailServer(), createServer(() => {})];
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-killed-'));
    const shared = { ...mail, LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
    const { port } = silent.address() as AddressInfo;
    const slow = await startTestService({ ...shared, LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${port}` });
    const other = await startTestService(
      { ...shared, LATCHKEY_SMTP_URL: server.url },
      { storeClock: { now: async () => slow.clock.now() } },
    );
    // Nothing else looks for emails.
    const queues = [slow, other].map(({ running }) => running.services.emailQueue);
    const sendDue = queues.map((queue) => queue.sendDue.bind(queue));
    for (const queue of queues) queue.sendDue = async () => {};
    const { storage, emailsFor, emailQueue } = slow.running.services;
    const claimedFor = async () => waitOf((await slow.rows('mails'))[0], slow) / SECOND;
    try {
      await emailQueue.queue(emailsFor('en').accountDeleted({ to: 'slow@example.test' }));
      sendDue[0]?.().catch(() => {});
      await until(async () => (await claimedFor()) === 15, 'it is being sent');
      slow.clock.advance(10);
      const renew = storage.renewEmailClaims;
      storage.renewEmailClaims = () => {
        storage.renewEmailClaims = renew;
        return Promise.reject(new Error('the store stands still'));
      };
      // The row can be read before the process that has claimed it knows that it has.
      let failure: unknown;
      await until(async () => {
        sendDue[0]?.().catch((error) => {
          failure ??= error;
        });
        return failure !== undefined;
      }, 'the process says that it still is, in vain');
      assert.match(String(failure), /stands still/);
      await until(async () => {
        sendDue[0]?.().catch(() => {});
        return (await claimedFor()) === 15;
      }, 'the process says that it still is');
      slow.clock.advance(14);
      await sendDue[1]?.();
      assert.deepEqual(server.received, []);
      // As if the process had been killed: nobody says so any more.
      slow.clock.advance(1);
      await sendDue[1]?.();
      assert.deepEqual(
        server.received.map(({ to }) => to),
        ['slow@example.test'],
      );
      assert.equal((await storage.countEmails()).count, 0);
    } finally {
      silent.close();
      await other.stop();
      await slow.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('an email that was queued and tried while the clock of the store was ahead is sent once it is right', async () => {
    const server = await startMailServer();
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: server.url });
    const { emailQueue, emailsFor, storage } = sending.running.services;
    const hasten = storage.hastenEmails;
    try {
      sending.clock.advance(HOUR);
      server.refuse({ code: 450, text: 'try again later' });
      await emailQueue.queue(emailsFor('en').accountDeleted({ to: 'ahead@example.test' }));
      await sendUntil(sending, ([row]) => Number(row?.attempts) === 1 && waitOf(row, sending) === 5 * SECOND);
      sending.clock.advance(-HOUR);
      server.refuse(undefined);
      await sendUntil(sending, gone);
      assert.equal(server.received.length, 1);

      // Looking for them takes longer than a claim, so it's done once a minute, and again if there were too many.
      const sendDue = emailQueue.sendDue.bind(emailQueue);
      emailQueue.sendDue = async () => {};
      await sendDue();
      const found = [100, 100, 99, 100];
      storage.hastenEmails = async () => found.shift() ?? 0;
      const left: number[] = [];
      for (const seconds of [59, 1, 0, 0, 0, 59, 1]) {
        sending.clock.advance(seconds);
        await sendDue();
        left.push(found.length);
      }
      assert.deepEqual(left, [4, 3, 2, 1, 1, 1, 0]);
    } finally {
      storage.hastenEmails = hasten;
      await sending.stop();
      await server.stop();
    }
  });

  async function sharedDatabase(): Promise<Record<string, string>> {
    if (process.env.TEST_ENGINE !== 'postgres') return {};
    const { sharedPostgres } = await import('../harness/postgres.ts');
    return { DATABASE_URL: await (await sharedPostgres()).newDatabase() };
  }

  test('without a mail server, emails are shown at /dev/outbox, on loopback only', async () => {
    const [older, email] = [newAddress(), newAddress()];
    await askToSignUp(service, older);
    service.clock.advance(1);
    await askToSignUp(service, email);
    const pageAt = async (path: string) => (await fetch(service.url + path)).text();
    const page = await pageAt('/dev/outbox');
    const [oldLink, link] = [await linkFor(service, older), await linkFor(service, email)];
    assert.ok(page.includes(older) && page.includes(email), 'a list');
    assert.ok(page.includes(link) && !page.includes(oldLink), 'with the newest');
    assert.equal(page.match(/<iframe/g)?.length, 1);
    const pathOf = (to: string) =>
      new RegExp(`href="(/dev/outbox/[^"]+)"[^>]*><strong[^>]*>[^<]*</strong><span>${to}<`).exec(page)?.[1] ?? '';
    const chosen = await pageAt(pathOf(older));
    assert.ok(chosen.includes(oldLink) && !chosen.includes(link), 'one at a time');
    assert.equal(JSON.stringify(await service.rows('mails')).includes(email), false, 'and sealed in the store');
    // The email as it looks stands beside its text, in a frame that runs nothing and loads nothing from elsewhere.
    const [, framed = ''] =
      /<iframe src="(\/dev\/outbox\/[^"]+\/html)"[^>]* sandbox="(?!.*allow-scripts)[^"]*"/.exec(page) ?? [];
    const shown = await fetch(service.url + framed);
    assert.match(await shown.text(), /<base target="_blank">.*<a href="[^"]+" style="display:inline-block/s);
    const policy = shown.headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; style-src 'self' 'unsafe-inline'; .*frame-ancestors 'self'.*; sandbox (?!.*scripts)/,
    );
    for (const path of ['unknown', 'unknown/html']) {
      assert.equal((await fetch(`${service.url}/dev/outbox/${path}`)).status, 404);
    }
    // A host name that someone else points at this machine isn't the service's own.
    const { port, host } = new URL(service.url);
    const statusFor = (name: string, path = '/dev/outbox') =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { port, host: 'localhost', path, headers: { Host: name } };
        get(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      });
    assert.equal(await statusFor(host), 200);
    for (const name of ['evil.example', `evil.example:${port}`]) {
      for (const path of ['/dev/outbox', '/dev/outbox.json', pathOf(email), framed])
        assert.equal(await statusFor(name, path), 404);
    }
  });

  test('scripts read all emails of the outbox, newest first', async () => {
    const { emailQueue } = service.running.services;
    const to = newAddress();
    for (let number = 0; number < 201; number++) {
      service.clock.advance(1);
      await emailQueue.queue({ to, subject: `Number ${number}`, text: 'Text', html: '<p>Text</p>' });
    }
    const answer = await fetch(`${service.url}/dev/outbox.json`);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    const emails = ((await answer.json()) as Record<string, string>[]).filter((each) => each.to === to);
    assert.equal(emails.length, 201);
    const at = new Date(service.clock.now()).toISOString();
    assert.deepEqual(emails[0], { to, subject: 'Number 200', text: 'Text', html: '<p>Text</p>', at });
    assert.equal(emails.at(-1)?.subject, 'Number 0');
  });

  test('without a mail server, a waiting email is opened once, and sent when there is one', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-waiting-'));
    const shared = { LATCHKEY_SIGN_UP: 'open', LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
    const waiting = await startTestService(shared);
    const email = newAddress();
    const late = newAddress();
    try {
      const { emailQueue, keys } = waiting.running.services;
      for (const to of [email, late]) {
        await askToSignUp(waiting, to);
        await emailQueue.sendDue();
      }
      const { mock } = t.mock.method(keys, 'unseal');
      for (let round = 0; round < 5; round++) await emailQueue.sendDue();
      const opened = mock.calls.filter((call) => call.arguments[0].startsWith('mail '));
      assert.equal(opened.length, 0);
      mock.restore();
      assert.deepEqual((await emailQueue.list(10)).map((entry) => entry.email.to).sort(), [email, late].sort());
    } finally {
      await waiting.stop();
    }
    const server = await startMailServer();
    const sending = await startTestService({ ...mail, ...shared, LATCHKEY_SMTP_URL: server.url });
    try {
      sending.clock.advance(MINUTE);
      await sendUntil(sending, gone);
      for (const to of [email, late]) {
        assert.match((await server.next(to, /Finish creating your account/)).link, /\/sign-up\/finish\?link=/);
      }
    } finally {
      await sending.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('in production without a mail server, features that need email say so and do nothing', async () => {
    const production = await startTestService({
      LATCHKEY_BASE_URL: 'https://login.example',
      LATCHKEY_SIGN_UP: 'open',
    });
    try {
      const user = await production.newUser();
      const person = new Person(production);
      const missing = /the service can&#39;t send email yet/;
      const signIn = await formIn(await person.visit('/sign-in'), '/sign-in');
      await person.signIn(user);
      const account = await formIn(await person.visit('/account/email'), '/sign-out');
      const forms: [string, Form['fields']][] = [
        ['/sign-up', { ...signIn.fields, email: 'new@example.test' }],
        ['/reset-password', { email: user.email }],
        ['/account/email', { ...account.fields, email: 'new@example.test' }],
      ];
      const before = await production.rows('users');
      for (const [action, fields] of forms) {
        const page = await person.visit(action);
        assert.equal(page.status, 200);
        assert.match(await page.text(), missing, action);
        const refused = await person.submit({ action, fields, buttons: [] }, {});
        assert.equal(refused.status, 403, action);
        assert.match(await refused.text(), missing, action);
      }
      assert.deepEqual(await production.rows('users'), before);
      for (const table of ['links', 'mails']) assert.deepEqual(await production.rows(table), []);
      const outbox = await fetch(`${production.url}/dev/outbox`);
      assert.equal(outbox.status, 404);
    } finally {
      await production.stop();
    }
  });
});
