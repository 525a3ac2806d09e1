// The numbers on the console's first page: how much happens, which clients are used, and what needs attention.

import { visibleEvents } from '../../protocol/admin/event-subjects.ts';
import type { PeopleFilters } from '../../protocol/admin/people-filters.ts';
import { type Authority, may } from '../../protocol/admin/rights.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import { DAY, HOUR } from '../../protocol/durations.ts';
import type { TotalKind } from '../../protocol/events/kinds.ts';
import { type BackupProblem, type BackupState, backupProblems } from '../../protocol/scheduled-backups.ts';
import type { Client, ListedUser } from '../../storage/storage.ts';
import { listApiKeys } from '../api-keys/api-keys.ts';
import { findBackupState } from '../backups/scheduled-backups.ts';
import { type LiveInstances, liveInstances, mismatched, withWrongClock } from '../instances/instances.ts';
import type { Recording, Services, Timing } from '../services.ts';
import { countPeople, type PeopleCount } from '../users/people-count.ts';

const busiest = 10;
const longestWaiting = 5;
const inactiveDays = 90;

export interface Series {
  readonly from: number;
  /** How much time each total covers, in milliseconds. */
  readonly step: number;
  readonly totals: Readonly<Record<'sign_in' | 'failure' | 'refresh', readonly number[]>>;
}

export type Warning =
  | { readonly kind: 'no_mail' }
  | { readonly kind: 'outbox' }
  | { readonly kind: 'plain_http' }
  /** Of several instances on this store, some have other settings or keys. */
  | { readonly kind: 'instances_differ' }
  /** The store's clock is off, compared with most instances. */
  | { readonly kind: 'store_clock_differs' }
  /** About scheduled backups. */
  | { readonly kind: BackupProblem }
  /** By the IDs of the instances. */
  | { readonly kind: 'clock_differs'; readonly instances: readonly string[] }
  /** By name. */
  | { readonly kind: 'administrator_keys'; readonly keys: readonly string[] }
  | { readonly kind: 'old_secret_in_use'; readonly client: { id: string; name: string }; readonly usedAt: number };

export interface Overview {
  /** Undefined for those who don't see all events. */
  readonly day: Series | undefined;
  readonly month: Series | undefined;
  /** How many wait for approval, and the first few of them. */
  readonly waiting: { readonly count: number; readonly people: readonly ListedUser[] };
  /** Undefined for those who don't see people. */
  readonly users: PeopleCount | undefined;
  /** The busiest ones first. */
  readonly clients: readonly {
    readonly id: string;
    readonly name: string;
    readonly signIns: number;
    readonly refreshes: number;
    readonly failures: number;
  }[];
  readonly warnings: readonly Warning[];
}

export interface PeopleToLookAt {
  /** In the last 30 days. */
  readonly signedIn: Total;
  /** Who can sign in, and hasn't used their account for 90 days. */
  readonly inactive: Total;
}

/** How many people each filter finds; undefined for those who don't see people. */
export async function peopleToLookAt(
  services: Timing,
  authority: Authority | undefined,
): Promise<PeopleToLookAt | undefined> {
  if (!may(authority, 'people.read')) return undefined;
  const { storage, clock } = services;
  const now = clock.now();
  const count = (by: PeopleFilters) => storage.countFilteredUsers({ by, now });
  const [signedIn, inactive] = await Promise.all([
    count({ signedIn: 30 }),
    count({ inactive: inactiveDays, status: 'active' }),
  ]);
  return { signedIn, inactive };
}

