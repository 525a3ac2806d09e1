// The IDs of people who were deleted, as digests: applications know a person by that ID, so it's never given to anybody else. The
// keys of the digests are the store's own, sealed with those of the service, so that a stolen database doesn't tell whether an ID
// was deleted, and a rotation, which seals them again, forgets no ID.

import { hmacSha256 } from '../../protocol/digest.ts';
import type { Statement } from '../driver.ts';
import { namedIds } from '../groups/named-ids.ts';
import { deletedIdKeys, deletedIds } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { columns, computed, insertInto, perEngine, select } from '../sql/query.ts';

/** Makes and opens keys, which are kept by number. */
export interface DigestKeys {
  newSealed(number: string): string;
  /** Undefined if it was sealed with a key that is gone. */
  open(number: string, sealed: string): Uint8Array | undefined;
}

/** For what deletes no person. */
export const noKeys: DigestKeys = {
  newSealed() {
    throw new Error('this storage has no keys');
  },
  open: () => undefined,
};

export type DeletedIds = ReturnType<typeof sqlDeletedIds>;

const allKeys = select([columns(deletedIdKeys)], 'FROM deleted_id_keys dk');
const insertKey = insertInto(deletedIdKeys, 'ON CONFLICT (number) DO NOTHING');
const insertDigest = insertInto(deletedIds, 'ON CONFLICT (digest) DO NOTHING');
const found = perEngine((engine) =>
  select(
    [computed<{ digest: string }>('d.digest AS digest')],
    `FROM ${namedIds(engine, '$1')} n JOIN deleted_ids d ON d.digest = n.id`,
  ),
);
const everyDigest = (change: (list: string) => string) => {
  const texts = {
    sql: change(`IN (SELECT n.id FROM ${namedIds('embedded', '$1')} n)`),
    serverSql: change(`= ANY (ARRAY(SELECT n.id FROM ${namedIds('server', '$1')} n))`),
  };
  return (digests: readonly string[]): Statement => ({ ...texts, params: [JSON.stringify(digests)] });
};
/** Inserts a digest a second time, which is a StorageConflict. */
const refuse = everyDigest(
  (list) => `INSERT INTO deleted_ids SELECT d.digest FROM deleted_ids d WHERE d.digest ${list}`,
);
/** The first deletion of all makes a key, which nobody knew a moment before. */
const refuseOtherKeys = `INSERT INTO deleted_id_keys SELECT dk.number, dk.sealed FROM deleted_id_keys dk
  WHERE (SELECT COUNT(*) FROM deleted_id_keys) <> CAST($1 AS BIGINT)`;
const forget = everyDigest((list) => `DELETE FROM deleted_ids WHERE digest ${list}`);

export function sqlDeletedIds(database: Database, keys: DigestKeys) {
  async function openKeys() {
    const rows = await database.read(allKeys, []);
    const opened = rows.flatMap(({ dk_number: number, dk_sealed: sealed }) => keys.open(number, sealed) ?? []);
    return { opened, count: rows.length };
  }

  /** The first key is made when it's needed, and another one if those before are lost. */
  async function keyToRememberBy(): Promise<Uint8Array> {
    for (;;) {
      const { opened, count } = await openKeys();
      if (opened[0] !== undefined) return opened[0];
      const number = String(count + 1);
      await database.write([insertKey({ number, sealed: keys.newSealed(number) })]);
    }
  }

  /** With each of the keys. */
  async function digestsOf(ids: readonly string[]) {
    const { opened, count } = await openKeys();
    return { digests: opened.flatMap((key) => ids.map((id) => [hmacSha256(key, id), id] as const)), count };
  }

  return {
    /** Remembers an ID, in the write that deletes the person. */
    async remember(id: string): Promise<Statement> {
      return insertDigest({ digest: hmacSha256(await keyToRememberBy(), id) });
    },

    /**
     * Comes after people are stored, since the person who has the ID may be deleted at this moment: a StorageConflict if one was,
     * or if there's another key since.
     */
    async refuse(ids: readonly string[]): Promise<Statement[]> {
      const { digests, count } = await digestsOf(ids);
      return [{ sql: refuseOtherKeys, params: [count] }, refuse(digests.map(([digest]) => digest))];
    },

    /** Lets these IDs be given again. */
    async forget(ids: readonly string[]): Promise<Statement> {
      return forget((await digestsOf(ids)).digests.map(([digest]) => digest));
    },

    /** Those of these that were deleted. */
    async find(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const idOf = new Map((await digestsOf(ids)).digests);
      const rows = await database.read(found, [JSON.stringify([...idOf.keys()])]);
      return new Set(rows.flatMap(({ digest }) => idOf.get(digest) ?? []));
    },

    /** Whether some were remembered with a key that is lost, so that it's unknown which. */
    async isIncomplete(): Promise<boolean> {
      const { opened, count } = await openKeys();
      return opened.length < count;
    },
  };
}
