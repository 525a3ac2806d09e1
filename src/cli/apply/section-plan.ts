// How a section of the file for `latchkey apply` is compared with what there is and applied, step by step: what each step
// prints, its JSON, and taking the steps.

import type { Change, Described, FileSyntax, Step } from '../../operations/admin/applied-resource.ts';
import { type AdminOutcome, refusalClause, refused } from '../../operations/admin/outcome.ts';
import type { Description, SectionName } from '../../operations/apply/apply-file.ts';
import type { AccessPlan } from '../../operations/clients/apply-access.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { type FieldTable, itemLine } from '../../protocol/resources/field.ts';
import { rowsOf } from '../../protocol/resources/resource.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../storage/storage.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import { changeLine, type DiffLine, line, listLines, memberLine } from './diff.ts';

export interface Section {
  readonly name: SectionName;
  /** Compares. Nothing is changed. */
  plan(context: PlanContext): Promise<SectionPlan>;
  /** What there is, as the file has it. */
  export(services: Services, writeImage: ImageWriter): Promise<unknown>;
}

export interface PlanContext {
  readonly services: Services;
  readonly described: Description;
  readonly prune: boolean;
  /** Groups, and who is on which application's list: these two know each other. */
  readonly access: AccessPlan;
}

export interface SectionPlan {
  readonly diff: readonly DiffLine[];
  readonly counts: Counts;
  /** What isn't in the file and stays, by name. */
  readonly kept: readonly string[];
  apply(report: Report): Promise<void>;
  /** Deletes what something that is applied later may still need, after every section has been applied. */
  finish?(report: Report): Promise<void>;
  /** As `--json` prints it, with what has been done so far; undefined if the file says nothing about it. */
  json(): unknown;
}

export type Counts = Readonly<Record<'create' | 'change' | 'delete' | 'unchanged', number>>;

/** What a section tells while it is being applied. */
export interface Report {
  /** A secret is shown as soon as there is one: if a later step fails, it must not be lost. */
  secret(shown: Readonly<Record<string, string>>): void;
  /** So much of what is counted has been changed. */
  changed(count: number): void;
  /** Whether anything has been changed, by whichever section. */
  hasChanges(): boolean;
}

/** A section as steps. */
interface Steps<Each extends { readonly kind: string }> {
  /** Undefined if the file says nothing about them. */
  readonly steps: readonly Each[] | undefined;
  /** Deleting can make room for what is new, or wait until no other section needs it. */
  readonly deletes: 'first' | 'in order' | 'last';
  /** How the diff and what is kept call it. */
  named(step: Each): string;
  /** What the diff says about it, and what it remarks about one that may stay. */
  lines(step: Each): DiffLine[];
  remarks?(step: Each): DiffLine[];
  /** The members that it adds to the JSON, such as a secret. */
  take(step: Each, report: Report): Promise<object>;
  /** The members of the JSON before these, and after them. */
  json(step: Each): readonly [object, object];
}

export function requirePlanned<Result>(outcome: AdminOutcome<Result>): Result {
  if (outcome.kind === 'refused') throw new CommandFailed(`${refusalClause(outcome)}. Nothing was changed.`);
  return outcome;
}

const signs: Readonly<Record<string, '+' | '~' | '-'>> = { create: '+', update: '~', delete: '-' };

export function planOf<Each extends { readonly kind: string }>(section: Steps<Each>): SectionPlan {
  const { steps = [], deletes, named } = section;
  const done = new Map<Each, object>();
  const take = async (report: Report, isWanted: (isDeletion: boolean) => boolean) => {
    for (const step of steps) {
      if (signs[step.kind] === undefined || !isWanted(step.kind === 'delete')) continue;
      done.set(step, await section.take(step, report));
    }
  };
  const count = (kind: string) => steps.filter((step) => step.kind === kind).length;
  return {
    diff: steps.flatMap((step) => {
      const sign = signs[step.kind];
      const lines = sign === undefined ? [] : [line(sign, named(step)), ...section.lines(step)];
      return [...lines, ...(section.remarks?.(step) ?? [])];
    }),
    counts: {
      create: count('create'),
      change: count('update'),
      delete: count('delete'),
      unchanged: count('unchanged'),
    },
    kept: steps.filter(({ kind }) => kind === 'leave').map(named),
    async apply(report) {
      if (deletes === 'first') await take(report, (isDeletion) => isDeletion);
      await take(report, (isDeletion) => !isDeletion || deletes === 'in order');
    },
    async finish(report) {
      if (deletes === 'last') await take(report, (isDeletion) => isDeletion);
    },
    json: () =>
      section.steps?.map((step) => {
        const [id, more] = section.json(step);
        const applied = signs[step.kind] !== undefined && { applied: done.has(step) };
        return { ...id, action: step.kind, ...applied, ...done.get(step), ...more };
      }),
  };
}

