// The files for a cluster of databases in deploy/cluster. `npm run cluster` runs them for real; here, that they are whole, and
// that docs/scaling.md says of them what is true.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { environmentIn, forMachine } from '../../cluster/configuration.ts';
import { root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';

const folder = join(root, 'deploy/cluster');
const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const guide = readFileSync(join(root, 'docs/scaling.md'), 'utf8');

test('docs/scaling.md names every file, and npm run cluster runs every file', () => {
  const scripts = globSync('cluster/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  for (const file of files) {
    assert.ok(guide.includes(`deploy/cluster/${file}`), `docs/scaling.md doesn't name ${file}`);
    assert.ok(scripts.join().includes(`configuration('${file}'`), `npm run cluster doesn't use ${file}`);
  }
});

test('quotes in docs/scaling.md match the files', () => {
  const quoted = [...guide.matchAll(/From `deploy\/cluster\/([\w.]+)`:\n\n```\w*\n([\s\S]*?)```/g)];
  assert.notEqual(quoted.length, 0);
  for (const [, file = '', text = ''] of quoted) assert.ok(read(file).includes(text), `${file} doesn't say:\n${text}`);
});

test('Patroni replicates synchronously, and its timeouts are consistent', () => {
  const { dcs } = parse(read('patroni.yml')).bootstrap;
  assert.equal(dcs.synchronous_mode, true);
  assert.ok(dcs.ttl >= dcs.loop_wait + 2 * dcs.retry_timeout);
});

test("db1's settings can be adapted for another machine, except the shared ones", () => {
  const etcd = environmentIn(forMachine(read('etcd.env'), 'db3', '10.66.77.13'));
  assert.equal(etcd.ETCD_NAME, 'db3');
  assert.equal(etcd.ETCD_LISTEN_PEER_URLS, 'http://10.66.77.13:2380');
  assert.match(etcd.ETCD_INITIAL_CLUSTER ?? '', /^db1=.*11:2380,db2=.*12:2380,db3=.*13:2380$/);
  const patroni = environmentIn(forMachine(read('patroni.env'), 'db2', '10.66.77.12'));
  assert.equal(patroni.PATRONI_NAME, 'db2');
  assert.equal(patroni.PATRONI_POSTGRESQL_CONNECT_ADDRESS, '10.66.77.12:5432');
});

const missing = ensureDebianPackages({ haproxy: '/usr/sbin/haproxy' });
test('HAProxy accepts its file', { skip: missing ?? false }, () => {
  const checked = spawnSync('/usr/sbin/haproxy', ['-c', '-f', join(folder, 'haproxy.cfg')], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stderr);
});
