// node bench/admin-lists.ts: compares what administrators read (lists, search, events, the overview) from an embedded
// store with 1,000,000 people and 10,000,000 events with one of 1,000 and 10,000. SCALE=0.1 makes the large one a tenth
// of that.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type EventsQuery, listEvents } from '../src/operations/events/events.ts';
import { overview } from '../src/operations/events/overview.ts';
import { Journal } from '../src/operations/journal/journal.ts';
import { EmailQueue } from '../src/operations/mail/email-queue.ts';
import { operationMeters } from '../src/operations/meters.ts';
import type { Services } from '../src/operations/services.ts';
import { listUsers } from '../src/operations/users/users.ts';
import { systemClock } from '../src/platform/clock.ts';
import { serviceKeys } from '../src/platform/keys.ts';
import { MetricRegistry } from '../src/platform/metrics/registry.ts';
import { formatCursor } from '../src/protocol/admin/cursor.ts';
import { DAY, HOUR } from '../src/protocol/durations.ts';
import { newTimeOrderedId } from '../src/protocol/identifiers.ts';
import { readMigrations, sqlStorage } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { median } from './median.ts';

const scale = Number(process.env.SCALE ?? 1);
const sizes = {
  small: { people: 1000, events: 10_000 },
  large: { people: Math.round(1_000_000 * scale), events: Math.round(10_000_000 * scale) },
};
const applications = 20;
const rounds = 15;
const callsPerRound = 10;
const now = Date.now();
const began = now - 30 * DAY;

const userId = (i: number) => String(i).padStart(26, '0');
const clientId = (i: number) => `c${String(i).padStart(25, '0')}`;
const syllables = ['ba', 'do', 'fi', 'ga', 'ho', 'ka', 'lu', 'me', 'no', 'pa', 'ri', 'so', 'ta', 'vu', 'wi', 'ze'];
const spelled = (value: number, length: number) =>
  Array.from({ length }, (_, place) => syllables[(value >> (4 * place)) & 15]).join('');
const capital = (text: string) => text[0]?.toUpperCase() + text.slice(1);
const givenName = (i: number) => capital(spelled(i * 7919, 3));
const familyName = (i: number) => capital(spelled(i * 104_729, 4));

/** Ids in order, spread over thirty days. */
function eventId(i: number, events: number): string {
  const at = began + Math.floor((i / events) * 30 * DAY);
  return newTimeOrderedId(at, (size) => {
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32BE(i, 0);
    return bytes;
  });
}

