// node bench/profile.ts WORK [SECONDS]: loads a Latchkey on the embedded store with one kind of work and writes a CPU
// profile of it, to be opened in a browser's developer tools; prints what took the most time itself.

import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figures, Work } from './load.ts';
import { pinned, startLatchkey } from './servers.ts';

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  readonly samples: readonly number[];
}

const work = (process.argv[2] ?? 'userinfo') as Work;
const measureMs = Number(process.argv[3] ?? 5) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-profile-'));
const server = await startLatchkey('SQLite', `--cpu-prof --cpu-prof-dir=${folder}`);
const [command, args] = pinned('1', process.execPath, [fileURLToPath(new URL('load.ts', import.meta.url))]);
const generator = fork(args.at(-1) as string, [], { execPath: command, execArgv: args.slice(0, -1) });
const answered = new Promise<Figures>((resolve) => generator.once('message', (message) => resolve(message as Figures)));
generator.send({ target: await server.target(), work, connections: 32, warmUpMs: 500, measureMs });
const figures = await answered;
generator.kill();
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
