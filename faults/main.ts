// npm run faults: breaks what a service depends on, for some minutes, and reports what was lost. Everything happens on
// this machine, to processes, databases and file systems of its own, and is cleaned up afterwards.
//   --quick        a tenth of the repetitions
//   --only A,B     these experiments
// The report goes to stdout as Markdown, progress to stderr. The exit status is 1 when anything was lost or broken.

import { inspect } from 'node:util';
import { removeSharedPostgres } from '../test/harness/postgres.ts';
import type { Experiment, Findings } from './experiment.ts';
import { frozenPostgres } from './frozen-postgres.ts';
import { fullDisk } from './full-disk.ts';
import { fuzzForms } from './fuzz-forms.ts';
import { fuzzRoutesEmbedded, fuzzRoutesPostgres } from './fuzz-routes.ts';
import { killEmbedded, killPostgres } from './kill.ts';
import { powerCut } from './power-cut.ts';
import { promotedPostgres } from './promoted-postgres.ts';
import { rollingRestarts } from './rolling-restart.ts';
import { soakEmbedded, soakPostgres } from './soak.ts';

const experiments: readonly Experiment[] = [
  killEmbedded,
  killPostgres,
  frozenPostgres,
  promotedPostgres,
  rollingRestarts,
  fullDisk,
  powerCut,
  fuzzRoutesEmbedded,
  fuzzRoutesPostgres,
  fuzzForms,
  soakEmbedded,
  soakPostgres,
];

const args = process.argv.slice(2);
const scale = args.includes('--quick') ? 0.1 : 1;
const only = args[args.indexOf('--only') + 1]?.split(',') ?? [];
const chosen = args.includes('--only') ? experiments.filter(({ name }) => only.includes(name)) : experiments;
if (chosen.length === 0) {
  process.stderr.write(`There are these experiments: ${experiments.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}

// Ctrl-C ends the run through `exit`, where small disks are unmounted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

interface Row {
  readonly title: string;
  readonly seconds: number;
  readonly outcome: Findings | { readonly skipped: string };
}

const rows: Row[] = [];
try {
  for (const experiment of chosen) rows.push(await rowOf(experiment));
} finally {
  await removeSharedPostgres();
}
process.stdout.write(report(rows));
process.exitCode = rows.some(({ outcome }) => 'broken' in outcome && outcome.broken.length > 0) ? 1 : 0;

async function rowOf({ name, title, unavailable, run }: Experiment): Promise<Row> {
  const skipped = unavailable?.();
  if (skipped !== undefined) return { title, seconds: 0, outcome: { skipped } };
  const say = (progress: string) => process.stderr.write(`${name}: ${progress}\n`);
  const started = performance.now();
  say('starts');
  const outcome = await run({ scale, say }).catch((error: Error) => {
    return { done: 'stopped early', checked: '', broken: [inspect(error)] };
  });
  const seconds = (performance.now() - started) / 1000;
  say(`ends after ${seconds.toFixed(0)} s`);
  return { title, seconds, outcome };
}

function report(rows: readonly Row[]): string {
  const cells = rows.map(({ title, seconds, outcome }) =>
    'skipped' in outcome
      ? [title, `not run: ${outcome.skipped}`, '', '', '']
      : [
          title,
          outcome.done,
          outcome.checked,
          outcome.broken.length === 0 ? 'nothing' : `${outcome.broken.length}, see below`,
          `${seconds.toFixed(0)} s`,
        ],
  );
  const table = [['Fault', 'Done', 'Checked', 'Lost or broken', 'Time'], ['---', '---', '---', '---', '---'], ...cells];
  const broken = rows.flatMap(({ title, outcome }) =>
    'broken' in outcome ? outcome.broken.map((each) => `- ${title}: ${each}`) : [],
  );
  return `${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n${broken.length > 0 ? `\n${broken.join('\n')}\n` : ''}`;
}
