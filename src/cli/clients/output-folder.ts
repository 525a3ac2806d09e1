// The folder that `client create --output` fills: a guide's program as it is, package.json, and .env with the settings. All but
// the content of .env is written before the client is created, so that little can go wrong when its secret exists.

import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { filledIn, type Guide, otherVariables } from '../../platform/client-guides.ts';
import { type EnvSettings, envFile } from '../../protocol/admin/file-formats.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed, UsageError } from '../command.ts';

export interface OutputFolder {
  /** The names of the files in it. */
  readonly files: readonly string[];
  /** What to type to run the program. */
  readonly commands: readonly string[];
  /** Writes the settings. What goes wrong is for the caller to tell, together with the secret. */
  finish(settings: EnvSettings, newSecret: () => string): void;
  /** Removes what was written, because there is no client for it. */
  discard(): void;
}

/** Refuses a folder that isn't new or empty, and guides without a program of their own. */
export function prepareFolder(typed: string, guide: Guide): OutputFolder {
  const { run } = guide;
  if (run === undefined) {
    throw new UsageError(
      `${guide.name} has no program to write into a folder: leave --output out, and see ${guide.path}`,
    );
  }
  const packageJson = packageJsonOf(guide);
  const contents = new Map(guide.files.flatMap(({ name = '.env', text }) => (name === '.env' ? [] : [[name, text]])));
  if (packageJson !== undefined) contents.set('package.json', packageJson);
  const install = packageJson === undefined ? guide.installCommands : ['npm install'];

  // Without the slash at the end, which would follow a link.
  const folder = resolve(typed);
  const made: string[] = [];
  const written: string[] = [];
  const discard = () => {
    for (const file of written) rmSync(file, { force: true });
    for (const each of made.toReversed()) rmdirSync(each);
  };
  const create = (name: string, mode: number) => {
    makeFolders(dirname(join(folder, name)), made);
    // A file or a link that appears meanwhile isn't overwritten.
    const descriptor = openSync(join(folder, name), 'wx', mode);
    written.push(join(folder, name));
    return descriptor;
  };
  try {
    requireUsable(folder);
    for (const [name, text] of contents) fill(create(name, 0o644), text);
    const settingsFile = create('.env', 0o600);
    return {
      files: [...contents.keys(), '.env'],
      commands: [`cd ${quoted(typed)}`, ...install, ...run],
      finish: (settings, newSecret) => fill(settingsFile, settingsOf(guide, settings, newSecret)),
      discard: () => {
        closeSync(settingsFile);
        discard();
      },
    };
  } catch (error) {
    discard();
    throw new CommandFailed(`can't write to ${folder}: ${messageOf(error)}. No application was created.`);
  }
}

function fill(descriptor: number, text: string): void {
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function requireUsable(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw new Error("it's a symbolic link");
  if (!found.isDirectory()) throw new Error("it's a file");
  if (readdirSync(folder).length > 0) throw new Error("it isn't empty");
  // Anyone who can replace the program can read the secret with it.
  if (found.uid !== process.getuid?.() || (found.mode & 0o002) !== 0) {
    throw new Error('other people can change its content');
  }
}

/** Adds those that it had to make, outermost first. Node's own way doesn't return where no folder can be made, as in /proc. */
function makeFolders(folder: string, made: string[]): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolders(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}

function packageJsonOf({ install = '' }: Guide): string | undefined {
  const [, packages] = /^npm install (.*)$/.exec(install) ?? [];
  if (packages === undefined) return undefined;
  const dependencies = Object.fromEntries(
    packages.split(' ').map((each) => {
      const at = each.lastIndexOf('@');
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
  return `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`;
}

/** Software that's only configured by its environment has other variables. */
function settingsOf(guide: Guide, settings: EnvSettings, newSecret: () => string): string {
  const own = guide.files.find(({ name }) => name === '.env');
  if (own !== undefined) return filledIn(own, settings, guide.callbackPath);
  return `${envFile(settings)}${otherVariables(guide, settings)?.replaceAll('…', newSecret) ?? ''}`;
}

/** For a shell. */
function quoted(text: string): string {
  const path = text.startsWith('-') ? `./${text}` : text;
  return /^[\w./@%+,:=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
