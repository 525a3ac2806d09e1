// When memberships and places on an application's list end. In JSON that is beside the list: by the email address or ID of
// a person, or by the name of a group. Left out, it leaves every end as it is; given, it says the ends of all that are
// listed, and who isn't named has none.

import { isoTime } from '../../protocol/iso-time.ts';
import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { type EntryInput, entryFields } from '../../protocol/resources/entry.ts';
import { readNew } from '../../protocol/resources/resource.ts';
import { type AdminOutcome, type Refused, refusalClause, refused, wholeOrRefused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';

/** Null for never; undefined leaves it as it is. */
export type EndOf<Item> = (item: Item) => number | null | undefined;

export type EndsByName = Readonly<Record<string, string>>;

export function readEntry({ clock }: Pick<Services, 'clock'>, given: EntryInput) {
  return wholeOrRefused(readNew(entryFields, given, clock.now()));
}

/** The ends of those that have one. */
export function endsJson<Item extends { readonly listedUntil: number | null }>(
  items: readonly Item[],
  nameOf: (item: Item, index: number) => string,
): EndsByName {
  const entries = items.map((item, index) => [nameOf(item, index), isoTime(item.listedUntil)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** What is wrong with the form of such a member. */
export function endsProblem(name: string, value: Json | undefined): string | undefined {
  const isFine =
    value === undefined || (isJsonObject(value) && Object.values(value).every((end) => typeof end === 'string'));
  return isFine ? undefined : `"${name}" must be an object with a time for each name`;
}

/** The end of each that is listed, by its ID. `find` knows by which ID a name is listed. */
export async function readEndsByName(
  services: Pick<Services, 'clock'>,
  member: string,
  given: EndsByName,
  listed: readonly string[],
  find: (name: string) => Promise<string | undefined>,
): Promise<AdminOutcome<{ readonly ends: ReadonlyMap<string, number | null> }>> {
  const ends = new Map<string, number | null>(listed.map((id) => [id, null]));
  const named = new Set<string>();
  const about = (name: string, problem: string): Refused =>
    refused(`"${member}" names ${JSON.stringify(name)}, ${problem}`);
  for (const [name, written] of Object.entries(given)) {
    const id = await find(name);
    if (id === undefined || !ends.has(id)) return about(name, "which isn't in the list");
    if (named.has(id)) return about(name, 'which it has named before');
    const read = readEntry(services, { expiresAt: written });
    if (read.kind === 'refused') return about(name, `but ${refusalClause(read)}`);
    named.add(id);
    ends.set(id, read.values.expiresAt);
  }
  return { kind: 'done', ends };
}
