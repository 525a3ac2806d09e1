// The release before this version, taken from the history. A shallow clone doesn't have it.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.ts';

export interface Release {
  readonly commit: string;
  readonly version: string;
}

/** The newest release before this commit: a release is a commit of that name. */
export function findPreviousRelease(): Release | undefined {
  const args = ['log', '-1', '--format=%H %s', '--grep=^release: [0-9]', 'HEAD^'];
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const [, commit, version] = /^(\w+) release: (\S+)$/m.exec(stdout ?? '') ?? [];
  return commit === undefined || version === undefined ? undefined : { commit, version };
}

/** Into a new folder. Its packages are not in the history: those that are installed here do the same for it. */
export function extractRelease({ commit }: Release, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'));
}
