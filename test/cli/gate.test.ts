// latchkey gate …, run as an operator runs it.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { logTo } from '../../src/cli/standalone/log.ts';
import { gateSchema } from '../../src/gate/config-file.ts';
import { finished, outputMatching, runCommand, startCommand } from '../harness/command.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { scrape } from '../harness/metrics.ts';
import { freePort } from '../harness/service.ts';
import { openTerminal, runOnTerminal } from '../harness/terminal.ts';

const secret = 'the-secret-of-the-wiki';
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-gate-'));
  writeFileSync(join(folder, 'secret'), `${secret}\n`, { mode: 0o600 });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const application = { host: 'wiki.example', client_id: 'wiki-client', client_secret: { file: 'secret' } };

/** Writes a file for the gate and returns its path. */
function configFile(name: string, more: object = {}): string {
  const file = join(folder, name);
  const least = { issuer: 'https://login.example', data_dir: 'data', key_file: 'key', applications: [application] };
  writeFileSync(file, JSON.stringify({ ...least, ...more }));
  return file;
}

const check = (file: string, environment = {}) => runCommand(['gate', 'check-config', file], environment);

test('check-config says what the gate would do', async () => {
  const wiki = {
    ...application,
    open: ['/healthz', '/assets/*'],
    programs: ['/api/*'],
    require: [{ paths: ['/admin/*', '/users'], claim: 'role', values: ['admin', 'owner'] }],
  };
  const shop = { ...application, host: 'Shop.Example:8443', client_secret: { env: 'SHOP_SECRET' } };
  const file = configFile('good.json', {
    applications: [wiki, shop],
    trusted_proxies: ['10.1.2.3'],
    listen: '[::1]:80',
    metrics: '127.0.0.1:9465',
  });
  const { status, stdout, stderr } = await check(file, { SHOP_SECRET: secret });
  assert.deepEqual([status, stderr], [0, '']);
  const headers = 'Remote-User: sub, Remote-Email: email, Remote-Name: name, Remote-Groups: groups';
  assert.equal(
    stdout,
    `${file} has no problems.

listens on       [::1]:80
metrics          127.0.0.1:9465
trusted proxies  10.1.2.3
Latchkey         https://login.example

wiki.example
  client                  wiki-client
  open to everyone        /healthz, /assets/*
  programs                /api/*
  role is admin or owner  /admin/*, /users
  headers                 ${headers}

shop.example:8443
  client            wiki-client
  open to everyone  nothing
  headers           ${headers}
`,
  );
});

test('check-config warns on standard error, and still exits with 0', async () => {
  const exposed = join(folder, 'exposed');
  writeFileSync(exposed, secret);
  chmodSync(exposed, 0o644);
  const file = configFile('warned.json', {
    applications: [{ ...application, open: ['/*'], client_secret: { file: 'exposed' } }],
  });
  const { status, stderr } = await check(file);
  assert.equal(status, 0);
  // Root owns it, and the gate is in its group.
  chmodSync(join(folder, 'secret'), 0o640);
  assert.equal((await check(configFile('group.json'))).stderr, '');
  assert.equal(
    stderr,
    `\nWarning: applications[0].client_secret.file: everyone on this machine can read ${exposed}. Run "chmod o= ${exposed}".
Warning: applications[0].open: "/*" opens everything to everyone, except for paths in require.
`,
  );
});

test('check-config and serve print every problem at once, without the secret, and exit with 1', async () => {
  const file = configFile('bad.json', { issuer: 'http://login.example', applications: [{ client_secret: secret }] });
  for (const command of [
    ['check-config', file],
    ['serve', '--config', file],
  ]) {
    const { status, stdout, stderr } = await runCommand(['gate', ...command], {});
    assert.deepEqual([status, stdout], [1, '']);
    assert.equal(
      stderr,
      `latchkey: ${file} has problems:
  - issuer: must use https; plain http works only on localhost, 127.0.0.1 and [::1]
  - applications[0].host: is missing
  - applications[0].client_id: is missing
  - applications[0].client_secret: must be {"file": …} or {"env": …}. A secret in this file would be in every copy and backup of it
`,
    );
  }
});

