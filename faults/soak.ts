// A mixed load for minutes on both engines: does anything grow, slow down or go wrong?

import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval as every, setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../test/harness/postgres.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort } from '../test/harness/service.ts';
import type { Experiment, Findings } from './experiment.ts';
import { liveHeap } from './live-heap.ts';
import { connections, MixedLoad } from './mixed-load.ts';

const fullSeconds = 120;
/** Less says nothing about growth. */
const leastSeconds = 8;
/** Enough that nobody is throttled for approving too often. */
const people = 60;

export const soakEmbedded: Experiment = {
  name: 'soak-embedded',
  title: 'Soak, embedded store',
  unavailable: notHere,
  run: async ({ scale, say }) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-'));
    return await soak({ LATCHKEY_DATA_DIR: folder.path }, scale, say);
  },
};

export const soakPostgres: Experiment = {
  name: 'soak-postgres',
  onlyInFull: true,
  title: 'Soak, PostgreSQL',
  unavailable: notHere,
  run: async ({ scale, say }) => {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const postgres = cleanup.adopt(await startPostgres({ durable: true }), (server) => server.remove());
    return await soak({ LATCHKEY_DATA_DIR: folder.path, DATABASE_URL: await postgres.newDatabase() }, scale, say);
  },
};

function notHere(): string | undefined {
  return existsSync('/proc/self/fd') ? undefined : "a process's memory and files can be seen only on Linux";
}

/** Taken every second. */
interface Sample {
  readonly at: number;
  readonly megabytes: number;
  readonly files: number;
}

/** Something measured in the first half of the time after warming up, and in the second. */
type Halves = readonly [early: number, late: number];

async function soak(
  environment: Record<string, string>,
  scale: number,
  say: (progress: string) => void,
): Promise<Findings> {
  const served = await Served.at(environment);
  const { client, users } = await populate(served.environment, people);
  const inspector = await freePort();
  const child = await served.start({ ...served.environment, NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` });
  try {
    const errors = errorLines(child);
    const load = new MixedLoad(served.service, client, users);
    // Not part of the time: on a busy machine it takes longer than a quick run.
    await load.signIn();
    const seconds = Math.max(leastSeconds, fullSeconds * scale);
    const started = performance.now();
    const end = started + seconds * 1000;
    const isGone = () => child.exitCode !== null || child.signalCode !== null;
    const ended = () => isGone() || performance.now() > end;
    // What the first quarter shows is how it warms up.
    const warm = started + (seconds * 1000) / 4;
    const [samples, heapBefore] = await Promise.all([
      sample(child.pid ?? 0, ended, say),
      pause(warm - started).then(() => (isGone() ? 0 : liveHeap(inspector))),
      load.run(ended),
    ]);
    if (isGone()) throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}`);
    const heapAfter = await liveHeap(inspector);
    await served.end('SIGTERM');

    const broken = [...new Set([...load.wrong, ...errors])];
    if (child.exitCode !== 0) broken.push(`it ended with ${child.exitCode ?? child.signalCode}`);
    const compare = (what: string, [early, late]: Halves, unit: string, allowed: number) => {
      const text = `${what} ${early.toFixed(0)} → ${late.toFixed(0)}${unit}`;
      if (late > allowed) broken.push(`grew: ${text}`);
      return text;
    };
    const halves = <Entry extends { at: number }>(
      entries: readonly Entry[],
      share: number,
      value: (entry: Entry) => number,
    ): Halves => {
      const middle = (warm + end) / 2;
      const early = entries.filter(({ at }) => at >= warm && at < middle);
      const late = entries.filter(({ at }) => at >= middle);
      return [quantile(early.map(value), share), quantile(late.map(value), share)];
    };
    const heap: Halves = [heapBefore, heapAfter];
    const memory = halves(samples, 0.5, ({ megabytes }) => megabytes);
    const files = halves(samples, 1, ({ files }) => files);
    const slow = halves(load.timings, 0.99, ({ milliseconds }) => milliseconds);
    return {
      done: `${seconds} s of everything that people and applications do, ${connections} connections, ${people} people`,
      checks: { responses: load.timings.length },
      remarks: [
        compare('heap', heap, ' MB', heap[0] * 1.1 + 5),
        compare('resident memory', memory, ' MB', memory[0] * 1.25 + 10),
        compare('99% within', slow, ' ms', slow[0] * 2 + 50),
        compare('open files', files, '', files[0] + 5),
        `${errors.length} errors in the log`,
      ],
      broken,
    };
  } finally {
    await served.end('SIGTERM');
  }
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The lines of the log that say that something is wrong with the service; grows while it runs. */
function errorLines(child: ChildProcess): string[] {
  const found: string[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    found.push(...lines.filter((line) => /"level":[56]0/.test(line)));
  });
  return found;
}

async function sample(id: number, ended: () => boolean, say: (progress: string) => void): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const _ of every(1000)) {
    if (ended()) break;
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    const files = readdirSync(`/proc/${id}/fd`).length;
    samples.push({ at: performance.now(), megabytes: Number(kilobytes) / 1024, files });
    if (samples.length % 10 === 0) say(`${(Number(kilobytes) / 1024).toFixed(0)} MB, ${files} open files`);
  }
  return samples;
}
