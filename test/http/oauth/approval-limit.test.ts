// One person can't fill the disk: codes are issued 1,000 at once and then 5 a second, and the excess is only counted.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import type { TestClient, TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const burst = 1000;

const service = serviceOfSuite();
let client: TestClient;
let user: TestUser;

before(async () => {
  client = await service.newClient();
  user = await service.newUser();
});

/** As if the user had been issued so many codes just now. */
function use(count: number, userId = user.id): void {
  for (let taken = 0; taken < count; taken++) service.running.services.approvals.take(userId);
}

async function codesOf(): Promise<number> {
  return (await service.rows('grants')).length;
}

test('an approval beyond the limit, remembered or new, gets a 429 page and writes nothing', async () => {
  const person = new Person(service);
  const path = authorizePath(client, newVerifier());
  await person.authorize(path, user);
  const asking = authorizePath(client, newVerifier(), { prompt: 'consent' });
  const form = await formIn(await person.visit(asking), '/oauth-authorize/decision');
  use(burst);
  const before = await codesOf();

  for (const refused of [
    await person.request(path),
    await person.request(authorizePath(client, newVerifier(), { prompt: 'none' })),
    await person.submit(form, { decision: 'approve' }),
  ]) {
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.headers.get('location'), null);
    assert.match(await refused.text(), /Too many sign-ins/);
  }
  assert.equal(await codesOf(), before);

  const cancelled = await person.submit(form, { decision: 'cancel' });
  assert.match(cancelled.headers.get('location') ?? '', /access_denied/);

  service.clock.advance(0.2);
  assert.equal((await person.request(path)).status, 302, 'five a second');
  assert.equal((await person.request(path)).status, 429);
});

test("other people aren't affected, and the burst is available again after a pause", async () => {
  const other = await service.newUser();
  use(burst + 1);
  assert.ok(
    (await new Person(service).authorize(authorizePath(client, newVerifier()), other)).searchParams.get('code'),
  );
  service.clock.advance(burst / 5);
  const { approvals } = service.running.services;
  const waits = Array.from({ length: burst + 1 }, () => approvals.take(user.id));
  assert.equal(waits.filter((seconds) => seconds === 0).length, burst);
});

test('the excess is one event with a count', async () => {
  const flooding = await service.newUser();
  const person = new Person(service);
  const path = authorizePath(client, newVerifier());
  await person.authorize(path, flooding);
  use(burst - 1, flooding.id);
  const own = async () => (await service.events('approvals_throttled')).filter(({ userId }) => userId === flooding.id);
  for (let attempt = 0; attempt < 20; attempt++) assert.equal((await person.request(path)).status, 429);
  const [event, ...more] = await own();
  assert.equal(event?.clientId, client.id);
  assert.equal(more.length, 0);
  service.clock.advance(60 * 60);
  const suppressed = (await service.events('events_suppressed')).filter((each) => each.detail?.kind === event?.kind);
  assert.ok(suppressed.reduce((sum, { detail }) => sum + Number(detail?.count), 0) >= 19);
  use(burst, flooding.id);
  assert.equal((await person.request(path)).status, 429);
  assert.equal((await own()).length, 2, 'an hour later it is reported again');
});
