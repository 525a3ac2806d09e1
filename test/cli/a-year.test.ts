// A year of operating Latchkey: every command of the page, in its order, on a store that a service is running on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { finished, root, runCommand } from '../harness/command.ts';
import { fencesIn } from '../harness/documents.ts';
import { releaseTest } from '../harness/lane.ts';
import { Served } from '../harness/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-a-year-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const backups = join(folder, 'backups');

releaseTest('every command of the page about a year works while the service runs', async () => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const served = await Served.at({ LATCHKEY_DATA_DIR: dataDir });
  await served.start();
  try {
    const done = async (command: string) => {
      const { status, stdout, stderr } = await runCommand(
        command.split(' '),
        served.environment,
        'correct horse battery',
      );
      assert.equal(status, 0, stderr);
      return stdout;
    };
    await done('user create --email ada@example.com --name Ada --admin');
    const photos = 'client create --name Photos --redirect-uri https://photos.example/callback --access listed --json';
    const { client_id: clientId } = JSON.parse(await done(photos));
    const printed: string[] = [];
    const shell = fencesIn(readFileSync(join(root, 'docs/a-year.md'), 'utf8')).filter(({ info }) => info === 'sh');
    for (const { body } of shell) {
      const commands = body
        .replaceAll(' photos', ` ${clientId}`)
        .replaceAll('./latchkey', join(root, 'latchkey'))
        .replaceAll('/var/backups/latchkey', backups)
        .replaceAll('$(mktemp -d)', '$(mktemp -d -p .)');
      const env = { ...process.env, ...served.environment };
      const { status, stdout, stderr } = await finished(
        spawn('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env }),
      );
      assert.equal(status, 0, `${body}\n${stdout}${stderr}`);
      printed.push(stdout);
    }
    const all = printed.join('');
    for (const expected of [/can be restored/, /Restored .*1 person/, /Access this quarter/, /ada@example\.com/]) {
      assert.match(all, expected);
    }
    assert.equal(JSON.parse(readFileSync(join(folder, 'latchkey.json'), 'utf8')).applications.length, 1);
    assert.deepEqual(readdirSync(folder).toSorted(), ['backups', 'data', 'latchkey.json']);
  } finally {
    await served.end('SIGTERM');
  }
});
