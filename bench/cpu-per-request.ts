// What a request costs each server, in microseconds of CPU. Slices of a hundred requests: whatever else the machine does then affects
// neighboring slices alike, which it doesn't in slices of a second. Servers take turns in random order, and are compared turn by turn.
// Those that are to be compared run twice: two processes of the same code differ, too, and a ratio is only as good as theirs is close
// to 1.

import { setTimeout as pause } from 'node:timers/promises';
import { countCpu, residentOf } from './cpu.ts';
import { type LoadGenerator, startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import type { ServerCost } from './results.ts';
import type { Server } from './server-process.ts';
import { type Pair, unmeasured } from './versions.ts';
import type { Work } from './work.ts';

export const bareServer = 'node:http';

const connections = 16;
const stepsPerSlice = 100;
/** What identical code may differ by before a ratio says nothing. */
const tolerance = 0.05;
/** So many until what runs most is compiled, but no longer than for so many seconds of CPU: on a busy machine, they take minutes. */
const warmUp: Readonly<Record<Work, number>> = {
  userinfo: 40_000,
  refresh: 20_000,
  flow: 8000,
  check: 20_000,
  authorize: 3000,
  exchange: 3000,
  first: 3000,
};
const warmUpSeconds = 8;
/** Milliseconds until what was to be written later is written, and then those in which a server is watched that nobody asks. */
const settling = 2000;
const resting = 5000;

const allWorks = Object.keys(warmUp) as Work[];
/** What is measured together: the steps of a flow, each of which uses what the one before it has left. */
const blocks: readonly (readonly Work[])[] = [
  ['userinfo'],
  ['refresh'],
  ['flow'],
  ['check'],
  ['authorize', 'exchange', 'first'],
];

interface Slice {
  readonly service: number;
  readonly database: number | undefined;
  readonly errors: number;
  /** Of the service, after the slice. */
  readonly residentMb: number;
}

/** Ratios, and the one of identical code that says how good they are. */
export interface ControlledPair extends Pair {
  readonly control: number | null;
}

export const unmeasuredRatio: ControlledPair = { ...unmeasured, control: null };

export class RequestCosts {
  /** By work and server, then by copy. */
  readonly #slices = new Map<string, Slice[][]>();

  /** `copy` says which of the processes with this name it was, from 0 on. */
  add(work: Work, server: string, copy: number, slice: Slice): void {
    const copies = this.#of(work, server);
    this.#slices.set(`${work} ${server}`, copies);
    copies[copy] ??= [];
    copies[copy].push(slice);
  }

  /**
   * How many times the CPU of one server that of another is, databases included: the median of neighboring slices. Null if that would
   * say more about processes than about code.
   */
  ratio(work: Work, above: string, below: string): number | null {
    const isOff = [above, below].some((server) => Math.abs((this.control(work, server) ?? 1) - 1) > tolerance);
    return isOff ? null : this.#compared(this.#turns(work, above), this.#turns(work, below));
  }

  /** What that ratio is between two processes with the same code; null if there aren't two. */
  control(work: Work, server: string): number | null {
    const [first = [], second = []] = this.#of(work, server);
    return this.#compared(first.map(totalOf), second.map(totalOf));
  }

  /** A ratio of this version and, if it was measured, that of the one before, with the worst of their controls. */
  pair(work: Work, now: readonly [string, string], before?: readonly [string, string]): ControlledPair {
    const controls = [...now, ...(before ?? [])].flatMap((server) => this.control(work, server) ?? []);
    const [control = null] = controls.toSorted((a, b) => Math.abs(b - 1) - Math.abs(a - 1));
    const ratio = this.ratio(work, ...now);
    return { now: ratio, before: before === undefined ? ratio && 1 : this.ratio(work, ...before), control };
  }

  /** How many megabytes one server has beyond another: the median of neighboring slices. */
  memoryAbove(work: Work, above: string, below: string): number | null {
    const [others = []] = this.#of(work, below);
    const [ours = []] = this.#of(work, above);
    const differences = ours.map(({ residentMb }, turn) => residentMb - (others[turn]?.residentMb ?? Number.NaN));
    return differences.length === 0 || others.length === 0 ? null : median(differences);
  }

  summary(servers: readonly Server[]): ServerCost[] {
    const names = [...new Set(servers.map(({ name }) => name))];
    return allWorks.flatMap((work) =>
      names.flatMap((server) => {
        const slices = this.#of(work, server).flat();
        if (slices.length === 0) return [];
        const databases = slices.flatMap(({ database }) => (database === undefined ? [] : [database]));
        return {
          work,
          server,
          cpuMicroseconds: rounded(median(slices.map(({ service }) => service))),
          databaseMicroseconds: databases.length === 0 ? null : rounded(median(databases)),
          ofBare: this.ratio(work, server, bareServer),
          control: this.control(work, server),
          errors: slices.reduce((sum, { errors }) => sum + errors, 0),
        };
      }),
    );
  }

  /** What all copies of a server took in each turn. */
  #turns(work: Work, server: string): number[] {
    const copies = this.#of(work, server);
    return (copies[0] ?? []).map((_, turn) => mean(copies.map((slices) => totalOf(slices[turn]))));
  }

  #compared(above: readonly number[], below: readonly number[]): number | null {
    if (above.length === 0 || below.length === 0) return null;
    return median(above.map((cost, turn) => cost / (below[turn] ?? Number.NaN)));
  }

  #of(work: Work, server: string): Slice[][] {
    return this.#slices.get(`${work} ${server}`) ?? [];
  }
}

