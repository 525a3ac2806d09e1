// Instances on one store: which ones run, and whether they have the same settings and keys.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { ServeMetrics } from '../../src/cli/service/metrics.ts';
import { ownVersion } from '../../src/platform/version.ts';
import { runCommand } from '../harness/command.ts';
import { visit } from '../harness/console.ts';
import { releaseTest } from '../harness/lane.ts';
import { scrape } from '../harness/metrics.ts';
import { Person } from '../harness/person.ts';
import { Served } from '../harness/served.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

interface Listed {
  id: string;
  version: string;
  base_url: string;
  key_ids: string[];
  started_at: string;
  last_seen_at: string;
  clock_offset_seconds: number | null;
  mismatch: string[] | null;
}

let service: TestService;
let metricsPort: number;
before(async () => {
  metricsPort = await freePort();
  service = await startTestService({ LATCHKEY_METRICS_PORT: String(metricsPort) });
});
after(() => service.stop());

const environment = () => ({ LATCHKEY_DATA_DIR: service.dataDir, LATCHKEY_BASE_URL: service.url });

async function listed(settings: Record<string, string> = environment()): Promise<Listed[]> {
  const { status, stdout, stderr } = await runCommand(['instances', '--json'], settings);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** A clock is read a moment after the other one, which can be long on busy cores. */
const isNear = (seconds: number | null, expected: number) => Math.abs((seconds ?? Number.NaN) - expected) <= 1;

const overviewLine = /Instances on this store have different settings or keys/;
const metric = async (state: string) => (await scrape(metricsPort)).of(`latchkey_instances{state="${state}"}`);

async function findings(): Promise<[string, string][]> {
  const { stdout } = await runCommand(['doctor', '--json'], environment());
  const all = JSON.parse(stdout) as { state: string; about: string; text: string }[];
  return all.filter(({ about }) => about === 'instances').map(({ state, text }) => [state, text]);
}

test('a running instance is listed with its version, base URL and keys', async () => {
  const [instance, ...others] = await listed();
  assert.deepEqual(others, []);
  assert.ok(instance);
  assert.deepEqual(Object.keys(instance), [
    'id',
    'version',
    'base_url',
    'key_ids',
    'started_at',
    'last_seen_at',
    'clock_offset_seconds',
    'mismatch',
  ]);
  assert.deepEqual(
    [instance.base_url, instance.key_ids, instance.mismatch],
    [service.url, service.running.services.keys.ids, null],
  );
  assert.ok(isNear(instance.clock_offset_seconds, 0));
  const seen = Date.parse(instance.last_seen_at);
  assert.ok(Date.parse(instance.started_at) <= seen && Math.abs(seen - Date.now()) < 30_000);
  const { stdout } = await runCommand(['instances'], environment());
  assert.match(
    stdout,
    /^ID +VERSION +BASE URL +KEYS +STARTED +LAST SEEN +CLOCK +MISMATCH\n\S+ +\S+ +http:\S+ +1 .* -?[01]\.\d s +none\n$/,
  );
  assert.deepEqual(await findings(), [['ok', '1 is running.']]);
  assert.deepEqual(
    [instance.version, (await runCommand(['--version'], {})).stdout],
    [ownVersion(), `${ownVersion()}\n`],
  );
  const doctor = await runCommand(['doctor'], environment());
  assert.ok(doctor.stdout.includes(`, Latchkey ${ownVersion()}`), doctor.stdout);
});

test('instances with different keys, base URLs and other settings are noticed everywhere, until they are gone', async () => {
  const admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true }));
  assert.doesNotMatch((await visit(admin, '/admin')).page, overviewLine);
  const other = await startTestService({
    LATCHKEY_DATA_DIR: service.dataDir,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_EVENTS_DAYS: '30',
  });
  try {
    const found = await listed();
    assert.deepEqual(
      found.map(({ base_url, mismatch }) => [base_url, mismatch]),
      [service, other].map(({ url }) => [url, ['base_url', 'keys', 'events_days']]),
    );
    const [[state, text] = []] = await findings();
    assert.equal(state, 'problem');
    assert.match(text ?? '', /different base URLs \(LATCHKEY_BASE_URL\), keys \(.*\), retention of events \(/);
    for (const { id } of found) assert.ok(text?.includes(id));
    for (const { log } of [service, other]) {
      await until(
        () => /"level":50,[^\n]*Instances on this store have different base URLs/.test(log()),
        'it is logged',
      );
    }
    assert.deepEqual([await metric('live'), await metric('mismatched')], [2, 2]);
    assert.match((await visit(admin, '/admin')).page, overviewLine);
  } finally {
    await other.stop();
  }
  assert.deepEqual(
    (await listed()).map(({ mismatch }) => mismatch),
    [null],
    'a clean stop removes it',
  );
  await until(() => service.log().includes('all instances have the same settings and keys again'), 'it is over');
  assert.deepEqual([await metric('live'), await metric('mismatched')], [1, 0]);
  assert.doesNotMatch((await visit(admin, '/admin')).page, overviewLine);
});

