// What a person can use, and why: applications on whose list they are, and of those that everyone can use, the ones that they have
// connected.

import { isInForce, lasting } from '../groups/access-conditions.ts';
import type { Client, User } from '../records.ts';
import type { Database } from '../sql/database.ts';
import { computed, select } from '../sql/query.ts';
import {
  type AccessReason,
  byGroup,
  earliestEnd,
  forEveryone,
  latestEnd,
  latestSince,
  openSinceOf,
  type ReasonRow,
  toReason,
} from './access-reasons.ts';

export interface AccessibleClient {
  readonly client: Pick<Client, 'id' | 'name'>;
  readonly reasons: readonly AccessReason[];
  /** The latest end of the reasons; null if one of them has none. */
  readonly expiresAt: number | null;
  /** When the person connected it, and last used it; null if they haven't. */
  readonly connectedAt: number | null;
  readonly lastUsedAt: number | null;
}

interface ClientRow {
  readonly id: string;
  readonly name: string;
}
interface ConnectedRow extends ClientRow {
  readonly access: Client['access'];
  readonly open_since: number | null;
  readonly granted_at: number;
  readonly last_used_at: number;
}

/** More than anyone looks through on one page. */
const most = 1000;

const lasts = (alias: string) => `${alias}.ended_by = ${lasting} AND ${isInForce(alias, '$2')}`;
const connected = select(
  [
    computed<ConnectedRow>(`c.id AS id, c.name AS name, c.access AS access, ${openSinceOf} AS open_since,
      k.granted_at AS granted_at, k.last_used_at AS last_used_at`),
  ],
  `FROM consents k CROSS JOIN clients c WHERE k.user_id = $1 AND c.id = k.client_id AND k.client_generation = c.generation
    AND c.revoked_at IS NULL ORDER BY c.name, c.id LIMIT ${most}`,
);
const onLists = select(
  [computed<ClientRow & Omit<ReasonRow, 'user_id'> & Pick<ConnectedRow, 'access'>>('o.*')],
  `FROM (SELECT c.id AS id, c.name AS name, c.access AS access, CAST(NULL AS TEXT) AS group_id,
        CAST(NULL AS TEXT) AS group_name, ca.began_at AS since, ca.expires_at AS expires_at
      FROM client_access ca CROSS JOIN clients c
      WHERE ca.kind = 'person' AND ca.subject_id = $1 AND ${lasts('ca')} AND c.id = ca.client_id AND c.revoked_at IS NULL
    UNION ALL SELECT c.id, c.name, c.access, gr.id, gr.name, ${latestSince}, ${earliestEnd}
      FROM group_members gm CROSS JOIN groups gr CROSS JOIN client_access ca CROSS JOIN clients c
      WHERE gm.user_id = $1 AND ${lasts('gm')} AND gr.id = gm.group_id AND gr.ended_by = ${lasting}
        AND ca.kind = 'group' AND ca.subject_id = gm.group_id AND ${lasts('ca')}
        AND c.id = ca.client_id AND c.revoked_at IS NULL) AS o ORDER BY o.name, o.id LIMIT ${most}`,
);

export function sqlAccessOfPerson(database: Database) {
  return {
    /** By name. Whether the person can sign in makes no difference. */
    async listAccessOf(user: Pick<User, 'id' | 'createdAt'>, now: number): Promise<AccessibleClient[]> {
      const [connections, rows] = await Promise.all([
        database.read(connected, [user.id]),
        database.read(onLists, [user.id, now]),
      ]);
      const connectionOf = new Map(connections.map((row) => [row.id, row]));
      const rowsOf = Map.groupBy(rows, ({ id }) => id);
      const clients = new Map(
        [...connections, ...rows]
          // Nobody needs to be told what everyone can use.
          .filter(({ id, access }) => (access === 'everyone' ? connectionOf.has(id) : rowsOf.has(id)))
          .map(({ id, name }) => [id, { id, name }]),
      );
      const described = [...clients.values()].map((client): AccessibleClient => {
        const connection = connectionOf.get(client.id);
        const reasons = [
          ...(connection?.access === 'everyone' ? [forEveryone(connection.open_since, user)] : []),
          ...(rowsOf.get(client.id) ?? []).map(toReason).toSorted(byGroup),
        ];
        return {
          client,
          reasons,
          expiresAt: latestEnd(reasons),
          connectedAt: connection?.granted_at ?? null,
          lastUsedAt: connection?.last_used_at ?? null,
        };
      });
      return described.toSorted((a, b) => (a.client.name < b.client.name ? -1 : 1));
    },
  };
}
