// People of directories: a directory finds and changes its own, and those whom it may take over.

import { emailKey } from '../../protocol/account/email-address.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { MappedPerson } from '../../protocol/scim/user-mapping.ts';
import { changeValues } from '../attributes/values-sql.ts';
import type { Engine } from '../driver.ts';
import { nextChange } from '../groups/access-conditions.ts';
import { leaveGroup } from '../groups/groups-sql.ts';
import type { AttributeChange, ListedChange, User } from '../records.ts';
import type { Database } from '../sql/database.ts';
import { holdsNoRole, withoutRole } from '../sql/guards.ts';
import { setNameWords } from '../sql/lists/words.ts';
import { countOf, perEngine, required, select } from '../sql/query.ts';
import { toUser, userColumns, usernameKeyOf } from '../sql/rows.ts';
import type { DeletedIds } from '../users/deleted-ids-sql.ts';
import { refuseTaken } from '../users/names-sql.ts';
import { disableStatements, enableStatements } from '../users/standing-sql.ts';
import { deleteStatements, otherAddress } from '../users/users-sql.ts';

/** Whom a token can see. */
export interface ScimView {
  readonly source: string;
  /** Anyone who has a verified address in one of these and belongs to no directory can be taken over. */
  readonly adopts: readonly string[];
}

export interface WantedText {
  readonly eq?: string | undefined;
  readonly sw?: string | undefined;
}

/** What is compared, in the form that it's stored in. */
export interface ScimUserFilter {
  readonly id?: WantedText | undefined;
  readonly email?: WantedText | undefined;
  /** The username, or the email address of someone who has none. */
  readonly userName?: WantedText | undefined;
  readonly externalId?: (WantedText & { readonly pr?: true | undefined }) | undefined;
  readonly name?: WantedText | undefined;
  readonly active?: boolean | undefined;
}

/** What an index finds: with one of these, no more than a few people are looked at. */
const leads = {
  none: '',
  id: 'AND u.id = $3',
  email: 'AND u.email_key = $5',
  userName: 'AND (u.username_key = $7 OR u.email_key = $7)',
  externalId: 'AND u.external_id = $9',
} as const;
type Lead = keyof typeof leads;

const isEqual = (value: string, place: number) => `(CAST($${place} AS TEXT) IS NULL OR ${value} = $${place})`;
const startsWith = (value: string, place: number) =>
  `(CAST($${place} AS TEXT) IS NULL OR substr(${value}, 1, length(CAST($${place} AS TEXT))) = $${place})`;
/** Fills two places, from `first` on. */
export const texts = (value: string, first: number) =>
  `AND ${isEqual(value, first)} AND ${startsWith(value, first + 1)}`;

/** Of a person without a directory it's the email address: anyone can choose a username. */
const userName = 'CASE WHEN u.managed_by IS NULL THEN u.email_key ELSE COALESCE(u.username_key, u.email_key) END';

/** Letters other than A to Z have a case in the embedded store. */
const comparisons = `${texts('u.id', 3)} ${texts('u.email_key', 5)} ${texts(userName, 7)}
  ${texts('u.external_id', 9)} AND (CAST($11 AS BIGINT) IS NULL OR u.external_id IS NOT NULL)
  AND (CAST($12 AS TEXT) IS NULL OR lower(u.name) = lower($12))
  AND (CAST($13 AS TEXT) IS NULL OR substr(lower(u.name), 1, length(CAST($13 AS TEXT))) = lower($13))
  AND (CAST($14 AS BIGINT) IS NULL OR $14 = CASE WHEN u.disabled_at IS NULL
    AND (u.expires_at IS NULL OR u.expires_at > $15) THEN 1 ELSE 0 END)`;

/** `$2` has the domains as ` @example.com @example.org `. */
function isVisible(engine: Engine, adopts: boolean): string {
  if (!adopts) return 'u.managed_by = $1 AND CAST($2 AS TEXT) IS NOT NULL';
  const at = engine === 'server' ? 'strpos' : 'instr';
  return `(u.managed_by = $1 OR (u.managed_by IS NULL AND u.email_verified_at IS NOT NULL
    AND ${at}($2, ' ' || substr(u.email_key, ${at}(u.email_key, '@')) || ' ') > 0))`;
}

function queriesFor(lead: Lead, adopts: boolean) {
  const from = (engine: Engine) => `FROM users u WHERE ${isVisible(engine, adopts)} ${leads[lead]} ${comparisons}`;
  return {
    page: perEngine((engine) =>
      select([userColumns], `${from(engine)} ORDER BY u.created_at, u.id LIMIT $16 OFFSET $17`),
    ),
    count: perEngine((engine) => countOf(from(engine))),
  };
}

const queries = Object.fromEntries(
  (Object.keys(leads) as Lead[]).map((lead) => [lead, { own: queriesFor(lead, false), all: queriesFor(lead, true) }]),
) as Record<Lead, Record<'own' | 'all', ReturnType<typeof queriesFor>>>;

const update = `UPDATE users SET email = $2, email_key = $3,
    email_verified_at = CASE WHEN email_key = $3 AND email_verified_at IS NOT NULL THEN email_verified_at
      ELSE CAST($4 AS BIGINT) END,
    name = $5, given_name = $6, family_name = $7, locale = $8, preferred_username = $9, username_key = $10,
    external_id = $11, adopted_at = CASE WHEN managed_by IS NULL THEN CAST($12 AS BIGINT) ELSE adopted_at END,
    managed_by = $13, updated_at = CAST($12 AS BIGINT)
  WHERE id = $1 AND ${withoutRole('users')} AND managed_by IS NOT DISTINCT FROM $14 AND email = $15 AND name = $16
    AND given_name IS NOT DISTINCT FROM $17 AND family_name IS NOT DISTINCT FROM $18
    AND locale IS NOT DISTINCT FROM $19 AND preferred_username IS NOT DISTINCT FROM $20
    AND external_id IS NOT DISTINCT FROM $21 AND (CAST($14 AS TEXT) IS NOT NULL OR email_verified_at IS NOT NULL)
  RETURNING id`;