/** A server, and which of the processes with its name it is. */
interface Turn {
  readonly server: Server;
  readonly copy: number;
}

export async function measureRequests(servers: readonly Server[], rounds: number): Promise<RequestCosts> {
  const costs = new RequestCosts();
  const generator = startLoadGenerator();
  const turns = servers.map((server, index) => ({
    server,
    copy: servers.slice(0, index).filter(({ name }) => name === server.name).length,
  }));
  try {
    for (const block of blocks) await measureBlock(block, { generator, turns, rounds, costs });
  } finally {
    generator.stop();
  }
  return costs;
}

interface Measuring {
  readonly generator: LoadGenerator;
  readonly turns: readonly Turn[];
  readonly rounds: number;
  readonly costs: RequestCosts;
}

/** Every server has a turn in each round, with a slice of each work that it does. */
async function measureBlock(block: readonly Work[], { generator, turns, rounds, costs }: Measuring): Promise<void> {
  const inTurn = turns.filter(({ server }) => block.some((work) => server.works.includes(work)));
  if (inTurn.length === 0) return;
  const ask = async (server: Server, work: Work, steps: number) => {
    // To a bare server, every token is new.
    const asked = server.name === bareServer && work === 'first' ? 'userinfo' : work;
    return generator.slice({ target: await server.target(), work: asked, connections, steps }, server.processes);
  };
  process.stderr.write(`${block.join(', ')}: warming up\n`);
  for (const { server } of inTurn) {
    const used = countCpu(() => server.processes[0]?.() ?? []);
    const isWarm = (done: number) => done >= warmUp[block[0] ?? 'userinfo'] || used() > warmUpSeconds * 1e6;
    for (let done = 0; !isWarm(done); done += 10 * stepsPerSlice) {
      for (const work of block) if (server.works.includes(work)) await ask(server, work, 10 * stepsPerSlice);
    }
  }
  // With one kind of work, what a server does later belongs to it as well, such as writing events.
  const countsLater = block.length === 1;
  const atRest = countsLater ? await cpuAtRest(inTurn) : undefined;
  const counting = ({ server }: Turn) => ({ from: performance.now(), counters: server.processes.map(countCpu) });
  const since = new Map(inTurn.map((turn) => [turn, counting(turn)]));
  const usedLater = (turn: Turn) => {
    const { from, counters } = since.get(turn) ?? counting(turn);
    const passed = performance.now() - from;
    return counters.map((used, group) => (used() - (atRest?.get(turn)?.[group] ?? 0) * passed) / stepsPerSlice);
  };
  process.stderr.write(`${block.join(', ')}: ${rounds} rounds\n`);
  for (let round = 0; round < rounds; round++) {
    for (const turn of shuffled(inTurn)) {
      const { server, copy } = turn;
      for (const work of block) {
        if (!server.works.includes(work)) continue;
        const later = countsLater ? usedLater(turn) : undefined;
        const { cpu, errors } = await ask(server, work, stepsPerSlice);
        const [service = Number.NaN, database] = cpu.map((each, group) => each + (later?.[group] ?? 0));
        costs.add(work, server.name, copy, {
          service,
          database,
          errors,
          residentMb: residentOf(server.processes[0]?.() ?? []),
        });
      }
      since.set(turn, counting(turn));
    }
  }
}

/**
 * What each server does when nobody asks, in microseconds of CPU a millisecond, by group of processes. It isn't part of what a
 * request takes, and the busier the machine is, the longer everyone waits for their turn.
 */
async function cpuAtRest(turns: readonly Turn[]): Promise<ReadonlyMap<Turn, readonly number[]>> {
  await pause(settling);
  const counters = turns.map(({ server }) => server.processes.map(countCpu));
  await pause(resting);
  return new Map(turns.map((turn, index) => [turn, (counters[index] ?? []).map((used) => used() / resting)]));
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function totalOf(slice: Slice | undefined): number {
  return slice === undefined ? Number.NaN : slice.service + (slice.database ?? 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
