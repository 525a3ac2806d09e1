// Lists of a group's members, and of the people on a list of a client: in the order of their IDs, or found and sorted like people.

import type { ListPart, Page, PageQuery, Span } from '../paging.ts';
import type { Listed, User } from '../records.ts';
import { users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { byIds } from '../sql/lists/filtered.ts';
import { listLimits, pageOfList } from '../sql/lists/list-page.ts';
import { countWalked, endsIn, pageOf, type Walk, type WalkCondition, walk } from '../sql/lists/walk.ts';
import { computed, countOf, perEngine, select } from '../sql/query.ts';
import { toUser, userColumns } from '../sql/rows.ts';
import { lasting } from './access-conditions.ts';
import { byId, listedUser } from './groups-sql.ts';
import { namedIds } from './named-ids.ts';

export type MembersQuery = PageQuery<'created' | 'name' | 'last_sign_in'>;

const memberCount = countOf(`FROM (SELECT 1 AS one FROM group_members gm
  WHERE gm.group_id = $1 AND gm.ended_by = ${lasting} LIMIT $2) AS counted`);

/** Where the entries of people are: in the table `e`, with one that lasts for each. */
interface Entries {
  readonly table: string;
  /** The column with the ID of the person. */
  readonly userId: string;
  /** Those of the group or client in this place. */
  of(place: string): string;
}

/** The people with such an entry, found and sorted like people; `further` is what the entry has to meet besides. */
export function peopleIn(database: Database, { table, userId, of }: Entries) {
  const entries = perEngine((engine) =>
    select(
      [
        computed<{ user_id: string; began_at: number | null; expires_at: number | null }>(
          `${userId} AS user_id, e.began_at AS began_at, e.expires_at AS expires_at`,
        ),
      ],
      `FROM ${namedIds(engine, '$2')} AS n CROSS JOIN ${table} e
        WHERE ${of('$1')} AND ${userId} = n.id AND e.ended_by = ${lasting}`,
    ),
  );
  return async (
    owner: string,
    query: MembersQuery,
    further: readonly WalkCondition[] = [],
  ): Promise<Page<Listed<User>>> => {
    const whole: WalkCondition = (place, engine) =>
      [of(place(owner)), `e.ended_by = ${lasting}`, ...further.map((each) => each(place, engine))].join(' AND ');
    const isIn: WalkCondition = (place, engine) =>
      `EXISTS (SELECT 1 FROM ${table} e WHERE ${userId} = u.id AND ${whole(place, engine)} LIMIT 1 OFFSET 0)`;
    const ids: WalkCondition = (place, engine) =>
      `SELECT ${userId} AS id FROM ${table} e WHERE ${whole(place, engine)}`;
    const list = { kind: 'person', table: users, columns: userColumns, limits: listLimits, toItem: toUser } as const;
    const filter = { met: isIn, indexes: [byIds(ids, () => 'true')] };
    const page = await pageOfList(database, list, query, filter);
    const listed = await database.read(entries, [owner, JSON.stringify(page.items.map(({ id }) => id))]);
    const rows = new Map(listed.map((row) => [row.user_id, row]));
    const items = page.items.map((user) => {
      const { began_at: listedSince = null, expires_at: listedUntil = null } = rows.get(user.id) ?? {};
      return { ...user, listedSince, listedUntil };
    });
    return { ...page, items };
  };
}

export function sqlMembers(database: Database) {
  const inOrderOfIds = async (members: readonly WalkCondition[], part: ListPart): Promise<Page<Listed<User>>> => {
    const walked: Walk = {
      from: 'group_members gm JOIN users u ON u.id = gm.user_id',
      conditions: members,
      key: ['gm.user_id'],
      valuesAt: ([, id]) => [id],
    };
    const page = pageOf(await walk(database, listedUser.columns('gm'), walked, part), part, listedUser.decode, byId);
    return part.total ? { ...page, total: await countWalked(database, walked, {}) } : page;
  };

  const found = peopleIn(database, {
    table: 'group_members',
    userId: 'e.user_id',
    of: (place) => `e.group_id = ${place}`,
  });

  return {
    /** All of them, those whom a search finds, or those whose membership ends in a span of time. */
    async pageMembers(groupId: string, query: ListPart & Partial<MembersQuery>, ending?: Span) {
      const { words = [], order } = query;
      if (words.length > 0 || order !== undefined) {
        return found(groupId, { ...query, words }, endsIn('e.expires_at', ending));
      }
      const isMember: WalkCondition = (place) => `gm.group_id = ${place(groupId)} AND gm.ended_by = ${lasting}`;
      return inOrderOfIds([isMember, ...endsIn('gm.expires_at', ending)], query);
    },

    /** As far as that. */
    countMembers: (groupId: string, most = Number.MAX_SAFE_INTEGER) => database.count(memberCount, [groupId, most]),
  };
}
