// How the test scripts run tests.

import { join } from 'node:path';
import { projectNode, root, run } from './prepare.js';

/** Runs every test, or the files that are named; test/run.ts reads the arguments. */
export function runTests(args, env = {}) {
  run(projectNode(), ['test/run.ts', ...args], { ...testEnvironment(), ...env });
}

/** The tests are many processes, and most of them load the same modules. */
export function testEnvironment() {
  return { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') };
}
