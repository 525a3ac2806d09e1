// Who can use an application, and why: the list, one person, and what a person can use. Administrators read it to decide who keeps
// access.

import { groupKey } from '../../protocol/account/names.ts';
import { type Standing, standingOf } from '../../protocol/account/standing.ts';
import {
  type AccessFilters,
  readAccessFilters,
  type WrittenAccessFilters,
} from '../../protocol/admin/access-filters.ts';
import { type Authority, may } from '../../protocol/admin/rights.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { AccessReason, Client, PersonWithAccess, User } from '../../storage/storage.ts';
import { findGroups } from '../admin/named-groups.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import type { Storing, Timing } from '../services.ts';
import { findUserCalled } from '../users/users.ts';
import { findClient } from './clients.ts';

export const accessSorts = ['name', 'last_sign_in', 'created'] as const;

export interface AccessRequest extends ListRequest, WrittenAccessFilters {
  /** Who asks; undefined for the command line. An owner learns of no group that isn't on the list. */
  readonly authority?: Authority | undefined;
}

/** The people who can use it now; of one that everyone can use, those who have connected it. */
export async function listPeopleWithAccess(
  services: Timing,
  clientId: string,
  request: AccessRequest,
): Outcome<{ client: Client; people: ListPage<PersonWithAccess> }> {
  const { storage, clock } = services;
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  const { client } = found;
  const read = await filtersIn(services, client, request);
  if (read.kind === 'refused') return read;
  const filter = { by: read.by, now: clock.now() };
  const page = await readPage(
    request,
    (query) => storage.pagePeopleWithAccess(client, { ...query, filter }),
    accessSorts,
  );
  return page.kind === 'refused' ? page : { ...found, people: page };
}

/** How many people there are in the list without filters. */
export function countPeopleWithAccess({ storage, clock }: Timing, client: Client): Promise<Total> {
  return storage.countPeopleWithAccess(client, clock.now());
}

async function filtersIn(
  services: Storing,
  { id }: Client,
  request: AccessRequest,
): Outcome<{ readonly by: AccessFilters }> {
  const by = readAccessFilters(request);
  if ('problem' in by) return refused({ field: by.name, says: `"${by.name}" ${by.problem}` });
  if (!request.group) return { kind: 'done', by };
  if (!may(request.authority, 'access.read')) {
    const listed = await services.storage.listAllowedGroups(id);
    const meant = listed.find(
      (group) => group.id === request.group || groupKey(group.name) === groupKey(request.group ?? ''),
    );
    return meant === undefined
      ? refused(`there is no group "${request.group}" on the list`)
      : { kind: 'done', by: { ...by, group: meant.id } };
  }
  const found = await findGroups(services, [request.group]);
  return found.kind === 'refused' ? found : { kind: 'done', by: { ...by, group: found.groups[0]?.id ?? '' } };
}

export interface AccessCheck {
  readonly client: Client;
  readonly user: User;
  /** Whether the person can use the application now. */
  readonly allowed: boolean;
  /** What would let them in, also while their account or the application can't be used. */
  readonly reasons: readonly AccessReason[];
  readonly standing: Standing;
}

/** Of a person who is named by ID, email address or username. */
export async function checkAccess(services: Timing, clientId: string, person: string): Outcome<AccessCheck> {
  const { storage, clock } = services;
  const [found, named] = await Promise.all([findClient(services, clientId), findUserCalled(services, person)]);
  if (found.kind === 'refused') return found;
  if (named.kind === 'refused') return named;
  const { client } = found;
  const { user } = named;
  const now = clock.now();
  const [isLetIn, [described]] = await Promise.all([
    storage.hasAccess(clientId, user.id, now),
    storage.describeAccess(client, [user], now),
  ]);
  const standing = standingOf(user, now);
  const allowed = isLetIn && standing === 'active' && client.revokedAt === null;
  return { kind: 'done', client, user, allowed, reasons: described?.reasons ?? [], standing };
}

/** Since when a person has had access by what gives it now; null if that isn't known. */
export function firstSince(reasons: readonly AccessReason[]): number | null {
  const times = reasons.map(({ since }) => since);
  return times.reduce(
    (first, since) => (first === null || since === null ? null : Math.min(first, since)),
    times[0] ?? null,
  );
}

export function reasonJson({ kind, group, since, expiresAt }: AccessReason) {
  return { kind, group: group && { ...group }, since: isoTime(since), expires_at: isoTime(expiresAt) };
}

export function personWithAccessJson({ person, reasons, expiresAt, connectedAt, lastUsedAt }: PersonWithAccess) {
  const { id, name, email } = person;
  return {
    person: { id, name, email },
    reasons: reasons.map(reasonJson),
    expires_at: isoTime(expiresAt),
    connected_at: isoTime(connectedAt),
    last_used_at: isoTime(lastUsedAt),
  };
}
