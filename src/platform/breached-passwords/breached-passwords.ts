// Decides whether a password was exposed in a data breach. Lookups run one at a time, each with a deadline, so a disk that
// hangs blocks one thread and no sign-in. The caller decides what a failure means.

import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { canonicalPassword } from '../../protocol/sign-in/password-rules.ts';
import { type FileIdentity, FilterFile, identityOf } from './filter-file.ts';
import { FilterUnusable } from './filter-format.ts';

/** Milliseconds. A lookup takes less than one if the pages are in memory, and about ten from a slow disk. */
const deadline = 500;
const mostWaiting = 100;

export type Refreshed =
  | { kind: 'unchanged' }
  | { kind: 'replaced'; hashes: number }
  /** The earlier file stays in use. Reported once for each file. */
  | { kind: 'unusable'; problem: string };

export interface BreachedPasswords {
  /** Opens the file and checks it. Throws FilterUnusable. */
  prepare(): Promise<void>;
  /** Throws FilterUnusable if the file can't be read in time. */
  has(password: string): Promise<boolean>;
  /** Reopens the file if it was replaced. */
  refresh(): Promise<Refreshed>;
  /** That of the file in use; null if there's none. */
  digest(): string | null;
  close(): Promise<void>;
}

export const noBreachedPasswords: BreachedPasswords = {
  prepare: async () => {},
  has: async () => false,
  refresh: async () => ({ kind: 'unchanged' }),
  digest: () => null,
  close: async () => {},
};

export function breachedPasswords(file: string): BreachedPasswords {
  let filter: FilterFile | undefined;
  /** The last file that couldn't be used. */
  let refused: FileIdentity | undefined;
  let isRefreshing = false;
  let waiting = 0;
  let line: Promise<unknown> = Promise.resolve();
  let runningSince: number | undefined;

  const opened = async () => {
    filter ??= await FilterFile.open(file);
    return filter;
  };

  /** One at a time, so that no file is closed while it's being read. */
  const inLine = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = line.then(async () => {
      runningSince = performance.now();
      try {
        return await work();
      } finally {
        runningSince = undefined;
      }
    });
    line = result.catch(() => {});
    return result;
  };

  return {
    prepare: () =>
      inLine(async () => {
        filter ??= await openChecked(file);
      }),

    async has(password) {
      const isStuck = runningSince !== undefined && performance.now() - runningSince > deadline;
      if (isStuck || waiting >= mostWaiting) throw tooSlow();
      const digest = hash('sha1', canonicalPassword(password), 'buffer');
      waiting++;
      const found = inLine(async () => (await opened()).has(digest)).finally(() => waiting--);
      return inTime(found);
    },

    async refresh() {
      if (isRefreshing) return { kind: 'unchanged' };
      isRefreshing = true;
      try {
        const found = await stat(file).then(identityOf, () => undefined);
        // A deleted file can still be read while it's open.
        const isKnown =
          found === undefined || [filter?.identity, refused].some((known) => isDeepStrictEqual(known, found));
        if (isKnown) return { kind: 'unchanged' };
        refused = found;
        const next = await openChecked(file);
        await inLine(async () => {
          await filter?.close();
          filter = next;
        });
        refused = undefined;
        return { kind: 'replaced', hashes: next.header.hashes };
      } catch (error) {
        return { kind: 'unusable', problem: (error as Error).message };
      } finally {
        isRefreshing = false;
      }
    },

    digest: () => filter?.header.digest ?? null,

    close: () =>
      inTime(
        inLine(async () => {
          await filter?.close();
          filter = undefined;
        }),
      ),
  };
}

async function openChecked(file: string): Promise<FilterFile> {
  const filter = await FilterFile.open(file);
  try {
    await filter.checkForStart();
    return filter;
  } catch (error) {
    await filter.close();
    throw error;
  }
}

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), deadline);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function tooSlow(): FilterUnusable {
  return new FilterUnusable(`wasn't read within ${deadline} ms`);
}
