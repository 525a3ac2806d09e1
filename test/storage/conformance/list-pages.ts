// Lists of people, compared with what looking at everyone finds: random people with many ties, every filter with every other one,
// every order and search, in both directions. Limits as small as the lists make engines read them as they read long ones.

import assert from 'node:assert/strict';
import type { PeopleFilters } from '../../../src/protocol/admin/people-filters.ts';
import { emailWords, nameWords, searchKey } from '../../../src/protocol/admin/search-words.ts';
import type { Total } from '../../../src/protocol/admin/totals.ts';
import { DAY } from '../../../src/protocol/durations.ts';
import { type Driver, nobody } from '../../../src/storage/driver.ts';
import { typedDatabase } from '../../../src/storage/sql/database.ts';
import { listLimits } from '../../../src/storage/sql/lists/list-page.ts';
import { sqlSearch } from '../../../src/storage/sql/lists/search.ts';
import type { PagePosition, Storage, User, UserQuery } from '../../../src/storage/storage.ts';
import { Generator } from '../../harness/generated-requests.ts';
import { isReleaseLane } from '../../harness/lane.ts';
import { anEvent, aProfile, aUser, type Rule, start } from '../records.ts';

const now = start + 100 * DAY;
const count = 48;

interface Person extends User {
  readonly lastSignInAt: number;
  readonly lastActiveAt: number | null;
  readonly hasFactor: boolean;
}

/** How a list is asked for, apart from the page. */
interface Asked extends Pick<UserQuery, 'words' | 'order'> {
  readonly by: PeopleFilters;
}

type Read = (query: Asked & Omit<UserQuery, 'filter'>) => ReturnType<Storage['pageUsers']>;

/** With nearly all filters, there are too few people for further ones to matter. */
const values: { readonly [Name in keyof PeopleFilters]-?: readonly PeopleFilters[Name][] } = {
  role: [undefined, 'any', 'auditor'],
  status: [undefined, 'active', 'disabled', 'pending'],
  secondFactor: [undefined, 'none'],
  signedIn: [undefined, 'never', 2],
  inactive: [undefined, 2],
  expiresWithin: [undefined, 3],
  managedBy: [undefined, 'okta'],
};
const filters = Object.entries(values).reduce<readonly PeopleFilters[]>(
  (all, [name, given]) =>
    all.flatMap((by) => given.map((value) => (value === undefined ? by : { ...by, [name]: value }))),
  [{}],
);
const orders = (['created', 'name', 'last_sign_in', 'last_active', 'expires'] as const).flatMap((by) =>
  [false, true].map((descending) => ({ by, descending })),
);
const searches = [['b'], ['ba', 'north'], ['south', 'x', 'people']];
const everything: readonly Asked[] = filters.flatMap((by) => [
  // Only those whose access ends are listed by their end.
  ...orders
    .filter((order) => order.by !== 'expires' || by.expiresWithin !== undefined)
    .map((order) => ({ by, order, words: [] })),
  ...searches.map((words) => ({ by, order: undefined, words })),
]);

/** There are more people, and more words, than these. */
const small = { candidates: 6, lookedUp: 4, compared: 10, words: 20 };

function aPerson(random: Generator): Person {
  const id = random
    .word()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 8);
  const disabledAt = random.pick([null, null, null, start]);
  const managedBy = random.pick([null, null, 'okta', 'entra']);
  return {
    ...aUser(),
    id,
    name: random.pick(['Ba', 'ba North', 'Bo South', 'North', 'Ba Ba South']),
    givenName: random.pick([null, 'Bab', 'X']),
    email: `${random.pick(['north', 'south', 'x'])}.${id}@people.example`,
    createdAt: start + random.below(6),
    roles: random.pick([null, null, 'auditor', 'auditor people', 'people']),
    disabledAt,
    pendingSince: disabledAt === null ? null : random.pick([null, start + random.below(3)]),
    expiresAt: random.pick([null, now - 1, now, now + 1, now + DAY, now + 3 * DAY, now + 3 * DAY + 1]),
    managedBy,
    externalId: managedBy && id,
    lastSignInAt: random.pick([0, 0, now - 3 * DAY, now - 2 * DAY, now - 2 * DAY - 1, now]),
    lastActiveAt: random.pick([null, start, now - 2 * DAY, now - 2 * DAY + 1, now]),
    hasFactor: random.onceIn(2),
  };
}

