// npm run cluster: three PostgreSQL servers under Patroni with etcd, PgBouncer and HAProxy, and three instances of the service,
// each on a network of its own on this machine, with the files in deploy/cluster. Under load, the primary is switched over,
// killed, frozen and cut off, with synchronous and with asynchronous replication. Needs root; takes about 15 minutes.
//   --only A,B         these faults
//   --synchronous      no asynchronous replication
//   --citus            events on a worker with a standby of its own, which fail as well; only with synchronous replication
//   --keep-logs        leaves the folder with the programs' logs
// The report goes to stdout as Markdown, progress to stderr. The exit status is 1 when synchronous replication lost anything.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../src/protocol/reading/caught-errors.ts';
import { runCommand } from '../test/harness/command.ts';
import { ensureDebianPackages } from '../test/harness/debian-packages.ts';
import { queryPostgres } from '../test/harness/postgres.ts';
import { populate } from '../test/harness/served.ts';
import { until } from '../test/harness/until.ts';
import { Certificates } from './certificates.ts';
import { Databases, newPasswords } from './databases.ts';
import { type Fault, faults } from './faults.ts';
import { baseUrl, Instances } from './instances.ts';
import { ClusterLoad, type LoadReport } from './load.ts';
import { Network } from './network.ts';

const packages = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  'python3-idna': '/usr/lib/python3/dist-packages/idna',
  'etcd-server': '/usr/bin/etcd',
  pgbouncer: '/usr/sbin/pgbouncer',
  haproxy: '/usr/sbin/haproxy',
  iproute2: '/usr/sbin/ip',
  openssl: '/usr/bin/openssl',
};
/** Each fault sees so many people sign in for the first time. */
const newcomers = 60;