/** What the authority doesn't include isn't there; undefined is the command line. */
export async function overview(
  services: Recording & Pick<Services, 'issuer' | 'emailQueue' | 'storeClock'>,
  authority?: Authority,
): Promise<Overview> {
  const { storage, clock, journal } = services;
  // Totals that can't be written right now are no reason to hide the ones that have been.
  await journal.flush().catch(() => {});
  const now = clock.now();
  const thisHour = Math.floor(now / HOUR) * HOUR;
  const today = Math.floor(now / DAY) * DAY;
  const monthFrom = today - 29 * DAY;
  const [byHour, byClient, users, clients, instances, count, { items: people }, keys, backups] = await Promise.all([
    storage.sumTotalsByHour(monthFrom),
    storage.sumTotalsByClient(monthFrom),
    countPeople(services),
    storage.listClients(),
    liveInstances(services),
    storage.countWaiting(),
    storage.pageWaiting({ after: undefined, limit: longestWaiting }),
    listApiKeys(services),
    findBackupState(services),
  ]);
  const seesEvents = visibleEvents(authority) === undefined;
  const seenClients = may(authority, 'applications.read') ? clients : [];
  return {
    day: seesEvents ? seriesOf(byHour, thisHour - 23 * HOUR, HOUR, 24) : undefined,
    month: seesEvents ? seriesOf(byHour, monthFrom, DAY, 30) : undefined,
    waiting: may(authority, 'sign_up.read') ? { count, people } : { count: 0, people: [] },
    users: may(authority, 'people.read') ? users : undefined,
    clients: byUse(seenClients, byClient),
    warnings: [
      ...(may(authority, 'settings.read') ? serviceWarnings(services, instances, backups) : []),
      ...seenClients.flatMap(oldSecretWarning),
      ...(may(authority, 'api_keys.read') ? warningsOfKeys(keys) : []),
    ],
  };
}

function seriesOf(
  totals: readonly { hour: number; kind: TotalKind; total: number }[],
  from: number,
  step: number,
  length: number,
): Series {
  const of = (kind: TotalKind) => {
    const sums = new Array<number>(length).fill(0);
    for (const each of totals) {
      const place = Math.floor((each.hour - from) / step);
      if (each.kind === kind && place >= 0 && place < length) sums[place] = (sums[place] ?? 0) + each.total;
    }
    return sums;
  };
  return { from, step, totals: { sign_in: of('sign_in'), failure: of('failure'), refresh: of('refresh') } };
}

function byUse(
  clients: readonly Client[],
  totals: readonly { clientId: string; kind: TotalKind; total: number }[],
): Overview['clients'] {
  const sums = new Map<string, Partial<Record<TotalKind, number>>>();
  for (const { clientId, kind, total } of totals) sums.set(clientId, { ...sums.get(clientId), [kind]: total });
  return clients
    .map(({ id, name }) => {
      const { exchange = 0, refresh = 0, failure = 0 } = sums.get(id) ?? {};
      return { id, name, signIns: exchange, refreshes: refresh, failures: failure };
    })
    .filter(({ signIns, refreshes, failures }) => signIns + refreshes + failures > 0)
    .sort((a, b) => b.signIns + b.refreshes - (a.signIns + a.refreshes) || b.failures - a.failures)
    .slice(0, busiest);
}

function warningsOfKeys(keys: Awaited<ReturnType<typeof listApiKeys>>): Warning[] {
  const strong = keys.filter(({ permission, ended }) => permission === 'administrator' && !ended);
  return strong.length === 0 ? [] : [{ kind: 'administrator_keys', keys: strong.map(({ name }) => name) }];
}

function oldSecretWarning({ id, name, secrets, revokedAt }: Client): Warning[] {
  const [newest, old] = secrets;
  if (newest === undefined || old === undefined || old.usedAt === null || revokedAt !== null) return [];
  return old.usedAt > newest.createdAt ? [{ kind: 'old_secret_in_use', client: { id, name }, usedAt: old.usedAt }] : [];
}

function serviceWarnings(
  services: Pick<Services, 'issuer' | 'emailQueue' | 'clock'>,
  found: LiveInstances,
  backups: BackupState | undefined,
): Warning[] {
  const { instances, storeAhead } = found;
  const wrongClocks = withWrongClock(instances).map(({ id }) => id);
  return [
    ...(services.emailQueue.kind === 'none' ? [{ kind: 'no_mail' } as const] : []),
    ...(services.emailQueue.kind === 'outbox' ? [{ kind: 'outbox' } as const] : []),
    ...(services.issuer.startsWith('https:') ? [] : [{ kind: 'plain_http' } as const]),
    ...(mismatched(instances).length > 0 ? [{ kind: 'instances_differ' } as const] : []),
    ...(storeAhead === 0 ? [] : [{ kind: 'store_clock_differs' } as const]),
    ...backupProblems(backups, services.clock.now()).map((kind) => ({ kind })),
    ...(wrongClocks.length > 0 ? [{ kind: 'clock_differs', instances: wrongClocks } as const] : []),
  ];
}