async function store(storage: Storage, driver: Driver, person: Person): Promise<void> {
  const { lastSignInAt, lastActiveAt, hasFactor, ...user } = person;
  assert.equal(await storage.createUser(user, anEvent()), true);
  const sql = 'UPDATE users SET last_sign_in_at = $2, has_factor = $3, last_active_at = $4 WHERE id = $1';
  await driver.write([{ sql, params: [person.id, lastSignInAt, hasFactor ? 1 : 0, lastActiveAt] }]);
}

function meets(person: Person, by: PeopleFilters): boolean {
  const { roles, adminSince, disabledAt, pendingSince, expiresAt, lastSignInAt, managedBy } = person;
  const canSignIn = disabledAt === null && (expiresAt === null || expiresAt > now);
  const ofRole = by.role === 'any' ? roles !== null || adminSince !== null : roles?.split(' ').includes(by.role ?? '');
  const disabled = disabledAt !== null && !pendingSince;
  // None of them was disabled for that.
  const status = { active: canSignIn, pending: pendingSince !== null, disabled, inactive: false };
  const signedIn = by.signedIn === 'never' ? lastSignInAt === 0 : lastSignInAt >= now - (by.signedIn ?? 0) * DAY;
  return (
    (by.role === undefined || ofRole === true) &&
    (by.status === undefined || status[by.status]) &&
    (by.secondFactor === undefined || !person.hasFactor) &&
    (by.signedIn === undefined || signedIn) &&
    (by.inactive === undefined || activityOf(person) <= now - by.inactive * DAY) &&
    (by.expiresWithin === undefined ||
      (canSignIn && expiresAt !== null && expiresAt <= now + by.expiresWithin * DAY)) &&
    (by.managedBy === undefined || by.managedBy === managedBy)
  );
}

function activityOf({ lastActiveAt, createdAt }: Person): number {
  return Math.max(lastActiveAt ?? 0, createdAt);
}

/** Each word of each source, as it's stored. */
function wordsOf({ name, givenName, familyName, email }: User): string[] {
  return [...nameWords([name, givenName, familyName]), ...emailWords(email)];
}

/** Everyone who has to be listed, in order. */
function expected(people: readonly Person[], { by, words, order }: Asked): string[] {
  const begins = (word: string) => (typed: string) => typed.startsWith(word);
  const found = people.filter(
    (person) => meets(person, by) && words.every((word) => wordsOf(person).some(begins(word))),
  );
  const frequency = (word: string) => people.flatMap(wordsOf).filter(begins(word)).length;
  const [rarest = ''] = words.toSorted((a, b) => frequency(a) - frequency(b) || b.length - a.length);
  const placeOf = (person: Person) => {
    const { by: column = 'created' } = order ?? {};
    if (words.length > 0) return wordsOf(person).filter(begins(rarest)).toSorted()[0] ?? '';
    if (column === 'name') return searchKey(person.name);
    const { createdAt: created, lastSignInAt: last_sign_in, expiresAt: expires } = person;
    return { created, last_sign_in, last_active: activityOf(person), expires: expires ?? 0 }[column];
  };
  const placed = found.map((person) => ({ id: person.id, place: placeOf(person) }));
  const upwards = placed.toSorted((a, b) =>
    a.place === b.place ? (a.id < b.id ? -1 : 1) : a.place < b.place ? -1 : 1,
  );
  const descending = words.length === 0 && (order?.descending ?? true);
  return (descending ? upwards.toReversed() : upwards).map(({ id }) => id);
}

interface Part {
  readonly ids: readonly string[];
  readonly next: PagePosition | undefined;
  readonly previous: PagePosition | undefined;
  readonly total?: Total | undefined;
}

interface Course {
  readonly limit: number;
  readonly backwards?: boolean;
  /** Where the first page begins, or ends if it's read backwards. */
  readonly from?: PagePosition | undefined;
  readonly between?: () => Promise<void>;
}

