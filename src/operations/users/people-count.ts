// How many people there are, for the overview and their list. To count a million takes longer than a page may, so the sweep does it, a few at a time,
// and notes the result; fewer are counted whenever the number is asked for.

import type { WrittenPeopleFilters } from '../../protocol/admin/people-filters.ts';
import { mostCounted, type Total } from '../../protocol/admin/totals.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import type { Services, Storing } from '../services.ts';

/** A few milliseconds on the embedded store, which counts on the event loop. */
const stepLength = 2000;
/** The sweep notes it more often. If it doesn't, the overview counts. */
const notedFor = MINUTE;

/** The store's clock, because one instance counts for all. */
type Counting = Storing & Pick<Services, 'storeClock'>;

export interface PeopleCount {
  readonly all: number;
  /** Those who have signed in or used an application in the last 30 days. */
  readonly active: number;
  readonly neverSignedIn: number;
  readonly withoutFactor: number;
}

export async function countPeople(services: Counting): Promise<PeopleCount> {
  const { storage, storeClock } = services;
  const now = await storeClock.now();
  const { last, ...few } = await storage.countNextUsers('', activeSince(now), mostCounted);
  if (last === undefined) return few;
  const fact = JSON.parse((await storage.findFact('people_counted')) || '{"at":0}') as Partial<PeopleCount> & {
    at: number;
  };
  const { at, ...noted } = fact;
  // The previous version noted less.
  const isWhole = (count: Partial<PeopleCount>): count is PeopleCount => count.withoutFactor !== undefined;
  return Math.abs(now - at) < notedFor && isWhole(noted) ? noted : storage.countUsers(activeSince(now));
}

/** Without a filter, and with each of those that the overview counts with. */
const countedLists: Readonly<Record<string, keyof PeopleCount>> = {
  '': 'all',
  'signed_in=never': 'neverSignedIn',
  'second_factor=none': 'withoutFactor',
};

/** How many are in the list with these filters; undefined if that isn't known beyond what a page counts. */
export async function countListed(services: Counting, filters: WrittenPeopleFilters): Promise<Total | undefined> {
  const given = Object.entries(filters).map(([name, value]) => `${name}=${value}`);
  const counted = countedLists[given.join('&')];
  return counted && { count: (await countPeople(services))[counted], more: false };
}

/** Counts everyone if there are many. `rest` is called after each step, and says whether to go on. */
export async function notePeople({ storage, storeClock }: Counting, rest: () => Promise<boolean>): Promise<void> {
  const at = await storeClock.now();
  let counted: PeopleCount = { all: 0, active: 0, neverSignedIn: 0, withoutFactor: 0 };
  let after: string | undefined = '';
  while (after !== undefined) {
    const next: Awaited<ReturnType<typeof storage.countNextUsers>> = await storage.countNextUsers(
      after,
      activeSince(at),
      stepLength,
    );
    counted = {
      all: counted.all + next.all,
      active: counted.active + next.active,
      neverSignedIn: counted.neverSignedIn + next.neverSignedIn,
      withoutFactor: counted.withoutFactor + next.withoutFactor,
    };
    after = next.last;
    if (after !== undefined && !(await rest())) return;
  }
  if (counted.all >= mostCounted) await storage.noteFact('people_counted', JSON.stringify({ at, ...counted }));
}

function activeSince(now: number): number {
  return now - 30 * DAY;
}
