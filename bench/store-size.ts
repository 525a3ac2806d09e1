// node bench/store-size.ts [PEOPLE] [GRANTS]: compares a large embedded store with a small one: the time of each
// operation, the start, the memory, and how long it takes to revoke a client with a fifth of all grants.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlStorage } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { type Server, startLatchkey } from './servers.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const grants = Number(process.argv[3] ?? 5_000_000);
const rounds = 7;

/** Rows as the service would have written them, spread over many users and ten clients. */
function fill(dataDir: string, userCount: number, grantCount: number): void {
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'));
  const now = Date.now();
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  database.exec(`
    PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN;
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
      ${numbers(userCount)} SELECT printf('u%025d', i), 'person' || i || '@example.com', 'person' || i || '@example.com',
      'Person ' || i, 'hash', 0, ${now}, ${now} FROM n;
    INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at)
      ${numbers(10)} SELECT printf('c%025d', i), 'App ' || i, 0, '["https://a.example/cb"]', 'openid', 0, ${now}, ${now} FROM n;
    INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri, code_challenge,
      auth_time, amr, code_digest, code_expires_at, exchanged_at, refresh_digest, expires_at, last_used_at, delete_after)
      ${numbers(grantCount)} SELECT printf('0%025d', i), printf('u%025d', 1 + (i * 7919) % ${userCount}), 0,
      printf('c%025d', 1 + i % 5), 0, 'openid profile email', 'https://app.example/callback', hex(randomblob(21)),
      ${now}, 'pwd', hex(randomblob(21)), ${now}, ${now}, hex(randomblob(21)), ${now + 30 * 86_400_000}, ${now},
      ${now + 31 * 86_400_000} + i FROM n;
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE);`);
  database.close();
}

const generator = startLoadGenerator();
const servers: Record<'small' | 'large', Server> = {
  small: await startLatchkey('SQLite', '', (folder) => fill(folder, 10_000, 10_000)),
  large: await startLatchkey('SQLite', '', (folder) => fill(folder, people, grants)),
};
const results: Record<string, unknown> = { people, grants };
try {
  for (const work of ['userinfo', 'refresh', 'flow'] as const) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      for (const size of ['small', 'large'] as const) {
        const target = await servers[size].target();
        const job = { target, work, connections: 8, warmUpMs: 300, measureMs: 1000 };
        const figures = await generator.measure(job);
        if (figures.errors > 0) throw new Error(`${figures.errors} errors`);
        times[size].push(1_000_000 / figures.perSecond);
      }
    }
    const [small, large] = [median(times.small), median(times.large)];
    const ratios = times.large.map((value, index) => value / (times.small[index] ?? value));
    results[work] = {
      smallMicroseconds: Math.round(small),
      largeMicroseconds: Math.round(large),
      ratio: median(ratios),
    };
  }
  const { large } = servers;
  results.readyAfterMs = Math.round(large.readyAfterMs ?? Number.NaN);
  const status = readFileSync(`/proc/${large.pid}/status`, 'utf8');
  results.residentMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  results.revokeMs = await revoke(large.dataDir ?? '');
} finally {
  generator.stop();
  await servers.small.stop();
  await servers.large.stop();
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);

/** As the command line does it, while the service is running: the client with a fifth of all grants. */
async function revoke(dataDir: string): Promise<number> {
  const storage = sqlStorage(openSqlite(join(dataDir, 'latchkey.db')));
  await storage.endSession('any write, to start the writer thread');
  const event = { id: 'revoked', at: Date.now(), kind: 'client_revoked', address: '', requestId: '' } as const;
  const started = performance.now();
  await storage.revokeClient(`c${'2'.padStart(25, '0')}`, Date.now(), event);
  const elapsed = performance.now() - started;
  await storage.close();
  return Math.round(elapsed * 10) / 10;
}
