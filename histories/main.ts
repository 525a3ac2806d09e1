// npm run histories: random requests at several instances while they and their database are killed, frozen and failed over. For
// every grant, one order has to explain all responses. A service that is broken on purpose has to be noticed.
//   --quick           a fraction of the requests and every fault once
//   --only NAME       embedded, replicated, distributed or broken
//   --seed NUMBER     repeats the choices of another run, though not its timing
//   --minutes NUMBER  the longest that each part may take
//   --record FILE     writes every request to a file, as JSON lines
// The report goes to stdout, progress to stderr. The exit status is 1 when an order is missing, when there were fewer requests or
// faults than planned, or when a broken service went unnoticed.

import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { citusUnavailable } from '../faults/citus-cluster.ts';
import { Random } from '../faults/random.ts';
import { shrunk } from './checker.ts';
import { defects, startBroken } from './defects.ts';
import { startDistributed } from './distributed.ts';
import { startEmbedded } from './embedded.ts';
import type { Operation } from './operation.ts';
import { startReplicated } from './replicated.ts';
import { described, rowOf } from './report.ts';
import { type Plan, peopleFor, type Result, run } from './run.ts';
import type { System } from './system.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '15' },
    record: { type: 'string' },
  },
});

const parts = {
  embedded: { start: startEmbedded, operations: 130_000, quick: 2600, faults: 30 },
  replicated: { start: startReplicated, operations: 75_000, quick: 4000, faults: 32 },
  distributed: { start: startDistributed, operations: 150_000, quick: 6000, faults: 32, unavailable: citusUnavailable },
};
/** How many violations are shown in full. */
const shown = 5;
/** Enough for every defect to show. */
const brokenOperations = 3000;

const { seed } = values.seed === undefined ? Random.fromEnvironment() : new Random(Number(values.seed));
const wanted = (name: string) => values.only === undefined || values.only === name;
const problems: string[] = [];

// Ctrl-C ends the run through `exit`, where what was stopped goes on and what was started is killed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

if (values.record !== undefined) writeFileSync(values.record, '');

const plan = (part: string, limits: Pick<Plan, 'operations' | 'faults'>): Plan => ({
  ...limits,
  seed,
  seconds: 60 * Number(values.minutes),
  say: (progress) => process.stderr.write(`${part}: ${progress}\n`),
  keep: (operations) => keep(part, operations),
});

print([`Seed ${seed}.`, '']);
printRow(['Service', 'Requests', 'Faults', 'Grants', 'Violations', 'Time']);
printRow(['---', '---', '---', '---', '---', '---']);
for (const [name, part] of Object.entries(parts)) if (wanted(name)) await conduct(name, part);
if (wanted('broken')) await conductBroken();
if (problems.length > 0) print(['', ...problems]);
process.exitCode = problems.length > 0 ? 1 : 0;

async function conduct(
  name: string,
  part: {
    start: (people: number) => Promise<System>;
    operations: number;
    quick: number;
    faults: number;
    unavailable?: typeof citusUnavailable;
  },
): Promise<void> {
  const reason = part.unavailable?.();
  if (reason !== undefined) return printRow([name, `not run: ${reason}`, '', '', '', '']);
  const operations = values.quick ? part.quick : part.operations;
  await using system = await part.start(peopleFor(operations));
  const faults = values.quick ? Object.keys(system.faults).length : part.faults;
  const result = await run(system, plan(name, { operations, faults }));
  printRow(rowOf(system.title, result));
  problems.push(
    ...result.unexpected,
    ...result.violations.slice(0, shown).map((each) => described(shrunk(each))),
    ...missing(result, operations, faults),
  );
}

function missing(result: Result, operations: number, faults: number): string[] {
  const injected = [...result.faults.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...(result.operations < operations ? [`There were only ${result.operations} of ${operations} requests.`] : []),
    ...(injected < faults ? [`There were only ${injected} of ${faults} faults.`] : []),
  ];
}

/** Through each defect, until it shows. */
async function conductBroken(): Promise<void> {
  await using system = await startEmbedded(Object.keys(defects).length * peopleFor(brokenOperations));
  for (const [name, makeDefect] of Object.entries(defects)) {
    await using broken = await startBroken(system.instances[0]?.url ?? '', makeDefect());
    const result = await run(system, {
      ...plan(name, { operations: brokenOperations, faults: 0 }),
      urls: [broken.url],
      untilNoticed: true,
      active: 2,
    });
    printRow(rowOf(`Broken on purpose: ${name}`, result));
    if (result.violations.length === 0) problems.push(`A service that ${name} went unnoticed.`);
  }
}

function keep(part: string, operations: readonly Operation[]): void {
  if (values.record === undefined) return;
  const lines = operations.map((operation) => JSON.stringify({ part, ...operation }));
  appendFileSync(values.record, `${lines.join('\n')}\n`);
}

function printRow(cells: readonly string[]): void {
  print([`| ${cells.join(' | ')} |`]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
