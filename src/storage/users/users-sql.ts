// Users: accounts, profiles, pictures and roles.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/names.ts';
import { gainsRole, type HeldRoles, keepsGivenRights, rolesOf } from '../../protocol/account/roles.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Logo } from '../../protocol/reading/logo.ts';
import { changeValues, valueGuards } from '../attributes/values-sql.ts';
import { forgetUser } from '../clients/access-list-sql.ts';
import type { Statement, Value } from '../driver.ts';
import { nextChange } from '../groups/access-conditions.ts';
import { beforeJoining, joinGroups } from '../groups/joining-sql.ts';
import type { Attribute, AttributeChange, NewMember, NewSession, Profile, User } from '../records.ts';
import { forgetReviewed } from '../reviews/reviews-sql.ts';
import { pictures, users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import {
  firstAdministrator,
  holdsNoRole,
  keepAnAdministrator,
  leaveRoomToWait,
  lockAdministrators,
  lockUser,
  oneAdministratorStays,
  withoutRole,
} from '../sql/guards.ts';
import { consumeLink, endOffers } from '../sql/links.ts';
import { activityOf } from '../sql/lists/time-walk.ts';
import { forgetWords, insertNewWords, setEmailWords, setNameWords } from '../sql/lists/words.ts';
import { columnsExcept, computed, countOf, insertInto, replaceIn, required, select } from '../sql/query.ts';
import { fromLogo, fromUser, toLogo, toUser, userColumns, usernameKeyOf } from '../sql/rows.ts';
import { addPasskey } from '../sql/second-factors.ts';
import { startStatements } from '../sql/sessions.ts';
import { insertEventOncePerMinute } from '../webhooks/outbox-sql.ts';
import type { DeletedIds } from './deleted-ids-sql.ts';
import { inviterStands } from './given-rights-sql.ts';
import { refuseTaken } from './names-sql.ts';
import { useSignUpLink } from './sign-up-links-sql.ts';
import { endedBy } from './what-ends-sql.ts';

const byId = select([userColumns], 'FROM users u WHERE u.id = $1');
const byEmail = select([userColumns], 'FROM users u WHERE u.email_key = $1');
const byUsername = select([userColumns], 'FROM users u WHERE u.username_key = $1');
const oldestFirst = select([userColumns], 'FROM users u ORDER BY u.created_at, u.id');
type CountsRow = Readonly<Record<'everybody' | 'active' | 'never_signed_in' | 'without_factor', number>>;
const counts = select(
  [
    computed<CountsRow>(`(SELECT COUNT(*) FROM users) AS everybody,
      (SELECT COUNT(*) FROM users WHERE ${activityOf('users')} >= $1 AND last_active_at >= $1) AS active,
      (SELECT COUNT(*) FROM users WHERE NOT last_sign_in_at > 0) AS never_signed_in,
      (SELECT COUNT(*) FROM users WHERE has_factor = 0) AS without_factor`),
  ],
  '',
);
const countsAfter = select(
  [
    computed<CountsRow>(`COUNT(*) AS everybody, COUNT(CASE WHEN x.last_active_at >= $2 THEN 1 END) AS active,
      COUNT(CASE WHEN x.last_sign_in_at = 0 THEN 1 END) AS never_signed_in,
      COUNT(CASE WHEN x.has_factor = 0 THEN 1 END) AS without_factor`),
    computed<{ last: string | null }>('MAX(x.id) AS last'),
  ],
  `FROM (SELECT u.id, u.last_active_at, u.last_sign_in_at, u.has_factor FROM users u
    WHERE u.id > $1 ORDER BY u.id LIMIT $3) AS x`,
);
/** Written like the conditions of their indexes. */
const rolesAndOwners = ['(u.roles IS NOT NULL OR u.admin_since IS NOT NULL)', `u.is_owner = 1 AND ${holdsNoRole('u')}`];
const withRole = rolesAndOwners.map((who) => `SELECT u.has_factor FROM users u WHERE ${who}`).join(' UNION ALL ');
const countsWithRole = select(
  [
    computed<Pick<CountsRow, 'everybody' | 'without_factor'>>(`COUNT(*) AS everybody,
      COUNT(CASE WHEN x.has_factor = 0 THEN 1 END) AS without_factor`),
  ],
  `FROM (${withRole}) AS x`,
);
const administrators = countOf('FROM users WHERE admin_since IS NOT NULL AND disabled_at IS NULL');
const administratorList = select(
  [userColumns],
  'FROM users u WHERE u.admin_since IS NOT NULL AND u.disabled_at IS NULL ORDER BY u.created_at, u.id',
);
/** From one to the next in their index, however many people each has. */
const directories = select(
  [computed<{ name: string }>('n.name AS name')],
  `FROM (WITH RECURSIVE named (name) AS (SELECT MIN(managed_by) FROM users WHERE managed_by IS NOT NULL
      UNION ALL SELECT (SELECT MIN(u.managed_by) FROM users u WHERE u.managed_by > named.name) FROM named
        WHERE named.name IS NOT NULL)
    SELECT name FROM named WHERE name IS NOT NULL LIMIT $1) AS n`,
);
const pictureOf = select(
  [columnsExcept(pictures, 'user_id')],
  'FROM pictures i WHERE i.user_id = $1 AND i.version = $2',
);
const insertRow = insertInto(users);
const replacePicture = replaceIn(pictures);

/** `neverSignedIn` and `withoutFactor` are those whom the filters of the list find. */
function toCounts(row: CountsRow | undefined) {
  return {
    all: row?.everybody ?? 0,
    active: row?.active ?? 0,
    neverSignedIn: row?.never_signed_in ?? 0,
    withoutFactor: row?.without_factor ?? 0,
  };
}

/** Email addresses and usernames are unique, ignoring case: a duplicate is a StorageConflict. */
export function sqlUsers(database: Database, deletedIds: DeletedIds) {
  return {
    /**
     * False if the attributes are no longer those that the user's values were checked by, for an administrator whose access
     * ends while there is none whose doesn't, and if the event's guard says so.
     */
    async createUser(user: User, event: EventRecord, checkedBy: readonly Attribute[] = []) {
      const mayBeAlone = user.adminSince === null || user.expiresAt === null;
      return database.writeWith(event, [
        ...valueGuards(checkedBy),
        ...(await insertUser(user, deletedIds, event)),
        ...(mayBeAlone ? [] : oneAdministratorStays()),
      ]);
    },

    /**
     * Creates the user that a link stands for, which uses it up, and starts their session. False when the link was used
     * or has expired, for a set-up link also when there is an administrator, for a user who waits for approval when too many do,
     * if the passkey that the user signs in with is registered already, and when the link to sign up with or the person who invited
     * someone to a role isn't good for it any more.
     */
    async signUp(
      user: User,
      { digest, purpose }: { readonly digest: string; readonly purpose: 'sign_up' | 'invite' | 'set_up' },
      now: number,
      events: EventRecord | readonly EventRecord[],
      start?: NewSession,
      { groups, signUpLink, role, passkey }: NewMember = { groups: [] },
    ) {
      const guard = purpose === 'set_up' ? firstAdministrator() : [];
      return database.writeWith(events, [
        ...beforeJoining(groups),
        ...guard,
        ...roomFor(user),
        // In this order, as when an administrator is removed.
        ...(role === undefined ? [] : [lockAdministrators, ...inviterStands(role.inviter, now)]),
        consumeLink(digest, purpose, now),
        ...(signUpLink === undefined ? [] : [useSignUpLink(signUpLink, now)]),
        ...(await insertUser(user, deletedIds)),
        ...(user.adminSince === null || user.expiresAt === null ? [] : oneAdministratorStays()),
        ...(passkey === undefined ? [] : addPasskey(passkey)),
        ...joinGroups(user.id, groups, now),
        ...(start === undefined ? [] : [noteSignIn(user.id, now), ...startStatements(start)]),
      ]);
    },

    findUser: (userId: string) => database.first(byId, [userId], toUser),

    findUserByEmail: (email: string) => database.first(byEmail, [emailKey(email)], toUser),

    findUserByUsername: (username: string) => database.first(byUsername, [usernameKey(username)], toUser),

    /** Oldest first. */
    listUsers: () => database.list(oldestFirst, [], toUser),

    /** Some of the directories that people belong to, by name. */
    listDirectories: (limit: number) => database.list(directories, [limit], ({ name }) => name),

    /** How many there are, and how many of them have signed in or used a client since then. */
    async countUsers(activeSince: number) {
      const [row] = await database.read(counts, [activeSince]);
      return toCounts(row);
    },

    /** Counts the next few in the order of their IDs. `last` is undefined once there are no more. */
    async countNextUsers(after: string, activeSince: number, limit: number) {
      const [row] = await database.read(countsAfter, [after, activeSince, limit]);
      const next = toCounts(row);
      return { ...next, last: next.all < limit ? undefined : (row?.last ?? undefined) };
    },

    /** Of those with a role, and owners: of whom is asked what's asked of administrators. */
    async countUsersWithRole() {
      const [row] = await database.read(countsWithRole, []);
      return { all: row?.everybody ?? 0, withoutFactor: row?.without_factor ?? 0 };
    },

    /**
     * False for an unknown user, if the attributes are no longer those that the values were checked by, or for another username of
     * someone who belongs to a directory.
     */
    changeProfile(userId: string, profile: Profile, now: number, event: EventRecord, attributes?: AttributeChange) {
      const { name, givenName, familyName, locale, preferredUsername } = profile;
      const update = required(
        `UPDATE users SET name = $2, given_name = $3, family_name = $4, locale = $5, preferred_username = $6,
          username_key = $7, updated_at = $8 WHERE id = $1
          AND (managed_by IS NULL OR username_key IS NOT DISTINCT FROM $7 OR NOT (${withoutRole('users')}))
          RETURNING id`,
        [userId, name, givenName, familyName, locale, preferredUsername, usernameKeyOf(profile), now],
      );
      return database.write([
        ...(attributes === undefined ? [] : changeValues(userId, attributes, now)),
        ...refuseTaken([{ username: preferredUsername }], userId),
        update,
        ...setNameWords(userId, [name, givenName, familyName]),
        ...insertEventOncePerMinute(event),
      ]);
    },

    /** The picture and the URL where it is served; undefined removes it. */
    setPicture(
      userId: string,
      picture: (Logo & { readonly url: string }) | undefined,
      now: number,
      event: EventRecord,
    ) {
      const sql = 'UPDATE users SET picture = $2, updated_at = $3 WHERE id = $1 RETURNING id';
      const update = required(sql, [userId, picture?.url ?? null, now]);
      const store =
        picture === undefined
          ? { sql: 'DELETE FROM pictures WHERE user_id = $1', params: [userId] }
          : replacePicture({ user_id: userId, ...fromLogo(picture) });
      return database.write([update, store, ...insertEventOncePerMinute(event)]);
    },

    findPicture: (userId: string, version: string) => database.first(pictureOf, [userId, version], toLogo),

    /** Those who can sign in. */
    countAdministrators: () => database.count(administrators, []),

    /** Those who can sign in, oldest first. */
    listAdministrators: () => database.list(administratorList, [], toUser),

    /**
     * False when nothing would change, the user's roles are no longer those of `basis`, a disabled user would get a role, or no
     * administrator would remain whose access doesn't end. Ends what the user has made for others and couldn't make now, as
     * `disableUser`, `enableUser` and `deleteUser` do; events may be about that.
     */
    async setRoles(
      userId: string,
      basis: HeldRoles,
      next: HeldRoles,
      now: number,
      event: EventRecord,
      furtherEvents: readonly EventRecord[] = [],
    ) {
      const [held, given] = [rolesOf(basis), rolesOf(next)];
      const gains = gainsRole(held, given);
      if (!gains && held.length === given.length) return false;
      const update = `UPDATE users SET admin_since = $2, roles = $3 WHERE id = $1 AND admin_since IS NOT DISTINCT FROM $4
        AND roles IS NOT DISTINCT FROM $5 ${gains ? 'AND disabled_at IS NULL' : ''} RETURNING id`;
      const wasAdministrator = basis.adminSince !== null;
      const isAdministrator = next.adminSince !== null;
      const ending = { userId, now, event };
      // A link made for someone with less power must not open the account of someone with more.
      return database.writeWith(
        [event, ...furtherEvents],
        [
          ...(wasAdministrator && !isAdministrator ? keepAnAdministrator(userId) : []),
          required(update, [userId, next.adminSince, next.roles, basis.adminSince, basis.roles]),
          ...(isAdministrator && !wasAdministrator ? oneAdministratorStays() : []),
          ...endedBy(keepsGivenRights(held, given) ? 'roles_changed' : 'rights_lost', ending),
        ],
      );
    },

    /** False when unknown, or the last administrator, or the event's guard says so. */
    async deleteUser(userId: string, event: EventRecord, endEvents: readonly EventRecord[] = []) {
      const remembered = await deletedIds.remember(userId);
      return database.writeWith([event, ...endEvents], deleteStatements(userId, remembered, event));
    },
  };
}

/**
 * Deletes the user with everything that is stored about them but their ID, which `remembered` remembers, if the condition holds,
 * whose parameters start with `$2`.
 */
export function deleteStatements(
  userId: string,
  remembered: Statement,
  event: EventRecord,
  condition = 'true',
  params: readonly Value[] = [],
): Statement[] {
  // Not only before and afterwards, as for other changes: a server may wait here for a role to be given, and nobody is left to look at.
  const allowed = event.limited ? withoutRole('users') : 'true';
  return [
    nextChange,
    ...keepAnAdministrator(userId),
    lockUser(userId),
    ...endedBy('deleted', { userId, now: event.at, event }),
    ...endOffers('email_key IN (SELECT email_key FROM users WHERE id = $1)', [userId], event),
    required(`DELETE FROM users WHERE id = $1 AND ${condition} AND ${allowed} RETURNING id`, [userId, ...params]),
    remembered,
    ...[...deletionsOfOwned, ...forgetUser].map((sql) => ({ sql, params: [userId] })),
    ...forgetReviewed(userId),
    forgetWords('person', userId),
    { sql: 'DELETE FROM webhook_deliveries WHERE user_id = $1 AND finished_at IS NOT NULL', params: [userId] },
    // Keep the events, and the details of what administrators did. Erase the user's IP addresses and the details of
    // their own actions. A person who came back and goes again keeps the roles of an earlier deletion: who sees the events depends
    // on them.
    {
      sql: `UPDATE events SET address = '', detail = CASE
              WHEN actor_kind IS NULL AND kind NOT IN ('account_deleted', 'user_deleted') THEN '{}' ELSE detail END
            WHERE user_id = $1`,
      params: [userId],
    },
  ];
}

/** What doesn't end with the account: grants that are void with their user, links that open nothing, and what isn't access. */
const deletionsOfOwned = ['grants', 'links', 'pictures', 'imported_people'].map(
  (table) => `DELETE FROM ${table} WHERE user_id = $1`,
);

/**
 * Ends other pending sign-up links and invitations for this address. A StorageConflict if one of the user's names is taken, or the
 * ID was a deleted person's.
 */
export async function insertUser(user: User, deletedIds: DeletedIds, event?: EventRecord): Promise<Statement[]> {
  const { id, email, preferredUsername: username } = user;
  return [
    ...refuseTaken([{ id, email, username }]),
    insertRow(fromUser(user)),
    ...(await deletedIds.refuse([id])),
    ...endOffersTo(email, event),
    ...insertNewWords([user]),
  ];
}

/** For a write that gives the user another email address. */
export function otherAddress(userId: string, email: string, event: EventRecord): Statement[] {
  const ended = endedBy('address_changed', { userId, now: event.at, event });
  return [...setEmailWords(userId, email), ...ended, ...endOffersTo(email, event)];
}

function endOffersTo(email: string, event: EventRecord | undefined): Statement[] {
  return endOffers('email_key = $1 AND user_id IS NULL', [emailKey(email)], event);
}

/** Comes first in a write that creates the user: rolls back if they have to wait for approval, and too many do. */
export function roomFor({ pendingSince }: User): Statement[] {
  return pendingSince === null ? [] : leaveRoomToWait();
}

/** For a user who was just created. */
export function noteSignIn(userId: string, now: number): Statement {
  return { sql: 'UPDATE users SET last_active_at = $2, last_sign_in_at = $2 WHERE id = $1', params: [userId, now] };
}
