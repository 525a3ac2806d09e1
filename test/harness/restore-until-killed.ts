// A process that restores a backup and is killed after so many steps, whose names it prints.

import { writeSync } from 'node:fs';
import { restoreEmbedded } from '../../src/cli/store/restore.ts';
import { readConfig } from '../../src/platform/config.ts';

const [, , file = '', last] = process.argv;
const options = { file, dryRun: false, keepSessions: false, keepRevocations: false, replaces: undefined };
let steps = 0;
for await (const step of restoreEmbedded(readConfig(process.env), options)) {
  writeSync(1, `${step}\n`);
  if (++steps === Number(last)) process.kill(process.pid, 'SIGKILL');
}
