// latchkey demo: the account it creates is an administrator's, and the welcome text says where the console is.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { outputMatching, runCommand, startCommand } from '../harness/command.ts';
import { freePort } from '../harness/service.ts';

let folder: string;
let environment: Record<string, string>;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  environment = {
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DEMO_PORT: String(await freePort()),
    LATCHKEY_DATA_DIR: folder,
  };
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function welcome(): Promise<string> {
  const child = startCommand(['demo'], environment);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    return await outputMatching(child, /Press Ctrl-C to stop/);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

test('the demo account is an administrator, and the welcome links to the console only then', async () => {
  const consoleLine = `\n  Console       ${environment.LATCHKEY_BASE_URL}/admin\n`;
  assert.ok((await welcome()).includes(consoleLine));
  const create = ['user', 'create', '--name', 'B', '--email', 'b@example.test', '--admin'];
  assert.equal((await runCommand(create, environment)).status, 0);
  const demoted = await runCommand(['user', 'remove-admin', 'ada@demo.example'], environment);
  assert.equal(demoted.status, 0, demoted.stderr);
  assert.equal((await welcome()).includes('Console'), false, 'the next start leaves it as it is');
});
