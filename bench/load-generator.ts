// The load generator: receives a job from its parent process, sends requests for as long as it says, and answers with
// the figures. load.ts starts it.

import { Connection } from './http-client.ts';
import { type Step, stepOf, type Target, Unfinished, type Work } from './work.ts';

export interface Job {
  readonly target: Target;
  readonly work: Work;
  /** Each sends its next request when it has its answer. With `perSecond`, at most so many. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /**
   * An open loop: requests come at random times, so many a second on average, however long the answers take. Each is timed
   * from when it was due, so that one that waits for others is as late as it would be for whoever sent it.
   */
  readonly perSecond?: number;
}

/** A number of steps, on connections that stay open until there's another target of the same server. */
export interface SliceJob {
  readonly slice: {
    /** Where a target is the same as before, only its number is sent. */
    readonly number: number;
    readonly target: Target | undefined;
    readonly work: Work;
    readonly connections: number;
    readonly steps: number;
  };
}

export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** How long an open loop waits for the last answers, before what is missing counts as an error. */
const patienceMs = 10_000;

if (process.send) {
  process.on('message', async (job: Job | SliceJob) =>
    process.send?.('slice' in job ? await runSlice(job.slice) : await run(job)),
  );
}

interface OpenTarget {
  readonly target: Target;
  readonly connections: Connection[];
  readonly unfinished: Unfinished;
  readonly steps: Map<Work, Step[]>;
}

const openTargets = new Map<number, OpenTarget>();

async function runSlice({ number, target, work, connections, steps }: SliceJob['slice']): Promise<{ errors: number }> {
  if (target !== undefined) {
    for (const connection of openTargets.get(number)?.connections ?? []) connection.close();
    openTargets.set(number, { target, connections: [], unfinished: new Unfinished(), steps: new Map() });
  }
  const open = openTargets.get(number);
  if (open === undefined) throw new Error('an unknown target');
  while (open.connections.length < connections) {
    const { ports } = open.target;
    open.connections.push(new Connection(ports[open.connections.length % ports.length] ?? 0));
  }
  const workers =
    open.steps.get(work) ??
    open.connections.map((each, index) => stepOf(work, open.target, each, index, open.unfinished));
  open.steps.set(work, workers);
  let left = steps;
  let errors = 0;
  await Promise.all(
    workers.map(async (step) => {
      while (left-- > 0) if (!(await step().catch(() => false))) errors++;
    }),
  );
  return { errors };
}

async function run(job: Job): Promise<Figures> {
  const latencies: number[] = [];
  let errors = 0;
  const record = (startedAt: number, ok: boolean) => {
    if (ok) latencies.push(performance.now() - startedAt);
    else errors++;
  };
  const connections: Connection[] = [];
  const newStep = () => {
    const number = connections.length;
    const connection = new Connection(job.target.ports[number % job.target.ports.length] ?? 0);
    connections.push(connection);
    const step = stepOf(job.work, job.target, connection, number);
    return () => step().catch(() => false);
  };
  const seconds = job.perSecond
    ? await openLoop(job, job.perSecond, newStep, record)
    : await closedLoop(job, newStep, record);
  for (const connection of connections) connection.close();
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    errors,
    p50: percentile(0.5),
    p99: percentile(0.99),
    p999: percentile(0.999),
  };
}

type Recorder = (startedAt: number, ok: boolean) => void;

/** Returns how many seconds it has measured. */
async function closedLoop(job: Job, newStep: () => Step, record: Recorder): Promise<number> {
  let measuring = false;
  let running = true;
  const loops = Array.from({ length: job.connections }, newStep).map(async (step) => {
    while (running) {
      const startedAt = performance.now();
      const ok = await step();
      if (measuring) record(startedAt, ok);
    }
  });
  await pause(job.warmUpMs);
  measuring = true;
  process.send?.('measuring');
  const started = performance.now();
  await pause(job.measureMs);
  measuring = false;
  const seconds = (performance.now() - started) / 1000;
  running = false;
  await Promise.all(loops);
  return seconds;
}

/** Returns how many seconds it has measured. */
async function openLoop(job: Job, perSecond: number, newStep: () => Step, record: Recorder): Promise<number> {
  const measureFrom = performance.now() + job.warmUpMs;
  const end = measureFrom + job.measureMs;
  const idle: Step[] = [];
  const waiting: number[] = [];
  let opened = 0;
  let unanswered = 0;
  const send = async (step: Step, dueAt: number) => {
    const ok = await step();
    if (dueAt >= measureFrom) record(dueAt, ok);
    unanswered--;
    const next = waiting.shift();
    if (next === undefined) idle.push(step);
    else send(step, next);
  };
  const arrive = (dueAt: number) => {
    unanswered++;
    const step = idle.pop() ?? (opened++ < job.connections ? newStep() : undefined);
    if (step) send(step, dueAt);
    else waiting.push(dueAt);
  };
  setTimeout(() => process.send?.('measuring'), job.warmUpMs);
  await new Promise<void>((resolve) => {
    let dueAt = performance.now();
    const proceed = () => {
      const now = performance.now();
      while (dueAt <= now && dueAt < end) {
        arrive(dueAt);
        dueAt += (-Math.log(1 - Math.random()) * 1000) / perSecond;
      }
      if (dueAt >= end) resolve();
      // Timers are good to the millisecond, which is many requests.
      else if (dueAt - now > 2) setTimeout(proceed, dueAt - now - 1);
      else setImmediate(proceed);
    };
    proceed();
  });
  const giveUpAt = performance.now() + patienceMs;
  while (unanswered > 0 && performance.now() < giveUpAt) await pause(10);
  for (let missing = 0; missing < unanswered; missing++) record(end, false);
  return job.measureMs / 1000;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
