// A directory that pushes everyone it knows, ten requests at a time, on PostgreSQL: whether anyone is lost, how many a second, and what
// it costs. Then a group of all of them, which is changed by PATCH.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeServices } from '../src/cli/compose.ts';
import { createScimToken } from '../src/operations/scim/scim-tokens.ts';
import { readConfig } from '../src/platform/config.ts';
import { urns } from '../src/protocol/scim/urns.ts';
import { root } from '../test/harness/command.ts';
import { queryPostgres, startPostgres } from '../test/harness/postgres.ts';
import { freePort, requester } from '../test/harness/service.ts';
import { countCpu, peakOf, processTree } from './cpu.ts';
import { type Answer, Connection } from './http-client.ts';
import { startProcess, stopProcess, treeOf } from './server-process.ts';
import { short, table } from './table.ts';

/** Each has a token of its own, all of one source: each is limited to 50 requests per second. */
const parallel = 10;
const source = 'bench';
const membersInRequest = 5000;
const singleChanges = 100;

export interface Pushed {
  readonly what: string;
  readonly requests: number;
  readonly seconds: number;
  /** Of a request, in microseconds. */
  readonly cpu: number;
  readonly databaseCpu: number;
  /** Megabytes of the service's process, so far. */
  readonly peakMb: number;
  /** Requests that were sent again after 429. */
  readonly throttled: number;
}

interface Measuring {
  readonly send: (worker: number, method: string, path: string, body?: object) => Promise<Answer>;
  readonly measure: (what: string, work: () => Promise<number>) => Promise<Pushed>;
  readonly count: (sql: string) => Promise<number>;
}