test("a file that can't be read is named", async () => {
  const nowhere = join(folder, 'nowhere.json');
  const missing = await check(nowhere);
  assert.equal(missing.status, 1);
  assert.ok(missing.stderr.startsWith(`latchkey: can't read ${nowhere}: ENOENT`), missing.stderr);
  const latin1 = join(folder, 'latin1.json');
  writeFileSync(latin1, Buffer.from('{"issuer": "\xfc"}', 'latin1'));
  const { status, stderr } = await check(latin1);
  assert.equal(status, 1);
  assert.match(stderr, /^latchkey: can't read .*latin1\.json: .*utf-8\.\n$/);
});

test('control characters in a file cannot command the terminal', async () => {
  const file = configFile('hostile.json', { '\u001b[2J': 1 });
  const { status, stderr } = await check(file);
  assert.equal(status, 1);
  assert.doesNotMatch(stderr, /\u001b/);
});

test('schema prints the JSON Schema', async () => {
  const { status, stdout } = await runCommand(['gate', 'schema'], {});
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), gateSchema);
});

test('what is typed wrong is wrong usage', async () => {
  const file = configFile('usage.json');
  for (const [args, complaint] of [
    [['serve'], '--config is required. Run "latchkey gate serve --help" for usage.'],
    [['check-config'], 'FILE is required. Run "latchkey gate check-config --help" for usage.'],
    [
      ['serve', '--config', file, '--listen', '8461'],
      '--listen must be an IP address or host name with a port, such as 127.0.0.1:8460 or [::1]:8460. Run "latchkey gate serve --help" for usage.',
    ],
    [['check'], 'unknown command "gate check". Did you mean "check-config"? Run "latchkey gate --help" for usage.'],
  ] as const) {
    const { status, stderr } = await runCommand(['gate', ...args], {});
    assert.deepEqual([status, stderr], [2, `latchkey: ${complaint}\n`]);
  }
});

test('what check-config shows fits a narrow terminal', async () => {
  const file = configFile('narrow.json');
  const { shown } = await runOnTerminal(['gate', 'check-config', file], { columns: 40 });
  const lines = shown.split(/\r?\n/).filter((line) => !line.includes(file));
  assert.ok(
    lines.every((line) => line.replace(/\u001b\[\d*m/g, '').length <= 40),
    shown,
  );
});

interface Serving {
  readonly child: ChildProcess;
  readonly ended: ReturnType<typeof finished>;
}

async function serve(file: string, ...args: string[]): Promise<Serving> {
  const child = startCommand(['gate', 'serve', '--config', file, ...args], {});
  const ended = finished(child);
  await outputMatching(child, /The gate is running at/);
  return { child, ended };
}

for (const signal of firstUntilRelease(['SIGTERM', 'SIGINT'])) {
  test(`serve logs JSON lines, and stops cleanly on ${signal}`, async () => {
    const port = await freePort();
    const data = join(folder, signal);
    const file = configFile(`${signal}.json`, {
      listen: `127.0.0.1:${port}`,
      data_dir: data,
      key_file: `${signal}.key`,
    });
    const { child, ended } = await serve(file);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/gate/healthz`);
      assert.deepEqual([response.status, (await response.text()).trim()], [200, 'ok']);
      for (const path of [join(data, 'sessions.db'), join(folder, `${signal}.key`)]) {
        assert.equal(statSync(path).mode & 0o777, 0o600, path);
      }
      // It sends nothing, and isn't waited for.
      const idle = connect(port, '127.0.0.1');
      idle.on('error', () => {});
      await new Promise((resolve) => idle.once('connect', resolve));
    } finally {
      child.kill(signal);
    }
    const { status, stdout, stderr } = await ended;
    assert.deepEqual([status, stderr], [0, '']);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const { level, time, pid, hostname: name } of entries) {
      assert.deepEqual([level, pid, name], [30, child.pid, hostname()]);
      assert.ok(Math.abs(Number(time) - Date.now()) < 60_000);
    }
    assert.deepEqual(
      entries.map(({ msg }) => msg),
      [`The gate is running at http://127.0.0.1:${port}`, `${signal}: finishing requests in flight`],
    );
  });
}

