// Programs that Debian packages and npm does not, for tests against the real thing: installed by root's test run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Sees that packages are there, each named with a path that exists when it is installed. Undefined when all of them are;
 * otherwise a sentence about what is missing, as the reason to skip a test.
 */
export function ensureDebianPackages(packages: Readonly<Record<string, string>>): string | undefined {
  const missing = () => Object.keys(packages).filter((name) => !existsSync(packages[name] as string));
  if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing());
  const names = missing();
  return names.length === 0 ? undefined : `not installed: ${names.join(', ')} (apt-get install ${names.join(' ')})`;
}

function install(names: readonly string[]): void {
  process.stderr.write(`Installing ${names.join(', ')} from Debian for the tests.\n`);
  // Installed to be run by the tests: systemd is not to start them as services of the machine.
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' };
  // Only lists that are too old, or not there at all, have to be fetched.
  const get = 'apt-get -qq install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"';
  // Test files run side by side, and only one can install at a time.
  const args = ['/var/lib/apt', 'sh', '-c', `${get} || { apt-get -qq update; ${get}; }`, 'sh', ...names];
  spawnSync('flock', args, { stdio: ['ignore', 'ignore', 2], env: environment, timeout: 150_000 });
}
