// The clock of the store, and the instances that run on it, seen by that clock: those of the machines they run on may differ.

import { HOUR } from '../../protocol/durations.ts';
import type { SeenInstance } from '../../protocol/instances.ts';
import { instances } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { computed, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

const { columns, decode, encode } = recordColumns(instances, 'started_at', 'last_seen_at');

/** Milliseconds. Far longer than an instance counts as live. */
const rememberedFor = HOUR;

export function sqlInstances(database: Database) {
  const { timeSql } = database;
  const upsert = `INSERT INTO instances
      (id, version, base_url, key_ids, events_days, breaches_digest, clock_offset, started_at, last_seen_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, ${timeSql} - CAST($8 AS BIGINT), ${timeSql})
    ON CONFLICT (id) DO UPDATE SET key_ids = excluded.key_ids, breaches_digest = excluded.breaches_digest,
      clock_offset = excluded.clock_offset, last_seen_at = excluded.last_seen_at`;
  const deleteForgotten = `DELETE FROM instances WHERE last_seen_at < ${timeSql} - ${rememberedFor}`;
  const all = select(
    [
      columns,
      computed<{ started_at: number; last_seen_at: number; silence: number }>(
        `it.started_at, it.last_seen_at, ${timeSql} - it.last_seen_at AS silence`,
      ),
    ],
    'FROM instances it ORDER BY it.started_at, it.id',
  );
  const time = select([computed<{ now: number }>(`${timeSql} AS now`)], '');
  return {
    /** Milliseconds since the epoch, by the clock of the store. */
    async now() {
      const [row] = await database.read(time, []);
      if (row === undefined) throw new Error('a query without a table has returned no row');
      return row.now;
    },

    /** Says that the instance runs now, and has for so many milliseconds. */
    async noteInstance(instance: Parameters<typeof encode>[0], uptime: number) {
      const { id, version, base_url, key_ids, events_days, breaches_digest, clock_offset } = encode(instance);
      const facts = [id, version, base_url, key_ids, events_days, breaches_digest, clock_offset];
      const params = [...facts, Math.round(uptime)];
      await database.write([
        { sql: upsert, params },
        { sql: deleteForgotten, params: [] },
      ]);
    },

    async forgetInstance(id: string) {
      await database.write([{ sql: 'DELETE FROM instances WHERE id = $1', params: [id] }]);
    },

    /** Those that were killed are listed for another hour. */
    listInstances(): Promise<SeenInstance[]> {
      return database.list(all, [], (row) => ({
        ...decode(row),
        startedAt: row.started_at,
        lastSeenAt: row.last_seen_at,
        silence: row.silence,
      }));
    },
  };
}
