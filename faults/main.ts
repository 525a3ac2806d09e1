// npm run faults: breaks what a service depends on, for some minutes, and reports what was lost. Everything happens on
// this machine, to processes, databases and file systems of its own, and is cleaned up afterwards.
//   --quick        a tenth of the repetitions, and without the experiments that are only in the full run
//   --only A,B     these experiments
// The report goes to stdout as Markdown, progress to stderr. The exit status is 1 when anything was lost or broken.

import { inspect } from 'node:util';
import { removeSharedPostgres } from '../test/harness/postgres.ts';
import { ends } from './ends.ts';
import { type Experiment, type Findings, problemsOf, shownChecks } from './experiment.ts';
import { frozenPostgres } from './frozen-postgres.ts';
import { fullDisk } from './full-disk.ts';
import { fuzzForms } from './fuzz-forms.ts';
import { fuzzRoutesEmbedded, fuzzRoutesPostgres } from './fuzz-routes.ts';
import { killedGate } from './gate.ts';
import { hungReceivers } from './hung-receivers.ts';
import { killEmbedded, killPostgres } from './kill.ts';
import { killedWorker } from './killed-worker.ts';
import { lostWorkers } from './lost-workers.ts';
import { migrationUnderLoad } from './migration.ts';
import { powerCut } from './power-cut.ts';
import { promotedPostgres } from './promoted-postgres.ts';
import { rollingRestarts } from './rolling-restart.ts';
import { soakEmbedded, soakPostgres } from './soak.ts';
import { wrongClock } from './wrong-clock.ts';

const experiments: readonly Experiment[] = [
  killEmbedded,
  killPostgres,
  killedWorker,
  hungReceivers,
  ends,
  frozenPostgres,
  promotedPostgres,
  lostWorkers,
  wrongClock,
  rollingRestarts,
  migrationUnderLoad,
  fullDisk,
  powerCut,
  fuzzRoutesEmbedded,
  fuzzRoutesPostgres,
  fuzzForms,
  killedGate,
  soakEmbedded,
  soakPostgres,
];

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const scale = isQuick ? 0.1 : 1;
const names = experiments.map(({ name }) => name);
const usual = experiments.filter(({ onlyInFull }) => !(isQuick && onlyInFull)).map(({ name }) => name);
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',') : usual;
const chosen = experiments.filter(({ name }) => only.includes(name));
if (!only.every((name) => names.includes(name))) {
  process.stderr.write(`There are these experiments: ${names.join(', ')}\n`);
  process.exit(2);
}

// Ctrl-C ends the run through `exit`, where small disks are unmounted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const broken: string[] = [];
printRow(['Fault', 'Done', 'Checked', 'Lost or broken', 'Time']);
printRow(['---', '---', '---', '---', '---']);
try {
  for (const experiment of chosen) await conduct(experiment);
} finally {
  await removeSharedPostgres();
}
if (broken.length > 0) process.stdout.write(`\n${broken.map((line) => `- ${line}`).join('\n')}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;

async function conduct({ name, title, unavailable, run }: Experiment): Promise<void> {
  const reason = unavailable?.();
  if (reason !== undefined) return printRow([title, `not run: ${reason}`, '', '', '']);
  const say = (progress: string) => process.stderr.write(`${name}: ${progress}\n`);
  const started = performance.now();
  say('starts');
  const findings: Findings = await run({ scale, say }).catch((error: Error) => {
    return { done: 'stopped early', checks: {}, broken: [inspect(error)] };
  });
  const problems = problemsOf(findings);
  const seconds = `${((performance.now() - started) / 1000).toFixed(0)} s`;
  say(`ends after ${seconds}`);
  const times = Map.groupBy(problems, (line) => line);
  broken.push(...[...times].map(([line, all]) => `${title}: ${line}${all.length > 1 ? ` (${all.length} times)` : ''}`));
  const lost = problems.length === 0 ? 'nothing' : `${problems.length}, see below`;
  printRow([title, findings.done, shownChecks(findings), lost, seconds]);
}

function printRow(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
