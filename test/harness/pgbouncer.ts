// PgBouncer in transaction mode in front of a test's PostgreSQL, with its defaults for everything else: each transaction
// may reach another process of PostgreSQL. PGBOUNCER_PATH names another version than Debian's.

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDebianPackages } from './debian-packages.ts';
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

/** Few server connections, so that those who share them notice. */
export async function startPgbouncer(postgresPort: number): Promise<Pooler> {
  const port = await freePort();
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
  await until(() => accepts(port), 'PgBouncer accepts connections');
  return {
    port,
    through(url) {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
