// A large file that a command writes under another name and renames when it's complete, so that a partial one never looks
// like the result.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../platform/durable-file.ts';
import { codeOf } from '../protocol/reading/caught-errors.ts';

export function unfinishedName(target: string): string {
  return `${target}.unfinished-${process.pid}`;
}

/** `write` creates the file with the name that it gets, and syncs it. */
export async function writeCompletely(target: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  removeLeftovers(target);
  const unfinished = unfinishedName(target);
  try {
    await write(unfinished);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * A command that was killed leaves its partial file. One that still runs keeps its own, so that each renames only what it
 * has written itself.
 */
export function removeLeftovers(target: string): void {
  const folder = dirname(target);
  const prefix = `${basename(target)}.unfinished`;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const writer = name.startsWith(prefix) ? /^(?:-(\d+)(?:-.*)?)?$/.exec(name.slice(prefix.length)) : null;
    if (writer !== null && !isRunning(Number(writer[1] ?? 0))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Someone else's process.
    return codeOf(error) === 'EPERM';
  }
}
