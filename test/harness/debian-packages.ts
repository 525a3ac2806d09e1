// Programs that Debian packages and npm does not, for tests against the real thing: installed by root's test run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Sees that packages are there, each named with a path that exists when it is installed. Undefined when all of them are;
 * otherwise a sentence about what is missing, as the reason to skip a test.
 */
export function ensureDebianPackages(commandsOrFiles: Record<string, string>): string | undefined {
  if (missingOf(commandsOrFiles).length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Installed to be run by the tests: systemd is not to start them as services of the machine.
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' };
    const script = 'apt-get -qq update; apt-get -qq install -y --no-install-recommends -o DPkg::Lock::Timeout=60 "$@"';
    // Test files run side by side, and only one can install at a time.
    const args = ['/var/lib/apt', 'sh', '-c', script, 'sh', ...missingOf(commandsOrFiles)];
    spawnSync('flock', args, { stdio: 'ignore', env: environment, timeout: 150_000 });
  }
  const missing = missingOf(commandsOrFiles);
  if (missing.length === 0) return undefined;
  return `not installed: ${missing.join(', ')} (Debian: apt-get install ${missing.join(' ')})`;
}

function missingOf(packages: Record<string, string>): string[] {
  return Object.keys(packages).filter((name) => !existsSync(packages[name] as string));
}
