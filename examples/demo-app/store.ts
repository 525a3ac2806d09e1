// The application's database: users by `sub` with their tokens encrypted, and sessions and pending sign-ins by digest.

import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { PendingSignIn } from './latchkey-client.ts';
import type { Sealer } from './sealed.ts';

export interface AppUser {
  readonly sub: string;
  readonly claims: Record<string, unknown>;
}

export interface KeptTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Kept to sign the user out; undefined for somebody who has signed in before it was. */
  readonly idToken?: string | undefined;
}

export type Store = ReturnType<typeof openStore>;

const pendingLifetime = 15 * 60 * 1000;

export function openStore(file: string, sealer: Sealer) {
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS users (sub TEXT PRIMARY KEY, claims TEXT NOT NULL, sealed_tokens TEXT);
    CREATE TABLE IF NOT EXISTS sessions (digest TEXT PRIMARY KEY, sub TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS pending (digest TEXT PRIMARY KEY, request TEXT NOT NULL, made_at INTEGER NOT NULL);`);
  const digest = (secret: string) => createHash('sha256').update(secret).digest('base64url');

  return {
    /** Returns the secret for the browser's cookie. */
    addPending(request: PendingSignIn): string {
      const secret = randomBytes(32).toString('base64url');
      database.prepare('DELETE FROM pending WHERE made_at < ?').run(Date.now() - pendingLifetime);
      database.prepare('INSERT INTO pending VALUES (?, ?, ?)').run(digest(secret), JSON.stringify(request), Date.now());
      return secret;
    },

    /** A pending sign-in can be used for one callback. */
    takePending(secret: string): PendingSignIn | undefined {
      const row = database.prepare('DELETE FROM pending WHERE digest = ? RETURNING request').get(digest(secret));
      return row === undefined ? undefined : (JSON.parse(row.request as string) as PendingSignIn);
    },

    saveUser(user: AppUser, { accessToken, refreshToken, idToken }: KeptTokens): void {
      const tokens: KeptTokens = { accessToken, refreshToken, idToken };
      database
        .prepare(`INSERT INTO users VALUES (?, ?, ?) ON CONFLICT (sub) DO UPDATE SET claims = excluded.claims,
          sealed_tokens = excluded.sealed_tokens`)
        .run(user.sub, JSON.stringify(user.claims), sealer.seal(JSON.stringify(tokens), user.sub));
    },

    tokensOf(sub: string): KeptTokens | undefined {
      const row = database.prepare('SELECT sealed_tokens FROM users WHERE sub = ?').get(sub);
      const text = row?.sealed_tokens && sealer.unseal(row.sealed_tokens as string, sub);
      return text ? (JSON.parse(text) as KeptTokens) : undefined;
    },

    startSession(sub: string): string {
      const secret = randomBytes(32).toString('base64url');
      database.prepare('INSERT INTO sessions VALUES (?, ?)').run(digest(secret), sub);
      return secret;
    },

    userOf(secret: string): AppUser | undefined {
      const row = database
        .prepare('SELECT u.sub, u.claims FROM sessions s JOIN users u ON u.sub = s.sub WHERE s.digest = ?')
        .get(digest(secret));
      return row && { sub: row.sub as string, claims: JSON.parse(row.claims as string) };
    },

    /** Deletes the sessions and tokens, and keeps the user's record. */
    signOut(sub: string): void {
      database.prepare('DELETE FROM sessions WHERE sub = ?').run(sub);
      database.prepare('UPDATE users SET sealed_tokens = NULL WHERE sub = ?').run(sub);
    },

    close(): void {
      database.close();
    },
  };
}
