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
import type { Driver } from '../src/storage/driver.ts';
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
const rounds = 20;
/** Of these, the first few are enough for a request that takes no more than a third of what it may. */
const firstRounds = 3;

export interface ListCost {
  readonly engine: 'SQLite' | 'PostgreSQL';
  readonly request: string;
  /** Of the database, in milliseconds. */
  readonly cost: number;
}

/** Fills a store of each engine and asks for everything. */
export async function measureLists(people: number): Promise<readonly ListCost[]> {
  // What it does by itself isn't part of a request.
  const postgres = await startPostgres({ settings: ['max_wal_size=4GB', 'autovacuum=off'] });
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-lists-'));
  try {
    const url = await postgres.newDatabase();
    await fill('PostgreSQL', openPostgres(url, { timeout: 10 * MINUTE }), people);
    const onServer = await measureOn('PostgreSQL', { DATABASE_URL: url }, () =>
      countCpu(() => processTree(postgres.pid)),
    );
    await fill('SQLite', openSqlite(join(folder, 'latchkey.db')), people);
    const embedded = await measureOn('SQLite', { LATCHKEY_DATA_DIR: folder }, countStatements());
    return [...onServer, ...embedded];
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(engine: ListCost['engine'], driver: Driver, people: number): Promise<void> {
  process.stderr.write(`${engine} with ${people.toLocaleString('en')} people\n`);
  await driver.migrate(readMigrations());
  await fillLists(driver, people);
  await driver.close();
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
    const get = async (path: string) => {
      const response = await admin.request(path);
      const text = await response.text();
      if (response.status >= 500) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
      return text;
    };
    const cost = async (path: string) => {
      const times: number[] = [];
      while (times.length < rounds && (times.length < firstRounds || median(times) > listLimit / 3)) {
        const used = count();
        await get(path);
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
  return table(
    ['', 'request', 'database ms', `at most ${listLimit}`],
    listed.map(({ engine, request, cost }) => [engine, request, short(cost), cost > listLimit ? 'no' : 'yes']),
  );
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
  const driver = url === undefined ? openSqlite(join(folder, 'latchkey.db')) : openPostgres(url);
  await fillDeliveries(driver, webhook.id, 50_000);
  await driver.close();
  if (url !== undefined) await queryPostgres(url, 'VACUUM ANALYZE');
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
  get: (path: string) => Promise<string>,
): Promise<string[]> {
  const routes = (await routesUnder(service, '/admin', 'GET')).filter((path) => !/\.(csv|jsonl)$/.test(path));
  const requests = await Promise.all(
    routes.map(async (route) => {
      const path = withIds(route, ids);
      const page = await get(path);
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

function nextOf(path: string, text: string): string | undefined {
  if (!path.startsWith('/api/')) return undefined;
  const cursor = (JSON.parse(text) as { data?: { next_cursor?: string } }).data?.next_cursor;
  return cursor ? `${path}&${new URLSearchParams({ cursor })}` : undefined;
}
