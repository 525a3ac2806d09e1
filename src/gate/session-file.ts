// The gate's sessions as rows of one file, which all its processes on a machine share. A row is found by the digest of the
// cookie, and what's in it is sealed (sealing.ts). Every check looks whether the row is still there: whatever one process
// deletes is over for all of them at once.

import { join } from 'node:path';
import { durably, openDatabase } from '../platform/relying-party/database.ts';

export interface NewRow {
  readonly digest: string;
  readonly sidMark: string;
  readonly sealed: Uint8Array;
  /** In milliseconds, like all times here. */
  readonly expiresAt: number;
  /** Of the sign-in that the session comes from, which works once. */
  readonly signIn: string;
  readonly signInEndsAt: number;
}

export interface SessionFile {
  /** Changes with every write of the row; undefined without one. */
  versionOf(digest: string): number | undefined;
  read(digest: string): { readonly version: number; readonly sealed: Uint8Array } | undefined;
  /** False if the sign-in has a session already, or Latchkey has ended it in the meantime. */
  add(row: NewRow): boolean;
  hasFinished(signIn: string): boolean;
  /** The new version; undefined if the row is gone, in which case it stays gone. */
  replace(digest: string, sealed: Uint8Array): number | undefined;
  remove(digest: string): void;
  /** Removes the sessions with this mark, and refuses new ones until then. Returns the digests of their cookies. */
  end(sidMark: string, until: number): readonly string[];
  /** How many haven't expired. */
  count(now: number): number;
  /** Deletes what has expired before. */
  sweep(before: number): void;
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS sessions (
    digest TEXT PRIMARY KEY,
    sid_mark TEXT NOT NULL,
    sealed BLOB NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sessions_by_sid ON sessions (sid_mark);
  CREATE INDEX IF NOT EXISTS sessions_by_expiry ON sessions (expires_at);
  -- Sign-ins that have a session, and sessions that were ended, so that neither comes back.
  CREATE TABLE IF NOT EXISTS spent (
    mark TEXT PRIMARY KEY,
    ends_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS spent_by_end ON spent (ends_at);`;

/** Milliseconds to wait for another process that writes. */
const busyTimeout = 500;

export function openSessionFile(folder: string): SessionFile {
  const database = openDatabase(join(folder, 'sessions.db'), schema, busyTimeout);
  const change = database.prepare('PRAGMA data_version');
  const version = database.prepare('SELECT version FROM sessions WHERE digest = ?');
  const row = database.prepare('SELECT version, sealed FROM sessions WHERE digest = ?');
  const insert = database.prepare(
    `INSERT INTO sessions (digest, sid_mark, sealed, expires_at)
     SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM spent WHERE mark = ?2)`,
  );
  const spend = database.prepare('INSERT INTO spent (mark, ends_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING');
  const spent = database.prepare('SELECT 1 FROM spent WHERE mark = ?');
  const update = database.prepare(
    'UPDATE sessions SET sealed = ?2, version = version + 1 WHERE digest = ?1 RETURNING version',
  );
  const live = database.prepare('SELECT COUNT(*) AS n FROM sessions WHERE expires_at > ?');
  const removeOne = database.prepare('DELETE FROM sessions WHERE digest = ?');
  const removeEnded = database.prepare('DELETE FROM sessions WHERE sid_mark = ? RETURNING digest');
  const removeExpired = database.prepare('DELETE FROM sessions WHERE expires_at < ?');
  const removeSpent = database.prepare('DELETE FROM spent WHERE ends_at < ?');

  /** Versions that were read since the last write of any process. */
  const versions = new Map<string, number>();
  let lastChange: unknown;
  let isLookedUp = false;

  /** SQLite says whether another process has written. It's asked once for all checks in a turn of the event loop. */
  function forgetChanged(): void {
    if (isLookedUp) return;
    const latest = change.get()?.data_version;
    if (latest !== lastChange) versions.clear();
    lastChange = latest;
    isLookedUp = true;
    setImmediate(() => {
      isLookedUp = false;
    });
  }

  function versionOf(digest: string): number | undefined {
    forgetChanged();
    const known = versions.get(digest);
    if (known !== undefined) return known;
    const read = version.get(digest)?.version as number | undefined;
    if (read !== undefined) versions.set(digest, read);
    return read;
  }

  return {
    versionOf,
    read: (digest) => row.get(digest) as ReturnType<SessionFile['read']>,
    add: ({ digest, sidMark, sealed, expiresAt, signIn, signInEndsAt }) =>
      durably(
        database,
        () =>
          spend.run(signIn, signInEndsAt).changes === 1 && insert.run(digest, sidMark, sealed, expiresAt).changes === 1,
      ),
    hasFinished: (signIn) => spent.get(signIn) !== undefined,
    replace(digest, sealed) {
      versions.delete(digest);
      return update.get(digest, sealed)?.version as number | undefined;
    },
    remove(digest) {
      versions.delete(digest);
      durably(database, () => removeOne.run(digest));
    },
    end(sidMark, until) {
      versions.clear();
      return durably(database, () => {
        spend.run(sidMark, until);
        return removeEnded.all(sidMark).map(({ digest }) => String(digest));
      });
    },
    count: (now) => Number(live.get(now)?.n),
    sweep(before) {
      versions.clear();
      removeExpired.run(before);
      removeSpent.run(before);
    },
    close: () => database.close(),
  };
}
