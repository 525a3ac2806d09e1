// The systemd units and the service's settings file: systemd accepts the units, and Latchkey accepts the settings.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/platform/config.ts';
import { configVariables } from '../../src/platform/config-variables.ts';
import { root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';

const skip = ensureDebianPackages({ systemd: '/usr/bin/systemd-analyze' }) ?? false;
const unitNamed = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const unit = unitNamed('latchkey.service');
const standalone = ['gate', 'bridge'];
const units = ['latchkey.service', ...standalone.map((name) => `latchkey-${name}.service`)];
const example = readFileSync(join(root, 'deploy/latchkey.env.example'), 'utf8');

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-systemd-'));
  for (const name of units) {
    writeFileSync(join(folder, name), unitNamed(name).replaceAll('/opt/latchkey', root.replace(/\/$/, '')));
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

function analyze(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['--no-pager', ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

for (const name of units) {
  test(`systemd has no complaint about ${name}`, { skip }, () => {
    const { status, output } = analyze('verify', '--man=no', join(folder, name));
    // Other units of the machine may have errors of their own.
    assert.deepEqual(
      output.split('\n').filter((line) => line.includes('latchkey')),
      [],
    );
    assert.equal(status, 0, output);
  });

  test(`systemd-analyze security rates ${name} as well protected`, { skip }, () => {
    const { status, output } = analyze('security', '--offline=true', '--threshold=15', join(folder, name));
    assert.equal(status, 0, output);
  });

  test(`${name} gives the process enough time to stop and the memory access V8 needs`, () => {
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unitNamed(name))?.[1]) > 10);
    assert.doesNotMatch(unitNamed(name), /^MemoryDenyWriteExecute=/m);
  });
}

test('the service may write to the folder for backups that its settings name', () => {
  const folderOfBackups = /^#LATCHKEY_BACKUP_FOLDER=(.+)$/m.exec(example)?.[1];
  const writable = /^ReadWritePaths=(.+)$/m.exec(unit)?.[1]?.split(' ');
  // With a minus, because the service also starts without that folder.
  assert.deepEqual(writable, [`-${folderOfBackups}`]);
  const document = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
  assert.match(document, new RegExp(`^install -d -m 0700 -o latchkey -g latchkey ${folderOfBackups}$`, 'm'));
});

for (const name of standalone) {
  test(`the ${name} has a user of its own, and neither the service's settings nor its data`, () => {
    const own = unitNamed(`latchkey-${name}.service`);
    const command = `/opt/latchkey/latchkey ${name} serve --config /etc/latchkey-${name}/${name}.json`;
    assert.ok(own.includes(`\nUser=latchkey-${name}\n`) && own.includes(`\nExecStart=${command}\n`));
    assert.doesNotMatch(own, /^(EnvironmentFile|SupplementaryGroups)=|\/(etc|var\/lib|var\/cache)\/latchkey(\/|$)/m);
  });
}

test('systemd-analyze would complain about an error in the unit', { skip }, () => {
  const faulty = join(folder, 'faulty');
  mkdirSync(faulty);
  writeFileSync(join(faulty, 'latchkey.service'), `${unit}\n[Service]\nProtectSytem=strict\n`);
  assert.match(analyze('verify', '--man=no', join(faulty, 'latchkey.service')).output, /latchkey.*ProtectSytem/);
});

/** The settings in an environment file; with `commented`, also those that are commented out. */
function settingsIn(text: string, commented: boolean): [string, string][] {
  const lines = text.matchAll(commented ? /^#?([A-Z_]+)=(.*)$/gm : /^([A-Z_]+)=(.*)$/gm);
  return [...lines].map(([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1')]);
}

test("the example lists exactly the service's settings", () => {
  const shown = settingsIn(example, true).map(([name]) => name);
  assert.deepEqual(shown.sort(), Object.keys(configVariables).sort());
});

test('the service accepts the example as it is and with every setting uncommented', () => {
  const plain = readConfig(Object.fromEntries(settingsIn(example, false)));
  assert.equal(plain.baseUrl, 'https://login.example.com');
  assert.deepEqual([plain.host, plain.port, plain.dataDir], ['127.0.0.1', 8455, '/var/lib/latchkey']);
  const full = readConfig(Object.fromEntries(settingsIn(example, true)));
  assert.equal(full.email.kind, 'smtp');
});

test('a shell and systemd read the same values from the example', () => {
  const everything = example.replace(/^#([A-Z_]+=)/gm, '$1');
  const file = join(folder, 'everything.env');
  writeFileSync(file, everything);
  const script = `set -ae; . "$1"; env -0`;
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', file], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  assert.equal(status, 0);
  const seen = stdout.split('\0');
  for (const [name, value] of settingsIn(everything, false)) assert.ok(seen.includes(`${name}=${value}`), name);
});

test('the root command and the unit use the same paths and user', () => {
  const command = readFileSync(join(root, 'deploy/latchkey-command'), 'utf8');
  assert.equal(spawnSync('sh', ['-n', join(root, 'deploy/latchkey-command')]).status, 0);
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(name);
  assert.ok(command.includes(`\n. ${value('EnvironmentFile')}\n`));
  assert.ok(command.includes(`\n${value('Environment')}\n`));
  assert.ok(command.includes(`runuser -u ${value('User')} -- ${value('ExecStart').split(' ')[0]} `));
});
