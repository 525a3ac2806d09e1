// A wrong clock deletes nothing for good: the sweep pauses, says so, and goes on when the clock can be trusted again.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { confirmClock, findSweepPause } from '../../src/operations/housekeeping/upkeep.ts';
import { countPasswordOnly, notePasswordOnly } from '../../src/operations/passwords/password-only.ts';
import { countPeople, notePeople } from '../../src/operations/users/people-count.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { newId, newSecret, newTimeOrderedId } from '../../src/protocol/identifiers.ts';
import { signedIn } from '../harness/account.ts';
import { visit } from '../harness/console.ts';
import { obtainTokens, postForm, refreshParameters } from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { newSweep, sweep } from '../harness/sweep.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;

let service: TestService;
let client: TestClient;
let user: TestUser;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
  user = await service.newUser();
});
after(() => service.stop());
// Each begins as a service that swept a minute ago, with a dozen connected applications.
beforeEach(async () => {
  // Whoever held the lease in the test before is gone.
  service.clock.advance(4 * MINUTE);
  const { storage, clock } = service.running.services;
  await storage.noteFact('swept_at', String(clock.now() - MINUTE * 1000));
  await storage.noteFact('sweep_paused', '');
  await storage.noteFact('sweep_confirmed_at', '');
  for (let count = 0; count < 12; count++) await connectApp();
});

const grants = async () => (await service.rows('grants')).length;

/** A grant that has been exchanged, without the pages. */
async function connectApp(): Promise<void> {
  const { storage, clock, random, journal } = service.running.services;
  const now = clock.now();
  const secret = newSecret('', random);
  const grant = {
    id: newTimeOrderedId(now, random),
    userId: user.id,
    userGeneration: user.record.generation,
    clientId: client.id,
    clientGeneration: client.record.generation,
    scopes: ['openid'] as const,
    redirectUri: client.redirectUri,
    codeChallenge: 'x',
    nonce: null,
    authTime: now,
    amr: [],
    codeDigest: digestOf(secret),
    codeExpiresAt: now + 60_000,
    claims: null,
    sessionId: null,
    sidKey: null,
  };
  const event = journal.event(
    { kind: 'approved', userId: user.id, clientId: client.id },
    { address: '', requestId: '' },
  );
  assert.equal(await storage.approve(grant, grant.scopes, now, event), true);
  const expiresAt = now + 30 * DAY * 1000;
  const consumption = { grantId: grant.id, codeDigest: grant.codeDigest, now, refreshDigest: newId(random) };
  assert.equal(await storage.consumeCode({ ...consumption, expiresAt, deleteAfter: expiresAt }), true);
}

test("a clock that's a year ahead for a minute deletes nothing, and the sweep resumes when it's right again", async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const before = await grants();
  service.clock.advance(YEAR);
  assert.equal((await sweep(service, 'ahead')).kind, 'paused');
  assert.equal(await grants(), before);
  assert.equal((await findSweepPause(service.running.services))?.reason, 'too_much');
  const ready = await fetch(`${service.url}/readyz`);
  assert.equal(ready.status, 200);
  assert.deepEqual(await ready.json(), { status: 'ready', sweep: 'paused' });

  service.clock.advance(-YEAR + MINUTE);
  assert.equal((await sweep(service, 'another')).kind, 'swept', 'the lease of next year is no obstacle');
  assert.equal(await findSweepPause(service.running.services), undefined);
  assert.deepEqual(await (await fetch(`${service.url}/readyz`)).json(), { status: 'ready' });
  assert.equal(await grants(), before);
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(refreshed.status, 200);
});

test("after a clock jump, a process waits until it's back or steady for an hour", async () => {
  let elapsed = 0;
  const running = newSweep(service, { holder: 'runs', elapsed: () => elapsed });
  const round = async (seconds: number, jump = 0) => {
    elapsed += seconds * 1000;
    service.clock.advance(seconds + jump);
    return (await running.round()).kind;
  };
  assert.equal(await round(MINUTE), 'swept');
  assert.equal(await round(MINUTE, 2 * DAY), 'paused', 'though few grants would be deleted');
  assert.equal(await round(MINUTE, -2 * DAY), 'swept', 'back where it was');
  assert.equal(await round(MINUTE, 2 * DAY), 'paused');
  assert.equal(await round(50 * MINUTE), 'paused');
  assert.equal(await round(MINUTE, 2 * DAY), 'paused', 'another jump begins the hour anew');
  assert.equal(await round(50 * MINUTE), 'paused');
  assert.equal(await round(11 * MINUTE), 'swept');
  assert.equal(await round(MINUTE, 30 * MINUTE), 'swept', 'less than an hour is no jump');
});

test('after a month of downtime, the operator confirms that the clock is right', async () => {
  service.clock.advance(40 * DAY);
  const before = await grants();
  assert.equal((await sweep(service, 'one')).kind, 'paused');
  service.clock.advance(MINUTE);
  assert.equal((await sweep(service, 'one')).kind, 'paused');
  await confirmClock(service.running.services);
  service.clock.advance(YEAR);
  assert.equal((await sweep(service, 'one')).kind, 'paused', 'the word is for the time at which it was given');
  assert.equal(await grants(), before);
  service.clock.advance(-YEAR);
  assert.equal((await sweep(service, 'one')).kind, 'swept');
  assert.ok((await grants()) < before);
  assert.equal(await findSweepPause(service.running.services), undefined);
});

