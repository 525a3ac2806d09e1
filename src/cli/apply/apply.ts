// `latchkey apply`: makes the applications, groups, attributes, upstreams, settings and webhooks match a file, and shows the difference first.

import { refused } from '../../operations/admin/outcome.ts';
import type { Described, Description, FileContext } from '../../operations/apply/file-section.ts';
import type { Services } from '../../operations/services.ts';
import { UsageError } from '../command.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { finishing, print, printJson } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { withServices } from '../with-services.ts';
import { printDiff } from './diff.ts';
import { exportTo, readDescription } from './file.ts';
import { type Counts, type Report, requirePlanned, type SectionPlan } from './section-plan.ts';
import { sections } from './sections.ts';

type Choices = Readonly<Record<'dryRun' | 'prune' | 'json' | 'yes', boolean>>;

export const apply = defineCommand({
  summary: summaries.apply,
  details: `Shows what changes, and changes it. FILE is JSON with any of these lists, and with "settings" as "latchkey settings"
names them:

  {
    "applications": [{"client_id": "photos", "name": "Photos", "redirect_uris": ["https://photos.example/callback"]}],
    "groups": [{"name": "Staff", "members": ["ada@example.com"]}],
    "settings": {"second_factor": "everyone"}
  }

What the file leaves out stays as it is, unless a default is given below. Where a value can be null, null removes it.

The whole file is checked before anything changes. New secrets are printed once. Revoked applications stay revoked. Applying
the same file again changes nothing.

--export writes the current state as such a file, without secrets: to standard output, or with -f to a file, with images in
a folder beside it.`,
  sections: sections.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap(({ help }) => help ?? []),
  options: {
    file: { value: 'FILE', short: 'f', completes: 'file', about: 'the file to apply; "-" reads standard input' },
    'dry-run': { about: 'show what would change, and change nothing' },
    prune: {
      about:
        "delete applications that aren't in FILE, and groups, attributes, upstreams and webhooks too if FILE has any; otherwise they stay",
    },
    export: { about: 'write the file instead' },
    ...yesOption,
    ...jsonOption,
  },
  examples: [
    'latchkey apply -f latchkey.json --dry-run',
    'latchkey apply -f latchkey.json',
    'latchkey apply --export > latchkey.json',
  ],
  async run({ values, environment }) {
    const choices = { dryRun: values['dry-run'], prune: values.prune, json: values.json, yes: values.yes };
    const { file } = values;
    if (values.export) {
      const chosen = Object.values(choices).some(Boolean);
      if (chosen) throw new UsageError('--export can only be combined with -f');
      return withServices(environment, (services) =>
        withProgress({ label: 'Exporting' }, () => exportTo(services, file)),
      );
    }
    if (file === undefined) throw new UsageError('-f FILE is required');
    const described = await readDescription(file, environment);
    await withServices(
      environment,
      (services) => withProgress({ label: 'Applying' }, () => finishing(() => applyTo(services, described, choices))),
      { createsStore: true, dryRun: choices.dryRun },
    );
  },
});

async function applyTo(services: Services, described: Description, choices: Choices): Promise<void> {
  const { dryRun, prune, json } = choices;
  const context = await resolved({ services, file: described, prune, problems: new Set() });
  const plans = new Map<string, SectionPlan>();
  for (const section of sections) plans.set(section.name, await section.plan(context));
  const all = [...plans.values()];
  const diff = all.flatMap((plan) => plan.diff);
  if (!json) printDiff(diff);
  if (!dryRun) await confirmDeletions(plans, choices.yes);
  try {
    if (!dryRun) await takeSteps(all, json ? () => {} : printSecret);
  } finally {
    // Even when a later step fails: a secret that isn't shown now is lost.
    if (json) {
      const parts = [...plans].map(([name, plan]) => [name, plan.json()] as const);
      printJson({ dry_run: dryRun, ...Object.fromEntries(parts.filter(([, part]) => part !== undefined)) });
    }
  }
  if (json) return;
  if (diff.length > 0) print('');
  print(`${dryRun ? 'Dry run: nothing was changed. ' : ''}${summary(all, dryRun)}`);
  const kept = all.flatMap((plan) => plan.kept);
  if (kept.length > 0) print(keptSentence(kept, prune));
}

/** With what the file names as it's really called. */
async function resolved(context: FileContext): Promise<FileContext> {
  const file = new Map<string, readonly Described[]>();
  for (const { name, resolve } of sections) {
    const described = context.file.get(name);
    if (described !== undefined) file.set(name, (await resolve?.(context, described)) ?? described);
  }
  const { problems } = context;
  if (problems.size > 0) requirePlanned(refused([...problems].join('; ')));
  return { ...context, file };
}

async function takeSteps(plans: readonly SectionPlan[], secret: Report['secret']): Promise<void> {
  const count = sum(plans, 'create') + sum(plans, 'change') + sum(plans, 'delete');
  await withProgress({ label: 'Applying', total: { count, unit: 'changes' } }, async (progress) => {
    let done = 0;
    const changed = (more: number) => {
      done += more;
      progress.add(more);
    };
    const report = { secret, changed, hasChanges: () => done > 0 };
    for (const plan of plans) await plan.apply(report);
    for (const plan of plans) await plan.finish?.(report);
  });
}

/** What --prune deletes can't be restored. */
async function confirmDeletions(plans: ReadonlyMap<string, SectionPlan>, yes: boolean): Promise<void> {
  const deleted = [...plans]
    .map(([name, { counts }]) => [name, counts.delete] as const)
    .filter(([, count]) => count > 0);
  if (deleted.length === 0) return;
  const parts = deleted.map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`);
  await confirmLoss(yes, async () => ({
    what: new Intl.ListFormat('en').format(parts),
    with: [],
    otherwise: 'nothing was changed.',
  }));
}

function printSecret(shown: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(shown).map((name) => name.length));
  const lines = Object.entries(shown).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  print(`\n${lines.join('\n')}\n\nCopy the secret now. You won't be able to see it again.`);
}

function summary(plans: readonly SectionPlan[], dryRun: boolean): string {
  const [created, changed, deleted] = [sum(plans, 'create'), sum(plans, 'change'), sum(plans, 'delete')];
  const text = dryRun
    ? `${created} to create, ${changed} to change, ${deleted} to delete`
    : `${created} created, ${changed} changed, ${deleted} deleted`;
  return `${text}, ${sum(plans, 'unchanged')} unchanged.`;
}

function sum(plans: readonly SectionPlan[], name: keyof Counts): number {
  return plans.reduce((total, { counts }) => total + counts[name], 0);
}

const mostNames = 10;

function keptSentence(kept: readonly string[], prune: boolean): string {
  const more = kept.length - mostNames;
  const names = [...kept.slice(0, mostNames), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  if (prune) return `Kept, because applications in the file name them: ${names}.`;
  return `Not in the file, and kept (--prune deletes them): ${names}.`;
}
