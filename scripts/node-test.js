// How the test scripts call Node's test runner.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { projectNode, root, run } from './prepare.js';

/** Runs test files, given as paths, globs and options of the test runner. */
export function runTests(args, env = {}) {
  // One more file than there are cores: tests wait for browsers, mail servers and child processes much of the time.
  const limits = [`--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=180000'];
  run(projectNode(), ['--test', ...limits, ...args], { ...testEnvironment(), ...env });
}

/** Every test file is a process of its own, and most of them load the same modules. */
export function testEnvironment() {
  return { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') };
}
