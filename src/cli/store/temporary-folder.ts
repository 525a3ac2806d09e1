// A folder that only this user can read, for as long as a command works in it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removed at the end, also if the command is interrupted. */
export async function inTemporaryFolder<Result>(
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stop = (signal: NodeJS.Signals) => {
    remove();
    process.off(signal, stop);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(folder);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    remove();
  }
}
