// Programs that come from Debian and not from npm. A test run by root installs them.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Makes sure that packages are installed, each given with a path that exists when it is. Returns undefined when all of them
 * are, or else a sentence that says what is missing, as the reason to skip a test.
 */
export function ensureDebianPackages(packages: Readonly<Record<string, string>>): string | undefined {
  const missing = () => Object.keys(packages).filter((name) => !existsSync(packages[name] as string));
  if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing());
  const names = missing();
  return names.length === 0 ? undefined : `not installed: ${names.join(', ')} (apt-get install ${names.join(' ')})`;
}

function install(names: readonly string[]): void {
  process.stderr.write(`Installing ${names.join(', ')} from Debian for the tests.\n`);
  // The tests start them. Without this, systemd would start them as services of the machine.
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' };
  // The package lists are fetched only if the first attempt fails: they may be missing or out of date.
  const get = 'apt-get -qq install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"';
  // Test files run in parallel, and only one of them can install at a time.
  const args = ['/var/lib/apt', 'sh', '-c', `${get} || { apt-get -qq update; ${get}; }`, 'sh', ...names];
  spawnSync('flock', args, { stdio: ['ignore', 'ignore', 2], env: environment, timeout: 150_000 });
}
