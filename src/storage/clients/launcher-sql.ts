// The clients that a user can open from their account: the ones for everyone, in the order of an index, and the ones on
// whose list the user is, which are few.

import { isInForce, lasting } from '../groups/access-conditions.ts';
import type { PagePosition } from '../paging.ts';
import type { Database } from '../sql/database.ts';
import { rangeOf } from '../sql/lists/list-page.ts';
import { computed, select } from '../sql/query.ts';
import { clientColumns, toClient } from '../sql/rows.ts';

/** Exactly the condition of the index clients_to_launch. */
const canBeOpened = '(c.launch_url IS NOT NULL OR c.client_uri IS NOT NULL) AND c.revoked_at IS NULL';
const inOrder = '(LOWER(c.name), c.id) > ($2, $3) ORDER BY LOWER(c.name), c.id LIMIT $4';
/** Looked up for one client after the other, as in lists of the console. */
const isNamed = `EXISTS (SELECT 1 FROM search_words o WHERE o.ref = c.id AND o.kind || '' = 'client'
    AND o.source = 'name' AND o.word >= $6 AND o.word < $7 LIMIT 1 OFFSET 0)`;
const all = pageOf(canBeOpened);
const named = pageOf(`${canBeOpened} AND ${isNamed}`);

function pageOf(condition: string) {
  const openToUser = `SELECT f.id FROM (SELECT c.id FROM clients c
    WHERE c.access = 'everyone' AND ${condition} AND ${inOrder}) AS f
  UNION SELECT ca.client_id FROM client_access ca
    WHERE ca.kind = 'person' AND ca.subject_id = $1 AND ca.ended_by = ${lasting} AND ${isInForce('ca', '$5')}
  UNION SELECT ca.client_id FROM group_members gm CROSS JOIN groups gr CROSS JOIN client_access ca
    WHERE gm.user_id = $1 AND gm.ended_by = ${lasting} AND ${isInForce('gm', '$5')} AND gr.id = gm.group_id AND gr.ended_by = ${lasting}
      AND ca.kind = 'group' AND ca.subject_id = gm.group_id AND ca.ended_by = ${lasting} AND ${isInForce('ca', '$5')}`;
  return select(
    [clientColumns, computed<{ sort_name: string }>('LOWER(c.name) AS sort_name')],
    `FROM clients c WHERE c.id IN (${openToUser}) AND ${condition} AND ${inOrder}`,
  );
}

export interface LauncherPage {
  /** A part of the clients' names, as `searchKey` makes it of what was typed; all of them when it's empty. */
  readonly part: string;
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

/** The clients that a user can open from their account. */
export function sqlLauncher(database: Database) {
  return {
    /** Clients with a URL that the user can use, by name; `next` is undefined on the last page. */
    async pageClientsToLaunch(
      userId: string,
      { part, after: [name, id] = ['', ''], limit }: LauncherPage,
      now: number,
    ) {
      // One more than a page, to know whether there's a next page.
      const position = [userId, name, id, limit + 1, now];
      const rows = await (part === ''
        ? database.read(all, position)
        : database.read(named, [...position, ...rangeOf(part)]));
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const next: PagePosition | undefined = last && [last.sort_name, last.c_id];
      return { items: shown.map(toClient), next };
    },
  };
}
