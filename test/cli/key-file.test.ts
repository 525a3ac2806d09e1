// The key file survives power cuts, full disks and killed processes, and an empty one is replaced only where nothing
// depends on the key that it held. strace shows what the command asks of the system, fails a call or kills it there.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type CommandResult, cleanEnvironment, finished, root, runCommand } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-key-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let folders = 0;
function newFolder(): string {
  const made = join(folder, String(++folders));
  mkdirSync(made, { mode: 0o700 });
  return made;
}

const keysIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n');
const oneKey = /^[A-Za-z0-9_-]{43}\n$/;
const canTrace = () => spawnSync('strace', ['-qqq', 'true']).status === 0;
const skip = ensureDebianPackages({ strace: '/usr/bin/strace' }) ?? (!canTrace() && 'no process may be traced here');

/** The calls that change or sync files of this test, in order, each as its name and the files' names. */
async function traced(
  args: readonly string[],
  environment: Record<string, string>,
  fault: readonly string[] = [],
): Promise<CommandResult & { calls: string[] }> {
  const output = join(newFolder(), 'calls');
  // By pattern, because some machines have only linkat, renameat and unlinkat.
  const trace = ['-fyqqq', '-esignal=none', '-etrace=/^(fsync|link|rename|unlink)(at2?)?$', `-o${output}`, ...fault];
  const child = spawn('strace', [...trace, './latchkey', ...args], { cwd: root, env: cleanEnvironment(environment) });
  const result = await finished(child);
  const calls = [...readFileSync(output, 'utf8').matchAll(/^\d+ +([a-z]+?)(?:at2?)?\((.*)\) += 0/gm)]
    .filter(([call]) => call.includes(folder))
    .map(([, name, files = '']) =>
      [
        name,
        ...[...files.replaceAll(/AT_FDCWD<[^>]*>/g, '').matchAll(/["<]([^">]+)[">]/g)].map(([, path = '']) =>
          basename(path),
        ),
      ].join(' '),
    );
  return { ...result, calls: calls.map((call) => call.replace(/unfinished-\w+/g, 'unfinished')) };
}

describe('the key file', () => {
  const rotate = ['keys', 'rotate'];

  test("is synced before it's renamed, and the rename is synced before the command ends", { skip }, async () => {
    const above = newFolder();
    const { status, stderr, calls } = await traced(rotate, { LATCHKEY_DATA_DIR: join(above, 'data') });
    assert.equal(status, 0, stderr);
    assert.deepEqual(calls, [
      // The folder.
      `fsync ${basename(above)}`,
      // The first key.
      'fsync keys.unfinished',
      'link keys.unfinished keys',
      'unlink keys.unfinished',
      'fsync data',
      // The second one.
      'fsync keys.unfinished',
      'rename keys.unfinished keys',
      'fsync data',
    ]);
  });

  const faults = [
    { name: 'writing the first key', call: 'fsync', when: 1, keys: 0 },
    { name: 'writing the second key', call: 'fsync', when: 3, keys: 1 },
    { name: 'naming the first key', call: 'link', when: 1, keys: 0 },
    { name: 'naming the second key', call: 'rename', when: 1, keys: 1 },
  ];
  for (const { name, call, when, keys } of firstUntilRelease(faults)) {
    test(`a full disk while ${name} leaves the file unchanged and no temporary file`, { skip }, async () => {
      const file = join(newFolder(), 'keys');
      const environment = { LATCHKEY_DATA_DIR: dirname(file) };
      const fault = [`-einject=/^${call}(at2?)?$:error=ENOSPC:when=${when}`];
      const failed = await traced(rotate, environment, fault);
      assert.equal(failed.status, 1);
      assert.match(failed.stderr, /^latchkey: can't change the keys in \S+: ENOSPC: .*\.\n$/);
      assert.deepEqual(readdirSync(dirname(file)), keys === 0 ? [] : ['keys']);
      if (keys === 1) assert.match(readFileSync(file, 'utf8'), oneKey);
    });
  }

  for (const { name, call, when, keys } of faults.slice(2)) {
    releaseTest(`a command killed while ${name} leaves the file unchanged`, { skip }, async () => {
      const file = join(newFolder(), 'keys');
      const environment = { LATCHKEY_KEYS_FILE: file };
      await traced(rotate, environment, [`-einject=/^${call}(at2?)?$:signal=KILL:when=${when}`]);
      const left = readdirSync(dirname(file)).filter((entry) => entry !== 'keys');
      assert.equal(left.length, 1, 'it was killed on the way');
      assert.equal(existsSync(file), keys === 1);
      if (keys === 1) assert.match(readFileSync(file, 'utf8'), oneKey);
      // The next command, a minute later, cleans up.
      for (const entry of left) utimesSync(join(dirname(file), entry), 0, Date.now() / 1000 - 61);
      assert.equal((await runCommand(rotate, environment)).status, 0);
      assert.deepEqual(readdirSync(dirname(file)), ['keys']);
      assert.equal(keysIn(file).length, 2);
    });
  }

  const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
  releaseTest(
    'a disk without room gets no key file',
    { skip: !canMount && 'needs root, to mount a small disk' },
    async () => {
      const disk = newFolder();
      // Mounted for this shell alone. The disk has one page, and a file that fills it.
      const script = `mount -t tmpfs -o size=4k tmpfs "$1" && head -c 4096 /dev/zero > "$1/full" && ./latchkey setup-link
      echo "status $?" && ls -A "$1" && rm "$1/full" && ./latchkey setup-link && cat "$1/keys"`;
      const environment = { LATCHKEY_DATA_DIR: newFolder(), LATCHKEY_KEYS_FILE: join(disk, 'keys') };
      const options = { cwd: root, env: cleanEnvironment(environment) };
      const { stdout, stderr } = await finished(spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', disk], options));
      assert.match(stdout, /^status 1\nfull\n/, stderr);
      assert.match(stderr, /can't use the keys in \S+: ENOSPC/);
      assert.match(stdout, /\n[A-Za-z0-9_-]{43}\n$/, 'with room again, there is a key');
    },
  );
});

describe('an empty key file', () => {
  const client = ['client', 'create', '--name', 'App', '--redirect-uri', 'http://localhost:9999/callback', '--json'];
  const texts = { nothing: '', 'white space': ' \n\n', 'zero bytes': '\0'.repeat(44) };

  for (const [name, text] of Object.entries(texts)) {
    test(`with ${name} next to an empty store is replaced`, async () => {
      const file = join(newFolder(), 'keys');
      writeFileSync(file, text, { mode: 0o600 });
      const { status, stderr } = await runCommand(client, { LATCHKEY_DATA_DIR: dirname(file) });
      assert.equal(status, 0, stderr);
      assert.match(readFileSync(file, 'utf8'), oneKey);
    });
  }

  test('next to a store in use is left unchanged, and the command says what to do', async () => {
    const file = join(newFolder(), 'keys');
    const environment = { LATCHKEY_DATA_DIR: newFolder(), LATCHKEY_KEYS_FILE: file };
    assert.equal((await runCommand(client, environment)).status, 0);
    writeFileSync(file, '');
    for (const args of [['serve'], ['keys', 'rotate']]) {
      const refused = await runCommand(args, environment);
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /key file \S+keys is empty.*Restore the file from your backup/);
      assert.match(refused.stderr, /delete the file, .* set up authenticator apps again/);
      assert.equal(readFileSync(file, 'utf8'), '');
    }
    const doctor = await runCommand(['doctor'], environment);
    assert.equal(doctor.status, 1);
    assert.match(doctor.stdout, /^problem +keys +\S+keys is empty\./m);
    rmSync(file);
    const reading = await runCommand(['user', 'list'], environment);
    assert.equal(reading.status, 1);
    assert.match(reading.stderr, /there's no key file/);
    assert.equal((await runCommand(client, environment)).status, 0, 'without the file there is a new key');
    assert.match(readFileSync(file, 'utf8'), oneKey);
  });
});
