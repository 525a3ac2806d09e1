// Backups that the service makes by itself, and what it says when there are none.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { noteBackups } from '../../src/cli/service/backup-schedule.ts';
import { type BackupSchedule, backUpWhenDue, findBackupState } from '../../src/operations/backups/scheduled-backups.ts';
import { type BackupState, backupProblems, isDue } from '../../src/protocol/scheduled-backups.ts';
import { runCommand } from '../harness/command.ts';
import { scrape } from '../harness/metrics.ts';
import { Person } from '../harness/person.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-schedule-'));
const schedule = { LATCHKEY_BACKUP_FOLDER: folder, LATCHKEY_BACKUP_HOURS: '6', LATCHKEY_BACKUP_KEEP: '2' };
let service: TestService;
let metricsPort: number;
let admin: Person;

before(async () => {
  for (const day of ['01', '02', '03']) writeFileSync(join(folder, `latchkey-202601${day}T000000Z.db`), 'old');
  metricsPort = await freePort();
  service = await startTestService({ ...schedule, LATCHKEY_METRICS_PORT: String(metricsPort) });
  admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true }));
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const state = async () => (await findBackupState(service.running.services)) as BackupState;
const warnings = async () => {
  const { data } = (await (await admin.request('/api/overview')).json()) as { data: { warnings: { kind: string }[] } };
  return data.warnings.map(({ kind }) => kind).filter((kind) => kind.startsWith('backup'));
};
const doctor = async () => {
  const environment = { ...service.commandEnvironment, ...schedule };
  const found = JSON.parse((await runCommand(['doctor', '--json'], environment)).stdout) as {
    about: string;
    state: string;
    text: string;
  }[];
  return found.filter(({ about }) => about === 'backups').map((each) => `${each.state}: ${each.text}`);
};
/** Another instance with the same schedule. */
const other = (changes: Partial<BackupSchedule> = {}): BackupSchedule => ({
  holder: 'other',
  host: 'host-2',
  folder,
  hours: 6,
  isOnStoreDisk: () => false,
  exists: () => true,
  make: async () => ({ file: join(folder, 'made by other'), size: 7 }),
  ...changes,
});
const round = (changes?: Partial<BackupSchedule>) => backUpWhenDue(service.running.services, other(changes));

test('a start makes a backup if there is none, keeps as many as it should, and says how it went', async () => {
  await until(async () => (await findBackupState(service.running.services))?.succeededAt != null, 'a backup is made');
  const { file, size, onStoreDisk } = await state();
  assert.equal(statSync(file ?? '').size, size);
  assert.equal(statSync(file ?? '').mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(folder).sort(),
    ['latchkey-20260103T000000Z.db', (file ?? '').slice(folder.length + 1)].sort(),
  );
  const verified = await runCommand(['backup', '--verify', file ?? ''], service.commandEnvironment);
  assert.equal(verified.status, 0, verified.stderr);
  await until(async () => (await scrape(metricsPort)).of('latchkey_backup_size_bytes') === size, 'the size is known');
  // Temporary folders are mostly on one disk.
  assert.deepEqual(await warnings(), onStoreDisk ? ['backup_on_store_disk'] : []);
  assert.match(
    (await doctor()).join('\n'),
    onStoreDisk ? /^warning: .* is on the disk of the store/ : /^ok: the newest/,
  );
});

test('another instance makes the next, when it is due, and nobody else meanwhile', async () => {
  assert.equal((await round()).kind, 'elsewhere');
  service.clock.advance(4 * 60);
  assert.equal((await round()).kind, 'not_due');
  service.clock.advance(6 * 60 * 60);
  let meanwhile: string | undefined;
  const make = async () => {
    meanwhile = (await round({ holder: 'third' })).kind;
    return { file: 'x', size: 7 };
  };
  assert.equal((await round({ make })).kind, 'made');
  assert.equal(meanwhile, 'elsewhere');
  service.clock.advance(90);
  await noteBackups(service.running.services);
  const metrics = await scrape(metricsPort);
  assert.deepEqual(
    ['age_seconds', 'size_bytes'].map((name) => metrics.of(`latchkey_backup_${name}`)),
    [90, 7],
  );
  assert.deepEqual(await warnings(), []);
  // Whether it's still there, only the machine that has made it can tell.
  assert.equal((await round({ host: 'host-3', exists: () => false })).kind, 'not_due');
  assert.equal((await round({ folder: '/elsewhere', isOnStoreDisk: () => true })).kind, 'not_due');
  assert.deepEqual(await warnings(), ['backup_on_store_disk']);
  const isOnStoreDisk = () => {
    throw new Error('no such folder');
  };
  assert.equal((await round({ folder: '/missing', isOnStoreDisk })).kind, 'not_due');
  assert.deepEqual(await warnings(), []);
});

