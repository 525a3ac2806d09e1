// The files for a cluster of databases in deploy/cluster. `npm run cluster` runs them for real; here, that they are whole, and
// that docs/scaling.md says of them what is true.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'yaml';
import { configuration, environmentIn, forMachine } from '../../cluster/configuration.ts';
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
  assert.equal(etcd.ETCD_LISTEN_PEER_URLS, 'https://10.66.77.13:2380');
  assert.match(etcd.ETCD_INITIAL_CLUSTER ?? '', /^db1=.*11:2380,db2=.*12:2380,db3=.*13:2380$/);
  const patroni = environmentIn(forMachine(read('patroni.env'), 'db2', '10.66.77.12'));
  assert.equal(patroni.PATRONI_NAME, 'db2');
  assert.equal(patroni.PATRONI_POSTGRESQL_CONNECT_ADDRESS, '10.66.77.12:5432');
});

test('etcd takes nobody without a certificate, and nothing without TLS', () => {
  const etcd = environmentIn(read('etcd.env'));
  for (const [name, value] of Object.entries(etcd)) {
    if (/_URLS$|_CLUSTER$/.test(name)) assert.doesNotMatch(value, /http:/, name);
  }
  for (const prefix of ['ETCD', 'ETCD_PEER']) {
    assert.equal(etcd[`${prefix}_CLIENT_CERT_AUTH`], 'true');
    for (const file of ['CERT_FILE', 'KEY_FILE', 'TRUSTED_CA_FILE']) assert.ok(etcd[`${prefix}_${file}`], file);
  }
  assert.equal(parse(read('patroni.yml')).etcd.protocol, 'https');
});

test("Patroni's API changes nothing without a certificate, and PostgreSQL takes no connection without TLS", () => {
  const { restapi, postgresql } = parse(read('patroni.yml'));
  assert.ok(restapi.certfile && restapi.cafile);
  assert.equal(restapi.verify_client, 'optional');
  assert.equal(postgresql.parameters.ssl, 'on');
  for (const rule of postgresql.pg_hba as string[]) assert.match(rule, /^(local .* peer|hostssl .* scram-sha-256)$/);
  const settings = environmentIn(read('patroni.env'));
  for (const user of ['SUPERUSER', 'REPLICATION']) assert.equal(settings[`PATRONI_${user}_SSLMODE`], 'verify-full');
  assert.match(read('haproxy.cfg'), / check check-ssl verify required ca-file \S+ port 8008 /);
  assert.match(read('pgbouncer.ini'), /^server_tls_sslmode = verify-ca$/m);
});

test('with Citus, servers reach one another with TLS only, and an interrupted change is decided within 5 s', () => {
  const { citus, postgresql } = parse(read('citus.yml'));
  assert.deepEqual(citus, { group: 0, database: 'latchkey' });
  const { 'citus.node_conninfo': reach, 'citus.recover_2pc_interval': interval } = postgresql.parameters;
  assert.match(
    reach,
    /^sslmode=verify-full sslrootcert=\/etc\/ssl\/latchkey\/ca\.pem connect_timeout=\d .*tcp_user_timeout=\d+$/,
  );
  assert.ok(Number.parseInt(interval, 10) <= 5 && interval.endsWith('s'));
});

describe('certificates.sh', () => {
  const own = mkdtempSync(join(tmpdir(), 'latchkey-certificates-'));
  after(() => rmSync(own, { recursive: true, force: true }));
  const openssl = (...args: string[]) => spawnSync('openssl', args, { cwd: own, encoding: 'utf8' });
  const make = (...machines: string[]) =>
    spawnSync('sh', [join(folder, 'certificates.sh'), ...machines], { cwd: own, encoding: 'utf8' });

  test('makes a certificate for each machine, from one authority', () => {
    const made = make('db1=10.66.77.11', 'db2=10.66.77.12');
    assert.equal(made.status, 0, made.stderr);
    const authority = readFileSync(join(own, 'ca.pem'));
    assert.equal(make('db3=10.66.77.13').status, 0);
    assert.deepEqual(readFileSync(join(own, 'ca.pem')), authority, 'a machine that is added later');
    for (const [name, address] of [
      ['db1', '10.66.77.11'],
      ['db2', '10.66.77.12'],
      ['db3', '10.66.77.13'],
    ] as const) {
      for (const purpose of ['sslserver', 'sslclient']) {
        const args = ['-CAfile', 'ca.pem', '-purpose', purpose, '-verify_ip', address, `${name}.pem`];
        assert.equal(openssl('verify', '-x509_strict', ...args).status, 0, `${name} ${purpose}`);
      }
      assert.notEqual(openssl('verify', '-CAfile', 'ca.pem', '-verify_ip', '10.66.77.99', `${name}.pem`).status, 0);
      assert.equal(statSync(join(own, `${name}.key`)).mode & 0o077, 0);
    }
    assert.equal(statSync(join(own, 'ca.key')).mode & 0o077, 0);
    assert.deepEqual(
      readdirSync(own).filter((file) => !/\.(pem|key)$/.test(file)),
      [],
    );
  });

  const missing = ensureDebianPackages({ haproxy: '/usr/sbin/haproxy' });
  test('HAProxy accepts its file with them', { skip: missing ?? false }, () => {
    const file = join(own, 'haproxy.cfg');
    writeFileSync(file, configuration('haproxy.cfg', { '/etc/ssl/latchkey': own }));
    const checked = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr);
  });
});
