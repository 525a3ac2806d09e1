// What applying a section would change: compares what the file says with what there is.

import { type FieldTable, itemLine } from '../../protocol/resources/field.ts';
import { differing, type GivenOf, readFields, rowsOf, valueIn } from '../../protocol/resources/resource.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import type {
  ApplyServices,
  Change,
  Described,
  FileContext,
  FileSection,
  ItemsDifference,
  ListChange,
  Step,
} from './file-section.ts';

/** Refused if the file says something that can't be done. */
export async function planSection(
  section: FileSection,
  context: FileContext,
  described: readonly Described[],
): Promise<AdminOutcome<{ steps: readonly Step[] }>> {
  const { services, prune } = context;
  const existing = await section.list(services);
  const kept = prune ? ((await section.kept?.(context, existing)) ?? []) : existing;
  const steps = planSteps(section, services, existing, described, kept);
  const problems = (await section.problems?.(context, steps)) ?? [];
  return problems.length > 0 ? refused(problems.join('; ')) : { kind: 'done', steps };
}

/** What the file describes comes first, in its order, then all others, which are deleted unless they're kept. */
export function planSteps(
  section: FileSection,
  services: ApplyServices,
  existing: readonly object[],
  described: readonly Described[],
  kept: readonly object[],
): Step[] {
  const { idOf, sameBy = (id: string) => id, fields } = section;
  const items = new Map(existing.map((item) => [sameBy(idOf(item)), item]));
  const inFile = new Set(described.map(({ id }) => sameBy(id)));
  const keeps = new Set(kept);
  return [
    ...described.map((each): Step => {
      const item = items.get(sameBy(each.id));
      const changes = section.changes?.(services, item, each);
      if (item === undefined)
        return { kind: 'create', id: each.id, described: each, ...(changes?.length && { changes }) };
      const found = changes ?? fieldChanges(fields, item, each);
      const step = { id: idOf(item), described: each, item };
      return found.every(changesNothing) ? { kind: 'unchanged', ...step } : { kind: 'update', ...step, changes: found };
    }),
    ...existing
      .filter((item) => !inFile.has(sameBy(idOf(item))))
      .map((item): Step => ({ kind: keeps.has(item) ? 'leave' : 'delete', id: idOf(item), item })),
  ];
}

export function changesNothing(change: Change): boolean {
  return 'items' in change && change.items.added.length + change.items.removed.length === 0;
}

/** What the file would change about the fields of what there is. */
export function fieldChanges(fields: FieldTable, current: object, { given }: Pick<Described, 'given'>): Change[] {
  // readFields checks every value, wherever it comes from.
  const { values } = readFields(fields, given as GivenOf<FieldTable>, current);
  const different: Readonly<Record<string, unknown>> = differing(fields, current, values);
  return rowsOf(fields).flatMap(({ name, property, field }): Change[] => {
    const to = different[property];
    if (to === undefined) return [];
    const from = valueIn(current, property, field);
    if (field.kind === 'image') return [{ name, image: to === null ? 'removed' : from === null ? 'added' : 'changed' }];
    if (!Array.isArray(from) || !Array.isArray(to) || field.comparedWhole) return [{ name, from, to }];
    const lines = (list: readonly unknown[]) => list.map((item) => itemLine(field, item));
    const items = itemsDifference(lines(from), lines(to));
    // The same items in another order are no difference.
    return changesNothing({ name, items }) ? [] : [{ name, items }];
  });
}

export function itemsDifference(before: readonly string[], after: readonly string[]): ItemsDifference {
  const [had, has] = [new Set(before), new Set(after)];
  return { added: after.filter((item) => !had.has(item)), removed: before.filter((item) => !has.has(item)) };
}

export function listChanges(lists: readonly ListChange[] = []): Change[] {
  return lists.flatMap(({ path, label, entries, until }) => {
    const ends = { name: `${label} until`, path: untilPath(path), items: until };
    return [{ name: label, path, items: entries }, ...(changesNothing(ends) ? [] : [ends])];
  });
}

/** Ends are beside their list. */
export function untilPath(path: string): string {
  return path.replace(/^\w+/, '$&_until');
}

/** What was given for the fields that change. */
export function givenChanges(fields: FieldTable, { given }: Pick<Described, 'given'>, changes: readonly Change[]) {
  const changed = rowsOf(fields).filter(({ name }) => changes.some((change) => change.name === name));
  return Object.fromEntries(changed.map(({ property }) => [property, given[property]]));
}
