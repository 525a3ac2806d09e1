// How much more CPU userinfo of random grants takes in a large embedded store than that of one grant of a small store, which is always
// in memory.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serviceKeys } from '../src/platform/keys.ts';
import { digestOf } from '../src/protocol/digest.ts';
import { formatRefreshToken } from '../src/protocol/identifiers.ts';
import { issueAccessToken } from '../src/protocol/oauth/tokens.ts';
import { type ControlledPair, measureRequests } from './cpu-per-request.ts';
import type { Server } from './server-process.ts';
import { type FilledStore, type LatchkeyOptions, startLatchkey } from './servers.ts';
import { twice, type Versions } from './versions.ts';

/** More than are cached as verified. */
const tokens = 20_000;
const peoplePerGrants = 0.2;
const smallStore = 10_000;

export async function measureRandomGrants(
  versions: Versions,
  { grants, rounds }: { readonly grants: number; readonly rounds: number },
): Promise<ControlledPair> {
  const servers: Server[] = [];
  const start = async (name: string, checkout: string, fill: NonNullable<LatchkeyOptions['fill']>) => {
    const server = await startLatchkey('SQLite', { checkout, signedIn: 1, fill });
    servers.push({ ...server, name, works: ['userinfo'] });
  };
  try {
    for (const { name, checkout } of twice(versions)) {
      process.stderr.write(`a store with ${grants.toLocaleString('en')} grants ${name}\n`);
      await start(`hot, ${name}`, checkout, filledWith(smallStore, smallStore, 1));
      await start(`random, ${name}`, checkout, filledWith(grants * peoplePerGrants, grants, tokens));
    }
    const costs = await measureRequests(servers, rounds);
    return costs.pair('userinfo', ['random, now', 'hot, now'], ['random, before', 'hot, before']);
  } finally {
    for (const server of servers) await server.stop();
  }
}

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

function filledWith(userCount: number, grantCount: number, tokens: number): NonNullable<LatchkeyOptions['fill']> {
  return (store) => {
    const database = fill(store, userCount, grantCount);
    const target = tokensForRandomGrants(store, database, grantCount, tokens);
    database.close();
    return target;
  };
}
