// Applies a section step by step, and writes what there is as a section that would change nothing.

import type { Requester } from '../../protocol/event.ts';
import type { ImageWriter, Logo } from '../../protocol/reading/logo.ts';
import type { Json } from '../../protocol/reading/strict-json.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import { jsonOf, valueIn } from '../../protocol/resources/resource.ts';
import type { Outcome } from '../admin/outcome.ts';
import type { ApplyServices, Change, Described, FileSection, Step, Written } from './file-section.ts';
import { givenChanges } from './plan-section.ts';
import { settableRows } from './read-section.ts';

/** The result has a secret when the step created one. */
export async function applyStep(
  section: FileSection,
  services: ApplyServices,
  step: Step,
  requester: Requester,
): Outcome<{ secret?: string | undefined }> {
  if (step.kind === 'unchanged' || step.kind === 'leave') return { kind: 'done' };
  if (step.kind === 'delete') {
    const deleted = await section.delete(services, step.id, requester);
    return deleted.kind === 'refused' && deleted.reason !== 'not_found' ? deleted : { kind: 'done' };
  }
  const { described } = step;
  const written = await (step.kind === 'create'
    ? section.create(services, described, requester)
    : section.update(services, described, givenChanges(section.fields, described, step.changes), requester));
  if (written.kind === 'refused') return written;
  const after = await section.after?.(services, step, requester);
  return after?.kind === 'refused' ? after : written;
}

/** By what identifies them, so that a file from another store with the same ones has them in the same order. */
export async function exportSection(
  section: FileSection,
  services: ApplyServices,
  write: ImageWriter,
): Promise<Record<string, unknown>[]> {
  const { name, key, fields, idOf, image, exported } = section;
  const items = (await section.list(services)).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const entries: Record<string, unknown>[] = [];
  for (const item of items) {
    const id = idOf(item);
    const found = (_: string, version: string) => image?.(services, id, version);
    const written = await exportedFields(fields, item, found, (_, logo) => write(`${name}/${id}`, logo));
    entries.push({ [key]: id, ...written, ...(await exported?.(services, item)) });
  }
  return entries;
}

/** The fields as the file has them, with images where it can name them. */
export async function exportedFields(
  fields: FieldTable,
  record: object,
  image: (field: string, version: string) => Promise<Logo | undefined> | undefined,
  write: ImageWriter,
): Promise<Record<string, unknown>> {
  const json = jsonOf(fields, record);
  const exported: Record<string, unknown> = {};
  for (const { name, property, field } of settableRows(fields)) {
    if (field.kind === 'secret') continue;
    const version = field.kind === 'image' ? valueIn(record, property, field) : undefined;
    const found = typeof version === 'string' ? await image(name, version) : undefined;
    exported[name] = field.kind !== 'image' ? json[name] : found === undefined ? null : write(name, found);
  }
  return exported;
}

interface CanBeDisabled {
  readonly disabledAt: number | null;
}

/** The part of a row for what a file disables, but never enables: who has disabled it may not have known the file. */
export function disabledByFile(
  disable: (services: ApplyServices, id: string, requester: Requester) => Outcome<object>,
) {
  return {
    more: {
      disabled: {
        about: 'true disables it; a file never enables it',
        problems: (value: Json) => (typeof value === 'boolean' ? [] : ['"disabled" must be true or false']),
      },
    },
    after(services: ApplyServices, step: Written<CanBeDisabled>, requester: Requester) {
      const current = step.kind === 'update' ? step.item : undefined;
      return disabledChanges(current, step.described).length > 0 ? disable(services, step.id, requester) : undefined;
    },
    exported: (_: ApplyServices, { disabledAt }: CanBeDisabled) => (disabledAt === null ? {} : { disabled: true }),
  };
}

export function disabledChanges(current: CanBeDisabled | undefined, { item }: Pick<Described, 'item'>): Change[] {
  const isDisabled = current !== undefined && current.disabledAt !== null;
  return item.disabled === true && !isDisabled ? [{ name: 'disabled', from: false, to: true }] : [];
}
