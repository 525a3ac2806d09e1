// A section of the file for `latchkey apply` that lists resources of one kind: what each step prints, and taking the steps.

import type { Change, Described, Step } from '../../operations/admin/applied-resource.ts';
import { type AdminOutcome, refused } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import { rowsOf } from '../../protocol/resources/resource.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../storage/storage.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import { changeLine, type DiffLine, line, listLines, memberLine } from './diff.ts';
import { countSteps, type PlanContext, type Report, type Section } from './section.ts';

type Shown = (name: string, value: unknown, when: 'new' | 'before' | 'after') => unknown;

export interface AppliedKind<Item, Fields extends FieldTable> {
  readonly section: Section['name'];
  readonly fields: Fields;
  /** What --json calls the ID and a new secret. */
  readonly key: string;
  readonly secretKey?: string;
  /** What the ID is called where a new secret is printed; the key if undefined. */
  readonly keyWithSecret?: string;
  /** Whether what goes makes room for what comes. */
  readonly deletesFirst?: true;
  /** Undefined if the file says nothing about them. */
  plan(context: PlanContext): Promise<AdminOutcome<{ steps: readonly Step<Item, Fields>[] }>> | undefined;
  take(
    services: Services,
    step: Step<Item, Fields>,
    requester: Requester,
  ): Promise<AdminOutcome<{ secret?: string | undefined }>>;
  /** How the diff and what is kept call it. */
  named(step: Step<Item, Fields>): string;
  /** What a new one has besides its fields. */
  newLines?(described: Described<Fields>): DiffLine[];
  /** How a value is shown, where it isn't as it is. */
  readonly shown?: Shown;
  /** Further lines of the diff, and further members of the JSON, about one that exists. */
  remarks?(step: Step<Item, Fields>): DiffLine[];
  json?(item: Item): object;
  export(services: Services, writeImage: ImageWriter): Promise<unknown>;
}

export function resourceSection<Item, Fields extends FieldTable>(kind: AppliedKind<Item, Fields>): Section {
  return {
    name: kind.section,

    async plan(context) {
      const planned = await kind.plan(context);
      if (planned?.kind === 'refused') throw new CommandFailed(`${planned.problem}. Nothing was changed.`);
      const steps = planned?.steps ?? [];
      /** The steps that have been taken, with the secrets of new ones. */
      const done = new Map<Step<Item, Fields>, string | undefined>();
      const take = async (report: Report, isWanted: (step: Step<Item, Fields>) => boolean) => {
        for (const step of steps.filter((each) => isChanging(each) && isWanted(each))) {
          done.set(step, await taken(kind, context.services, step, report));
        }
      };
      return {
        diff: steps.flatMap((step) => [...diffOf(kind, step), ...(kind.remarks?.(step) ?? [])]),
        counts: countSteps(steps),
        kept: steps.filter((step) => step.kind === 'leave').map((step) => kind.named(step)),
        async apply(report) {
          if (kind.deletesFirst) await take(report, (step) => step.kind === 'delete');
          await take(report, (step) => !kind.deletesFirst || step.kind !== 'delete');
        },
        json: () => planned && steps.map((step) => toJson(kind, step, done)),
      };
    },

    export: (services, writeImage) => kind.export(services, writeImage),
  };
}

/** The secret of what the step has created, which is shown at once. */
async function taken<Item, Fields extends FieldTable>(
  kind: AppliedKind<Item, Fields>,
  services: Services,
  step: Step<Item, Fields>,
  report: Report,
): Promise<string | undefined> {
  const outcome = await kind.take(services, step, commandRequester()).catch((error: Error) => {
    if (!(error instanceof StorageUnavailable) || error instanceof OutcomeUnknown) throw error;
    return refused(error.message);
  });
  if (outcome.kind === 'refused') {
    const before = report.hasChanges() ? 'Earlier changes are saved' : 'Nothing was changed';
    throw new CommandFailed(`Can't apply ${step.id}: ${outcome.problem}. ${before}; apply the file again.`);
  }
  report.changed(1);
  const { secret } = outcome;
  if (secret !== undefined)
    report.secret({ [kind.keyWithSecret ?? kind.key]: step.id, [kind.secretKey ?? 'secret']: secret });
  return secret;
}

function isChanging({ kind }: { readonly kind: string }): boolean {
  return kind === 'create' || kind === 'update' || kind === 'delete';
}

function diffOf<Item, Fields extends FieldTable>(
  kind: AppliedKind<Item, Fields>,
  step: Step<Item, Fields>,
): DiffLine[] {
  const { shown = (_, value) => value } = kind;
  switch (step.kind) {
    case 'create':
      return [
        line('+', kind.named(step)),
        ...newFieldLines(kind.fields, step.described.given, shown),
        ...(kind.newLines?.(step.described) ?? []),
      ];
    case 'update':
      return [line('~', kind.named(step)), ...step.changes.flatMap((change) => changeLines(change, shown))];
    case 'delete':
      return [line('-', kind.named(step))];
    default:
      return [];
  }
}

function newFieldLines(fields: FieldTable, given: object, shown: Shown): DiffLine[] {
  const values = given as Readonly<Record<string, unknown>>;
  return rowsOf(fields).flatMap(({ name, property, field }) => {
    const value = values[property];
    if (value === undefined || value === null || field.kind === 'secret' || name === 'name') return [];
    if (field.kind === 'image') return [memberLine('+', name, 'added')];
    if (!Array.isArray(value)) return [memberLine('+', name, shown(name, value, 'new'))];
    if (field.comparedWhole) return value.length === 0 ? [] : [memberLine('+', name, value.join(' '))];
    return listLines(name, { added: value.map(String), removed: [] });
  });
}

const imageSigns = { added: '+', changed: '~', removed: '-' } as const;

export function changeLines(change: Change, shown: Shown = (_, value) => value): DiffLine[] {
  const { name } = change;
  if ('items' in change) return listLines(name, change.items);
  if ('image' in change) return [memberLine(imageSigns[change.image], name, change.image)];
  const inOne = (value: unknown, when: 'before' | 'after') =>
    Array.isArray(value) ? value.join(' ') : shown(name, value, when);
  return [changeLine(name, { from: inOne(change.from, 'before'), to: inOne(change.to, 'after') })];
}

function toJson<Item, Fields extends FieldTable>(
  kind: AppliedKind<Item, Fields>,
  step: Step<Item, Fields>,
  done: ReadonlyMap<Step<Item, Fields>, string | undefined>,
) {
  const secret = done.get(step);
  return {
    [kind.key]: step.id,
    action: step.kind,
    ...(isChanging(step) && { applied: done.has(step) }),
    ...(secret !== undefined && { [kind.secretKey ?? 'secret']: secret }),
    ...(step.kind === 'update' && { changes: changesJson(step.changes) }),
    ...(step.kind !== 'create' && kind.json?.(step.item)),
  };
}

/** A name of two words, such as "allowed people", is a member of a member. */
export function changesJson(changes: readonly Change[]): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const change of changes) {
    const [name = '', inner] = change.name.split(' ');
    const { name: _name, ...fromAndTo } = change;
    const value = 'items' in change ? change.items : 'image' in change ? change.image : fromAndTo;
    json[name] = inner === undefined ? value : { ...(json[name] as object), [inner]: value };
  }
  return json;
}
