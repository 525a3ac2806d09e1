// Who can use a client now, as a filter of people (lists/filtered.ts): the condition, and the tables that say who they are. What isn't asked
// for is left out: a server takes longer to plan these look-ups than to make some of them.

import type { AccessFilters } from '../../protocol/admin/access-filters.ts';
import { DAY } from '../../protocol/durations.ts';
import { directly, everyoneDirectly, everyoneThroughGroups, throughGroups } from '../groups/access-conditions.ts';
import type { Client } from '../records.ts';
import { byIds, type ListFilter } from '../sql/lists/filtered.ts';
import type { WalkCondition } from '../sql/lists/walk.ts';

export type ClientWithAccess = Pick<Client, 'id' | 'access' | 'generation' | 'revokedAt'>;

/** The filters of a list, at a time. */
export interface AccessFilter {
  readonly by: AccessFilters;
  readonly now: number;
}

type Place = Parameters<WalkCondition>[0];

/** Looked up for one person after the other: a server would otherwise read everyone who has access. */
const exists = (from: string) => `EXISTS (SELECT 1 FROM ${from} LIMIT 1 OFFSET 0)`;
const number = (place: Place, value: number) => `CAST(${place(value)} AS BIGINT)`;
const text = (place: Place, value: string) => `CAST(${place(value)} AS TEXT)`;
const all =
  (...conditions: readonly WalkCondition[]): WalkCondition =>
  (place, engine) =>
    conditions.map((condition) => condition(place, engine)).join(' AND ');

/** `openSince` is since when everyone can use the client, if they can; null if that isn't known. */
export function accessFilter(
  client: ClientWithAccess,
  { by, now }: AccessFilter,
  openSince: number | null,
  isSearch: boolean,
): ListFilter {
  const isOpen = client.access === 'everyone';
  const { reason, group, expiresWithin, unused } = by;
  const until = now + (expiresWithin ?? 0) * DAY;
  const before = now - (unused ?? 0) * DAY;
  const direct = (place: Place, at = now) => directly('u.id', text(place, client.id), number(place, at));
  const byGroups = (place: Place, at = now) => throughGroups('u.id', text(place, client.id), number(place, at));
  const consent = (place: Place) => `consents k WHERE k.user_id = u.id AND k.client_id = ${text(place, client.id)}
    AND k.client_generation = ${number(place, client.generation)}`;

  const canSignIn: WalkCondition = (place) =>
    `+u.disabled_at IS NULL AND (+u.expires_at IS NULL OR +u.expires_at > ${number(place, now)})`;
  const ends: WalkCondition = (place) =>
    `NOT ${exists(direct(place, until))} AND NOT ${exists(byGroups(place, until))}`;
  /** Where it isn't known since when, it's since the account is there. */
  const isUnused: WalkCondition = (place) => {
    const since = number(place, before);
    const isLong = (one: string, other = one) =>
      `COALESCE(${one}.began_at, ${other}.began_at, u.created_at) < ${since}`;
    const isOpenLong = () => `${number(place, openSince ?? 0)} < ${since} AND u.created_at < ${since} OR`;
    return `NOT ${exists(`${consent(place)} AND k.last_used_at >= ${since}`)}
      AND (${isOpen ? isOpenLong() : ''} ${exists(`${direct(place)} AND ${isLong('ca')}`)}
        OR ${exists(`${byGroups(place)} AND ${isLong('ca', 'gm')} AND ${isLong('gm', 'ca')}`)})`;
  };
  const isDirect: WalkCondition = (place) => exists(direct(place));
  const isInGroup: WalkCondition = (place) => {
    const inThis = group === undefined ? '' : `AND gm.group_id = ${place(group)}`;
    return exists(`${byGroups(place)} ${inThis}`);
  };
  const isOnList: WalkCondition = (place) => `(${exists(direct(place))} OR ${exists(byGroups(place))})`;
  const isConnected: WalkCondition = (place) => exists(consent(place));

  const further = all(
    canSignIn,
    ...(expiresWithin === undefined ? [] : [ends]),
    ...(unused === undefined ? [] : [isUnused]),
  );
  const reasons = [
    ...(reason === 'person' ? [isDirect] : []),
    ...(reason === 'group' || group !== undefined ? [isInGroup] : []),
  ];
  const isImplied = reasons.length > 0 || unused !== undefined;
  const met = all(further, ...reasons, ...(isOpen ? [isConnected] : isImplied ? [] : [isOnList]));

  const directIds: WalkCondition = (place) => everyoneDirectly(text(place, client.id), number(place, now), 'true');
  const groupIds: WalkCondition = (place, engine) => {
    const inThis = group === undefined ? 'true' : `ca.subject_id = ${place(group)}`;
    return everyoneThroughGroups(engine, text(place, client.id), number(place, now), inThis, 'true');
  };
  const listIds: WalkCondition = (place, engine) => {
    if (group !== undefined || reason === 'group') return groupIds(place, engine);
    return reason === 'person'
      ? directIds(place, engine)
      : `${directIds(place, engine)} UNION ALL ${groupIds(place, engine)}`;
  };
  const endingIds: WalkCondition = (place, engine) => {
    const [of, at, end] = [text(place, client.id), number(place, now), number(place, until)];
    const isEnding = (alias: string) => `${alias}.expires_at IS NOT NULL AND ${alias}.expires_at <= ${end}`;
    return `${everyoneDirectly(of, at, isEnding('ca'))}
      UNION ALL ${everyoneThroughGroups(engine, of, at, isEnding('ca'), 'true')}
      UNION ALL ${everyoneThroughGroups(engine, of, at, 'true', isEnding('gm'))}`;
  };
  const connectedIds: WalkCondition = (place) => `SELECT k.user_id AS id FROM consents k
    WHERE k.client_id = ${text(place, client.id)} AND k.client_generation = ${number(place, client.generation)}
      ${unused === undefined ? '' : `AND k.last_used_at < ${number(place, before)}`}`;

  // Most who have access have it at both times, which takes as many look-ups again.
  const effort = expiresWithin !== undefined ? 4 : isSearch || Object.keys(by).length > 0 ? 2 : 1;
  // Everyone in these meets the reasons; with two of them, those by the group may have no entry of their own.
  const isListed = !isOpen && reasons.length < 2;
  return {
    met,
    effort,
    indexes: [
      ...(isOpen ? [byIds(connectedIds, reasons.length > 0 ? met : further, effort)] : []),
      ...(reasons.length > 0 || (!isOpen && expiresWithin === undefined)
        ? [byIds(listIds, isListed ? further : met, effort)]
        : []),
      ...(expiresWithin === undefined ? [] : [byIds(endingIds, reasons.length > 0 ? met : further, effort)]),
    ],
  };
}
