// Three instances on PostgreSQL, with a standby that has everything that was acknowledged. What the instances connect to leads
// to whichever server is the primary.

import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAddress } from '../faults/address.ts';
import { pidOf, processesFrom } from '../faults/processes.ts';
import { waitForStandby } from '../faults/promoted-postgres.ts';
import type { Random } from '../faults/random.ts';
import { queryPostgres, startPostgres, TestPostgres } from '../test/harness/postgres.ts';
import { Served } from '../test/harness/served.ts';
import { freePort } from '../test/harness/service.ts';
import { type Link, startLink } from './link.ts';
import type { System } from './system.ts';
import { commonEnvironment, freeze, killAndStart, populateFor, someSeconds } from './system.ts';

const instances = 3;
const postgresOptions = { durable: true, settings: ['wal_keep_size=512MB'] };
/** Milliseconds until every process of the server has read that it has to wait for the standby. */
const untilSynchronous = 1000;
/** Seconds. Longer than the service waits for a statement. */
const longCut = 7;

export async function startReplicated(people: number): Promise<System> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-histories-')));
  const first = await startPostgres(postgresOptions);
  const pair = cleanup.use(await Pair.of(first));
  const database = new URL(await first.newDatabase());
  const address = await startAddress(first.port);
  cleanup.defer(address.stop);
  database.port = String(address.port);
  const shared = {
    ...commonEnvironment,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DATA_DIR: folder.path,
    DATABASE_URL: database.href,
  };
  const served: Served[] = [];
  // Before the instances, which wait for what they have sent to the database.
  cleanup.defer(() => Promise.all(served.map((instance) => instance.end('SIGKILL'))).then(() => {}));
  for (let count = 0; count < instances; count++) served.push(await Served.at(shared));
  const population = await populateFor({ ...shared, LATCHKEY_PORT: '1' }, people);
  await pair.addStandby();
  await Promise.all(served.map((instance) => instance.start()));

  const promote = async (random: Random) => {
    await pair.killPrimary();
    address.leadTo(pair.standbyPort);
    await someSeconds(random, 0, 1);
    await pair.promote();
  };
  const processes = (random: Random) => processesFrom(pidOf(random.pick(served)));

  const stack = cleanup.move();
  return {
    title: 'Three instances on PostgreSQL with synchronous replication',
    instances: served,
    population,
    faults: {
      'instance killed': (random) => killAndStart(random.pick(served), random, 'SIGKILL'),
      'instance restarted': (random) => killAndStart(random.pick(served), random, 'SIGTERM'),
      'instance frozen': (random) => freeze(processes(random), random, 7),
      'primary frozen': (random) => pair.freeze('primary', random),
      'standby frozen': (random) => pair.freeze('standby', random),
      'primary killed and started again': () => pair.restartPrimary(),
      'primary killed, standby promoted': promote,
      'standby cut off, primary killed, standby promoted': async (random) => {
        pair.cut();
        await someSeconds(random, 0, longCut);
        await promote(random);
      },
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

class Pair implements AsyncDisposable {
  #primary: TestPostgres;
  #standby: TestPostgres | undefined;
  #link: Link | undefined;

  private constructor(primary: TestPostgres) {
    this.#primary = primary;
  }

  static async of(primary: TestPostgres): Promise<Pair> {
    return new Pair(primary);
  }

  get standbyPort(): number {
    return this.#following.port;
  }

  get #following(): TestPostgres {
    if (this.#standby === undefined) throw new Error('there is no standby');
    return this.#standby;
  }

  /** Once it resolves, nothing is acknowledged that the standby doesn't have on disk. */
  async addStandby(): Promise<void> {
    this.#link = await startLink(this.#primary.port);
    this.#standby = new TestPostgres(await freePort(), postgresOptions);
    await this.#standby.startFollowing(this.#primary, this.#link.port);
    await this.#waitForStandby();
  }

  async #waitForStandby(): Promise<void> {
    await waitForStandby(this.#primary);
    await pause(untilSynchronous);
  }

  cut(): void {
    this.#link?.cut();
  }

  async freeze(which: 'primary' | 'standby', random: Random): Promise<void> {
    const server = which === 'primary' ? this.#primary : this.#following;
    server.freeze();
    await someSeconds(random, 0.5, longCut);
    server.thaw();
  }

  async killPrimary(): Promise<void> {
    await this.#primary.kill();
  }

  async restartPrimary(): Promise<void> {
    await this.#primary.kill();
    await this.#primary.startAgain();
    await this.#waitForStandby();
  }

  /** The standby becomes the primary, and gets a standby of its own. */
  async promote(): Promise<void> {
    await queryPostgres(this.#following.urlOf('postgres'), 'SELECT pg_promote()');
    await this.#link?.stop();
    await this.#primary.remove();
    this.#primary = this.#following;
    await this.addStandby();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#link?.stop();
    await this.#standby?.remove();
    await this.#primary.remove();
  }
}