type Shown = (name: string, value: unknown, when: 'new' | 'before' | 'after') => unknown;

/** A section that lists resources of one kind. */
export interface AppliedKind<Item, Fields extends FieldTable> {
  readonly name: SectionName;
  readonly syntax: FileSyntax<Fields>;
  /** What a new secret is called. */
  readonly secretKey: string;
  /** What the ID is called where a new secret is printed; its key in the file if undefined. */
  readonly keyWithSecret?: string;
  readonly deletes: 'first' | 'in order' | 'last';
  /** Undefined if the file says nothing about them. */
  plan(context: PlanContext): Promise<AdminOutcome<{ steps: readonly Step<Item, Fields>[] }>> | undefined;
  take(
    services: Services,
    step: Step<Item, Fields>,
    requester: Requester,
  ): Promise<AdminOutcome<{ secret?: string | undefined }>>;
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
  const { key } = kind.syntax;
  return {
    ...kind,
    async plan(context) {
      const planned = await kind.plan(context);
      return planOf({
        ...kind,
        steps: planned && requirePlanned(planned).steps,
        lines: (step) => linesOf(kind, step),
        take: (step, report) => taken(kind, context.services, step, report),
        json: (step) => [
          { [key]: step.id },
          {
            ...(step.kind === 'update' && { changes: changesJson(step.changes) }),
            ...(step.kind !== 'create' && kind.json?.(step.item)),
          },
        ],
      });
    },
  };
}

/** The secret of what the step has created, which is shown at once. */
async function taken<Item, Fields extends FieldTable>(
  kind: AppliedKind<Item, Fields>,
  services: Services,
  step: Step<Item, Fields>,
  report: Report,
): Promise<object> {
  const outcome = await kind.take(services, step, commandRequester()).catch((error: Error) => {
    if (!(error instanceof StorageUnavailable) || error instanceof OutcomeUnknown) throw error;
    return refused(error.message);
  });
  if (outcome.kind === 'refused') {
    const before = report.hasChanges() ? 'Earlier changes are saved' : 'Nothing was changed';
    throw new CommandFailed(`can't apply ${step.id}: ${refusalClause(outcome)}. ${before}; apply the file again.`);
  }
  report.changed(1);
  if (outcome.secret === undefined) return {};
  const secret = { [kind.secretKey]: outcome.secret };
  report.secret({ [kind.keyWithSecret ?? kind.syntax.key]: step.id, ...secret });
  return secret;
}

function linesOf<Item, Fields extends FieldTable>(
  { syntax, shown = (_, value) => value, newLines }: AppliedKind<Item, Fields>,
  step: Step<Item, Fields>,
): DiffLine[] {
  if (step.kind === 'update') return step.changes.flatMap((change) => changeLines(change, shown));
  if (step.kind !== 'create') return [];
  const { given, item } = step.described;
  const flags = syntax.more.filter((name) => item[name] === true);
  return [
    ...newFieldLines(syntax.fields, given, shown),
    ...(newLines?.(step.described) ?? []),
    ...flags.map((name) => memberLine('+', name, true)),
  ];
}

function newFieldLines(fields: FieldTable, given: object, shown: Shown): DiffLine[] {
  const values = given as Readonly<Record<string, unknown>>;
  return rowsOf(fields).flatMap(({ name, property, field }) => {
    const value = values[property];
    if (value === undefined || value === null || field.kind === 'secret' || name === 'name') return [];
    if (field.kind === 'image') return [memberLine('+', name, 'added')];
    if (!Array.isArray(value)) return [memberLine('+', name, shown(name, value, 'new'))];
    if (field.comparedWhole) return value.length === 0 ? [] : [memberLine('+', name, value.join(' '))];
    return listLines(name, { added: value.map((item) => itemLine(field, item)), removed: [] });
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