/** Throws if anyone is lost. */
export async function measureScim(people: number): Promise<readonly Pushed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-scim-'));
  const postgres = await startPostgres({ durable: true });
  const databaseUrl = await postgres.newDatabase();
  const port = await freePort();
  const environment = {
    LATCHKEY_BASE_URL: `http://localhost:${port}`,
    LATCHKEY_PORT: String(port),
    LATCHKEY_DATA_DIR: folder,
    LATCHKEY_LOG_LEVEL: 'info',
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    DATABASE_URL: databaseUrl,
  };
  const secrets = await newTokens(environment);
  const child = await startProcess(['serve'], /Latchkey is running at/, {
    environment,
    program: join(root, 'latchkey'),
    everyCore: true,
  });
  const connections = secrets.map(() => new Connection(port));
  let throttled = 0;

  const send: Measuring['send'] = async (worker, method, path, body) => {
    const text = requestText(method, path, secrets[worker] ?? '', body);
    for (;;) {
      const answer = await connections[worker]?.request(text);
      if (answer === undefined) throw new Error(`there is no worker ${worker}`);
      if (answer.status !== 429) return answer;
      throttled++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const measure: Measuring['measure'] = async (what, work) => {
    const [service, database] = [countCpu(treeOf(child)), countCpu(() => processTree(postgres.pid))];
    const [started, before] = [performance.now(), throttled];
    const requests = await work();
    const seconds = (performance.now() - started) / 1000;
    const cpu = service() / requests;
    const databaseCpu = database() / requests;
    const peakMb = Math.max(...treeOf(child)().map((pid) => peakOf([pid])));
    return { what, requests, seconds, cpu, databaseCpu, peakMb, throttled: throttled - before };
  };
  const count = async (sql: string) => Number((await queryPostgres(databaseUrl, sql))[0]?.count);

  try {
    const measuring = { send, measure, count };
    const { ids, pushed } = await pushPeople(measuring, people);
    return [pushed, await findPeople(measuring, people), ...(await changeGroup(measuring, ids))];
  } finally {
    for (const connection of connections) connection.close();
    await stopProcess(child);
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newTokens(environment: Record<string, string>): Promise<readonly string[]> {
  const { services, close } = await composeServices(readConfig(environment), {});
  try {
    const secrets: string[] = [];
    while (secrets.length < parallel) {
      const outcome = await createScimToken(services, { source, name: `Token ${secrets.length}` }, requester);
      if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
      secrets.push(outcome.secret);
    }
    return secrets;
  } finally {
    await close();
  }
}

const given = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Alan', 'Radia', 'Niklaus', 'Hedy'];
const family = [
  'Lovelace',
  'Hopper',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Allen',
  'Turing',
  'Perlman',
  'Wirth',
  'Lamarr',
  'Backus',
];

/** What Entra ID sends of a person. */
function person(number: number): object {
  const name = { givenName: given[number % given.length], familyName: family[number % family.length] };
  const userName = `${name.givenName}.${name.familyName}.${number}@example.com`;
  return {
    schemas: [urns.user, urns.enterprise],
    externalId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    userName,
    active: true,
    displayName: `${name.givenName} ${name.familyName}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    name,
    title: 'Engineer',
    [urns.enterprise]: { department: 'Engines', employeeNumber: String(number) },
  };
}

async function pushPeople({ send, measure, count }: Measuring, people: number) {
  const ids: string[] = [];
  const pushed = await measure(`${people.toLocaleString('en')} people created`, async () => {
    await inParallel(people, async (worker, number) => {
      const { status, body } = await send(worker, 'POST', '/Users', person(number));
      if (status !== 201) throw new Error(`${status} ${body}`);
      ids.push((JSON.parse(body) as { id: string }).id);
    });
    return people;
  });
  const found = await count(`SELECT COUNT(DISTINCT external_id) AS count FROM users WHERE managed_by = '${source}'`);
  const total = totalOf(await send(0, 'GET', '/Users?count=0'));
  const words = await count("SELECT COUNT(DISTINCT ref) AS count FROM search_words WHERE kind = 'person'");
  for (const [what, number] of Object.entries({ ids: new Set(ids).size, found, total, words })) {
    if (number !== people) throw new Error(`${what}: ${number} instead of ${people} people`);
  }
  return { ids, pushed };
}

/** As directories do before each change. */
async function findPeople({ send, measure }: Measuring, people: number): Promise<Pushed> {
  const searches = Math.min(people, 2000);
  return measure('found by userName', async () => {
    await inParallel(searches, async (worker, number) => {
      const { userName } = person((number * 7919) % people) as { userName: string };
      const query = new URLSearchParams({ filter: `userName eq "${userName.toUpperCase()}"` });
      const total = totalOf(await send(worker, 'GET', `/Users?${query}`));
      if (total !== 1) throw new Error(`${userName}: ${total}`);
    });
    return searches;
  });
}

async function changeGroup({ send, measure, count }: Measuring, ids: readonly string[]): Promise<Pushed[]> {
  // PostgreSQL does this by itself after a while.
  await count('ANALYZE');
  const made = await send(0, 'POST', '/Groups', { schemas: [urns.group], displayName: 'Everyone' });
  if (made.status !== 201) throw new Error(`${made.status} ${made.body}`);
  const path = `/Groups/${(JSON.parse(made.body) as { id: string }).id}`;
  const change = async (worker: number, operation: object) => {
    const { status, body } = await send(worker, 'PATCH', path, { schemas: [urns.patch], Operations: [operation] });
    if (status !== 204) throw new Error(`${status} ${body}`);
  };
  const expect = async (members: number) => {
    const found = await count(
      `SELECT COUNT(*) AS count FROM group_members WHERE ended_by = ${Number.MAX_SAFE_INTEGER}`,
    );
    if (found !== members) throw new Error(`${found} instead of ${members} members`);
  };

  const filled = await measure(`added to a group, ${membersInRequest.toLocaleString('en')} at a time`, async () => {
    let requests = 0;
    for (; requests * membersInRequest < ids.length; requests++) {
      const part = ids.slice(requests * membersInRequest, (requests + 1) * membersInRequest);
      await change(0, { op: 'Add', path: 'members', value: part.map((value) => ({ value })) });
    }
    return requests;
  });
  await expect(ids.length);
  await count('ANALYZE');
  const few = ids.slice(0, singleChanges);
  const removed = await measure(
    `removed from that group of ${ids.length.toLocaleString('en')}, one by one`,
    async () => {
      await inParallel(few.length, (worker, number) =>
        change(worker, { op: 'Remove', path: `members[value eq "${few[number]}"]` }),
      );
      return few.length;
    },
  );
  await expect(ids.length - few.length);
  const added = await measure('added again, one by one', async () => {
    await inParallel(few.length, (worker, number) =>
      change(worker, { op: 'Add', path: 'members', value: [{ value: few[number] }] }),
    );
    return few.length;
  });
  await expect(ids.length);
  return [filled, removed, added];
}

/** Calls it for each number, by as many workers as there are. */
async function inParallel(total: number, work: (worker: number, number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: parallel }, async (_, worker) => {
    for (let number = next++; number < total; number = next++) await work(worker, number);
  });
  await Promise.all(workers);
}

function totalOf({ status, body }: Answer): number {
  if (status !== 200) throw new Error(`${status} ${body}`);
  return (JSON.parse(body) as { totalResults: number }).totalResults;
}

function requestText(method: string, path: string, secret: string, body: object | undefined): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} /scim/v2${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
    ...(body === undefined ? [] : ['Content-Type: application/scim+json', `Content-Length: ${text.length}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

export function scimTable(figures: readonly Pushed[]): string {
  return table(
    ['', 'requests', 'seconds', 'a second', 'CPU µs', 'database µs', 'peak MB', '429'],
    figures.map(({ what, requests, seconds, cpu, databaseCpu, peakMb, throttled }) => [
      what,
      requests,
      short(seconds),
      short(requests / seconds),
      short(cpu),
      short(databaseCpu),
      short(peakMb),
      throttled,
    ]),
  );
}
