// How much of the database each page of the console and each list of the API takes in a large store: every route of both, from their
// tables, and every filter, search and order that they offer. On PostgreSQL it's the CPU time of the server, of all its processes; on
// the embedded store that of the statements on the event loop.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SQLInputValue, StatementSync } from 'node:sqlite';
import type { TSchema } from 'typebox';
import { apiOperations } from '../src/http/api/all-operations.ts';
import type { ApiOperation } from '../src/http/api/define-operation.ts';
import { createAttribute } from '../src/operations/attributes/attributes.ts';
import { notePasswordOnly } from '../src/operations/passwords/password-only.ts';
import { createScimToken } from '../src/operations/scim/scim-tokens.ts';
import { notePeople } from '../src/operations/users/people-count.ts';
import { MINUTE } from '../src/protocol/durations.ts';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { readMigrations } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { newUpstream } from '../test/harness/discovery.ts';
import { Person } from '../test/harness/person.ts';
import { queryPostgres, startPostgres } from '../test/harness/postgres.ts';
import { requester, startTestService, type TestService } from '../test/harness/service.ts';
import { routesUnder } from '../test/harness/store.ts';
import { newWebhook } from '../test/harness/webhooks.ts';
import { countCpu, processTree } from './cpu.ts';
import { fillDeliveries, filled, fillLists } from './filled-lists.ts';
import { median } from './median.ts';
import { short, table } from './table.ts';

/** Milliseconds of the database that a request may take. */
export const listLimit = 100;
/** Far below it, fewer times are enough. */
const roundsFor = (times: readonly number[]) => {
  const share = times.length === 0 ? 0 : median(times) / listLimit;
  return share <= 1 / 3 ? 1 : share <= 2 / 3 ? 5 : 20;
};

export interface ListCost {
  readonly engine: 'SQLite' | 'PostgreSQL';
  readonly request: string;
  /** Of the database, in milliseconds. */
  readonly cost: number;
}

/** Fills a store of each engine and asks for everything. */
export async function measureLists(
  people: number,
  engines: readonly ListCost['engine'][],
): Promise<readonly ListCost[]> {
  const costs: ListCost[] = [];
  for (const engine of engines) {
    process.stderr.write(`${engine} with ${people.toLocaleString('en')} people\n`);
    costs.push(...(await (engine === 'PostgreSQL' ? measureServer(people) : measureEmbedded(people))));
  }
  return costs;
}

/**
 * What the server does by itself isn't part of a request. Of a process that helps with a query, and ends with it, nobody could say how
 * much it used.
 */
export const serverSettings = [
  'autovacuum=off',
  'max_parallel_workers_per_gather=0',
  'max_wal_size=4GB',
  'maintenance_work_mem=512MB',
];

async function measureServer(people: number): Promise<readonly ListCost[]> {
  const postgres = await startPostgres({ settings: serverSettings });
  try {
    const url = await postgres.newDatabase();
    await fillServer(url, people);
    return await measureOn('PostgreSQL', { DATABASE_URL: url }, () => countCpu(() => processTree(postgres.pid)));
  } finally {
    await postgres.remove();
  }
}

