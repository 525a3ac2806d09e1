// The bridge's file: one database in its folder, which all its processes on a machine share, and the keys that seal what lies in
// it. Opening that needs, besides the key file, something that isn't there: a token that the application has, or the `sid` of the
// sign-in.

import { join } from 'node:path';
import { type Database, openDatabase } from '../platform/relying-party/database.ts';
import { derivedKey, seal, unseal } from '../platform/relying-party/sealing.ts';
import { hmacSha256 } from '../protocol/digest.ts';

const schema = `
  -- What ended is deleted with everything that refers to it.
  CREATE TABLE IF NOT EXISTS grants (
    digest TEXT PRIMARY KEY,
    sid_mark TEXT NOT NULL,
    sealed BLOB NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS grants_by_sid ON grants (sid_mark);
  CREATE INDEX IF NOT EXISTS grants_by_expiry ON grants (expires_at);
  -- Codes and tokens, by the digest of what the application has.
  CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY,
    grant_digest TEXT NOT NULL REFERENCES grants ON DELETE CASCADE,
    sealed BLOB NOT NULL,
    consumed_at INTEGER,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tokens_by_grant ON tokens (grant_digest);
  CREATE INDEX IF NOT EXISTS tokens_by_expiry ON tokens (expires_at);
  -- Sign-ins that came back, and those that ended, so that neither does it again.
  CREATE TABLE IF NOT EXISTS spent (
    mark TEXT PRIMARY KEY,
    ends_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS spent_by_end ON spent (ends_at);
  CREATE TABLE IF NOT EXISTS signing_keys (
    kid TEXT PRIMARY KEY,
    algorithm TEXT NOT NULL,
    sealed BLOB NOT NULL,
    signs_from INTEGER NOT NULL
  ) WITHOUT ROWID;`;

/** Milliseconds to wait for another process that writes. */
const busyTimeout = 2000;

export const databaseFile = (folder: string) => join(folder, 'bridge.db');

export const openBridgeDatabase = (folder: string): Database => openDatabase(databaseFile(folder), schema, busyTimeout);

type Purpose = 'token' | 'grant' | 'signing key' | 'sign-in' | 'sign-out';

export interface BridgeKeys {
  /** `opener` is what is needed besides the key file. What is bound to something opens only with the same. */
  seal(purpose: Purpose, opener: string, boundTo: string, text: string): Buffer;
  /** Undefined if it was sealed in another way, or changed. */
  unseal(purpose: Purpose, opener: string, boundTo: string, sealed: Uint8Array): string | undefined;
  /** By which the rows of a sign-in are found when it ends. The file doesn't say what it is. */
  sidMark(clientId: string, sid: string): string;
}

/** `secret` is the one in the key file. */
export function bridgeKeys(secret: string): BridgeKeys {
  const keyFor = (purpose: Purpose, opener: string) => derivedKey(secret, opener, `latchkey bridge ${purpose}`);
  const markKey = derivedKey(secret, '', 'latchkey bridge sid');
  return {
    seal: (purpose, opener, boundTo, text) => seal(text, keyFor(purpose, opener), boundTo),
    unseal: (purpose, opener, boundTo, sealed) => unseal(sealed, keyFor(purpose, opener), boundTo),
    sidMark: (clientId, sid) => hmacSha256(markKey, JSON.stringify([clientId, sid])),
  };
}
