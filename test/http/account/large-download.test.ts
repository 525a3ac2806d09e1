// The download of one's own data takes little memory however much there is: it's made as it's read, few at a time.

import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { before, test } from 'node:test';
import { paced } from '../../../src/http/downloads/downloads.ts';
import { Person } from '../../harness/person.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';

const eventCount = 5000;
const pageLength = 100;
const path = '/account/data.json';

const service = serviceOfSuite();
let user: TestUser;
let person: Person;
/** How many events each read has returned. */
let reads: number[] = [];

before(async () => {
  user = await service.newUser();
  person = new Person(service);
  await person.signIn(user);
  const { storage, journal } = service.running.services;
  const detail = { grant: 'x'.repeat(4000) };
  for (let written = 0; written < eventCount; written += 500) {
    const facts = { kind: 'approved', userId: user.id, detail } as const;
    await storage.appendEvents(Array.from({ length: 500 }, () => journal.event(facts, requester)));
  }
  const findEvents = storage.findEvents.bind(storage);
  storage.findEvents = async (filter, limit) => {
    const found = await findEvents(filter, limit);
    reads.push(found.length);
    return found;
  };
});

/** A download that is opened and not read. */
function open(by: Person): Promise<IncomingMessage> {
  const headers = { Cookie: [...by.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  return new Promise((resolve, reject) => {
    get(service.url + path, { headers, agent: false }, (response) => resolve(response.pause())).on('error', reject);
  });
}

/** Begins a download and gives it up. */
async function isFreeFor(by: Person): Promise<boolean> {
  const response = await by.request(path);
  await response.body?.cancel();
  return response.status === 200;
}

test('the download is read a page at a time and is one JSON document', async () => {
  reads = [];
  const text = await (await person.request(path)).text();
  const data = JSON.parse(text);
  assert.ok(data.activity.length >= eventCount);
  assert.equal(text, JSON.stringify(data, null, 2));
  assert.equal(
    reads.reduce((sum, count) => sum + count, 0),
    data.activity.length,
  );
  assert.ok(Math.max(...reads) <= pageLength);
  assert.equal(
    data.activity.some(({ kind }: { kind: string }) => kind === 'data_downloaded'),
    false,
    'it does not list itself',
  );
});

test("a stalled download isn't generated further, and a second one is refused meanwhile", async () => {
  reads = [];
  const first = await open(person);
  assert.equal(first.statusCode, 200);
  const second = await person.request(path);
  assert.equal(second.status, 429);
  assert.ok(Number(second.headers.get('retry-after')) > 0);
  assert.match(await second.text(), /Too many downloads/);
  // Most of it is still to be made: only what fits into the buffers of the connection is.
  assert.ok(reads.length < eventCount / pageLength / 2, `${reads.length} pages`);
  let length = 0;
  for await (const chunk of first) length += chunk.length;
  assert.ok(length > eventCount * 4000);
  await until(() => isFreeFor(person), 'the place is free');
});

test('after each piece it rests as long as the piece kept others waiting', async () => {
  const [count, milliseconds] = [5, 20];
  async function* pieces() {
    for (let piece = 0; piece < count; piece++) {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
      yield 'piece';
    }
  }
  const started = performance.now();
  await paced(pieces(), () => {}).toArray();
  // A timer may be a millisecond early.
  assert.ok(performance.now() - started >= count * (2 * milliseconds - 2));
});

test('five run at a time, and an aborted one makes room', async () => {
  const other = new Person(service);
  await other.signIn(await service.newUser());
  const { downloads } = service.running.services;
  for (const name of ['a', 'b', 'c', 'd']) assert.equal(downloads.begin(name), true);
  let fifth = await open(person);
  // The place of the download before this one may not be free yet.
  await until(async () => {
    if (fifth.statusCode !== 200) fifth = await open(person);
    return fifth.statusCode === 200;
  }, 'the fifth has begun');
  assert.equal((await other.request(path)).status, 429);
  fifth.destroy();
  await until(() => isFreeFor(other), 'a place is free');
  for (const name of ['a', 'b', 'c', 'd']) downloads.end(name);
});

test('HEAD generates nothing', async () => {
  reads = [];
  const response = await person.request(path, { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment/);
  assert.deepEqual(reads, []);
});

test('someone without activity gets an empty list', async () => {
  const quiet = new Person(service);
  const newcomer = await service.newUser();
  await quiet.signIn(newcomer);
  const { storage } = service.running.services;
  const findEvents = storage.findEvents;
  storage.findEvents = async () => [];
  try {
    const text = await (await quiet.request(path)).text();
    assert.deepEqual(JSON.parse(text).activity, []);
    assert.equal(text, JSON.stringify(JSON.parse(text), null, 2));
  } finally {
    storage.findEvents = findEvents;
  }
});
