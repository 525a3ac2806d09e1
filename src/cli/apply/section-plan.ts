// How a section of the file for `latchkey apply` is compared with what there is and applied, step by step: what each step
// prints, its JSON, and taking the steps.

import { type AdminOutcome, refusalClause, refused } from '../../operations/admin/outcome.ts';
import { applyStep, exportSection } from '../../operations/apply/apply-section.ts';
import type { ApplyServices, Described, FileContext, FileSection, Step } from '../../operations/apply/file-section.ts';
import { planSection } from '../../operations/apply/plan-section.ts';
import { type ReadableSection, readSection } from '../../operations/apply/read-section.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../storage/storage.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import type { Section as HelpSection } from '../frame/spec.ts';
import { changesJson, type DiffLine, line, linesOf } from './diff.ts';
import { helpOf } from './help.ts';

export interface Section extends ReadableSection {
  readonly help?: HelpSection;
  /** With what the entries name as it's really called. */
  resolve?(context: FileContext, described: readonly Described[]): Promise<readonly Described[]>;
  /** Compares. Nothing is changed. */
  plan(context: FileContext): Promise<SectionPlan>;
  /** What there is, as the file has it. */
  export(services: ApplyServices, writeImage: ImageWriter): Promise<unknown>;
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

export function requirePlanned<Result>(outcome: AdminOutcome<Result>): Result {
  if (outcome.kind === 'refused') throw new CommandFailed(`${refusalClause(outcome)}. Nothing was changed.`);
  return outcome;
}

const signs: Readonly<Record<string, '+' | '~' | '-'>> = { create: '+', update: '~', delete: '-' };

/** A section that lists what there is of one kind. */
export function listSection(section: FileSection): Section {
  return {
    name: section.name,
    help: helpOf(section),
    read: (value, readers, problems) => readSection(section, value, readers, problems),
    resolve: async (context, described) => section.resolve?.(context, described) ?? described,
    export: (services, writeImage) => exportSection(section, services, writeImage),

    async plan(context) {
      const described = context.file.get(section.name);
      if (described === undefined) return planOf(section, context.services, undefined);
      return planOf(section, context.services, requirePlanned(await planSection(section, context, described)).steps);
    },
  };
}

/** `steps` is undefined if the file says nothing about them. */
function planOf(section: FileSection, services: ApplyServices, given: readonly Step[] | undefined): SectionPlan {
  const { deletes, called, remark, key, json } = section;
  const steps = given ?? [];
  const done = new Map<Step, object>();
  const take = async (report: Report, isWanted: (isDeletion: boolean) => boolean) => {
    for (const step of steps) {
      if (signs[step.kind] === undefined || !isWanted(step.kind === 'delete')) continue;
      done.set(step, await taken(section, services, step, report));
    }
  };
  const count = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length;
  return {
    diff: steps.flatMap((step) => {
      const sign = signs[step.kind];
      const lines = sign === undefined ? [] : [line(sign, called(step)), ...linesOf(section, step)];
      const remarked = remark?.(step);
      return remarked === undefined ? lines : [...lines, line('!', remarked)];
    }),
    counts: {
      create: count('create'),
      change: count('update'),
      delete: count('delete'),
      unchanged: count('unchanged'),
    },
    kept: steps.filter(({ kind }) => kind === 'leave').map(called),
    async apply(report) {
      if (deletes === 'first') await take(report, (isDeletion) => isDeletion);
      await take(report, (isDeletion) => !isDeletion || deletes === 'in order');
    },
    async finish(report) {
      if (deletes === 'last') await take(report, (isDeletion) => isDeletion);
    },
    json: () =>
      given?.map((step) => ({
        [key]: step.id,
        action: step.kind,
        ...(signs[step.kind] !== undefined && { applied: done.has(step) }),
        ...done.get(step),
        ...('changes' in step && { changes: changesJson(step.changes) }),
        ...(step.kind !== 'create' && json?.(step.item)),
      })),
  };
}

/** The secret of what the step has created, which is shown at once. */
async function taken(section: FileSection, services: ApplyServices, step: Step, report: Report): Promise<object> {
  const outcome = await applyStep(section, services, step, commandRequester()).catch((error: Error) => {
    if (!(error instanceof StorageUnavailable) || error instanceof OutcomeUnknown) throw error;
    return refused(error.message);
  });
  if (outcome.kind === 'refused') {
    const before = report.hasChanges() ? 'Earlier changes are saved' : 'Nothing was changed';
    throw new CommandFailed(`can't apply ${step.id}: ${refusalClause(outcome)}. ${before}; apply the file again.`);
  }
  report.changed(1);
  const { name, of } = section.secret ?? {};
  if (outcome.secret === undefined || name === undefined || of === undefined) return {};
  report.secret({ [of]: step.id, [name]: outcome.secret });
  return { [name]: outcome.secret };
}