const args = process.argv.slice(2);
const only = args[args.indexOf('--only') + 1]?.split(',') ?? [];
const chosen = args.includes('--only') ? faults.filter(({ name }) => only.includes(name)) : faults;
if (chosen.length === 0) refuse(`There are these faults: ${faults.map(({ name }) => name).join(', ')}`);
if (process.getuid?.() !== 0) refuse('It makes networks and installs Debian packages, so it needs root.');
const hasCitus = args.includes('--citus');
const replications = hasCitus || args.includes('--synchronous') ? [true] : [true, false];
const missing = ensureDebianPackages(packages);
if (missing !== undefined) refuse(missing);
if (hasCitus && !existsSync('/usr/share/postgresql/15/extension/citus.control')) {
  refuse("Citus for Debian's PostgreSQL 15 isn't installed.");
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-cluster-'));
chmodSync(folder, 0o755);
const network = new Network();
process.once('exit', () => {
  network.remove();
  if (args.includes('--keep-logs')) say(`logs: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
});
// Ctrl-C ends the run through `exit`, where everything is taken away.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

const certificates = new Certificates(join(folder, 'certificates'));
const passwords = newPasswords();
const databases = new Databases(certificates, passwords, {
  machines: [1, 2, 3],
  hasEtcd: true,
  citusGroup: hasCitus ? 0 : undefined,
});
const worker = new Databases(certificates, passwords, { machines: [4, 5], hasEtcd: false, citusGroup: 1 });
const groups: readonly Databases[] = hasCitus ? [databases, worker] : [databases];
const instances = new Instances();
say('starting etcd, Patroni and PostgreSQL');
for (const group of groups) {
  await group.start(network, folder);
  await group.assertClosed();
}
const load = await startService();
print(await versions());
print('| Primary | Replication | Without writes | Requests | Failed | Acknowledged and checked | Lost |');
print('|---|---|---|---|---|---|---|');
const broken: string[] = [];
for (const synchronous of replications) {
  for (const group of groups) {
    await group.setSynchronous(synchronous);
    // Citus waits for a worker that is frozen, and whose kernel still answers, until somebody stops it.
    for (const fault of group === worker ? chosen.filter(({ name }) => name !== 'freeze') : chosen) {
      const title = hasCitus ? `${group === worker ? 'worker' : 'coordinator'} ${fault.title}` : fault.title;
      try {
        await conduct({ ...fault, title }, group, synchronous);
      } catch (error) {
        // What comes after a cluster that doesn't recover says nothing.
        print(`| ${title} | did not recover: ${messageOf(error)} | | | | | |`);
        process.exit(1);
      }
    }
  }
}
const errors = instances.errors(folder);
print(`\n${errors.length} errors in the logs of the service${errors.length > 0 ? `, such as ${errors[0]}` : ''}`);
process.exit(broken.length > 0 || errors.length > 0 ? 1 : 0);

async function startService(): Promise<ClusterLoad> {
  const secret = passwords.superuser;
  const asAdmin = async (group: Databases, database: string, sql: string) =>
    queryPostgres(await group.primaryUrl('postgres', secret, database), sql);
  if (hasCitus) await prepareCitus(asAdmin, secret);
  else {
    await asAdmin(databases, 'postgres', `CREATE ROLE latchkey LOGIN PASSWORD '${secret}'`);
    await asAdmin(databases, 'postgres', 'CREATE DATABASE latchkey OWNER latchkey');
  }
  const url = await databases.primaryUrl('latchkey', secret, 'latchkey');
  const environment = { DATABASE_URL: url, LATCHKEY_KEYS: instances.keys, LATCHKEY_BASE_URL: baseUrl };
  for (const words of hasCitus ? [[], ['--distribute']] : [[]]) {
    const migrated = await runCommand(['migrate', ...words], environment);
    if (migrated.status !== 0) throw new Error(migrated.stderr);
  }
  say('starting HAProxy, PgBouncer and the service');
  const people = 10 + newcomers * chosen.length * replications.length * groups.length;
  const { client, users } = await populate(environment, people);
  await instances.start(network, folder, secret, certificates.authority);
  const started = new ClusterLoad(instances.service, client, users);
  await started.prepare(users);
  return started;
}

type Query = (group: Databases, database: string, sql: string) => Promise<readonly unknown[]>;

/** Patroni has made the database with the extension on every server. */
async function prepareCitus(asAdmin: Query, secret: string): Promise<void> {
  const workers = () => asAdmin(databases, 'latchkey', 'SELECT 1 FROM pg_dist_node WHERE groupid = 1');
  await until(async () => (await workers()).length === 1, 'Patroni adds the worker', 60);
  await asAdmin(databases, 'latchkey', `CREATE ROLE latchkey LOGIN PASSWORD '${secret}'`);
  await asAdmin(databases, 'latchkey', 'ALTER DATABASE latchkey OWNER TO latchkey');
  await asAdmin(databases, 'latchkey', `INSERT INTO pg_dist_authinfo VALUES (0, 'latchkey', 'password=${secret}')`);
}

async function conduct(fault: Fault, group: Databases, synchronous: boolean): Promise<void> {
  const replication = synchronous ? 'synchronous' : 'asynchronous';
  const { node: before } = await group.primary();
  load.start();
  await pause(3000);
  say(`${fault.name}, ${replication}: ${before.name} is the primary`);
  const bringBack = await fault.strike(group, network, folder);
  const isReplaced = async () => (await group.primary()).node !== before;
  await until(isReplaced, 'there is another primary', 120);
  const changesSince = load.changes;
  await until(() => load.changes > changesSince + 30, 'changes go on', 120);
  const { node: after } = await group.primary();
  bringBack();
  // A primary with changes that nobody else has is rewound first.
  await group.untilWhole(300, synchronous);
  await until(async () => (await instances.ready()).every(Boolean), 'every instance is ready again');
  await pause(1000);
  await load.stop();
  const report = await load.check();
  say(
    `${after.name} is the primary now; ${lostText(report)} lost, ${report.withoutWrites.toFixed(1)} s without writes`,
  );
  print(`| ${[fault.title, replication, ...cellsOf(report)].join(' | ')} |`);
  if (synchronous && report.lost.size > 0) broken.push(fault.name);
}

function cellsOf(report: LoadReport): string[] {
  const failed = [...report.statuses].filter(([name]) => name !== 'ok').map(([name, count]) => `${count} × ${name}`);
  return [
    `${report.withoutWrites.toFixed(1)} s`,
    String(report.requests),
    failed.length === 0 ? 'none' : failed.join(', '),
    report.facts,
    lostText(report),
  ];
}

function lostText({ lost }: LoadReport): string {
  return lost.size === 0 ? '0' : [...lost].map(([what, count]) => `${count} ${what}`).join(', ');
}

async function versions(): Promise<string> {
  const first = (command: string, ...options: string[]) => {
    const { stdout } = spawnSync(command, options, { encoding: 'utf8' });
    return stdout.split('\n')[0]?.trim() ?? '';
  };
  const programs = [
    first(packages['postgresql-15'], '--version'),
    first('patroni', '--version'),
    first('etcd', '--version'),
    first('pgbouncer', '--version'),
    first('haproxy', '-v'),
  ];
  return `${programs.join('; ')}\n`;
}

function refuse(reason: string): never {
  say(reason);
  process.exit(2);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function say(progress: string): void {
  process.stderr.write(`${progress}\n`);
}
