// Brings a store that was made of a backup, before anybody uses it, up to what has happened since, as far as the store that it
// replaces can tell: deletions always, what was taken away on request. And ends what nobody may go on with.

import { Journal } from '../../operations/journal/journal.ts';
import { digestKeys } from '../../operations/users/digest-keys.ts';
import { systemClock } from '../../platform/clock.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import { bufferedRandom } from '../../platform/random.ts';
import { type Driver, nobody, type SnapshotReader } from '../../storage/driver.ts';
import type { RevocationKind } from '../../storage/restoring/ended-rows.ts';
import {
  carryDeletedIds,
  carryRevokedTokens,
  carrySignInNumbers,
  endEverything,
  forgetProcesses,
} from '../../storage/restoring/ending.ts';
import { pagesOf, rowsWith } from '../../storage/restoring/reading.ts';
import { haveCommonPast, revocationsSince } from '../../storage/restoring/since-backup.ts';
import { sqlStorage } from '../../storage/sql/sql-storage.ts';
import { CommandFailed, commandRequester } from '../command.ts';

/** The store that is replaced, or why it can't be asked. */
export type Present = { readonly kind: 'readable'; readonly reader: SnapshotReader } | Unknown;
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Since {
  readonly kind: 'known';
  readonly deleted: readonly Named[];
  /** Whether people may have been deleted who can't be recognized, because a key is missing. */
  readonly lacksDeleted: boolean;
  readonly revocations: ReadonlyMap<RevocationKind, readonly Named[]>;
}

export interface ReconcileOptions {
  readonly keepSessions: boolean;
  readonly keepRevocations: boolean;
}

/** `others` are stores that only tell about deletions and revoked tokens. */
export async function reconcile(
  restored: Driver,
  present: Present,
  others: readonly Present[],
  keys: ServiceKeys,
  { keepSessions, keepRevocations }: ReconcileOptions,
): Promise<Since | Unknown> {
  const now = Date.now();
  let since: Since | Unknown = present.kind === 'unknown' ? present : { kind: 'unknown', reason: unrelated };
  // Asked before anyone is deleted, who may be all that the stores have in common.
  const related: SnapshotReader[] = [];
  for (const store of [present, ...others]) {
    if (store.kind === 'readable' && (await haveCommonPast(restored, store.reader))) related.push(store.reader);
  }
  const deleted: Named[] = [];
  let lacksDeleted = false;
  for (const reader of related) {
    const deletions = await deleteAgain(restored, reader, keys);
    deleted.push(...deletions.deleted);
    lacksDeleted = deletions.lacksDeleted;
    await carryRevokedTokens(restored, reader);
  }
  if (present.kind === 'readable' && related.includes(present.reader)) {
    const revocations = new Map<RevocationKind, Named[]>();
    for await (const found of revocationsSince(restored, present.reader, now, keepSessions)) {
      const { kind, id, name, statements } = found;
      const named = revocations.get(kind) ?? [];
      named.push({ id, name });
      revocations.set(kind, named);
      if (keepRevocations) await restored.write(statements);
    }
    if (keepRevocations) await carrySignInNumbers(restored, present.reader);
    since = { kind: 'known', deleted, lacksDeleted, revocations };
  }
  if (!keepSessions) await restored.write(endEverything(now));
  await restored.write(forgetProcesses);
  return since;
}

const unrelated = "it isn't the one that this backup was made of";

/** Deletes people from the restored store who have been deleted since the backup. */
async function deleteAgain(restored: Driver, present: SnapshotReader, keys: ServiceKeys) {
  const random = bufferedRandom();
  const storage = sqlStorage(
    restored,
    nobody,
    digestKeys(() => ({ keys, random })),
  );
  const journal = new Journal(storage, systemClock, random);
  await carryDeletedIds(restored, present);
  const deleted: Named[] = [];
  for await (const page of pagesOf(restored, 'users', ['id'], 'email')) {
    const known = await storage.findDeletedIds(page.map(({ id }) => String(id)));
    const left = new Set((await rowsWith(present, 'users', ['id'], page, 'id')).map(({ id }) => id));
    for (const { id, email } of page) {
      const userId = String(id);
      if (!known.has(userId) || left.has(userId)) continue;
      deleted.push({ id: userId, name: String(email) });
      // They may have been the last administrator at the time of the backup.
      await restored.write([
        { sql: 'UPDATE users SET admin_since = NULL, roles = NULL WHERE id = $1', params: [userId] },
      ]);
      const isDone = await storage.deleteUser(
        userId,
        journal.event({ kind: 'user_deleted', userId }, commandRequester()),
      );
      if (!isDone) throw new CommandFailed(`${email} was deleted since the backup, and can't be deleted again.`);
    }
  }
  return { deleted, lacksDeleted: await storage.lacksDeletedIds() };
}
