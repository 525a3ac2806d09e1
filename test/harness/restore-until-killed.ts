// A process that restores a backup and gets a signal, SIGKILL unless it's said, after so many steps, whose names it prints.

import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { restoreEmbedded } from '../../src/cli/store/restore.ts';
import { readConfig } from '../../src/platform/config.ts';

const [, , file = '', last, signal = 'SIGKILL'] = process.argv;
const options = { file, dryRun: false, keepSessions: false, keepRevocations: false, replaces: undefined };
let steps = 0;
for await (const step of restoreEmbedded(readConfig(process.env), options)) {
  writeSync(1, `${step}\n`);
  if (++steps !== Number(last)) continue;
  process.kill(process.pid, signal);
  await wait(60_000);
}
