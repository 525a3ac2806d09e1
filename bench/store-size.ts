// node bench/store-size.ts [PEOPLE] [GRANTS]: compares random grants of a large embedded store with one grant of a small one,
// which is always in memory: the CPU and the time of each operation. Then the start, the memory, and how long it takes to
// revoke a client with a fifth of all grants.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serviceKeys } from '../src/platform/keys.ts';
import { digestOf } from '../src/protocol/digest.ts';
import { formatRefreshToken } from '../src/protocol/identifiers.ts';
import { issueAccessToken } from '../src/protocol/oauth/tokens.ts';
import { sqlStorage } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { type Measured, startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import type { Server } from './server-process.ts';
import { type FilledStore, type LatchkeyOptions, startLatchkey } from './servers.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const grants = Number(process.argv[3] ?? 5_000_000);
const rounds = 7;

/** Rows as the service would have written them, spread over many users and ten clients. */
function fill({ dataDir }: FilledStore, userCount: number, grantCount: number): DatabaseSync {
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
  return database;
}

/** Tokens for so many of the grants, picked at random, which become the bench's own client's. */
function tokensForRandomGrants(store: FilledStore, database: DatabaseSync, grantCount: number, count: number) {
  const { accessTokenKey } = serviceKeys([store.key]);
  const adopt = database.prepare(`UPDATE grants SET client_id = ?1, refresh_digest = ?2,
    client_generation = (SELECT generation FROM clients WHERE id = ?1) WHERE id = ?3 RETURNING user_id`);
  const accessTokens: string[] = [];
  const refreshTokens: string[] = [];
  database.exec('BEGIN');
  const numbers = new Set<number>();
  while (numbers.size < count) numbers.add(1 + Math.floor(Math.random() * grantCount));
  for (const number of numbers) {
    const grantId = `0${String(number).padStart(25, '0')}`;
    const secret = randomBytes(32).toString('base64url');
    const userId = String(adopt.get(store.clientId, digestOf(secret), grantId)?.user_id);
    const subject = { issuer: store.issuer, grantId, userId, clientId: store.clientId };
    accessTokens.push(
      issueAccessToken(subject, ['openid', 'profile', 'email'], `t${number}`, accessTokenKey, Date.now()),
    );
    refreshTokens.push(formatRefreshToken({ grantId, secret }));
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  return { accessTokens, refreshTokens };
}

function filledWith(userCount: number, grantCount: number, tokens: number): LatchkeyOptions {
  return {
    fill(store) {
      const database = fill(store, userCount, grantCount);
      const target = tokensForRandomGrants(store, database, grantCount, tokens);
      database.close();
      return target;
    },
  };
}

const generator = startLoadGenerator();
const servers: Record<'small' | 'large', Server> = {
  small: await startLatchkey('SQLite', filledWith(10_000, 10_000, 1)),
  large: await startLatchkey('SQLite', filledWith(people, grants, 20_000)),
};
const results: Record<string, unknown> = { people, grants };
try {
  for (const work of ['userinfo', 'refresh', 'flow'] as const) {
    const measured: Record<'small' | 'large', Measured[]> = { small: [], large: [] };
    for (let round = 0; round < rounds; round++) {
      for (const size of ['small', 'large'] as const) {
        const server = servers[size];
        const job = { target: await server.target(), work, connections: 8, warmUpMs: 300, measureMs: 1000 };
        const figures = await generator.measure(job, server.processes);
        if (figures.errors > 0) throw new Error(`${figures.errors} errors`);
        measured[size].push(figures);
      }
    }
    const cpu = (size: 'small' | 'large') => median(measured[size].map((figures) => figures.cpu[0] ?? Number.NaN));
    const ratios = measured.large.map(
      ({ cpu: [large = 0] }, round) => large / (measured.small[round]?.cpu[0] ?? large),
    );
    results[work] = { smallCpu: Math.round(cpu('small')), largeCpu: Math.round(cpu('large')), ratio: median(ratios) };
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
