// Programs that Debian packages and npm does not, for tests against the real thing: installed by root's test run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Sees that packages are there, each named with a path that exists when it is installed. Undefined when all of them are;
 * otherwise a sentence about what is missing, as the reason to skip a test.
 */
export function ensureDebianPackages(commandsOrFiles: Record<string, string>): string | undefined {
  if (missingOf(commandsOrFiles).length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const patience = ['-o', 'DPkg::Lock::Timeout=120'];
    const aptGet = (...args: string[]) => {
      spawnSync('apt-get', [...patience, '-qq', ...args], { stdio: 'ignore', env: environment, timeout: 150_000 });
    };
    aptGet('update');
    aptGet('install', '-y', '--no-install-recommends', ...missingOf(commandsOrFiles));
  }
  const missing = missingOf(commandsOrFiles);
  if (missing.length === 0) return undefined;
  return `not installed: ${missing.join(', ')} (Debian: apt-get install ${missing.join(' ')})`;
}

function missingOf(packages: Record<string, string>): string[] {
  return Object.keys(packages).filter((name) => !existsSync(packages[name] as string));
}