test('an instance with a wrong clock is noticed everywhere and not ready, unless most have the same time', async () => {
  const admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true }));
  const overviewText = async () => (await visit(admin, '/admin')).page.replaceAll('&#39;', "'");
  const otherMetrics = await freePort();
  // By the store's own clock, which nobody moves.
  const startAhead = (settings: Record<string, string> = {}, serveMetrics?: ServeMetrics) =>
    startTestService(
      { ...environment(), ...settings },
      {
        clock: { now: () => Date.now() + 300_000, advance: () => {} },
        storeClock: undefined,
        ...(serveMetrics && { serveMetrics }),
      },
    );
  const readiness = async ({ url }: TestService) =>
    (await fetch(`${url}/readyz`)).json() as Promise<{ status: string; reason?: string }>;
  const offset = async (port: number, clock: string) =>
    (await scrape(port)).of(`latchkey_clock_offset_seconds{clock="${clock}"}`);
  const ahead = await startAhead({ LATCHKEY_METRICS_PORT: String(otherMetrics) });
  const started = [ahead];
  try {
    const own = `http://localhost:${new URL(ahead.url).port}`;
    const found = await listed();
    assert.deepEqual(
      found.map(({ mismatch, clock_offset_seconds: seconds }, place) => [mismatch, isNear(seconds, place * 300)]),
      [
        [null, true],
        [['clock'], true],
      ],
    );
    const id = found[1]?.id ?? '';
    const { stdout, stderr } = await runCommand(['instances'], environment());
    assert.match(stdout, / \+(299|30[01])\.\d s +clock\n$/);
    const sentence = new RegExp(`The clock of ${id} is (299|30[01]) s ahead of the store's, so it isn't ready\\.`);
    assert.match(stderr, new RegExp(`^${sentence.source}\n$`));
    const refused = await fetch(`${own}/readyz`);
    assert.deepEqual([refused.status, refused.headers.has('retry-after')], [503, true]);
    assert.deepEqual(await refused.json(), { status: 'not ready', reason: 'clock_differs' });
    assert.deepEqual(await readiness(service), { status: 'ready' });
    assert.deepEqual(
      (await findings()).map(([state, text]) => [state, text.search(sentence)]),
      [['problem', 0]],
    );
    const logged = new RegExp(`"msg":"${sentence.source} Sync`);
    for (const { log } of started) await until(() => logged.test(log()), 'it is logged');
    await until(async () => isNear(await offset(otherMetrics, 'instance'), 300), 'it is in the metrics');
    for (const clock of ['instance', 'store']) assert.ok(isNear(await offset(metricsPort, clock), 0), clock);
    assert.equal(await metric('mismatched'), 0, 'not with other settings');
    const shown = await overviewText();
    assert.ok(shown.includes(`the clocks of these instances are more than 5 seconds off: ${id}.`));
    assert.match(await (await admin.visit('/api/overview')).text(), /"warnings":\[[^\]]*"kind":"clock_differs"/);

    let meanwhile: unknown;
    const second = await startAhead({}, async () => {
      meanwhile = await readiness(ahead);
      return async () => {};
    });
    started.push(second);
    assert.deepEqual(meanwhile, { status: 'not ready', reason: 'clock_differs' }, 'one that starts counts for nothing');
    const first = found[0]?.id;
    assert.deepEqual(
      (await listed()).map(({ mismatch }) => mismatch),
      [['clock'], null, null],
    );
    for (const each of [service, ...started]) assert.deepEqual(await readiness(each), { status: 'ready' });
    const [[state, text = ''] = []] = await findings();
    assert.equal(state, 'problem');
    const behind = 'is (299|30[01]) s behind those of most instances\\. ';
    assert.match(text, new RegExp(`^The store's clock ${behind}The clock of ${first} ${behind}`));
    await until(async () => isNear(await offset(metricsPort, 'store'), -300), 'it is in the metrics');
    assert.match(await overviewText(), /The clock of the store is more than 5 seconds off/);
    second.running.drain();
    const isUnready = async () => (await readiness(ahead)).reason === 'clock_differs';
    await until(isUnready, 'one that drains counts for nothing');
  } finally {
    for (const each of started) await each.stop();
  }
  await until(() => service.log().includes('the clocks of all instances and of the store agree again'), 'it is over');
  assert.doesNotMatch(await overviewText(), /5 seconds off/);
});

