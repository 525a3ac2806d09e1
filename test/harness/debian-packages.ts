// What some guides need from Debian. Installed when that is possible; otherwise the test says what is missing.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface DebianPackage {
  readonly name: string;
  /** A file that is there when the package is. */
  readonly file: string;
}

/** Why the packages are not there, or undefined when they are. */
export function missingPackages(packages: readonly DebianPackage[]): string | undefined {
  const missing = () => packages.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
  if (missing().length === 0) return undefined;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing());
  const names = missing();
  return names.length === 0 ? undefined : `needs the Debian packages ${names.join(', ')}`;
}

function install(names: readonly string[]): void {
  process.stderr.write(`Installing ${names.join(', ')} from Debian for the client guides.\n`);
  // Another test run may be installing at the same moment; apt waits for it.
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=120'];
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (args: readonly string[], timeout?: number) =>
    spawnSync('apt-get', [...options, ...args], { stdio: ['ignore', 'ignore', 2], env: environment, timeout });
  const wanted = ['install', '-y', '--no-install-recommends', ...names];
  // Only lists that are too old, or not there at all, have to be fetched.
  if (run(wanted).status === 0) return;
  run(['update'], 60_000);
  run(wanted);
}
