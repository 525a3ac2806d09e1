// How the test scripts run tests, and the checks of style and types beside them.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkStyle, checkTypes, projectNode, root } from './prepare.js';

/** Runs every test, or what the arguments say (test/run.ts reads them), and exits with their status. */
export function runTests(args, env = {}) {
  process.exit(statusOfTests(args, env));
}

/** The same with style and types checked meanwhile: neither needs both cores all the time. */
export async function runTestsAndChecks(args, env = {}) {
  const checks = [startTool(checkStyle), startTool(checkTypes)];
  const status = statusOfTests(args, env);
  let failed = status !== 0;
  for (const check of checks) {
    const { succeeded, output } = await check;
    if (succeeded) continue;
    failed = true;
    process.stdout.write(output);
  }
  if (process.platform === 'linux') process.stdout.write(`${Math.round(cpuSecondsOfChildren())} s of CPU\n`);
  process.exit(failed ? 1 : 0);
}

/** The tests are many processes, and most of them load the same modules. */
export function testEnvironment() {
  return { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') };
}

/** Of all processes that this one has started, and that have ended: user and system, in ticks of 10 ms. */
function cpuSecondsOfChildren() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function statusOfTests(args, env) {
  const environment = { ...testEnvironment(), ...env };
  return (
    spawnSync(projectNode(), ['test/run.ts', ...args], { cwd: root, stdio: 'inherit', env: environment }).status ?? 1
  );
}

function startTool([command, args, env]) {
  const tool = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [tool.stdout, tool.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => tool.once('close', (code) => resolve({ succeeded: code === 0, output })));
}
