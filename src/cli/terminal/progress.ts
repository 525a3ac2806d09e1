// How far a command is and how long it will take, on a terminal. Elsewhere nothing is printed: a log has no use for it.

import { clearStatus, hasStatusLine, showStatus } from './output.ts';
import { duration } from './times.ts';
import { displayWidth, shortened } from './width.ts';

/** Milliseconds. What is done by then needs no progress. */
const appearsAfter = 1000;
const redrawEvery = 200;
const barWidth = 20;

export interface Progress {
  /** So much more is done. */
  add(count: number): void;
  /** Removes the line. */
  done(): void;
}

export interface Work {
  /** What is being done, such as "Exporting". */
  readonly label: string;
  /** How much there is to do, and what it's counted in; left out if that isn't known. */
  readonly total?: { readonly count: number; readonly unit: string };
  /** How much is done, if `add` isn't called. */
  readonly measure?: () => number;
  /** How far it is, from 0 to 1, when that is known instead. */
  readonly share?: () => number;
  /** How long it takes, in milliseconds, when that is known instead. */
  readonly takes?: number;
}

/** What is under way. Only the last one has the line: it's a part of the others, or a question that waits for an answer. */
const underWay: symbol[] = [];

export function startProgress(work: Work): Progress {
  if (!hasStatusLine()) return { add: () => {}, done: () => {} };
  const startedAt = performance.now();
  let count = 0;
  let drawnAt = 0;
  const own = begin();
  const draw = () => {
    const now = performance.now();
    if (underWay.at(-1) !== own || now - startedAt < appearsAfter || now - drawnAt < redrawEvery / 2) return;
    drawnAt = now;
    showStatus(progressLine(work, work.measure?.() ?? count, now - startedAt, process.stderr.columns || 80));
  };
  const timer = setInterval(draw, redrawEvery).unref();
  return {
    add(more) {
      count += more;
      // Here too, because a busy process may not get around to its timers.
      draw();
    },
    done() {
      clearInterval(timer);
      end(own);
    },
  };
}

function begin(): symbol {
  clearStatus();
  const own = Symbol();
  underWay.push(own);
  return own;
}

function end(own: symbol): void {
  clearStatus();
  const index = underWay.indexOf(own);
  if (index >= 0) underWay.splice(index, 1);
}

/** While a question waits for its answer. */
export async function withoutProgress<Result>(ask: () => Promise<Result>): Promise<Result> {
  const own = begin();
  try {
    return await ask();
  } finally {
    end(own);
  }
}

/** Shows progress during a piece of work. */
export async function withProgress<Result>(work: Work, run: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = startProgress(work);
  try {
    return await run(progress);
  } finally {
    progress.done();
  }
}

/** One line of at most so many columns. */
export function progressLine(work: Work, count: number, elapsed: number, columns: number): string {
  const { label, total } = work;
  const rest = work.share?.() ?? (work.takes === undefined ? undefined : elapsed / work.takes);
  const share = total === undefined ? rest : count / Math.max(1, total.count);
  const most = columns - 1;
  if (share === undefined) return shortened(`${label} … ${duration(elapsed)}`, most);
  const known = Math.max(0, Math.min(1, share));
  const percent = `${Math.floor(known * 100)}%`;
  const left = known === 0 ? 'estimating the time' : `${duration((elapsed / known) * (1 - known))} left`;
  const bar = '█'.repeat(Math.round(known * barWidth)).padEnd(barWidth, '░');
  const counted = total && `${count.toLocaleString('en')} of ${total.count.toLocaleString('en')} ${total.unit}`;
  const full = [label, bar, percent, ...(counted ? [counted] : []), left].join('  ');
  if (displayWidth(full) <= most) return full;
  return shortened([label, percent, left].join('  '), most);
}