/** Rows as the service would have written them. Indexes are created afterwards, which takes a fraction of the time. */
function fill(file: string, { people, events }: { people: number; events: number }): void {
  const database = new DatabaseSync(file);
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  database.function('given_name', (i) => givenName(Number(i)));
  database.function('family_name', (i) => familyName(Number(i)));
  database.function('event_id', (i) => eventId(Number(i), events));
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .all();
  const person = `printf('u%025d', i)`;
  const email = `lower(given_name(i) || '.' || family_name(i)) || i || '@example.com'`;
  database.exec(`
    PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = FILE; BEGIN;
    ${indexes.map(({ name }) => `DROP INDEX ${name};`).join('\n')}
    INSERT INTO users (id, email, email_key, name, given_name, family_name, password_hash, generation, created_at,
      updated_at, last_active_at, last_sign_in_at)
      ${numbers(people)} SELECT ${person}, ${email}, ${email}, given_name(i) || ' ' || family_name(i), given_name(i),
      family_name(i), 'hash', 0, ${began} + i, ${began}, ${now - 60 * DAY} + (i * 7919) % ${60 * DAY},
      ${now - 60 * DAY} + (i * 7919) % ${60 * DAY} FROM n;
    INSERT INTO search_words (kind, word, ref, source)
      SELECT 'person', CAST(lower(name) AS BLOB), id, 'name' FROM users
      UNION ALL SELECT 'person', CAST(lower(given_name) AS BLOB), id, 'name' FROM users
      UNION ALL SELECT 'person', CAST(lower(family_name) AS BLOB), id, 'name' FROM users
      UNION ALL SELECT 'person', CAST(email_key AS BLOB), id, 'email' FROM users
      UNION ALL SELECT 'person', CAST(lower(family_name) || substr(email_key, length(given_name) + length(family_name) + 2)
        AS BLOB), id, 'email' FROM users
      UNION ALL SELECT 'person', CAST('example.com' AS BLOB), id, 'email' FROM users
      UNION ALL SELECT 'person', CAST('com' AS BLOB), id, 'email' FROM users
      UNION ALL SELECT 'person_name', CAST(lower(name) AS BLOB), id, 'name' FROM users ORDER BY 1, 2, 3, 4;
    INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at)
      ${numbers(applications)} SELECT printf('c%025d', i), 'App ' || i, 0, '["https://a.example/cb"]', 'openid', 0,
      ${began} + i, ${began} FROM n;
    INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
      SELECT id, printf('c%025d', 1), 0, 'openid', ${began}, ${began} FROM users;
    INSERT INTO events (id, at, kind, user_id, client_id, address, request_id, detail)
      ${numbers(events)} SELECT event_id(i), ${began} + CAST(i * 1.0 / ${events} * ${30 * DAY} AS INTEGER),
      CASE WHEN i % 1000 = 0 THEN 'token_revoked' WHEN i % 10 = 1 THEN 'sign_in_failed'
        WHEN i % 10 < 6 THEN 'signed_in' ELSE 'code_exchanged' END,
      printf('u%025d', 1 + (i * 7919) % ${people}), printf('c%025d', 1 + i % 7 * (i % 11) % ${applications}),
      '192.0.2.' || i % 256, printf('req-%010d', i / 2), '{"device":"Firefox on Linux"}' FROM n;
    INSERT INTO hourly_totals (hour, kind, client_id, total)
      WITH RECURSIVE h(hour) AS (SELECT ${Math.floor(began / HOUR) * HOUR}
        UNION ALL SELECT hour + ${HOUR} FROM h WHERE hour < ${now - HOUR}),
      k(kind) AS (VALUES ('sign_in'), ('failure'), ('exchange'), ('refresh'), ('userinfo'))
      SELECT hour, kind, '', 17 FROM h, k
      UNION ALL SELECT hour, kind, id, 17 FROM h, k, clients WHERE hour % ${DAY} = 0;
    ${indexes.map(({ sql }) => `${sql};`).join('\n')}
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE);`);
  database.close();
}

async function openFilled(folder: string, size: 'small' | 'large') {
  const file = join(folder, `${size}.db`);
  const driver = openSqlite(file);
  await driver.migrate(readMigrations());
  const started = performance.now();
  fill(file, sizes[size]);
  const seconds = Math.round((performance.now() - started) / 1000);
  const megabytes = Math.round(statSync(file).size / 1024 ** 2);
  process.stderr.write(`${size}: filled in ${seconds} s, ${megabytes} MB\n`);
  const storage = sqlStorage(driver);
  const parts = { storage, clock: systemClock, random: randomBytes, keys: serviceKeys(['k'.repeat(43)]) };
  const journal = new Journal(storage, systemClock, randomBytes);
  const emailQueue = new EmailQueue({
    ...parts,
    storeClock: storage,
    journal,
    meters: operationMeters(new MetricRegistry()),
    kind: 'smtp',
    mailer: undefined,
    answer: async () => ({ email: undefined }),
  });
  const services: Partial<Services> = { ...parts, journal, emailQueue, issuer: 'https://id.example' };
  return { storage, services: services as Services, ...sizes[size], megabytes };
}

type Store = Awaited<ReturnType<typeof openFilled>>;

/** Lists events by a filter. `i` varies what is asked for from call to call. */
const byFilter = (input: (store: Store, i: number) => EventsQuery) => async (store: Store, i: number) => {
  const listed = await listEvents(store.services, input(store, i));
  if (listed.kind !== 'done' || listed.items.length === 0) throw new Error('nothing was found');
};
/** The number of an event in the middle that is a sign-in. */
const someEvent = ({ events }: Store, i: number) =>
  10 * Math.floor((events / 4 + ((i * 104_729) % (events / 2))) / 10) + 2;
const cursorAt = (store: Store, i: number) => eventId(someEvent(store, i), store.events);
const search = (length: number) => async (store: Store, i: number) => {
  const name = `${givenName(1 + (i % store.people))} ${familyName(1 + (i % store.people))}`.slice(0, length);
  const listed = await listUsers(store.services, { search: name });
  if (listed.kind !== 'done' || listed.items.length === 0) throw new Error('nobody was found');
};

