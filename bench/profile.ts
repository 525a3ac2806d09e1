// node bench/profile.ts WORK [SECONDS] [SQLite or PostgreSQL]: writes a CPU profile of Latchkey, or of the gate if the work is "check",
// under one kind of load, for the developer tools of a browser, and prints the functions with the most self time.

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../test/harness/command.ts';
import { startGate } from './gate.ts';
import { startLoadGenerator } from './load.ts';
import { startLatchkey } from './servers.ts';
import type { Work } from './work.ts';

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  readonly samples: readonly number[];
}

const work = (process.argv[2] ?? 'userinfo') as Work;
const measureMs = Number(process.argv[3] ?? 5) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-profile-'));
const environment = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
const server =
  work === 'check'
    ? await startGate(root, 'Latchkey gate', environment)
    : await startLatchkey(process.argv[4] === 'PostgreSQL' ? 'PostgreSQL' : 'SQLite', { environment });
const generator = startLoadGenerator();
const target = await server.target();
const figures = await generator.measure({ target, work, connections: 32, warmUpMs: 500, measureMs });
generator.stop();
await server.stop();

process.stdout.write(`${Math.round(figures.perSecond)} per second, ${figures.errors} errors\n`);
for (const name of readdirSync(folder)) {
  const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile;
  const names = new Map(
    profile.nodes.map(({ id, callFrame }) => {
      const place = callFrame.url.split('/').slice(-2).join('/');
      return [id, `${callFrame.functionName || '(anonymous)'} ${place}:${callFrame.lineNumber + 1}`];
    }),
  );
  const counts = new Map<string, number>();
  for (const sample of profile.samples) {
    const key = names.get(sample) ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  process.stdout.write(`\n${join(folder, name)}\n`);
  for (const [key, count] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 40)) {
    process.stdout.write(`${((count / profile.samples.length) * 100).toFixed(1).padStart(5)} %  ${key}\n`);
  }
}
