// Machines with Patroni and PostgreSQL that follow one primary: three, which also have etcd, and with Citus two more for a worker and its
// standby.

import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queryPostgres } from '../test/harness/postgres.ts';
import { until } from '../test/harness/until.ts';
import { type Certificates, certificateFolder } from './certificates.ts';
import { configuration, environmentIn, forMachine } from './configuration.ts';
import { type Network, type Node, signal } from './network.ts';
import { startProgram } from './program.ts';

export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** Machines that follow one primary. */
export interface Group {
  readonly machines: readonly number[];
  readonly hasEtcd: boolean;
  /** With Citus: 0 is the coordinator's. */
  readonly citusGroup: number | undefined;
}

export interface Passwords {
  readonly superuser: string;
  readonly replication: string;
}

export const newPasswords = (): Passwords => ({
  superuser: randomBytes(18).toString('base64url'),
  replication: randomBytes(18).toString('base64url'),
});

export interface Database {
  readonly node: Node;
  readonly folder: string;
  patroni: ChildProcess;
}

export class Databases {
  readonly #databases: Database[] = [];
  readonly #certificates: Certificates;
  readonly #passwords: Passwords;
  readonly #group: Group;

  constructor(certificates: Certificates, passwords: Passwords, group: Group) {
    this.#certificates = certificates;
    this.#passwords = passwords;
    this.#group = group;
  }

  async start(network: Network, folder: string): Promise<void> {
    for (const number of this.#group.machines) {
      const node = network.add(`db${number}`, 10 + number);
      const own = join(folder, node.name);
      mkdirSync(own, { mode: 0o700 });
      this.#certificates.install(node.name, own);
      run('chown', '--recursive', 'postgres:postgres', own);
      if (this.#group.hasEtcd) {
        const paths = { '/var/lib/etcd/latchkey': join(own, 'etcd'), [certificateFolder]: own };
        const environment = environmentIn(forMachine(configuration('etcd.env', paths), node.name, node.address));
        startProgram(node, ['etcd'], { user: 'postgres', environment, log: join(folder, `${node.name}-etcd.log`) });
      }
      this.#databases.push({ node, folder: own, patroni: this.#startPatroni(node, own, folder) });
    }
    await this.untilWhole(120);
  }

  get all(): readonly Database[] {
    return this.#databases;
  }