const work: Readonly<Record<string, (store: Store, i: number) => Promise<unknown>>> = {
  'people, first page': ({ services }) => listUsers(services, {}),
  'people, from the middle on': (store) => {
    const middle = Math.floor(store.people / 2);
    return listUsers(store.services, {
      cursor: formatCursor({ position: [String(began + middle), userId(middle)], direction: 'after', count: middle }),
    });
  },
  'people, back from the middle': (store) => {
    const middle = Math.floor(store.people / 2);
    const position = [String(began + middle), userId(middle)] as const;
    return listUsers(store.services, { cursor: formatCursor({ position, direction: 'before', count: middle }) });
  },
  'people by name': ({ services }) => listUsers(services, { sort: 'name' }),
  'people by last sign-in': ({ services }) => listUsers(services, { sort: '-last_sign_in' }),
  'search, 1 letter': search(1),
  'search, 3 letters': search(3),
  'search, 10 letters': search(10),
  'search, word of an email address': async (store, i) => {
    const listed = await listUsers(store.services, { search: `${familyName(1 + (i % store.people))}1` });
    if (listed.kind !== 'done') throw new Error('nobody was found');
  },
  'search, everyone of a domain': ({ services }) => listUsers(services, { search: 'example.com' }),
  'search, a rare and a common word': async (store, i) => {
    const listed = await listUsers(store.services, { search: `example ${familyName(1 + (i % store.people))}` });
    if (listed.kind !== 'done' || listed.items.length === 0) throw new Error('nobody was found');
  },
  'search, 1 letter, a later page': async (store, i) => {
    const prefix = spelled(i, 1).slice(0, 1);
    const word = Buffer.from(`${spelled(i, 1)}so`).toString('hex');
    return listUsers(store.services, {
      search: prefix,
      cursor: formatCursor({ position: [word, userId(1)], direction: 'after', count: 0 }),
    });
  },
  'events, newest': byFilter(() => ({})),
  'events, from the middle on': byFilter((store, i) => ({ cursor: cursorAt(store, i) })),
  'events of a person': byFilter((store, i) => ({ user: userId(1 + (i % store.people)) })),
  'events of a person, one kind': byFilter((store, i) => ({
    user: userId(1 + ((someEvent(store, i) * 7919) % store.people)),
    kinds: ['signed_in'],
  })),
  'events of an application': byFilter(() => ({ client: clientId(1) })),
  'the same, from the middle on': byFilter((store, i) => ({ client: clientId(1), cursor: cursorAt(store, i) })),
  'events of a common kind': byFilter(() => ({ kinds: ['signed_in'] })),
  'events of a rare kind': byFilter(() => ({ kinds: ['token_revoked'] })),
  'application and rare kind': byFilter(() => ({ client: clientId(1), kinds: ['token_revoked'] })),
  'events by reference': byFilter((store, i) => ({
    requestId: `req-${String(Math.floor(someEvent(store, i) / 2)).padStart(10, '0')}`,
  })),
  'events of one day': byFilter(() => ({ since: began + 10 * DAY, until: began + 11 * DAY })),
  'kind within one day': byFilter(() => ({
    kinds: ['sign_in_failed'],
    since: began + 10 * DAY,
    until: began + 11 * DAY,
  })),
  'people of an application': ({ storage }) => storage.countConnectedUsers(clientId(1)),
  'people, all and active': ({ storage }) => storage.countUsers(now - 30 * DAY),
  'the overview': ({ services }) => overview(services),
};

const rounded = (value: number) => Number(value.toPrecision(2));

const folder = mkdtempSync(join(tmpdir(), 'latchkey-lists-'));
try {
  const stores = { small: await openFilled(folder, 'small'), large: await openFilled(folder, 'large') };
  const results: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(work)) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      for (const size of ['small', 'large'] as const) {
        const started = performance.now();
        for (let i = 0; i < callsPerRound; i++) await call(stores[size], round * callsPerRound + i);
        times[size].push((performance.now() - started) / callsPerRound);
      }
    }
    const ratio = median(times.large.map((value, round) => value / (times.small[round] ?? value)));
    // The first round finds the least in the cache.
    const figures = { smallMs: median(times.small), largeMs: median(times.large), firstMs: times.large[0] ?? 0, ratio };
    results[name] = Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, rounded(value)]));
    process.stderr.write(`${name}: ${JSON.stringify(results[name])}\n`);
  }
  process.stdout.write(`${JSON.stringify({ ...sizes.large, megabytes: stores.large.megabytes, results }, null, 2)}\n`);
  await Promise.all([stores.small.storage.close(), stores.large.storage.close()]);
} finally {
  rmSync(folder, { recursive: true });
}
