// node bench/compare.js A B: two results of npm run bench side by side, and how many times A's figure B's is. Plain JavaScript without
// dependencies, so that any Node can compare any two versions.

import { readFileSync } from 'node:fs';

const files = process.argv.slice(2);
if (files.length !== 2) {
  process.stderr.write('usage: node bench/compare.js A.json B.json\n');
  process.exit(2);
}
const [a, b] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));

for (const [name, { date, machine, quick, rounds }] of [
  ['A', a],
  ['B', b],
]) {
  const machineText = `${machine.cores} × ${machine.cpu}, Node ${machine.node}`;
  process.stdout.write(`${name}: ${date}, ${rounds} rounds${quick ? ' (quick)' : ''}, ${machineText}\n`);
}
print(figuresOf(a), figuresOf(b));

/** Figures by what they're about, in the order of the file. */
function figuresOf({ rows, servers }) {
  const figures = new Map();
  for (const { name, unit, now } of rows) figures.set(unit === 'ratio' ? name : `${name}, ${unit}`, now);
  for (const { work, server, cpuMicroseconds, databaseMicroseconds, ofBare } of servers) {
    figures.set(`${work}, ${server}, CPU µs`, cpuMicroseconds + (databaseMicroseconds ?? 0));
    if (ofBare !== 1) figures.set(`${work}, ${server}, × bare`, ofBare);
  }
  return figures;
}

function print(left, right) {
  process.stdout.write('\n| | A | B | B / A |\n| --- | --- | --- | --- |\n');
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [before, after] = [left.get(name) ?? null, right.get(name) ?? null];
    if (before === null && after === null) continue;
    const ratio = before === null || after === null ? '' : (after / before).toFixed(2);
    process.stdout.write(`| ${name} | ${written(before)} | ${written(after)} | ${ratio} |\n`);
  }
}

function written(value) {
  if (value === null) return '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