test('a failure is said everywhere, and tried again', async () => {
  service.clock.advance(6 * 60 * 60);
  const failing = async () => {
    throw new Error('the disk is full');
  };
  assert.equal((await round({ make: failing })).kind, 'failed');
  assert.deepEqual(await warnings(), ['backup_failed']);
  assert.match((await doctor()).join('\n'), /^problem: the last one on host-2 failed: the disk is full/);
  // Another instance gets its turn, which the one that failed leaves to it.
  const third = { holder: 'third', host: 'host-3', folder: '/other' };
  assert.equal((await round(third)).kind, 'elsewhere');
  for (let minute = 0; minute < 4; minute++) {
    assert.equal((await round()).kind, 'not_due');
    service.clock.advance(60);
  }
  for (let minute = 4; minute < 10; minute++) {
    assert.equal((await round(third)).kind, 'not_due');
    service.clock.advance(60);
  }
  assert.match((await doctor()).join('\n'), /^problem: the last one on host-2 failed: the disk is full/);
  assert.equal((await round()).kind, 'elsewhere');
  assert.equal((await round(third)).kind, 'made');
  assert.deepEqual(await warnings(), []);
  service.clock.advance(13 * 60 * 60);
  await admin.signIn(await service.newUser({ admin: true }));
  assert.deepEqual(await warnings(), ['backup_overdue']);
  assert.match(
    await (await admin.visit('/admin')).text(),
    /The newest scheduled backup is more than two periods old\./,
  );
});

test('a folder that others can read gets none', async () => {
  chmodSync(folder, 0o755);
  assert.match((await doctor()).join('\n'), /^problem: other users can read /);
  const careless = await startTestService(schedule);
  try {
    const found = () => findBackupState(careless.running.services);
    await until(async () => (await found())?.failedAt != null, 'it fails');
    assert.match((await found())?.reason ?? '', /other users can read/);
    await until(() => careless.log().includes('the scheduled backup failed'), 'it is logged');
  } finally {
    await careless.stop();
    chmodSync(folder, 0o700);
  }
});

describe('what is due, and what is wrong', () => {
  const now = 1_000 * HOUR;
  const base: BackupState = {
    host: 'h',
    folder: '/b',
    hours: 24,
    since: now - 100 * HOUR,
    seenAt: now,
    succeededAt: now - HOUR,
    file: '/b/x',
    size: 1,
    failedAt: null,
    reason: null,
    onStoreDisk: false,
  };
  for (const [name, change, due, problems] of [
    ['a recent one', {}, false, []],
    ['one of a period ago', { succeededAt: now - 24 * HOUR }, true, []],
    ['one of two periods ago', { succeededAt: now - 49 * HOUR }, true, ['backup_overdue']],
    ['none yet', { succeededAt: null, since: now - HOUR }, true, []],
    ['none for long', { succeededAt: null }, true, ['backup_overdue']],
    ['one of the future', { succeededAt: now + 2 * HOUR }, true, []],
    ['a failure just now', { succeededAt: now - 25 * HOUR, failedAt: now - 1 }, false, ['backup_failed']],
    ['a failure of a while ago', { succeededAt: now - 25 * HOUR, failedAt: now - HOUR }, true, ['backup_failed']],
    ['a failure before a success', { failedAt: now - 2 * HOUR }, false, []],
    ['on the disk of the store', { onStoreDisk: true }, false, ['backup_on_store_disk']],
    ['a schedule that nobody has any more', { seenAt: now - 31 * 24 * HOUR, succeededAt: null }, true, []],
  ] as const) {
    test(name, () => {
      assert.equal(isDue({ ...base, ...change }, now), due);
      assert.deepEqual(backupProblems({ ...base, ...change }, now), problems);
    });
  }
});
