// What a download of everyone costs on the embedded store, and how much longer userinfo takes meanwhile.

import { join } from 'node:path';
import { composeServices } from '../src/cli/compose.ts';
import { createApiKey } from '../src/operations/api-keys/api-keys.ts';
import { readConfig } from '../src/platform/config.ts';
import { DAY } from '../src/protocol/durations.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { requester } from '../test/harness/service.ts';
import { countCpu } from './cpu.ts';
import { fillPeople } from './filled-people.ts';
import { startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { type FilledStore, startLatchkey } from './servers.ts';

export const downloadedPeople = 68_000;
/** Of `DownloadFigures`. */
export const downloadLimits = { cpuMs: 2000, p99: 2 };
const path = '/api/people.csv';

export interface DownloadFigures {
  /** Of all threads of the service, for one download. */
  readonly cpuMs: number;
  /** Of userinfo while downloads are under way, as a multiple of its p99 without them. */
  readonly p99: number;
}

/** Throws if anyone is missing in a download. */
export async function measureDownloads({
  rounds,
  sliceMs,
}: {
  rounds: number;
  sliceMs: number;
}): Promise<DownloadFigures> {
  let filled: FilledStore | undefined;
  const fill = (store: FilledStore) => {
    filled = store;
    return undefined;
  };
  process.stderr.write(`a store with ${downloadedPeople.toLocaleString('en')} people\n`);
  const server = await startLatchkey('SQLite', { signedIn: 1, fill });
  const generator = startLoadGenerator();
  try {
    const authorization = await prepare(filled);
    const target = await server.target();
    const download = async () => {
      const response = await fetch(`http://localhost:${target.ports[0]}${path}`, { headers: { authorization } });
      const lines = (await response.text()).split('\n').length;
      if (lines < downloadedPeople) throw new Error(`${response.status}: ${lines} lines`);
    };
    await download();
    const [cpu, ratios]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      process.stderr.write(`downloads, round ${round + 1} of ${rounds}\n`);
      const used = countCpu(server.processes[0] ?? (() => []));
      await download();
      cpu.push(used() / 1000);
      const userinfo = { target, work: 'userinfo', connections: 4, warmUpMs: 300, measureMs: sliceMs } as const;
      const idle = await generator.measure(userinfo);
      let running = true;
      const downloading = (async () => {
        while (running) await download();
      })();
      const busy = await generator.measure(userinfo);
      running = false;
      await downloading;
      process.stderr.write(
        `  ${Math.round(cpu.at(-1) ?? 0)} ms of CPU; userinfo's median and p99 in ms: ` +
          `${[idle, busy].map(({ p50, p99 }) => `${p50.toFixed(2)} ${p99.toFixed(2)}`).join(', during downloads ')}\n`,
      );
      ratios.push(busy.p99 / idle.p99);
    }
    return { cpuMs: median(cpu), p99: median(ratios) };
  } finally {
    generator.stop();
    await server.stop();
  }
}

/** Adds the people past the running service, and a key that may read them. */
async function prepare(store: FilledStore | undefined): Promise<string> {
  if (store === undefined) throw new Error('there is no store');
  const driver = openSqlite(join(store.dataDir, 'latchkey.db'));
  await fillPeople(driver, downloadedPeople, Date.now() - DAY);
  await driver.close();
  const config = readConfig({
    LATCHKEY_BASE_URL: store.issuer,
    LATCHKEY_DATA_DIR: store.dataDir,
    LATCHKEY_KEYS: store.key,
  });
  const { services, close } = await composeServices(config);
  try {
    const made = await createApiKey(services, { name: 'Downloads', permission: 'read' }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    return `Bearer ${made.secret}`;
  } finally {
    await close();
  }
}
