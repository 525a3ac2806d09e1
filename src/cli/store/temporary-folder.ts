// A folder that only this user can read, for as long as a command works in it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls it if the command is interrupted, which then ends as it would have. Returns what takes that back. */
export function whenInterrupted(remove: () => void): () => void {
  const stop = (signal: NodeJS.Signals) => {
    remove();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return forget;
}

/** Removed at the end, also if the command is interrupted. */
export async function inTemporaryFolder<Result>(
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = whenInterrupted(remove);
  try {
    return await work(folder);
  } finally {
    forget();
    remove();
  }
}