const release = `UPDATE users SET managed_by = NULL, external_id = NULL, adopted_at = NULL, updated_at = $3
  WHERE id = $1 AND managed_by = $2 AND adopted_at IS NOT NULL AND ${withoutRole('users')} RETURNING id`;

export interface ScimUserChange {
  readonly source: string;
  readonly person: MappedPerson;
  /** When the email address was verified, if it wasn't before. */
  readonly emailVerifiedAt: number | null;
  readonly attributes: AttributeChange | undefined;
  readonly standing: 'disabled' | 'enabled' | undefined;
}

export function sqlScimUsers(database: Database, deletedIds: DeletedIds) {
  return {
    /** Oldest first, and how many there are in all. */
    async findScimUsers(
      view: ScimView,
      filter: ScimUserFilter,
      part: { readonly limit: number; readonly offset: number },
      now: number,
    ) {
      const { id, email, userName, externalId, name, active } = filter;
      const lead: Lead =
        id?.eq !== undefined
          ? 'id'
          : email?.eq !== undefined
            ? 'email'
            : userName?.eq !== undefined
              ? 'userName'
              : externalId?.eq !== undefined
                ? 'externalId'
                : 'none';
      const { page, count } = queries[lead][view.adopts.length === 0 ? 'own' : 'all'];
      const both = (wanted: WantedText | undefined) => [wanted?.eq ?? null, wanted?.sw ?? null];
      const params = [
        view.source,
        ` ${view.adopts.map((domain) => `@${domain}`).join(' ')} `,
        ...both(id),
        ...both(email),
        ...both(userName),
        ...both(externalId),
        externalId?.pr ? 1 : null,
        ...both(name),
        active === undefined ? null : active ? 1 : 0,
        now,
      ];
      const [users, total] = await Promise.all([
        part.limit === 0 ? [] : database.list(page, [...params, part.limit, part.offset], toUser),
        database.count(count, params),
      ]);
      return { users, total };
    },

    /**
     * Makes a person who belongs to no directory one of the source's. False if the person is no longer as they were, has got a role,
     * the attributes aren't those that values were checked by, or a person with the new email address is invited to a role; a
     * StorageConflict if the email address, the username or the external ID is taken.
     */
    changeScimUser(
      basis: User,
      { source, person, emailVerifiedAt, attributes, standing }: ScimUserChange,
      now: number,
      events: readonly [EventRecord, ...EventRecord[]],
    ) {
      const { id } = basis;
      const key = emailKey(person.email);
      const values = [person.email, key, emailVerifiedAt, person.name, person.givenName, person.familyName];
      const others = [person.locale, person.preferredUsername, usernameKeyOf(person), person.externalId, now, source];
      const names = [basis.name, basis.givenName, basis.familyName];
      const before = [basis.managedBy, basis.email, ...names, basis.locale, basis.preferredUsername, basis.externalId];
      return database.writeWith(events, [
        ...(attributes === undefined ? [] : changeValues(id, attributes, now)),
        ...refuseTaken([{ email: person.email, username: person.preferredUsername }], id),
        required(update, [id, ...values, ...others, ...before]),
        ...(hasNames(basis, person) ? [] : setNameWords(id, [person.name, person.givenName, person.familyName])),
        ...(person.email === basis.email ? [] : otherAddress(id, person.email, events[0])),
        ...(standing === 'disabled' ? disableStatements(id, now, events[0]) : []),
        ...(standing === 'enabled' ? enableStatements(id, now, events[0]) : []),
      ]);
    },

    /** Disables one of the source's people who owns an application, which the source can't change. False for someone with a role. */
    disableScimOwner(userId: string, source: string, now: number, event: EventRecord) {
      const hold = `UPDATE users SET updated_at = $3 WHERE id = $1 AND managed_by = $2 AND ${holdsNoRole('users')} RETURNING id`;
      return database.writeWith(event, [
        required(hold, [userId, source, now]),
        ...disableStatements(userId, now, event),
      ]);
    },

    /** Deletes someone whom the source created. False if it didn't, and for someone with a role. */
    async deleteScimUser(userId: string, source: string, event: EventRecord) {
      const condition = `managed_by = $2 AND adopted_at IS NULL AND ${withoutRole('users')}`;
      return database.writeWith(
        event,
        deleteStatements(userId, await deletedIds.remember(userId), event, condition, [source]),
      );
    },

    /** Disables a person whom the source took over, who then belongs to no source, and leaves its groups. False if it didn't. */
    releaseScimUser(
      { id, disabledAt }: User,
      source: string,
      groups: readonly ListedChange[],
      now: number,
      event: EventRecord,
    ) {
      return database.writeWith(event, [
        nextChange,
        required(release, [id, source, now]),
        ...(disabledAt === null ? disableStatements(id, now, event) : []),
        ...groups.flatMap((group) => leaveGroup(group.id, id, group.event)),
      ]);
    },
  };
}

function hasNames(basis: User, { name, givenName, familyName }: MappedPerson): boolean {
  return basis.name === name && basis.givenName === givenName && basis.familyName === familyName;
}