test('a port in use is explained, and --listen and --metrics run a second gate on the same sessions', async () => {
  const [port, metrics, second, others] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const addresses = { listen: `127.0.0.1:${port}`, metrics: `127.0.0.1:${metrics}` };
  const file = configFile('twice.json', { ...addresses, data_dir: 'twice' });
  const first = await serve(file);
  try {
    for (const [name, taken, ...args] of [
      ['metrics', metrics],
      ['listen', port, '--metrics', `127.0.0.1:${others}`],
    ] as const) {
      const { status, stderr } = await runCommand(['gate', 'serve', '--config', file, ...args], {});
      assert.equal(status, 1);
      assert.equal(
        stderr,
        `latchkey: port ${taken} on 127.0.0.1 is in use, perhaps by another gate. Stop that program, or use another address: ` +
          `"${name}" in the file, or --${name} for a second gate on the same sessions.\n`,
      );
    }
    const other = await serve(file, '--listen', `127.0.0.1:${second}`, '--metrics', `127.0.0.1:${others}`);
    assert.equal((await fetch(`http://127.0.0.1:${second}/gate/healthz`)).status, 200);
    for (const each of [metrics, others]) assert.equal((await scrape(each)).of('latchkey_gate_sessions'), 0);
    other.child.kill();
    assert.equal((await other.ended).status, 0);
  } finally {
    first.child.kill();
  }
  assert.equal((await first.ended).status, 0);
});

test('what keeps the gate from starting is explained in a sentence', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  writeFileSync(join(folder, 'no-key'), 'short\n');
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken/sessions.db'), 'not a database'.repeat(100));
  for (const [more, complaint] of [
    [{ data_dir: 'a-file/data' }, /has problems:\n {2}- data_dir: \S*a-file\/data can't be read: ENOTDIR: .*\n$/],
    [{ key_file: 'no-key' }, /has problems:\n {2}- key_file: \S*no-key must contain keys .*\n$/],
    [
      { data_dir: 'broken' },
      /^latchkey: can't use sessions\.db in \S*broken: file is not a database\. If it's damaged, stop all gates and delete it; everyone signs in again\.\n$/,
    ],
    [{ listen: 'nowhere.invalid:8460' }, /^latchkey: can't listen on nowhere\.invalid:8460: getaddrinfo .*\.\n$/],
    [{ metrics: 'nowhere.invalid:8461' }, /^latchkey: can't listen on nowhere\.invalid:8461: getaddrinfo .*\.\n$/],
    [{ listen: '192.0.2.1:8460' }, /^latchkey: can't listen on 192\.0\.2\.1:8460: listen EADDRNOTAVAIL.*\.\n$/],
  ] as const) {
    const { status, stderr } = await runCommand(['gate', 'serve', '--config', configFile('stuck.json', more)], {});
    assert.equal(status, 1);
    assert.match(stderr, complaint);
  }
});

releaseTest('serve warns in the log, and writes text on a terminal', async () => {
  const port = await freePort();
  const file = configFile('terminal.json', {
    listen: `127.0.0.1:${port}`,
    applications: [{ ...application, open: ['/*'] }],
  });
  const terminal = openTerminal(`./latchkey gate serve --config ${file}`, { environment: { NO_COLOR: '1' } });
  await terminal.until(/\d\d:\d\d:\d\d WARN {2}applications\[0\]\.open: "\/\*" opens everything/);
  await terminal.until(/\d\d:\d\d:\d\d INFO {2}The gate is running at http/);
  terminal.type('\u0003');
  await terminal.until(/SIGINT: finishing requests in flight/);
  assert.equal(await terminal.ended, 0);
});

test('the log has facts and errors, and a value cannot forge another entry', () => {
  const lines: string[] = [];
  const log = logTo({ write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream);
  log.error({ err: new TypeError('broken'), host: 'a\n{"level":30}' }, 'failed');
  log.warn({}, 'careful');
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.indexOf('\n') === line.length - 1));
  const [error, warning] = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    [error.level, error.err.type, error.err.message, error.host, error.msg],
    [50, 'TypeError', 'broken', 'a\n{"level":30}', 'failed'],
  );
  assert.match(error.err.stack, /^TypeError: broken\n/);
  assert.deepEqual([warning.level, warning.msg], [40, 'careful']);
});
