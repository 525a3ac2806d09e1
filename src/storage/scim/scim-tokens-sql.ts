// The tokens of directories.

import type { EventRecord } from '../../protocol/event.ts';
import { type RecordOf, scimTokens } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { insertInto, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

export type ScimToken = RecordOf<typeof scimTokens>;

const tokenRows = recordColumns(scimTokens);
const byDigest = select([tokenRows.columns], 'FROM scim_tokens st WHERE st.digest = $1');

const insertRow = insertInto(scimTokens);

export function sqlScimTokens(database: Database) {
  return {
    createScimToken: (token: ScimToken, events: EventRecord | readonly EventRecord[]) =>
      database.writeWith(events, [insertRow(tokenRows.encode(token))]),

    findScimToken: (digest: string) => database.first(byDigest, [digest], tokenRows.decode),
  };
}
