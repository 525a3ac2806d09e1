// Three instances on PostgreSQL, with a standby that has everything that was acknowledged. What the instances connect to leads
// to whichever server is the primary.

import { setTimeout as pause } from 'node:timers/promises';
import { startAddress } from '../faults/address.ts';
import { type Link, startLink } from '../faults/link.ts';
import { waitForStandby } from '../faults/promoted-postgres.ts';
import type { Random } from '../faults/random.ts';
import { queryPostgres, startPostgres, TestPostgres } from '../test/harness/postgres.ts';
import { freePort } from '../test/harness/service.ts';
import type { System } from './system.ts';
import { faultsOfInstances, instancesOn, someSeconds } from './system.ts';

const postgresOptions = { durable: true, settings: ['wal_keep_size=512MB'] };
/** Milliseconds until every process of the server has read that it has to wait for the standby. */
const untilSynchronous = 1000;
/** Seconds. Longer than the service waits for a statement. */
const longCut = 7;

export async function startReplicated(people: number): Promise<System> {
  await using cleanup = new AsyncDisposableStack();
  const first = await startPostgres(postgresOptions);
  const pair = cleanup.use(await Pair.of(first));
  const database = new URL(await first.newDatabase());
  const address = await startAddress(first.port);
  cleanup.defer(address.stop);
  database.port = String(address.port);
  const { served, population } = await instancesOn(database.href, people, cleanup);
  await pair.addStandby();
  await Promise.all(served.map((instance) => instance.start()));

  const promote = async (random: Random) => {
    await pair.killPrimary();
    address.leadTo(pair.standbyPort);
    await someSeconds(random, 0, 1);
    await pair.promote();
  };

  const stack = cleanup.move();
  return {
    title: 'Three instances on PostgreSQL with synchronous replication',
    instances: served,
    population,
    faults: {
      ...faultsOfInstances(served),
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
