// Limits how much work runs at once and decides who is next. Waiting work is grouped by owner, and owners take turns, so
// that one with many requests doesn't hold up the others. Urgent work gets three turns out of four.

interface Waiting {
  start(): void;
  refuse(): void;
}

type Line = Map<string, Waiting[]>;

export interface FairQueueLimits {
  readonly concurrency: number;
  /** How many may wait in each of the two lines, urgent and ordinary. */
  readonly queue: number;
  /** Thrown when the line is full. */
  busy(): Error;
}

export interface Place {
  readonly owner: string;
  readonly urgent: boolean;
}

export interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
}

const urgentTurns = 3;

export function fairQueue(limits: FairQueueLimits) {
  const lines = { urgent: new Map() as Line, ordinary: new Map() as Line };
  let running = 0;
  let urgentInARow = 0;

  async function run<Result>(work: () => Promise<Result>, { owner, urgent }: Place): Promise<Result> {
    if (running >= limits.concurrency) {
      const line = urgent ? lines.urgent : lines.ordinary;
      if (waitingIn(line) >= limits.queue && !makeRoom(line, owner)) throw limits.busy();
      await new Promise<void>((resolve, reject) => {
        const own = line.get(owner) ?? [];
        own.push({ start: resolve, refuse: () => reject(limits.busy()) });
        line.set(owner, own);
      });
    } else running++;
    try {
      return await work();
    } finally {
      const next = takeNext();
      if (next === undefined) running--;
      else next.start();
    }
  }

  function takeNext(): Waiting | undefined {
    const urgentFirst = urgentInARow < urgentTurns;
    const order = urgentFirst ? [lines.urgent, lines.ordinary] : [lines.ordinary, lines.urgent];
    for (const line of order) {
      const next = takeFrom(line);
      if (next === undefined) continue;
      urgentInARow = line === lines.urgent ? urgentInARow + 1 : 0;
      return next;
    }
    return undefined;
  }

  const load = (): QueueLoad => ({ running, waiting: waitingIn(lines.urgent) + waitingIn(lines.ordinary) });
  return Object.assign(run, { load });
}

function waitingIn(line: Line): number {
  let count = 0;
  for (const own of line.values()) count += own.length;
  return count;
}

/** Takes one from the owner at the front, then moves that owner to the end. */
function takeFrom(line: Line): Waiting | undefined {
  for (const [owner, own] of line) {
    const next = own.shift();
    line.delete(owner);
    if (own.length > 0) line.set(owner, own);
    return next;
  }
  return undefined;
}

/** In a full queue, the owner with the most entries loses one to an owner who would still have fewer. */
function makeRoom(line: Line, owner: string): boolean {
  let greediest: Waiting[] = [];
  for (const own of line.values()) if (own.length > greediest.length) greediest = own;
  if (greediest.length <= (line.get(owner)?.length ?? 0) + 1) return false;
  greediest.pop()?.refuse();
  return true;
}