test('unexchanged codes are swept, however many there are', async () => {
  const { storage, clock, random } = service.running.services;
  const now = clock.now();
  for (let count = 0; count < 50; count++) {
    await storage.issueCode(
      {
        id: newTimeOrderedId(now, random),
        userId: user.id,
        userGeneration: user.record.generation,
        clientId: client.id,
        clientGeneration: client.record.generation,
        scopes: ['openid'],
        redirectUri: client.redirectUri,
        codeChallenge: 'x',
        nonce: null,
        authTime: now,
        amr: [],
        codeDigest: newId(random),
        codeExpiresAt: now + 60_000,
        claims: null,
        sessionId: null,
        sidKey: null,
      },
      now,
    );
  }
  const before = await grants();
  service.clock.advance(2 * DAY);
  assert.equal((await sweep(service, 'one')).kind, 'swept');
  assert.equal(await grants(), before - 50);
});

test('a backlog is swept in one round, with a pause after each batch and the lease renewed', async () => {
  const { storage } = service.running.services;
  const count = 3000;
  for (let written = 0; written < count; written += 1000) {
    const failures = Array.from({ length: 1000 }, (_, index) => ({
      counter: digestOf(`${written + index}`),
      bucket: 1,
    }));
    await storage.addFailures(failures, 1);
  }
  let elapsed = 0;
  const rests: number[] = [];
  const leases: unknown[] = [];
  const backlog = newSweep(service, {
    holder: 'busy',
    elapsed: () => {
      elapsed += 7;
      return elapsed;
    },
    wait: async (milliseconds) => {
      rests.push(milliseconds);
      service.clock.advance(MINUTE);
      leases.push((await service.rows('leases')).find((row) => row.name === 'sweep')?.expires_at);
    },
  });
  const outcome = await backlog.round();
  assert.equal(outcome.kind, 'swept');
  assert.ok(outcome.kind === 'swept' && outcome.rows >= count);
  assert.equal((await service.rows('sign_in_failures')).length, 0);
  assert.ok(rests.length >= count / 500, `${rests.length} rests`);
  assert.ok(rests.every((rest) => rest === 7));
  assert.equal(new Set(leases.map(Number)).size, leases.length, 'renewed with each batch');
});

test("people who can't be counted are no reason not to delete", async (context) => {
  const { storage } = service.running.services;
  const failure = new Error('too many');
  context.mock.method(storage, 'countNextUsers', () => Promise.reject(failure));
  const faults: Error[] = [];
  const sweeping = newSweep(service, { holder: 'one', onFault: (error) => faults.push(error) });
  assert.equal((await sweeping.round()).kind, 'swept');
  assert.deepEqual(faults, [failure]);
});

test("the number of many people is at most a minute old, by the store's clock", async (context) => {
  const { services } = service.running;
  const wrong = { ...services, clock: { now: () => service.clock.now() + YEAR * 1000 } };
  // As if there were more than a page may count.
  context.mock.method(services.storage, 'countNextUsers', async (after: string) =>
    after === ''
      ? { all: 10_000, active: 7, neverSignedIn: 9_900, withoutFactor: 9_996, last: 'z' }
      : { all: 5, active: 1, neverSignedIn: 101, withoutFactor: 5, last: undefined },
  );
  await notePeople(wrong, async () => true);
  service.clock.advance(MINUTE - 1);
  const counted = { all: 10_005, active: 8, neverSignedIn: 10_001, withoutFactor: 10_001 };
  assert.deepEqual(await countPeople(services), counted);
  assert.deepEqual(await countPeople(wrong), counted);
  const admin = await signedIn(service, await service.newUser({ admin: true }));
  await service.newUser();
  const overview = (await visit(admin, '/admin')).page;
  assert.match(overview, /signed_in=never"[\s\S]{0,200}10,001/);
  assert.match(overview, /second_factor=none"[\s\S]{0,200}10,001/);
  const listed = async (query: string) => / of ([\d,+]+)/.exec((await visit(admin, `/admin/people${query}`)).page)?.[1];
  assert.deepEqual(
    [await listed(''), await listed('?signed_in=never'), await listed('?second_factor=none')],
    ['10,005', '10,001', '10,001'],
  );
  service.clock.advance(1);
  assert.ok((await countPeople(services)).all < 100, 'they are counted again');
  await services.storage.noteFact('people_counted', JSON.stringify({ at: service.clock.now(), all: 1, active: 1 }));
  assert.ok((await countPeople(services)).withoutFactor > 1, 'the previous version noted less');
});

test('of many people, those without another way than their password are counted every ten minutes', async (context) => {
  const { services } = service.running;
  const many = { all: 10_000, active: 0, neverSignedIn: 0, withoutFactor: 0, last: 'z' };
  context.mock.method(services.storage, 'countNextUsers', async () => many);
  let each = 3;
  const steps = context.mock.method(services.storage, 'countNextPasswordOnly', async (after: string) => ({
    everyone: each,
    everyone_with_factor: 1,
    last: after === '' ? 'm' : undefined,
  }));
  const note = () => notePasswordOnly(services, async () => true);
  const everyone = async () => (await countPasswordOnly(services, { email_codes: 'off' })).everyone;
  await note();
  assert.equal(await everyone(), 6);
  each = 4;
  service.clock.advance(10 * MINUTE - 1);
  await note();
  assert.deepEqual([await everyone(), steps.mock.callCount()], [6, 2]);
  service.clock.advance(1);
  await note();
  assert.deepEqual([await everyone(), steps.mock.callCount()], [8, 4]);
  service.clock.advance(60 * MINUTE);
  assert.equal(await everyone(), await services.storage.countPasswordOnly('everyone'));
});

test('a stopped sweep ends after its batch', async () => {
  const { storage } = service.running.services;
  const failures = Array.from({ length: 2000 }, (_, index) => ({ counter: digestOf(`s${index}`), bucket: 1 }));
  await storage.addFailures(failures, 1);
  const stopped = newSweep(service, { holder: 'busy', wait: async () => stopped.stop() });
  assert.deepEqual(await stopped.round(), { kind: 'swept', rows: 500 });
});
