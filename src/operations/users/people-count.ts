// How many people there are, for the overview. To count a million takes longer than a page may, so the sweep does it, a few at a time,
// and notes the result; fewer are counted whenever the number is asked for.

import { mostCounted } from '../../protocol/admin/totals.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import type { Services, Storing } from '../services.ts';

/** A few milliseconds on the embedded store, which counts on the event loop. */
const stepLength = 2000;
/** The sweep notes it every minute. If it doesn't, the overview counts. */
const notedFor = 2 * MINUTE;

/** The store's clock, because one instance counts for all. */
type Counting = Storing & Pick<Services, 'storeClock'>;

export interface PeopleCount {
  readonly all: number;
  /** Those who have signed in or used an application in the last 30 days. */
  readonly active: number;
}

export async function countPeople(services: Counting): Promise<PeopleCount> {
  const { storage, storeClock } = services;
  const now = await storeClock.now();
  const { last, ...few } = await storage.countNextUsers('', activeSince(now), mostCounted);
  if (last === undefined) return few;
  const noted = JSON.parse((await storage.findFact('people_counted')) || '{"at":0}') as PeopleCount & { at: number };
  if (Math.abs(now - noted.at) < notedFor) return { all: noted.all, active: noted.active };
  return storage.countUsers(activeSince(now));
}

/** Counts everyone if there are many. `rest` is called after each step, and says whether to go on. */
export async function notePeople({ storage, storeClock }: Counting, rest: () => Promise<boolean>): Promise<void> {
  const at = await storeClock.now();
  let [all, active] = [0, 0];
  let after: string | undefined = '';
  while (after !== undefined) {
    const next: Awaited<ReturnType<typeof storage.countNextUsers>> = await storage.countNextUsers(
      after,
      activeSince(at),
      stepLength,
    );
    [all, active, after] = [all + next.all, active + next.active, next.last];
    if (after !== undefined && !(await rest())) return;
  }
  if (all >= mostCounted) await storage.noteFact('people_counted', JSON.stringify({ at, all, active }));
}

function activeSince(now: number): number {
  return now - 30 * DAY;
}
