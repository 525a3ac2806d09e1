// How DATABASE_URL leads to PostgreSQL: by TLS with a real certificate, or over a Unix socket.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { StorageUnavailable } from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { runCommand } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { queryPostgres, startPostgres, type TestPostgres } from '../harness/postgres.ts';
import { until } from '../harness/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-connections-'));
const ca = join(folder, 'ca.pem');
const otherCa = join(folder, 'other.pem');
/** An IP address of this machine that isn't loopback, so that the rules for other machines apply. */
const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
const skip =
  ensureDebianPackages({ openssl: '/usr/bin/openssl' }) ??
  (elsewhere === undefined ? 'this machine has only loopback addresses' : false);

let postgres: TestPostgres;
let name: string;

before(async () => {
  postgres = await startPostgres({ settings: ['listen_addresses=*', 'unix_socket_directories=/tmp'] });
  name = new URL(await postgres.newDatabase()).pathname;
});
after(async () => {
  await postgres?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function openssl(...args: string[]): void {
  const made = spawnSync('openssl', args, { encoding: 'utf8', cwd: folder });
  assert.equal(made.status, 0, made.stderr);
}

/** A certificate authority, and a certificate from it for the address that the tests connect to. */
function makeCertificates(): void {
  const ecKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  for (const file of [ca, otherCa]) {
    openssl('req', '-x509', ...ecKey, '-subj', '/CN=Test authority', '-keyout', `${file}.key`, '-out', file);
  }
  const issued = ['-CA', ca, '-CAkey', `${ca}.key`, '-addext', `subjectAltName=IP:${elsewhere}`];
  const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')];
  openssl('req', '-x509', ...ecKey, '-subj', '/CN=database', ...issued, ...files);
}

/** The server reads its settings again; `ssl` tells when it has. */
async function setTls(state: 'on' | 'off'): Promise<void> {
  const admin = postgres.urlOf('postgres');
  await queryPostgres(admin, `ALTER SYSTEM SET ssl = ${state}`);
  await queryPostgres(admin, 'SELECT pg_reload_conf()');
  await until(async () => (await queryPostgres(admin, 'SHOW ssl'))[0]?.ssl === state, `ssl is ${state}`);
}

async function isEncrypted(url: string): Promise<unknown> {
  const driver = openPostgres(url);
  try {
    const [row] = await driver.read(
      'SELECT CAST(ssl AS TEXT) AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      [],
    );
    return row?.ssl === 'true';
  } finally {
    await driver.close();
  }
}

describe('TLS to PostgreSQL', { skip }, () => {
  const at = (host: string | undefined, query: string) =>
    `postgres://latchkey:hush@${host}:${postgres.port}${name}${query}`;

  before(async () => {
    makeCertificates();
    const owner = statSync(postgres.dataDir);
    for (const file of ['server.key', 'server.crt']) {
      cpSync(join(folder, file), join(postgres.dataDir, file));
      chownSync(join(postgres.dataDir, file), owner.uid, owner.gid);
    }
    appendFileSync(join(postgres.dataDir, 'pg_hba.conf'), 'host all all all trust\n');
    await setTls('on');
  });

  test('verify-full connects with the right authority and name, and is the default', async () => {
    for (const query of [
      `?sslmode=verify-full&sslrootcert=${ca}`,
      `?sslrootcert=${ca}`,
      `?sslmode=require&sslrootcert=${ca}`,
    ]) {
      assert.equal(await isEncrypted(at(elsewhere, query)), true, query);
    }
    const environment = {
      DATABASE_URL: at(elsewhere, `?sslrootcert=${ca}`),
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    };
    const { stdout } = await runCommand(['doctor'], environment);
    assert.match(stdout, new RegExp(`^ok +connection +TLS to ${elsewhere}, with a verified certificate\\.$`, 'm'));
    assert.match(stdout, /^ok +store +PostgreSQL, schema version \d+\.$/m);
  });

  const authority = /^unable to verify the first certificate; sslrootcert in DATABASE_URL names the .* file$/;
  for (const [what, host, query, reason] of [
    ['an unknown authority', elsewhere, '', authority],
    ['require, without verification,', elsewhere, '?sslmode=require', authority],
    ['another authority', elsewhere, `?sslmode=verify-full&sslrootcert=${otherCa}`, authority],
    [
      'another name',
      '127.0.0.1',
      `?sslmode=verify-full&sslrootcert=${ca}`,
      /does not match.*; the host in DATABASE_URL must be in the certificate$/,
    ],
  ] as const) {
    test(`${what} is refused with one sentence`, async () => {
      const driver = openPostgres(at(host, query));
      await assert.rejects(
        async () => driver.read('SELECT 1', []),
        (error) => {
          assert.ok(error instanceof StorageUnavailable);
          assert.match(error.message, reason);
          return true;
        },
      );
      await driver.close();
    });
  }

  test('verification and TLS can be turned off explicitly, and doctor warns', async () => {
    for (const [mode, encrypted] of [
      ['no-verify', true],
      ['disable', false],
    ] as const) {
      const url = at(elsewhere, `?sslmode=${mode}`);
      assert.equal(await isEncrypted(url), encrypted);
      const { stdout } = await runCommand(['doctor'], {
        DATABASE_URL: url,
        LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
      });
      assert.match(stdout, new RegExp(`^warning +connection +sslmode=${mode}: .* Use sslmode=verify-full`, 'm'));
    }
  });

  test('an unreadable file is named', async () => {
    const url = at(elsewhere, '?sslrootcert=/nowhere/ca.pem');
    const { status, stderr } = await runCommand(['migrate'], { DATABASE_URL: url });
    assert.equal(status, 1);
    assert.equal(
      stderr,
      "latchkey: /nowhere/ca.pem, which sslrootcert in DATABASE_URL names, can't be read (ENOENT).\n",
    );
  });

  test('a remote server without TLS is refused with one sentence', async () => {
    await setTls('off');
    const environment = { DATABASE_URL: at(elsewhere, ''), PGSSLMODE: 'disable' };
    const { status, stderr } = await runCommand(['migrate'], environment);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^latchkey: the store isn't available .*does not support SSL.*switch TLS on in PostgreSQL[^\n]*\n$/,
    );
    assert.equal(stderr.includes('hush'), false);
    assert.equal(await isEncrypted(at('127.0.0.1', '')), false, 'loopback needs none');
  });
});

test('a Unix socket is named by its folder, in the host or in a parameter', async () => {
  const user = 'latchkey:hush';
  for (const url of [
    `postgres://${user}@/${name.slice(1)}?host=/tmp&port=${postgres.port}`,
    `postgresql://${user}@%2Ftmp:${postgres.port}${name}`,
  ]) {
    const driver = openPostgres(url);
    const [row] = await driver.read("SELECT COALESCE(CAST(inet_server_addr() AS TEXT), 'socket') AS way", []);
    assert.equal(row?.way, 'socket', url);
    await driver.close();
  }
});

test("PGHOST and the like don't redirect the connection", async () => {
  const DATABASE_URL = postgres.urlOf(name.slice(1));
  const elsewhere = { PGHOST: 'nowhere.invalid', PGPORT: '1', PGSSLMODE: 'require' };
  const { status, stderr } = await runCommand(['migrate'], { DATABASE_URL, ...elsewhere });
  assert.equal(status, 0, stderr);
});

test('several hosts are refused with the alternative', async () => {
  const url = `postgres://latchkey:hush@localhost:${postgres.port},localhost:1${name}?target_session_attrs=read-write`;
  const { status, stderr } = await runCommand(['serve'], { DATABASE_URL: url });
  assert.equal(status, 1);
  assert.match(stderr, /DATABASE_URL names several hosts, .* a proxy such as HAProxy or PgBouncer that follows it/);
  assert.equal(stderr.includes('hush'), false);
});
