// node bench/publish.ts: writes bench/results.json into docs/performance.md, its chart and bench/goals.md. A test says when it's needed.

import { readFileSync, writeFileSync } from 'node:fs';
import { withGeneratedParts } from '../scripts/generated-parts.ts';
import { chart } from './chart.ts';
import { footprintTable, peersTable, type Results, rowsTable, workTitles } from './results.ts';

const page = new URL('../docs/performance.md', import.meta.url);
const goals = new URL('goals.md', import.meta.url);
const image = new URL('../docs/images/performance.svg', import.meta.url);

interface Published {
  readonly page: string;
  readonly goals: string;
  readonly image: string;
}

/** What the results say about the pages and the chart. */
export function published(results: Results, texts: Pick<Published, 'page' | 'goals'>): Published {
  const { date, machine, quick, rounds } = results;
  const day = new Date(date).toLocaleDateString('en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const run = `Measured on ${day}${quick ? ' in a quick run, so roughly' : ''}: ${rounds} rounds on ${machine.cores} cores (${machine.cpu}), Node ${machine.node}.\n`;
  const works = [...new Set(results.servers.map(({ work }) => work))];
  const groups = works.map((work) => ({
    title: workTitles[work],
    bars: results.servers
      .filter((each) => each.work === work && !each.server.includes('before'))
      .map(({ server, cpuMicroseconds, databaseMicroseconds }) => ({
        label: server,
        value: cpuMicroseconds + (databaseMicroseconds ?? 0),
        ours: server.startsWith('Latchkey'),
      })),
  }));
  const parts = { servers: `${run}\n${peersTable(results)}`, footprint: footprintTable(results) };
  return {
    page: withGeneratedParts(texts.page, parts),
    goals: withGeneratedParts(texts.goals, { results: `${run}\n${rowsTable(results)}` }),
    image: chart(groups),
  };
}

export function readResults(): Results {
  return JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8')) as Results;
}

if (import.meta.main) {
  const updated = published(readResults(), { page: readFileSync(page, 'utf8'), goals: readFileSync(goals, 'utf8') });
  writeFileSync(page, updated.page);
  writeFileSync(goals, updated.goals);
  writeFileSync(image, updated.image);
}
