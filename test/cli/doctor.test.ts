import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { freePort, requester, startTestService, type TestService } from '../harness/service.ts';
import { newWebhook } from '../harness/webhooks.ts';

interface Finding {
  state: string;
  about: string;
  text: string;
}

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'));
before(async () => {
  service = await startTestService();
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function examine(environment: Record<string, string>): Promise<{ status: number | null; findings: Finding[] }> {
  const { status, stdout } = await runCommand(['doctor', '--json'], environment);
  return { status, findings: JSON.parse(stdout) };
}

const newKey = () => randomBytes(32).toString('base64url');
const of = (findings: Finding[], about: string) => findings.filter((finding) => finding.about === about);

test('a store without an administrator is a warning that says how to create one', async () => {
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  const before = await examine(environment);
  assert.equal(before.status, 0);
  assert.deepEqual(
    of(before.findings, 'administrator').map(({ state, text }) => [state, text.includes('"latchkey setup-link"')]),
    [['warning', true]],
  );
  const warned = await runCommand(['doctor'], environment);
  assert.match(warned.stdout, /\nNo problems found, but check the warnings\.\n$/);
  await service.newUser({ admin: true });
  const after = await examine(environment);
  assert.deepEqual(
    of(after.findings, 'administrator').map(({ state }) => state),
    ['ok'],
  );
});

test('a trusted network that holds more than proxies is a problem', async () => {
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  const { status, findings } = await examine({ ...environment, LATCHKEY_TRUST_PROXY: '192.0.2.1, 0.0.0.0/1' });
  assert.equal(status, 1);
  const text = 'LATCHKEY_TRUST_PROXY: 0.0.0.0/1 lets people choose their own IP address. List your proxies exactly.';
  assert.deepEqual(of(findings, 'proxy'), [{ state: 'problem', about: 'proxy', text }]);
});

test('doctor shows how many imported password hashes are left', async () => {
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  const { id } = await service.newUser();
  const { storage, journal } = service.running.services;
  const event = () => journal.event({ kind: 'password_reset', userId: id }, requester);
  await storage.setPasswordHash(id, `foreign:$2b$12$${'.'.repeat(53)}`, 0, event());
  const [finding] = of((await examine(environment)).findings, 'passwords');
  assert.match(finding?.text ?? '', /^1 person has a password that another service has hashed\./);
  await storage.setPasswordHash(id, '', 0, event());
  assert.deepEqual(of((await examine(environment)).findings, 'passwords'), []);
});

test('doctor finds no problems with a running service', async () => {
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  chmodSync(service.dataDir, 0o700);
  const { status, stdout, stderr } = await runCommand(['doctor'], environment);
  assert.equal(status, 0, stderr);
  for (const about of ['configuration', 'disk', 'keys', 'store', 'base URL', 'service', 'clock', 'email']) {
    assert.match(stdout, new RegExp(`^ok +${about} `, 'm'));
  }
  assert.match(stdout, /\nNo problems found\.\n$/);
});

test('every problem in an invalid configuration is listed', async () => {
  const { status, findings } = await examine({
    LATCHKEY_BASE_URL: 'http://login.example',
    LATCHKEY_SIGN_UP: 'perhaps',
  });
  assert.equal(status, 1);
  assert.equal(of(findings, 'configuration').length, 2);
});

test("what's missing before the first start isn't a problem", async () => {
  const port = await freePort();
  const environment = { LATCHKEY_BASE_URL: `http://localhost:${port}`, LATCHKEY_DATA_DIR: join(folder, 'none') };
  const { status, findings } = await examine(environment);
  assert.equal(status, 0);
  assert.deepEqual(
    findings.filter((finding) => finding.state === 'warning').map((finding) => finding.about),
    ['data', 'keys', 'store', 'base URL'],
  );
});

test('a store that is missing while the service runs is a problem: the data directory is mistyped', async () => {
  const missing = join(folder, 'mistyped');
  const { status, findings } = await examine({ LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: missing });
  assert.equal(status, 1);
  const [{ state, text } = assert.fail()] = of(findings, 'store');
  assert.equal(state, 'problem');
  assert.match(text, /mistyped\/latchkey\.db doesn't exist, but the service is running\. Check LATCHKEY_DATA_DIR\./);
  assert.equal(existsSync(missing), false);
});

test('keys that others can read, or that are invalid, are problems', async () => {
  const keys = join(folder, 'keys');
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: folder, LATCHKEY_KEYS_FILE: keys };
  writeFileSync(keys, newKey());
  // Whatever the umask is.
  chmodSync(keys, 0o644);
  const open = await examine(environment);
  assert.equal(open.status, 1);
  assert.match(of(open.findings, 'keys').at(-1)?.text ?? '', /Other users can read \S+keys\. Run "chmod 600" on it/);
  writeFileSync(keys, 'nothing');
  const none = await examine(environment);
  assert.match(of(none.findings, 'keys')[0]?.text ?? '', /must contain keys .*\. Restore it from your backup\.$/);
  writeFileSync(keys, '2Zq0mYI4iW5v3nR7cT1xLb8sK6dPfGhJoUaEyNtVwQk');
  for (const changes of [{}, { LATCHKEY_KEYS: readFileSync(keys, 'utf8') }]) {
    const example = await examine({ ...environment, ...changes });
    assert.equal(example.status, 1);
    assert.match(JSON.stringify(example.findings), /contains an example or placeholder key, .* generate your own/);
  }
});

test('a base URL that points elsewhere and a wrong clock are found', async () => {
  let body = '{}';
  const server = createServer((_request, response) => {
    response.setHeader('Date', new Date(Date.now() - 60_000).toUTCString());
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { LATCHKEY_BASE_URL: baseUrl, LATCHKEY_DATA_DIR: folder };
    assert.match(
      of((await examine(environment)).findings, 'base URL')[0]?.text ?? '',
      /something other than this service responds/,
    );
    // As the service, and as /readyz of an instance.
    body = JSON.stringify({ issuer: baseUrl, status: 'not ready', reason: 'clock_differs' });
    const { findings } = await examine(environment);
    assert.match(of(findings, 'clock')[0]?.text ?? '', /differ by (59|60|61) s/);
    assert.match(
      of(findings, 'service')[0]?.text ?? '',
      /^the running service has a clock that is more than a minute away/,
    );
  } finally {
    server.close();
  }
});

test('a certificate that is not trusted, or not valid, is told from a service that is not running', async () => {
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=login'];
  const certificate = (...more: string[]) => {
    const made = spawnSync('openssl', ['req', '-x509', ...kind, ...files, ...more], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    return { key: readFileSync(join(folder, 'tls.key')), cert: readFileSync(join(folder, 'tls.crt')) };
  };
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  const untrusted = certificate('-days', '2', ...names);
  const server = createHttpsServer(untrusted, (_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const base = { LATCHKEY_DATA_DIR: folder, LATCHKEY_KEYS: newKey(), LATCHKEY_TRUST_PROXY: '127.0.0.1' };
  const found = async (baseUrl: string, more = {}) => {
    const environment = { ...base, ...more, LATCHKEY_BASE_URL: baseUrl };
    const [finding] = of((await examine(environment)).findings, 'base URL');
    return [finding?.state, finding?.text];
  };
  try {
    const [state, text = ''] = await found(`https://localhost:${port}`);
    assert.equal(state, 'warning');
    assert.match(
      text,
      /^https:\S+: the certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\..*NODE_EXTRA_CA_CERTS/,
    );
    const trusting = { NODE_EXTRA_CA_CERTS: join(folder, 'tls.crt') };
    assert.deepEqual(await found(`https://127.0.0.1:${port}`, trusting), [
      'problem',
      `https://127.0.0.1:${port}: the certificate is for another host. Renew it, or check the proxy.`,
    ]);
    const { port: plain } = new URL(service.url);
    const [wrong, sentence = ''] = await found(`https://localhost:${plain}`);
    assert.equal(wrong, 'problem');
    assert.match(sentence, /responds, but not with TLS/);
  } finally {
    server.close();
  }
});

test('an unreachable mail server is a problem, a missing one a warning', async () => {
  const port = await freePort();
  const base = { LATCHKEY_DATA_DIR: folder, LATCHKEY_KEYS: newKey() };
  const smtp = { LATCHKEY_SMTP_URL: `smtp://user:hidden@127.0.0.1:${port}`, LATCHKEY_MAIL_FROM: 'a@b.example' };
  const dead = await examine({ ...base, LATCHKEY_BASE_URL: service.url, ...smtp });
  assert.equal(dead.status, 1);
  assert.match(of(dead.findings, 'email')[0]?.text ?? '', /doesn't work: .*Emails are queued and retried/);
  assert.equal(JSON.stringify(dead.findings).includes('hidden'), false);
  const none = await examine({ ...base, LATCHKEY_BASE_URL: 'https://127.0.0.1:1' });
  assert.equal(of(none.findings, 'email')[0]?.state, 'ok', 'loopback shows its mails');
});

test('an email that has been waiting for a while is a warning', async () => {
  const { storage } = service.running.services;
  const smtp = { LATCHKEY_SMTP_URL: 'smtp://127.0.0.1:1', LATCHKEY_MAIL_FROM: 'a@b.example' };
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir, ...smtp };
  const warnings = async () =>
    of((await examine(environment)).findings, 'email').filter(({ state }) => state === 'warning');
  await storage.queueEmail({ id: 'stuck', sealed: 'with another key', createdAt: Date.now() - 20 * 60 * 1000 });
  const [waiting, ...others] = await warnings();
  assert.match(waiting?.text ?? '', /^1 email is waiting since 20.*--kind mail_delayed/);
  assert.deepEqual(others, []);
  await storage.deleteEmail('stuck');
  assert.deepEqual(await warnings(), []);
});

test('failing webhook endpoints are named', async () => {
  const { storage } = service.running.services;
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  const { webhook } = await newWebhook(service, {
    url: 'https://hooks.example/secret?token=hidden',
    types: ['user.created'],
  });
  await service.newUser();
  const [delivery] = await storage.listDueDeliveries(webhook.id, service.clock.now(), 1);
  assert.ok(delivery);
  const attempt = { at: Date.now(), duration: 1, status: 500, response: '', error: null };
  const fail = (attempts: number) =>
    storage.recordAttempt(
      { ...delivery, attempts },
      attempt,
      { kind: 'postponed', until: Date.now() + 60_000, restUntil: Date.now() + 60_000 },
      { holder: 'test', until: 0 },
    );
  await fail(0);
  await fail(1);
  assert.deepEqual(of((await examine(environment)).findings, 'webhooks'), [
    { state: 'ok', about: 'webhooks', text: 'no endpoint is failing.' },
  ]);
  await fail(2);
  const { status, findings } = await examine(environment);
  const [found, ...others] = of(findings, 'webhooks');
  assert.deepEqual([status, found?.state, others], [1, 'problem', []]);
  const name = `${webhook.id} \\(hooks\\.example\\)`;
  assert.match(found?.text ?? '', new RegExp(`^${name} has failed 3 times in a row since 20.*messages: 1 waiting`));
  assert.doesNotMatch(found?.text ?? '', /secret|hidden/);
});

test('an unreachable store is a problem', async () => {
  const port = await freePort();
  const environment = {
    LATCHKEY_BASE_URL: service.url,
    LATCHKEY_DATA_DIR: folder,
    LATCHKEY_KEYS: newKey(),
    DATABASE_URL: `postgres://user:hidden@127.0.0.1:${port}/none`,
  };
  const { status, findings } = await examine(environment);
  assert.equal(status, 1);
  assert.match(of(findings, 'store')[0]?.text ?? '', /^PostgreSQL doesn't respond/);
  assert.equal(JSON.stringify(findings).includes('hidden'), false);
});

test('a store of another version and a folder that others can read are found', async () => {
  const data = join(folder, 'versions');
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: data };
  await runCommand(['setup-link'], environment);
  chmodSync(data, 0o755);
  const { findings } = await examine(environment);
  assert.deepEqual(of(findings, 'data'), [
    { state: 'warning', about: 'data', text: `Other users can read ${data}. Run "chmod 700" on it.` },
  ]);
  const database = new DatabaseSync(join(data, 'latchkey.db'), { timeout: 10_000 });
  const newest = database.prepare('SELECT max(version) AS version FROM schema_version').get()?.version;
  database.prepare('DELETE FROM schema_version WHERE version = ?').run(newest ?? null);
  const [behind] = of((await examine(environment)).findings, 'store');
  assert.equal(behind?.state, 'warning');
  assert.match(behind?.text ?? '', /schema version \d+, but \d+ is needed\. The next start updates it\.$/);
  database.prepare('INSERT INTO schema_version (version) VALUES (999)').run();
  const [newer] = of((await examine(environment)).findings, 'store');
  assert.equal(newer?.state, 'warning');
  assert.match(
    newer?.text ?? '',
    /schema version 999, from a newer version of Latchkey\. .* doesn't enforce what's new\.$/,
  );
  database.prepare("UPDATE service_facts SET value = '999' WHERE name = 'oldest_schema'").run();
  const tooNew = await examine(environment);
  database.close();
  assert.equal(tooNew.status, 1);
  assert.match(of(tooNew.findings, 'store')[0]?.text ?? '', /schema version 999, .* is too old for it: /);
});

test('metrics that others can reach are a warning', async () => {
  const environment = {
    LATCHKEY_BASE_URL: service.url,
    LATCHKEY_DATA_DIR: service.dataDir,
    LATCHKEY_METRICS_PORT: '9464',
  };
  const states = async (more: Record<string, string>) =>
    of((await examine({ ...environment, ...more })).findings, 'metrics').map(({ state }) => state);
  assert.deepEqual(await states({}), ['ok']);
  assert.deepEqual(await states({ LATCHKEY_METRICS_HOST: '0.0.0.0' }), ['warning']);
});
