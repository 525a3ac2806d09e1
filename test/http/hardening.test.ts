// Weaknesses found by attacking the service, so that none comes back.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { ownVersion } from '../../src/platform/version.ts';
import { totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import { formIn, Person } from '../harness/person.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
});
after(() => service.stop());

const outbox = async () => (await service.running.services.emailQueue.list(100)).map(({ email }) => email);

test("a connection closed before its request is read doesn't leave an unwritable event", async () => {
  const port = Number(new URL(service.url).port);
  let closed = 0;
  service.running.app.server.on('connection', (socket) => socket.once('close', () => closed++));
  for (let count = 0; count < 20; count++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const path = count % 2 === 0 ? 'GET /oauth-authorize?client_id=nobody' : 'POST /oauth/token';
    socket.write(`${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
    socket.resetAndDestroy();
  }
  await until(
    () => closed >= 20,
    () => `${closed} of 20 connections are closed`,
  );
  await service.running.services.journal.flush();
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  assert.equal((await person.visit('/account/activity')).status, 200);
});

test("an event that the store rejects doesn't hold up later ones", async () => {
  const { journal } = service.running.services;
  const requester = { address: undefined as unknown as string, requestId: 'r' };
  journal.note({ kind: 'signed_out' }, requester);
  journal.note({ kind: 'signed_out', detail: { mark: 'after' } }, { address: '', requestId: 'r' });
  const events = await service.events('signed_out');
  assert.equal(events.at(-1)?.detail?.mark, 'after');
  assert.equal((await service.events('events_suppressed')).at(-1)?.detail?.kind, 'signed_out');
});

test('the second step can redirect to the application if nothing else is needed', async () => {
  const user = await service.newUser();
  const client = await service.newClient({ redirectUris: ['https://app.example/callback'] });
  const secret = Buffer.alloc(20, 3);
  const { storage, journal, keys, clock } = service.running.services;
  const sealedSecret = keys.seal(`authenticator ${user.id}`, secret.toString('base64url'));
  const event = journal.event({ kind: 'authenticator_added', userId: user.id }, { address: '', requestId: '' });
  await storage.enableAuthenticator(user.id, { sealedSecret, lastStep: 0 }, [], clock.now(), event);

  const person = new Person(service);
  const form = await formIn(await person.visit(authorizePath(client, newVerifier())));
  const page = await person.submit(form, { email: user.email, password: user.password });
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/app\.example;/);
  const code = totpCode(secret, totpStep(clock.now()));
  const consent = await person.submit(await formIn(page, '/sign-in/second-step'), { code });
  assert.match(await consent.text(), /name="decision"/);
});

test('changing the password gives the session a new secret', async () => {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  const copy = new Person(service);
  for (const [name, value] of person.cookies) copy.cookies.set(name, value);
  const form = await formIn(await person.visit('/account/security'), '/account/password');
  const done = await person.submit(form, { new_password: 'another long phrase' });
  assert.match(await done.text(), /Password changed/);
  assert.equal((await copy.request('/account')).status, 302);
  assert.equal((await person.request('/account')).status, 200);
});

test('the owner is notified at once that an email address change was requested, and can undo it', async () => {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  const form = await formIn(await person.visit('/account/email'), '/account/email');
  await person.submit(form, { email: 'elsewhere@example.test' });
  const mails = await outbox();
  assert.ok(mails.some((mail) => mail.to === user.email && /change requested/.test(mail.subject)));
  const link = mails.find((mail) => mail.to === 'elsewhere@example.test')?.text.match(/http\S+link=\S+/)?.[0] ?? '';
  const path = link.slice(service.url.length);
  assert.match(
    await (await person.visit(path)).text(),
    new RegExp(`will change from ${user.email} to elsewhere@example\\.test`),
  );
  const sessions = await formIn(await person.visit('/account/sessions'), '/account/sessions');
  await person.submit(sessions, { end_others: 'yes' });
  assert.equal((await person.visit(path)).status, 410);
});

test('a new browser is announced, even the first one after a reset', async () => {
  const user = await service.newUser();
  await new Person(service).signIn(user);
  const told = (await outbox()).filter((mail) => mail.to === user.email && /New sign-in/.test(mail.subject));
  assert.equal(told.length, 1);
});

test('a correct password without the second step is recorded', async () => {
  const user = await service.newUser();
  const { storage, journal, keys, clock } = service.running.services;
  const sealedSecret = keys.seal(`authenticator ${user.id}`, 'AAAA');
  const event = journal.event({ kind: 'authenticator_added', userId: user.id }, { address: '', requestId: '' });
  await storage.enableAuthenticator(user.id, { sealedSecret, lastStep: 0 }, [], clock.now(), event);
  await new Person(service).signIn(user);
  assert.equal((await service.events('second_step_asked')).filter((each) => each.userId === user.id).length, 1);
});

test('the outbox is only served on loopback under its own host name', async () => {
  assert.equal((await fetch(`${service.url}/dev/outbox`)).status, 200);
  const port = Number(new URL(service.url).port);
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET /dev/outbox HTTP/1.1\r\nHost: evil.example:${port}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  assert.match(answer, /^HTTP\/1\.1 404 /);
});

test('deleting an account removes IP addresses and details from its events', async () => {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  await service.running.services.journal.flush();
  const form = await formIn(await person.visit('/account/delete'), '/account/delete');
  await person.submit(form, {});
  const left = (await service.events()).filter((event) => event.userId === user.id && event.kind !== 'account_deleted');
  assert.ok(left.length > 0);
  for (const event of left) assert.deepEqual([event.address, event.detail], ['', {}]);
});

test('a zero byte in a path or response is refused as not found', async () => {
  for (const path of ['/pictures/a%00b/c', '/logos/a%00/b']) {
    assert.equal((await fetch(service.url + path)).status, 404, path);
  }
  const user = await service.newUser();
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'), '/sign-in/passkey');
  const options = await person.request('/sign-in/passkey/options', { method: 'POST', body: new URLSearchParams() });
  const { challenge } = (await options.json()) as { challenge: string };
  const refused = await person.submit(form, { challenge, answer: '{"id":"a\\u0000b","response":{}}' });
  assert.equal(refused.status, 400);
  await person.signIn(user);
  assert.equal((await person.visit('/account/activity?before=%00')).status, 400);
});

test('a password reset during an authorization request continues to the application', async () => {
  const user = await service.newUser();
  const client = await service.newClient();
  const person = new Person(service);
  const path = authorizePath(client, newVerifier());
  const start = { ...(await formIn(await person.visit(path), '/sign-in')), action: '/reset-password/start' };
  const ask = await formIn(await person.submit(start, {}), '/reset-password');
  await person.submit(ask, { email: user.email });
  const link = (await outbox()).find((mail) => mail.to === user.email)?.text.match(/http\S+link=\S+/)?.[0] ?? '';
  const form = await formIn(await new Person(service).visit(link.slice(service.url.length)));
  const done = await (await person.submit(form, { password: 'another long phrase' })).text();
  assert.ok(done.includes(`href="${path.replaceAll('&', '&amp;')}"`));
});

test('neither probes nor pages for people say which build this is', async () => {
  const [number = '', commit = number] = ownVersion().split('+');
  const somebody = new Person(service);
  await somebody.signIn(await service.newUser());
  for (const path of ['/healthz', '/readyz', '/', '/sign-in', '/sign-up', '/reset-password', '/account', '/nothing']) {
    for (const person of [new Person(service), somebody]) {
      const response = await person.visit(path);
      const said = JSON.stringify([...response.headers]) + (await response.text());
      assert.ok(!said.includes(number) && !said.includes(commit), path);
    }
  }
});