  #startPatroni(node: Node, own: string, logs: string): ChildProcess {
    const settings = join(own, 'patroni');
    mkdirSync(settings, { recursive: true, mode: 0o755 });
    const write = (file: string, text: string) => writeFileSync(join(settings, file), text, { mode: 0o644 });
    const text = configuration('patroni.yml', {
      '/var/lib/postgresql/15/latchkey': join(own, 'data'),
      '/var/lib/postgresql/patroni.pgpass': join(own, 'pgpass'),
      // The nodes share one file system, and so the folder of sockets.
      "    ssl: 'on'": `    ssl: 'on'\n    unix_socket_directories: ${own}`,
      [certificateFolder]: own,
    });
    write('patroni.yml', text);
    const { citusGroup } = this.#group;
    if (citusGroup !== undefined) {
      write('citus.yml', configuration('citus.yml', { 'group: 0': `group: ${citusGroup}`, [certificateFolder]: own }));
    }
    const environment = forMachine(
      configuration('patroni.env', {
        'SUPERUSER_PASSWORD=': `SUPERUSER_PASSWORD=${this.#passwords.superuser}`,
        'REPLICATION_PASSWORD=': `REPLICATION_PASSWORD=${this.#passwords.replication}`,
        [certificateFolder]: own,
      }),
      node.name,
      node.address,
    );
    const log = join(logs, `${node.name}-patroni.log`);
    return startProgram(node, ['patroni', settings], {
      user: 'postgres',
      environment: environmentIn(environment),
      log,
    });
  }

  /** A connection to the server that is the primary now, past PgBouncer and HAProxy. */
  async primaryUrl(user: string, password: string, database: string): Promise<string> {
    const { node } = await this.primary();
    const verified = `sslmode=verify-full&sslrootcert=${this.#certificates.authority}`;
    return `postgres://${user}:${password}@${node.address}:5432/${database}?${verified}`;
  }

  /** As Patroni sees it; a member that doesn't answer is asked for elsewhere. */
  async members(): Promise<readonly Member[]> {
    for (const { node } of this.#databases) {
      try {
        const { text } = await this.#certificates.ask(node, 'GET', '/cluster', { seconds: 1 });
        return (JSON.parse(text) as { members: Member[] }).members;
      } catch {
        // The next one knows it too.
      }
    }
    return [];
  }

  async primary(): Promise<Database> {
    let found: Database | undefined;
    await until(
      async () => {
        const leader = (await this.members()).find(({ role, state }) => role === 'leader' && state === 'running');
        found = this.#databases.find(({ node }) => node.name === leader?.name);
        return found !== undefined;
      },
      'there is a primary',
      60,
    );
    return found as Database;
  }

  /** All members follow one primary, one of them synchronously if that is switched on. */
  async untilWhole(seconds: number, synchronous = true): Promise<void> {
    await until(
      async () => {
        const members = await this.members();
        const leader = members.find(({ role }) => role === 'leader');
        const follows = members.filter(
          ({ role, state, timeline }) =>
            role !== 'leader' && /^(running|streaming)$/.test(state) && timeline === leader?.timeline,
        );
        const isSynchronous = members.some(({ role }) => role === 'sync_standby');
        return (
          leader?.state === 'running' && follows.length === this.#databases.length - 1 && isSynchronous === synchronous
        );
      },
      'a primary with its standbys',
      seconds,
    );
  }

  async setSynchronous(on: boolean): Promise<void> {
    const { node } = await this.primary();
    await this.#certificates.ask(node, 'PATCH', '/config', { body: { synchronous_mode: on } });
    await this.untilWhole(60, on);
  }

  /** Fails if a stranger on the network gets anywhere. */
  async assertClosed(): Promise<void> {
    const { node } = await this.primary();
    const change = { body: { synchronous_mode: false }, as: 'stranger' } as const;
    const { status } = await this.#certificates.ask(node, 'PATCH', '/config', change);
    if (status !== 403) throw new Error(`Patroni answers a stranger with ${status}`);
    const etcd = this.#certificates.ask(node, 'GET', '/v2/keys', { as: 'stranger', port: 2379 });
    if ((await etcd.catch(() => undefined)) !== undefined) throw new Error('etcd answers a stranger');
    const [user, password] = ['postgres', this.#passwords.superuser];
    const plain = `postgres://${user}:${password}@${node.address}:5432/postgres?sslmode=disable`;
    const connected = await queryPostgres(plain, 'SELECT 1').catch(() => undefined);
    if (connected !== undefined) throw new Error('PostgreSQL takes connections without TLS');
  }

  /** Patroni and every process of PostgreSQL; etcd goes on. */
  processesOf({ folder, patroni }: Database): number[] {
    const file = join(folder, 'data/postmaster.pid');
    const ids = patroni.pid === undefined ? [] : [patroni.pid];
    if (!existsSync(file)) return ids;
    const main = Number.parseInt(readFileSync(file, 'utf8'), 10);
    const list = `/proc/${main}/task/${main}/children`;
    const children = existsSync(list) ? readFileSync(list, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
    return [...ids, main, ...children];
  }

  signal(database: Database, name: NodeJS.Signals): void {
    for (const id of this.processesOf(database)) signal(id, name);
  }

  startAgain(database: Database, logs: string): void {
    database.patroni = this.#startPatroni(database.node, database.folder, logs);
  }

  /** Moves the primary to a standby, as before maintenance. */
  async switchOver(): Promise<void> {
    const { node } = await this.primary();
    const { status, text } = await this.#certificates.ask(node, 'POST', '/switchover', { body: { leader: node.name } });
    if (status !== 200) throw new Error(`switchover: ${status} ${text}`);
  }
}

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr.trim()}`);
}