test('a key that an instance lacks is waiting: doctor names the instance, and commands encrypt with the old key', async () => {
  const [own] = await listed();
  const keys = `${randomBytes(32).toString('base64url')},${readFileSync(join(service.dataDir, 'keys'), 'utf8').trim()}`;
  const settings = { ...environment(), LATCHKEY_KEYS: keys };
  const other = await startTestService(settings);
  try {
    const [newId] = other.running.services.keys.ids;
    assert.deepEqual(
      (await listed()).map(({ key_ids, mismatch }) => [key_ids.length, mismatch]),
      [
        [1, null],
        [2, null],
      ],
    );
    assert.deepEqual(
      (await findings()).map(([state, text]) => [
        state,
        text.includes(`${newId} isn't used yet`),
        text.includes(`${own?.id}.`),
      ]),
      [
        ['ok', false, false],
        ['warning', true, true],
      ],
    );
    const created = await runCommand(['webhook', 'create', 'https://hooks.example/', '--json'], settings);
    assert.equal(created.status, 0, created.stderr);
    const { storage, keys: oldKeys } = service.running.services;
    const [secret] = await storage.listWebhookSecrets(JSON.parse(created.stdout).id);
    assert.ok(oldKeys.unseal(`webhook secret ${secret?.id}`, secret?.sealed ?? ''));
  } finally {
    await other.stop();
  }
});

test('one that was killed is listed for 30 seconds after its last heartbeat', async () => {
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 10_000 });
  const insert = database.prepare(`INSERT INTO instances
    SELECT ?, version, base_url, key_ids, events_days, breaches_digest, started_at, ?, -40 FROM instances LIMIT 1`);
  try {
    // What's asked in the meantime may take a while.
    insert.run('killed-15', Date.now() - 15_000);
    insert.run('killed-30', Date.now() - 30_001);
    const ids = (await listed()).map(({ id }) => id);
    assert.deepEqual([ids.length, ids.includes('killed-15'), ids.includes('killed-30')], [2, true, false]);
    const { stdout } = await runCommand(['instances'], environment());
    assert.match(stdout, /^killed-15 .* 0\.0 s +none$/m, 'a zero has no sign');
  } finally {
    database.exec("DELETE FROM instances WHERE id LIKE 'killed%'");
    database.close();
  }
});

releaseTest('several workers are one instance, which uses a new key once all of them have it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-workers-'));
  const served = await Served.at({ LATCHKEY_DATA_DIR: folder, LATCHKEY_WORKERS: '2' });
  const settings = { LATCHKEY_DATA_DIR: folder, LATCHKEY_BASE_URL: served.url };
  try {
    await served.start();
    await until(async () => (await listed(settings)).length > 0, 'it is listed');
    assert.deepEqual(
      (await listed(settings)).map(({ key_ids }) => key_ids.length),
      [1],
    );
    const rotated = await runCommand(['keys', 'rotate'], settings);
    assert.equal(rotated.status, 0, rotated.stderr);
    const used = () => {
      const database = new DatabaseSync(join(folder, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
      const ids = database
        .prepare('SELECT id FROM service_keys')
        .all()
        .map(({ id }) => id);
      database.close();
      return ids;
    };
    await until(() => used().length === 2, 'the new key is in use');
    const [instance] = await listed(settings);
    assert.deepEqual(instance?.key_ids.toSorted(), used().toSorted());
    const database = new DatabaseSync(join(folder, 'latchkey.db'), { timeout: 10_000 });
    const notReady = async () => {
      // As if another instance ran, and this one had measured a wrong clock.
      database.exec(`INSERT OR REPLACE INTO instances SELECT 'other', version, base_url, key_ids, events_days, breaches_digest,
        started_at, last_seen_at, 0 FROM instances LIMIT 1; UPDATE instances SET clock_offset = 300000 WHERE id <> 'other'`);
      return (await fetch(`${served.url}/readyz`)).status === 503;
    };
    await until(notReady, 'workers know which instance they belong to');
    database.exec("DELETE FROM instances WHERE id = 'other'");
    database.close();
    await served.end('SIGTERM');
    assert.deepEqual(await listed(settings), [], 'a clean stop removes it');
  } finally {
    await served.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
