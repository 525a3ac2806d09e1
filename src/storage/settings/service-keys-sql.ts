// When the service's keys were used and retired, and the texts that they have sealed.

import type { KeyRecord } from '../../protocol/key-retirement.ts';
import { insertEvent } from '../events/events-sql.ts';
import { authenticators, type ColumnOf, mails, serviceKeys, type Table, upstreams, webhookSecrets } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { columns, computed, insertInto, select } from '../sql/query.ts';
import type { KeyRecords, SealedKind, SealedText } from './key-records.ts';

const allKeys = select([columns(serviceKeys)], 'FROM service_keys sk ORDER BY sk.first_used_at, sk.id');
const noteFirstUse = insertInto(
  serviceKeys,
  `ON CONFLICT (id) DO UPDATE SET first_used_at = excluded.first_used_at
    WHERE service_keys.first_used_at > excluded.first_used_at`,
);
const retire = insertInto(
  serviceKeys,
  'ON CONFLICT (id) DO UPDATE SET retired_at = COALESCE(service_keys.retired_at, excluded.retired_at)',
);

const sealedTexts = {
  authenticator: sealedIn(authenticators, 'user_id', 'sealed_secret'),
  email: sealedIn(mails, 'id', 'sealed'),
  webhook_secret: sealedIn(webhookSecrets, 'id', 'sealed'),
  upstream_secret: sealedIn(upstreams, 'name', 'sealed_secret'),
} satisfies Record<SealedKind, object>;

export function sqlServiceKeys(database: Database): KeyRecords {
  return {
    async listServiceKeys() {
      const rows = await database.read(allKeys, []);
      return rows.map(
        (row): KeyRecord => ({ id: row.sk_id, firstUsedAt: row.sk_first_used_at, retiredAt: row.sk_retired_at }),
      );
    },

    async noteServiceKeyUse(keyId, now) {
      await database.write([noteFirstUse({ id: keyId, first_used_at: now, retired_at: null })]);
    },

    async retireServiceKeys(keyIds, now, event) {
      await database.write([
        ...keyIds.map((id) => retire({ id, first_used_at: now, retired_at: now })),
        ...insertEvent(event),
      ]);
    },

    listSealed(kind, afterId, limit) {
      return database.read(sealedTexts[kind].page, [afterId, limit]);
    },

    async reseal(kind, changes) {
      const sql = sealedTexts[kind].replace;
      const counts = await database.countReturned(
        changes.map(({ id, sealed, resealed }) => ({ sql, params: [id, sealed, resealed] })),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

function sealedIn<T extends Table>({ name }: T, id: ColumnOf<T>, sealed: ColumnOf<T>) {
  return {
    page: select(
      [computed<SealedText>(`${id} AS id, ${sealed} AS sealed`)],
      `FROM ${name} WHERE ${id} > $1 ORDER BY ${id} LIMIT $2`,
    ),
    replace: `UPDATE ${name} SET ${sealed} = $3 WHERE ${id} = $1 AND ${sealed} = $2 RETURNING 1 AS one`,
  };
}
