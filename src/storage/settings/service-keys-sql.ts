// When the service's keys were used and retired, and the texts that they have sealed.

import type { EventRecord } from '../../protocol/event.ts';
import {
  authenticators,
  type ColumnOf,
  clients,
  deletedIdKeys,
  mails,
  serviceKeys,
  type Table,
  upstreams,
  webhookSecrets,
} from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { computed, insertInto, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

/**
 * Where sealed text is stored: authenticators by user, emails and the secrets of webhooks by their own id, the secrets
 * for upstreams by the upstream's name, what signs logout tokens by the client, and keys of deleted IDs by their number. In this
 * order: a rotation of the client's secret moves a text to the old kind.
 */
export const sealedKinds = [
  'authenticator',
  'email',
  'webhook_secret',
  'upstream_secret',
  'secret_states',
  'old_secret_states',
  'deleted_id_key',
] as const;

export type SealedKind = (typeof sealedKinds)[number];

interface SealedText {
  readonly id: string;
  readonly sealed: string;
}

const keyRows = recordColumns(serviceKeys);
const allKeys = select([keyRows.columns], 'FROM service_keys sk ORDER BY sk.first_used_at, sk.id');
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
  secret_states: sealedIn(clients, 'id', 'secret_states'),
  old_secret_states: sealedIn(clients, 'id', 'old_secret_states'),
  deleted_id_key: sealedIn(deletedIdKeys, 'number', 'sealed'),
} satisfies Record<SealedKind, object>;

export function sqlServiceKeys(database: Database) {
  return {
    listServiceKeys: () => database.list(allKeys, [], keyRows.decode),

    /** Keeps the earliest time for each key. */
    async noteServiceKeyUse(keyId: string, now: number) {
      await database.write([noteFirstUse({ id: keyId, first_used_at: now, retired_at: null })]);
    },

    /** Permanent. A key that was retired before keeps its time. */
    async retireServiceKeys(keyIds: readonly string[], now: number, event: EventRecord) {
      await database.writeWith(event, [...keyIds.map((id) => retire({ id, first_used_at: now, retired_at: now }))]);
    },

    /** In the order of their ids. */
    listSealed(kind: SealedKind, afterId: string, limit: number) {
      return database.read(sealedTexts[kind].page, [afterId, limit]);
    },

    /** Replaces texts that are unchanged; returns how many. */
    async reseal(kind: SealedKind, changes: readonly (SealedText & { readonly resealed: string })[]) {
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
      `FROM ${name} WHERE ${id} > $1 AND ${sealed} IS NOT NULL ORDER BY ${id} LIMIT $2`,
    ),
    replace: `UPDATE ${name} SET ${sealed} = $3 WHERE ${id} = $1 AND ${sealed} = $2 RETURNING 1 AS one`,
  };
}
