// Three instances on one PostgreSQL that get a new key while requests keep coming. What one instance has signed is always
// used at another. Counts what gets lost.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from './command.ts';
import { formIn, Person } from './person.ts';
import { queryPostgres, sharedPostgres } from './postgres.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from './relying-party.ts';
import { populate, Served } from './served.ts';
import { freePort, type TestClient, type TestService, type TestUser } from './service.ts';
import { until } from './until.ts';

/** How the instances get their keys. */
export type KeySource = 'environment' | 'shared file' | 'own files';

export interface RotationUnderLoad {
  readonly tokens: number;
  readonly forms: number;
  /** What went wrong with each of them that wasn't accepted. */
  readonly lost: readonly string[];
  readonly seconds: number;
}

/** Requests that are under way at once. */
const senders = 4;
/** Milliseconds between two instances that get a key. Longer than it takes one of them to notice it. */
const apart = 3000;
/** How long the load goes on once the new key is in use. */
const afterwards = 5000;

export class Instance {
  readonly served: Served;
  readonly service: TestService;
  isUp = false;
  requests = 0;

  constructor(served: Served) {
    this.served = served;
    this.service = { url: served.url, baseUrl: served.environment.LATCHKEY_BASE_URL } as TestService;
  }

  async start(environment: Record<string, string>): Promise<void> {
    await this.served.start({ ...this.served.environment, ...environment });
    this.isUp = true;
  }

  /** As behind a load balancer: gets no more requests, finishes those it has, and stops. */
  async stop(): Promise<void> {
    this.isUp = false;
    await until(() => this.requests === 0, 'the requests in flight are finished');
    await this.served.end('SIGTERM');
  }
}

/** Whatever the outcome, the load goes on until `isOver`; `lost` grows meanwhile. */
export async function sendLoad(
  instances: readonly Instance[],
  flows: readonly Flow[],
  isOver: () => boolean,
  lost: string[] = [],
) {
  const counts = flows.map(() => 0);
  let next = 0;
  const sender = async () => {
    while (!isOver()) {
      const number = next++;
      const up = instances.filter(({ isUp }) => isUp);
      const [from, to] = [up[number % up.length], up[(number + 1) % up.length]];
      const kind = number % flows.length;
      const flow = flows[kind];
      if (from === undefined || to === undefined || flow === undefined) throw new Error('no instance is up');
      from.requests++;
      to.requests++;
      const outcome = await flow(from.service, to.service).catch((error: Error) => error.message);
      from.requests--;
      to.requests--;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (outcome !== 'accepted') lost.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return { counts, lost };
}

/** Gets something from one instance and uses it at another: "accepted", or what went wrong. */
export type Flow = (from: TestService, to: TestService) => Promise<string>;

export const tokenFlow =
  (client: TestClient, refreshToken: string): Flow =>
  async (from, to) => {
    const { status, body } = await postForm(from, '/oauth/token', refreshParameters(client, refreshToken));
    if (status !== 200) return `refresh: ${status}`;
    const answer = await userinfo(to, body.access_token);
    return answer.status === 200 ? 'accepted' : `userinfo: ${answer.status}`;
  };

export const formFlow =
  ({ email, password }: TestUser): Flow =>
  async (from, to) => {
    const [here, there] = [new Person(from), new Person(to)];
    const form = await formIn(await here.visit('/sign-in'));
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    const { status } = await there.submit(form, { email, password });
    return status === 200 ? 'accepted' : `sign-in: ${status}`;
  };

/** By somebody who is signed in and has approved the application. */
export const codeFlow =
  (client: TestClient, person: Person): Flow =>
  async (from, to) => {
    const verifier = newVerifier();
    const here = new Person(from);
    for (const [name, value] of person.cookies) here.cookies.set(name, value);
    const { status: authorized, headers } = await here.request(authorizePath(client, verifier));
    const code = URL.parse(headers.get('location') ?? '')?.searchParams.get('code');
    if (code == null) return `authorize: ${authorized}`;
    const { status } = await postForm(to, '/oauth/token', exchangeParameters(client, code, verifier));
    return status === 200 ? 'accepted' : `exchange: ${status}`;
  };

export async function rotateUnderLoad(source: KeySource): Promise<RotationUnderLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-rotation-'));
  const databaseUrl = await (await sharedPostgres()).newDatabase();
  const [oldKey, newKey] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const files = [0, 1, 2].map((number) => join(folder, source === 'own files' ? `keys-${number}` : 'keys'));
  for (const file of files) writeFileSync(file, `${oldKey}\n`, { mode: 0o600 });
  const keysOf = (number: number, ...keys: readonly string[]): Record<string, string> =>
    source === 'environment' ? { LATCHKEY_KEYS: keys.join() } : { LATCHKEY_KEYS_FILE: files[number] ?? '' };
  const shared = {
    DATABASE_URL: databaseUrl,
    LATCHKEY_DATA_DIR: folder,
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
  };
  const instances: Instance[] = [];

  /** Gives the instances the new key, one after the other. */
  const rotate = async () => {
    if (source === 'shared file') {
      const { status, stderr } = await runCommand(['keys', 'rotate'], { ...shared, ...keysOf(0) });
      if (status !== 0) throw new Error(stderr);
      return;
    }
    for (const [number, instance] of instances.entries()) {
      if (source === 'own files') writeFileSync(files[number] ?? '', `${newKey}\n${oldKey}\n`);
      else {
        await instance.stop();
        await instance.start(keysOf(number, newKey, oldKey));
      }
      await pause(apart);
    }
  };
  const isNewKeyInUse = async () => {
    const [{ used } = {}] = await queryPostgres(databaseUrl, 'SELECT COUNT(*) AS used FROM service_keys');
    return Number(used) === 2;
  };

  try {
    const { client, users } = await populate({ ...shared, ...keysOf(0, oldKey) });
    const user = users[0] as TestUser;
    for (const number of files.keys()) {
      // One of them has several processes, which notice a new key at different moments.
      const workers = number === 1 ? '2' : '1';
      const instance = new Instance(await Served.at({ ...shared, LATCHKEY_WORKERS: workers }));
      instances.push(instance);
      await instance.start(keysOf(number, oldKey));
    }
    const [first] = instances;
    if (first === undefined) throw new Error('there is no instance');
    const { tokens } = await obtainTokens(first.service, client, user);

    const started = performance.now();
    let isOver = false;
    const flows = [tokenFlow(client, tokens.refresh_token), formFlow(user)];
    const load = sendLoad(instances, flows, () => isOver);
    try {
      await rotate();
      await until(isNewKeyInUse, 'the new key is in use');
      await pause(afterwards);
    } finally {
      isOver = true;
    }
    const { counts, lost } = await load;
    const [tokensUsed = 0, formsUsed = 0] = counts;
    return { tokens: tokensUsed, forms: formsUsed, lost, seconds: (performance.now() - started) / 1000 };
  } finally {
    await Promise.all(instances.map(({ served }) => served.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  }
}
