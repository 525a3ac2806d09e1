// What reaches PostgreSQL between a request for an email and its response. Over a network each statement takes a
// measurable time, so the statements must not depend on whether the address has an account. They are compared, and not
// the time, because they are the same on every machine.

import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { signedIn } from '../harness/account.ts';
import { setPolicy } from '../harness/email-codes.ts';
import { formIn, Person } from '../harness/person.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { askToReset, askToSignUp, newAddress } from '../harness/sign-up.ts';
import { mailsTo } from '../harness/store.ts';

interface Recording {
  readonly texts: string[];
  responded: boolean;
}

const current = new AsyncLocalStorage<Recording>();
const originalQuery = pg.Client.prototype.query;
let last: Recording = { texts: [], responded: true };
let service: TestService;

before(async () => {
  const database = await (await sharedPostgres()).newDatabase();
  service = await startTestService({ DATABASE_URL: database, LATCHKEY_SIGN_UP: 'open' });
  // What a request has queued is left to the next background round, which belongs to no request.
  service.running.services.emailQueue.onQueued = () => {};
  // Everything that a request does, however late, runs in its async context.
  service.running.app.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    const recording: Recording = { texts: [], responded: false };
    last = recording;
    response.once('finish', () => {
      recording.responded = true;
    });
    current.enterWith(recording);
  });
  const record = (query: unknown) => {
    const recording = current.getStore();
    if (recording === undefined || recording.responded) return;
    recording.texts.push(typeof query === 'string' ? query : String((query as { text: unknown }).text));
  };
  pg.Client.prototype.query = new Proxy(originalQuery, {
    apply(target, self, parameters) {
      record(parameters[0]);
      return Reflect.apply(target, self, parameters);
    },
  });
});
after(async () => {
  pg.Client.prototype.query = originalQuery;
  await service?.stop();
  await removeSharedPostgres();
});
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * 60));

async function disabledUser(): Promise<TestUser> {
  const user = await service.newUser();
  await disableUser(service.running.services, user.id, requester);
  return user;
}

/** Reads travel together, and those of the service itself, every few seconds, may take a request's along: a difference has to show three times. */
async function compared(once: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once();
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

/** Sends a form with an address of each kind, and compares what was done before the response. */
const compare = (send: (email: string) => Promise<Response>) => compared(() => compareOnce(send));

async function compareOnce(send: (email: string) => Promise<Response>): Promise<void> {
  const addresses = [newAddress(), (await service.newUser()).email, (await disabledUser()).email];
  const statements: string[][] = [];
  for (const email of addresses) {
    // A write that is still under way takes the next ones along, which would then be counted as part of another request.
    await service.events();
    assert.equal((await send(email)).status, 200);
    // A new connection asks this first, whatever the request.
    statements.push(last.texts.filter((text) => !text.includes('pg_is_in_recovery')));
  }
  const [unknown, known, disabled] = statements;
  assert.ok(
    unknown?.some((text) => text.startsWith('INSERT INTO mails')),
    'the request is stored',
  );
  assert.deepEqual(known, unknown);
  assert.deepEqual(disabled, unknown);
}

test('a password reset request runs the same statements for every email address', async () => {
  await compare((email) => askToReset(service, email));
});

test('a sign-up request runs the same statements for every email address', async () => {
  await compare((email) => askToSignUp(service, email));
});

test('a request for a code, and a wrong code, run the same statements for every email address', async () => {
  await setPolicy(service, { email_codes: 'everyone' });
  const person = new Person(service);
  const ticket = (await formIn(await person.visit('/sign-in'), '/sign-in')).fields;
  const ask = (email: string) => person.submit({ action: '/sign-in/code', fields: ticket, buttons: [] }, { email });
  await compare(ask);
  // Also from a browser in which somebody else has signed in.
  await person.signIn(await service.newUser());
  assert.ok(person.cookies.has('latchkey_device'));
  person.cookies.delete('latchkey_session');
  await compare(ask);
  const guess = async (email: string) => {
    const form = await formIn(await ask(email), '/sign-in/code');
    await service.events();
    const response = await person.submit(form, { code: 'ABCD-EFGH' });
    assert.equal(response.status, 400);
    return last.texts.filter((text) => !text.includes('pg_is_in_recovery'));
  };
  await compared(async () => {
    const unknown = await guess(newAddress());
    assert.deepEqual(await guess((await service.newUser()).email), unknown);
  });
});

test('an email change request runs the same statements for every email address', async () => {
  const user = await service.newUser();
  const person: Person = await signedIn(service, user);
  await compare(async (email) => {
    const form = await formIn(await person.visit('/account/email'), '/account/email');
    return person.submit(form, { email });
  });
});

test('what depends on the account happens after the response', async () => {
  const user = await service.newUser();
  await askToReset(service, user.email);
  assert.ok(last.texts.every((text) => !/\b(users|links)\b/.test(text)));
  const [mail] = await mailsTo(service, user.email);
  assert.match(mail?.subject ?? '', /Reset your password/);
});
