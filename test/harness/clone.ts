// A clone of the project as a newcomer has it: a folder with every file that git knows, and an environment without anything that this
// checkout or npm put there.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { cleanEnvironment, root } from './command.ts';

/** The files of a clone, with what isn't committed yet, and without the packages. */
export function newClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-clone-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  const names = files.toString().split('\0');
  for (const file of names.filter((name) => name !== '' && name !== 'node_modules')) {
    cpSync(join(root, file), join(folder, file));
  }
  return folder;
}

/** The folders of the machine's own commands, with its Node, which may be old, instead of the project's. */
export const ownPath = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));

export function newcomersEnvironment(settings: Record<string, string>): Record<string, string> {
  const environment = cleanEnvironment({ PATH: ownPath.join(delimiter), ...settings });
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('npm_')));
}
