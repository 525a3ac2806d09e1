// PgBouncer in transaction mode in front of a test's PostgreSQL, with its defaults for everything else: each transaction
// may reach another process of PostgreSQL. PGBOUNCER_PATH names another version than Debian's.

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackages } from './debian-packages.ts';
import { queryPostgres } from './postgres.ts';
import { freePort } from './service.ts';
import { until } from './until.ts';

const program = process.env.PGBOUNCER_PATH ?? '/usr/sbin/pgbouncer';

export interface Pooler {
  readonly port: number;
  /** The same database, through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Why there can be no PgBouncer here; undefined when there can. */
export function pgbouncerUnavailable(): string | undefined {
  return ensureDebianPackages({ pgbouncer: program });
}

/** On another port if one was taken since it was found to be free. */
export async function startPgbouncer(postgresPort: number): Promise<Pooler> {
  for (;;) {
    const pooler = await startOn(await freePort(), postgresPort);
    if (pooler !== undefined) return pooler;
  }
}

/** Few server connections, so that those who share them notice. Undefined if it ended, as it does on a port that is taken. */
async function startOn(port: number, postgresPort: number): Promise<Pooler | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${postgresPort} user=latchkey password=secret`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
  ];
  writeFileSync(file, settings.join('\n'));
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (user.uid !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(file, user.uid, user.gid);
  }
  const child = spawn(program, [file], { ...user, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  // Another program on the port would accept connections, too.
  const answers = () =>
    queryPostgres(`postgres://latchkey:secret@127.0.0.1:${port}/postgres`, 'SELECT 1').then(Boolean, () => false);
  await until(async () => child.exitCode !== null || (await answers()), 'PgBouncer answers');
  if (child.exitCode !== null) {
    await stop();
    return undefined;
  }
  return {
    port,
    through(url) {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    stop,
  };
}