/** The pages from an end of the list, or from a position, to the other end. */
async function readOn(read: Read, asked: Asked, { limit, backwards = false, from, between }: Course): Promise<Part[]> {
  const pages: Part[] = [];
  let position = from;
  do {
    const place = backwards ? { after: undefined, before: position } : { after: position };
    const { items, truncated, ...page } = await read({ ...asked, ...place, limit, total: true });
    pages.push({ ...page, ids: items.map(({ id }) => id) });
    position = backwards ? page.previous : page.next;
    assert.ok(items.length <= limit);
    assert.ok(items.length === limit || position === undefined || truncated, 'a page that ends early says so');
    assert.ok(pages.length < 10 * count, 'it comes to an end');
    if (position !== undefined) await between?.();
  } while (position !== undefined);
  return pages;
}

const idsOn = (pages: readonly Part[]) => pages.flatMap(({ ids }) => ids);

/** `isWhole`: the list is so short that all of it is looked at. */
async function assertPages(read: Read, asked: Asked, all: readonly string[], limit: number, isWhole: boolean) {
  const about = `${JSON.stringify(asked)}, ${limit} on each page`;
  const forwards = await readOn(read, asked, { limit });
  assert.deepEqual(idsOn(forwards), all, about);
  for (const { total } of forwards) {
    const isRight = total?.more ? !isWhole && total.count <= all.length : total?.count === all.length;
    assert.ok(isRight, `${about}: ${JSON.stringify(total)} of ${all.length}`);
  }
  const last = forwards.at(-1);
  if (last === undefined || forwards.length === 1) return;
  assert.ok(last.previous, about);
  const backwards = await readOn(read, asked, { limit, backwards: true, from: last.previous });
  // Without anyone before it, the list begins again.
  const again = await readOn(read, asked, { limit, from: backwards[0]?.next });
  assert.deepEqual([...idsOn(backwards.toReversed()), ...idsOn(again)], all, about);
}

function readerOn(driver: Driver, limits: typeof listLimits): Read {
  const { pageUsers } = sqlSearch(typedDatabase(driver, nobody), limits);
  return ({ by, ...query }) => pageUsers({ ...query, filter: { by, now } });
}

export function listPageRules(rule: Rule): void {
  for (const [kind, limits] of [
    ['that are looked at as a whole', listLimits],
    ['that are looked at in parts', small],
  ] as const) {
    rule(`lists ${kind} have everyone who is meant, in order and in both directions`, async (storage, driver) => {
      const random = new Generator(kind);
      const people = Array.from({ length: count }, () => aPerson(random));
      for (const person of people) await store(storage, driver, person);
      const read = readerOn(driver, limits);
      // All of them take a minute on each engine.
      for (const asked of everything.filter((_, index) => index % (isReleaseLane ? 11 : 389) === 0)) {
        await assertPages(read, asked, expected(people, asked), 1 + random.below(9), limits === listLimits);
      }
    });

    rule(`in lists ${kind}, a change between two pages hides and repeats no one else`, async (storage, driver) => {
      const random = new Generator(`changes in lists ${kind}`);
      const people = new Map<string, Person>();
      const join = async () => {
        const person = aPerson(random);
        await store(storage, driver, person);
        people.set(person.id, person);
      };
      const replace = async ({ id }: Person) => {
        assert.equal(await storage.deleteUser(id, anEvent()), true);
        people.delete(id);
        await join();
      };
      const rename = async (person: Person) => {
        const profile = aProfile({ name: aPerson(random).name });
        assert.equal(await storage.changeProfile(person.id, profile, start, anEvent()), true);
        people.set(person.id, { ...person, ...profile });
      };
      for (let index = 0; index < count; index++) await join();
      const read = readerOn(driver, limits);
      for (const asked of random.shuffled(everything).slice(0, isReleaseLane ? 60 : 2)) {
        const before = [...people.values()];
        const changed = new Set<string>();
        const between = async () => {
          const person = random.pick([...people.values()]);
          changed.add(person.id);
          await random.pick([replace, rename])(person);
        };
        const found = idsOn(await readOn(read, asked, { limit: 1 + random.below(9), between }));
        const steady = new Set(before.map(({ id }) => id).filter((id) => !changed.has(id)));
        const steadyOf = (ids: readonly string[]) => ids.filter((id) => steady.has(id)).toSorted();
        assert.deepEqual(steadyOf(found), steadyOf(expected(before, asked)), JSON.stringify(asked));
      }
    });
  }
}