async function measureEmbedded(people: number): Promise<readonly ListCost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-lists-'));
  try {
    const driver = openSqlite(join(folder, 'latchkey.db'));
    await driver.migrate(readMigrations());
    await fillLists(driver, people);
    await driver.close();
    return await measureOn('SQLite', { LATCHKEY_DATA_DIR: folder }, countStatements());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rows first, then the indexes and the references between them: one by one, they'd take most of the time. */
export async function fillServer(url: string, people: number): Promise<void> {
  await queryPostgres(
    url,
    `ALTER ROLE CURRENT_USER SET session_replication_role = 'replica';
    UPDATE pg_index SET indisready = false, indisvalid = false
      WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
  );
  const driver = openPostgres(url, { timeout: 30 * MINUTE });
  await fillLists(driver, people);
  await driver.close();
  // A query each: none of these can be part of a transaction.
  for (const sql of [
    'ALTER ROLE CURRENT_USER RESET session_replication_role',
    'REINDEX SCHEMA public',
    'VACUUM ANALYZE',
  ])
    await queryPostgres(url, sql);
}

/** Of the statements that this thread runs itself. */
function countStatements(): () => () => number {
  const { all } = StatementSync.prototype;
  let total = 0;
  const measured = function (this: StatementSync, ...params: SQLInputValue[]) {
    const before = process.threadCpuUsage();
    try {
      return Reflect.apply(all, this, params);
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      total += user + system;
    }
  };
  StatementSync.prototype.all = measured as typeof all;
  return () => {
    const before = total;
    return () => total - before;
  };
}

/** `count` starts to count microseconds of the database. */
export async function measureOn(
  engine: ListCost['engine'],
  environment: Record<string, string>,
  count: () => () => number,
): Promise<readonly ListCost[]> {
  const service = await startTestService(environment);
  try {
    const admin = new Person(service);
    await admin.signIn(await service.newUser({ admin: true, name: 'Margaret Hamilton' }));
    const ids = await prepare(service, environment);
    /** Undefined if the database took so long that the service gave up. */
    const get = async (path: string) => {
      const response = await admin.request(path);
      const text = await response.text();
      if (response.status === 503) return undefined;
      if (response.status >= 500) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
      return text;
    };
    const cost = async (path: string) => {
      const times: number[] = [];
      while (times.length < roundsFor(times)) {
        const used = count();
        if ((await get(path)) === undefined) return Number.POSITIVE_INFINITY;
        times.push(used() / 1000);
      }
      return median(times);
    };
    const costs: ListCost[] = [];
    const note = (request: string, cost: number) => {
      costs.push({ engine, request, cost });
      if (cost > listLimit) process.stderr.write(`${engine}: ${request} takes ${short(cost)} ms\n`);
    };
    const open = { ...ids, applications: filled.openApplication };
    const requests = new Set([
      ...(await consoleRequests(service, ids, get)),
      ...apiRequests(ids),
      ...apiRequests(open),
    ]);
    process.stderr.write(`${engine}: ${requests.size} requests\n`);
    for (const request of requests) {
      const next = nextOf(request, await get(request));
      note(request, await cost(request));
      if (next !== undefined) note(`${request}, second page`, await cost(next));
    }
    return costs;
  } finally {
    await service.stop();
  }
}

export function listsTable(costs: readonly ListCost[], shown = 20): string {
  const slowest = costs.toSorted((a, b) => b.cost - a.cost);
  const listed = slowest.filter(({ cost }, place) => cost > listLimit || place < shown);
  const over = costs.filter(({ cost }) => cost > listLimit).length;
  const summary = `${costs.length.toLocaleString('en')} requests, ${over} above ${listLimit} ms\n\n`;
  return `${summary}${table(
    ['', 'request', 'database ms', `at most ${listLimit}`],
    listed.map(({ engine, request, cost }) => [engine, request, short(cost), cost > listLimit ? 'no' : 'yes']),
  )}`;
}

/** What there are few of, and the IDs in paths by the part of the path before them. */
async function prepare(
  service: TestService,
  { DATABASE_URL: url, LATCHKEY_DATA_DIR: folder = '' }: Record<string, string>,
): Promise<Record<string, string>> {
  const { services } = service.running;
  // As the sweep does every minute.
  await notePeople(services, async () => true);
  await notePasswordOnly(services, async () => true);
  await createAttribute(services, { name: 'team', label: 'Team', kind: 'text' }, requester);
  const upstream = await newUpstream(service);
  const token = await createScimToken(services, { source: 'okta', name: 'Okta' }, requester);
  const { webhook } = await newWebhook(service, { clientId: filled.application });
  const driver =
    url === undefined ? openSqlite(join(folder, 'latchkey.db')) : openPostgres(url, { timeout: 10 * MINUTE });
  await fillDeliveries(driver, webhook.id, 50_000);
  await driver.close();
  // Then nothing is left to write while requests are measured.
  if (url !== undefined) for (const sql of ['VACUUM ANALYZE', 'CHECKPOINT']) await queryPostgres(url, sql);
  return {
    people: filled.person,
    groups: filled.largeGroup,
    applications: filled.application,
    clients: filled.application,
    settings: 'team',
    attributes: 'team',
    providers: upstream.name,
    upstreams: upstream.name,
    webhooks: webhook.id,
    deliveries: 'msg_0000000070',
    'scim-tokens': token.kind === 'done' ? token.token.id : '',
  };
}

/** What is typed into the fields and parameters that take a text. */
const typed: Readonly<Record<string, readonly string[]>> = {
  search: ['b', 'ba', 'badofi', 'example', 'north badofiga', 'north ba', 'north south', 'com example', 'nobody'],
  q: ['b', 'badofi', 'north south', 'group', 'application', 'req-70'],
  signed_in: ['7d', '30d', '90d'],
  inactive: ['7d', '29d', '400d'],
  expires_within: ['7d', '60d'],
  managed_by: ['okta', 'entra', 'nobody'],
  person: [filled.person, 'badofi', 'b'],
  find: ['badofi', 'b'],
  application: [filled.application, 'application'],
  reference: ['req-70'],
  since: [new Date(Date.now() - 20 * 24 * 60 * 60 * 1000).toISOString()],
  until: [new Date(Date.now() - 10 * 24 * 60 * 60 * 1000).toISOString()],
  group: ['everyone', filled.largeGroup, 'group-70'],
  unused: ['7d', '60d'],
  client_id: [filled.application],
  subject: ['70'],
  scope: ['openid'],
  // Of more than a hundred: a common, a rare and an unknown one.
  kind: ['signed_in', 'token_revoked', 'webhook_created'],
};
const valuesFor = (name: string, offered?: readonly string[]): readonly string[] => {
  const values = typed[name] ?? offered;
  if (values === undefined) throw new Error(`bench/lists.ts doesn't say what to type for "${name}"`);
  return values;
};
/** Of the place in a list, and how much of it: every list is asked for its first two pages of the usual length. */
const places = new Set(['cursor', 'limit', 'total']);

/** Each value alone, and each two values of different parameters together. */
function combined(values: ReadonlyMap<string, readonly string[]>): Record<string, string>[] {
  const single = [...values].flatMap(([name, those]) => those.map((value) => ({ [name]: value })));
  const pairs = single.flatMap((one, place) =>
    single
      .slice(place + 1)
      .flatMap((other) => (Object.keys(one)[0] === Object.keys(other)[0] ? [] : [{ ...one, ...other }])),
  );
  return [{}, ...single, ...pairs];
}

function withIds(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/\/([\w-]+)\/(?::id|\{\w+\})/g, (whole, kind: string) => {
    const id = ids[kind];
    if (id === undefined) throw new Error(`bench/lists.ts has no ID for ${path}`);
    return whole.replace(/:id|\{\w+\}/, id);
  });
}

function apiRequests(ids: Readonly<Record<string, string>>): string[] {
  const lists = apiOperations.filter(({ method, download }) => method === 'GET' && download === undefined);
  return lists.flatMap((operation) => {
    const path = withIds(operation.path, ids);
    return combined(apiParameters(operation)).map((query) => {
      const total = 'total' in operation.query.properties ? { total: 'yes' } : {};
      return `${path}?${new URLSearchParams({ ...query, ...total })}`;
    });
  });
}

function apiParameters({ query }: ApiOperation): ReadonlyMap<string, readonly string[]> {
  const names = Object.entries(query.properties as Record<string, TSchema & { enum?: readonly string[] }>);
  return new Map(
    names.filter(([name]) => !places.has(name)).map(([name, schema]) => [name, valuesFor(name, schema.enum)]),
  );
}

/** Every page, and those that its search, its filters and its links to itself lead to. */
async function consoleRequests(
  service: TestService,
  ids: Readonly<Record<string, string>>,
  get: (path: string) => Promise<string | undefined>,
): Promise<string[]> {
  const routes = (await routesUnder(service, '/admin', 'GET')).filter((path) => !/\.(csv|jsonl)$/.test(path));
  const requests = await Promise.all(
    routes.map(async (route) => {
      const path = withIds(route, ids);
      const page = (await get(path)) ?? '';
      const forms = [...page.matchAll(/<form[^>]* method="get" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)]
        .filter(([, action]) => action === path)
        .flatMap(([, , fields = '']) => fieldsIn(fields));
      const links = [...page.matchAll(/ href="([^"]*)\?([^"]*)"/g)]
        .filter(([, to]) => to === path)
        .map(([, to, query = '']) => `${to}?${query.replaceAll('&amp;', '&')}`);
      return [path, ...forms.map(([name, value]) => `${path}?${new URLSearchParams({ [name]: value })}`), ...links];
    }),
  );
  return [...new Set(requests.flat())];
}

/** What can be chosen or typed in a form, each by itself. */
function fieldsIn(form: string): (readonly [name: string, value: string])[] {
  const selects = [...form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)].flatMap(
    ([, name = '', options = '']) => {
      const offered = [...options.matchAll(/<option value="([^"]+)"/g)].map(([, value = '']) => value);
      return valuesFor(name, offered).map((value) => [name, value] as const);
    },
  );
  const inputs = [...form.matchAll(/<input(?![^>]* type="(?:hidden|checkbox|radio)")[^>]* name="([^"]*)"/g)].flatMap(
    ([, name = '']) => valuesFor(name).map((value) => [name, value] as const),
  );
  return [...selects, ...inputs];
}

function nextOf(path: string, text: string | undefined): string | undefined {
  if (text === undefined || !path.startsWith('/api/')) return undefined;
  const cursor = (JSON.parse(text) as { data?: { next_cursor?: string } }).data?.next_cursor;
  return cursor ? `${path}&${new URLSearchParams({ cursor })}` : undefined;
}
