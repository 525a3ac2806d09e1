// Debian's PostgreSQL 15, and a coordinator and two workers of it with Citus: processes that can be killed, frozen and started again. The coordinator reaches the first worker by a connection that can be cut.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { readMigrations } from '../src/storage/sql/sql-storage.ts';
import { queryPostgres } from '../test/harness/postgres.ts';
import { freePort } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { type Link, startLink } from './link.ts';
import { processesFrom, processesUnavailable } from './processes.ts';

const programs = '/usr/lib/postgresql/15/bin';
const citus = [
  "shared_preload_libraries = 'citus'",
  'max_prepared_transactions = 200',
  'max_worker_processes = 16',
  'citus.shard_count = 4',
  "citus.recover_2pc_interval = '1s'",
  "citus.node_conninfo = 'sslmode=disable'",
];

export function citusUnavailable(): string | undefined {
  if (existsSync('/usr/share/postgresql/15/extension/citus.control')) return processesUnavailable();
  return "Citus for Debian's PostgreSQL 15 isn't installed";
}

/** PostgreSQL doesn't run as root. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m);
  if (line === null) throw new Error('there is no user postgres');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

export class DebianPostgres {
  readonly port: number;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #frozen: readonly number[] = [];

  private constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
  }

  /** Without `settings`, a PostgreSQL that knows nothing about Citus. */
  static async start(settings: readonly string[] = []): Promise<DebianPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-citus-'));
    const { uid, gid } = owner();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
    const server = new DebianPostgres(await freePort(), folder);
    const flags = ['--encoding=UTF8', '--locale=C', '--no-sync', '--auth=trust', '--username=latchkey'];
    const { status, stderr } = spawnSync(`${programs}/initdb`, ['-D', server.#data, ...flags], {
      uid,
      gid,
      cwd: folder,
    });
    if (status !== 0) throw new Error(String(stderr));
    const own = ["listen_addresses = '127.0.0.1'", 'max_connections = 200'];
    const lines = [...own, ...settings, `port = ${server.port}`, `unix_socket_directories = '${folder}'`];
    appendFileSync(join(server.#data, 'postgresql.conf'), `${lines.join('\n')}\n`);
    await server.startAgain();
    return server;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  urlOf(database: string): string {
    return `postgres://latchkey@127.0.0.1:${this.port}/${database}`;
  }

  /** The process that all others of the server belong to. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async startAgain(): Promise<void> {
    const child = spawn(`${programs}/postgres`, ['-D', this.#data], { ...owner(), cwd: this.#folder, stdio: 'ignore' });
    this.#child = child;
    process.once('exit', this.#end);
    const answers = () =>
      queryPostgres(this.urlOf('postgres'), 'SELECT 1').then(Boolean, () => child.exitCode !== null);
    await until(answers, 'the server answers');
    if (child.exitCode !== null) throw new Error('the server ended');
  }

  /** So that nothing outlives a run that is broken off. */
  readonly #end = () => {
    this.thaw();
    this.#child?.kill('SIGQUIT');
  };

  #signal(pids: readonly number[], signal: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** It answers nothing and closes nothing. */
  freeze(): void {
    this.#frozen = processesFrom(this.pid);
    this.#signal(this.#frozen, 'SIGSTOP');
  }

  thaw(): void {
    this.#signal(this.#frozen, 'SIGCONT');
    this.#frozen = [];
  }

  /** Every process at once, as a machine that loses its power. */
  async kill(): Promise<void> {
    this.freeze();
    const pids = this.#frozen;
    await this.#ended(() => this.#signal(pids, 'SIGKILL'));
    this.#frozen = [];
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.#ended(() => this.#child?.kill('SIGINT'));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ended(end: () => void): Promise<void> {
    const child = this.#child;
    process.off('exit', this.#end);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return end();
    const exit = once(child, 'exit');
    end();
    await exit;
  }
}

export class CitusCluster implements AsyncDisposable {
  readonly coordinator: DebianPostgres;
  readonly workers: readonly [DebianPostgres, DebianPostgres];
  readonly #link: Link;

  private constructor(coordinator: DebianPostgres, workers: readonly [DebianPostgres, DebianPostgres], link: Link) {
    this.coordinator = coordinator;
    this.workers = workers;
    this.#link = link;
  }

  static async start(): Promise<CitusCluster> {
    const start = () => DebianPostgres.start(citus);
    const [coordinator, first, second] = await Promise.all([start(), start(), start()]);
    return new CitusCluster(coordinator, [first, second], await startLink(first.port));
  }

  /** The URL of a database whose events are on the workers. */
  async newDatabase(name = 'latchkey'): Promise<string> {
    const url = this.coordinator.urlOf(name);
    for (const server of [...this.workers, this.coordinator]) {
      await queryPostgres(server.urlOf('postgres'), `CREATE DATABASE ${name}`);
      await queryPostgres(server.urlOf(name), 'CREATE EXTENSION citus');
    }
    await queryPostgres(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${this.coordinator.port})`);
    for (const port of [this.#link.port, this.workers[1].port]) {
      await queryPostgres(url, `SELECT citus_add_node('127.0.0.1', ${port})`);
    }
    const driver = openPostgres(url);
    await driver.migrate(readMigrations());
    await driver.spread?.('out');
    await driver.close();
    return url;
  }

  /** What the coordinator and the first worker send each other doesn't arrive. */
  cut(): void {
    this.#link.cut();
  }

  /** Their connections break, and new ones can be made. */
  mend(): void {
    this.#link.mend();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#link.stop();
    await Promise.all([this.coordinator, ...this.workers].map((server) => server.remove()));
  }
}
