// What a history is recorded of: a service on some store, people to use it, and ways to break it.

import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pidOf, processesFrom } from '../faults/processes.ts';
import type { Random } from '../faults/random.ts';
import { runCommand } from '../test/harness/command.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort, type TestClient, type TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';

export interface System extends AsyncDisposable {
  readonly title: string;
  readonly instances: readonly Served[];
  readonly population: Population;
  /** By name. Each resolves once what it broke works again. */
  readonly faults: Readonly<Record<string, (random: Random) => Promise<void>>>;
}

export interface Population {
  readonly client: TestClient;
  readonly apiKey: string;
  /** Nobody is used twice: what a person's history begins with has to be known. */
  readonly users: TestUser[];
}

/** For instances that don't drain, and take the address of a client from whoever connects from this machine. */
export const commonEnvironment = { LATCHKEY_TRUST_PROXY: '127.0.0.1,::1', LATCHKEY_DRAIN_SECONDS: '0' };

export async function populateFor(environment: Record<string, string>, people: number): Promise<Population> {
  const { client, users } = await populate(environment, people);
  const made = await runCommand(
    ['api-key', 'create', '--name', 'Histories', '--permission', 'write', '--json'],
    environment,
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const { key } = JSON.parse(made.stdout) as { key: string };
  return { client, users: [...users], apiKey: key };
}

const instances = 3;

/** Several on one database, which don't run yet. */
export async function instancesOn(databaseUrl: string, people: number, cleanup: AsyncDisposableStack) {
  const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-histories-')));
  const shared = {
    ...commonEnvironment,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DATA_DIR: folder.path,
    DATABASE_URL: databaseUrl,
  };
  const served: Served[] = [];
  // Before what they run on: they wait for what they have sent to the database.
  cleanup.defer(() => Promise.all(served.map((instance) => instance.end('SIGKILL'))).then(() => {}));
  for (let count = 0; count < instances; count++) served.push(await Served.at(shared));
  return { served, population: await populateFor({ ...shared, LATCHKEY_PORT: '1' }, people) };
}

export function faultsOfInstances(served: readonly Served[]): System['faults'] {
  return {
    'instance killed': (random) => killAndStart(random.pick(served), random, 'SIGKILL'),
    'instance restarted': (random) => killAndStart(random.pick(served), random, 'SIGTERM'),
    'instance frozen': (random) => freeze(processesFrom(pidOf(random.pick(served))), random, 7),
  };
}

/** Once it resolves, every instance works with its store. */
export async function allReady(instances: readonly Served[]): Promise<void> {
  const isReady = async ({ url }: Served) => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  for (const instance of instances) await until(() => isReady(instance), `${instance.url} is ready`, 60);
}

/** They answer nothing and close nothing, for some seconds. */
export async function freeze(pids: readonly number[], random: Random, seconds: number): Promise<void> {
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) process.kill(pid, name);
  };
  // Stopped processes would outlive a run that is broken off.
  const goOn = () => signal('SIGCONT');
  process.once('exit', goOn);
  signal('SIGSTOP');
  await someSeconds(random, 0.5, seconds);
  goOn();
  process.off('exit', goOn);
}

export function someSeconds(random: Random, least: number, most: number): Promise<void> {
  return pause(1000 * (least + random.next() * (most - least)));
}

export async function killAndStart(served: Served, random: Random, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await served.end(signal);
  await someSeconds(random, 0, 1);
  await served.start();
}
