// What a request costs each server, in microseconds of CPU. Slices of a second are interleaved, so that whatever else the machine does
// affects all servers alike, and servers are compared slice by slice.

import { residentOf } from './cpu.ts';
import { startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import type { ServerCost } from './results.ts';
import type { Server } from './server-process.ts';
import type { Work } from './work.ts';

export const bareServer = 'node:http';

const connections = 16;
/** So many until what runs most is compiled, but no longer than so many seconds. */
const warmUp: Readonly<Record<Work, number>> = { userinfo: 20_000, refresh: 10_000, flow: 2000, check: 20_000 };
const warmUpSeconds = 5;

const allWorks = Object.keys(warmUp) as Work[];

interface Slice {
  readonly service: number;
  readonly database: number | undefined;
  readonly errors: number;
  /** Of the service, after the slice. */
  readonly residentMb: number;
}

export class RequestCosts {
  readonly #slices = new Map<string, Slice[]>();

  add(work: Work, server: string, slice: Slice): void {
    const key = `${work} ${server}`;
    this.#slices.set(key, [...this.#of(work, server), slice]);
  }

  /** How many times the CPU of one server that of another is, databases included: the median of neighboring slices. */
  ratio(work: Work, above: string, below: string): number | null {
    const others = this.#of(work, below);
    const ratios = this.#of(work, above).map((slice, round) => totalOf(slice) / totalOf(others[round]));
    return ratios.length === 0 || others.length === 0 ? null : median(ratios);
  }

  /** How many megabytes one server has beyond another: the median of neighboring slices. */
  memoryAbove(work: Work, above: string, below: string): number | null {
    const others = this.#of(work, below);
    const differences = this.#of(work, above).map(
      ({ residentMb }, round) => residentMb - (others[round]?.residentMb ?? Number.NaN),
    );
    return differences.length === 0 || others.length === 0 ? null : median(differences);
  }

  summary(servers: readonly Server[]): ServerCost[] {
    return allWorks.flatMap((work) =>
      servers.flatMap(({ name }) => {
        const slices = this.#of(work, name);
        if (slices.length === 0) return [];
        const databases = slices.flatMap(({ database }) => (database === undefined ? [] : [database]));
        return {
          work,
          server: name,
          cpuMicroseconds: rounded(median(slices.map(({ service }) => service))),
          databaseMicroseconds: databases.length === 0 ? null : rounded(median(databases)),
          ofBare: this.ratio(work, name, bareServer),
          errors: slices.reduce((sum, { errors }) => sum + errors, 0),
        };
      }),
    );
  }

  #of(work: Work, server: string): readonly Slice[] {
    return this.#slices.get(`${work} ${server}`) ?? [];
  }
}

export async function measureRequests(
  servers: readonly Server[],
  {
    rounds,
    sliceMs,
    works = ['userinfo', 'refresh', 'flow'],
  }: { readonly rounds: number; readonly sliceMs: number; readonly works?: readonly Work[] },
): Promise<RequestCosts> {
  const costs = new RequestCosts();
  const generator = startLoadGenerator();
  const jobs = works.flatMap((work) =>
    servers.filter(({ name }) => work !== 'flow' || name !== bareServer).map((server) => ({ work, server })),
  );
  const measure = async ({ work, server }: (typeof jobs)[number], measureMs: number) => {
    const job = { target: await server.target(), work, connections, warmUpMs: 200, measureMs };
    return generator.measure(job, server.processes);
  };
  try {
    process.stderr.write('requests, warming up\n');
    for (const job of jobs) {
      let requests = 0;
      for (let second = 0; second < warmUpSeconds && requests < warmUp[job.work]; second++) {
        requests += (await measure(job, 1000)).requests;
      }
    }
    for (let round = 0; round < rounds; round++) {
      process.stderr.write(`requests, round ${round + 1} of ${rounds}\n`);
      for (const job of jobs) {
        const { cpu, errors } = await measure(job, sliceMs);
        const residentMb = residentOf(job.server.processes[0]?.() ?? []);
        costs.add(job.work, job.server.name, { service: cpu[0] ?? Number.NaN, database: cpu[1], errors, residentMb });
      }
    }
  } finally {
    generator.stop();
  }
  return costs;
}

function totalOf(slice: Slice | undefined): number {
  return slice === undefined ? Number.NaN : slice.service + (slice.database ?? 0);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
