// Whether someone still owns applications, as a condition of a write.

import { ownedThroughGroups } from '../clients/owners-sql.ts';
import type { Statement } from '../driver.ts';
import { namedIds } from '../groups/named-ids.ts';
import { statementFor } from '../sql/query.ts';

const owned = statementFor(
  (engine) => `SELECT 1 AS one WHERE NOT EXISTS (SELECT 1 FROM ${namedIds(engine, '$3')} AS n WHERE n.id NOT IN
    (SELECT co.client_id FROM client_owners co WHERE co.kind = 'person' AND co.subject_id = $1
      UNION SELECT co.client_id FROM ${ownedThroughGroups('CAST($2 AS BIGINT)')} AND gm.user_id = $1))`,
);

/** Rolls back unless the user owns all of these now. */
export function stillOwns(userId: string, clientIds: readonly string[], now: number): Statement {
  return { ...owned(userId, now, JSON.stringify(clientIds)), mustReturn: true };
}
