// latchkey apply, run as an operator runs it: the plan, what it does, and what it leaves alone.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { redPixel } from '../harness/account.ts';
import { cleanEnvironment, root, runCommand } from '../harness/command.ts';
import { copyMigratedStore, tables } from '../harness/service.ts';
import { runOnTerminal } from '../harness/terminal.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-apply-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const photos = { client_id: 'photos', name: 'Photos', redirect_uris: ['https://photos.example/cb'] };
const phone = { client_id: 'phone', name: 'Phone', redirect_uris: ['com.example.app:/cb'], public: true };

/** Each test has its own store and file. */
async function place(name: string) {
  const here = join(folder, name);
  const dataDir = join(here, 'data');
  mkdirSync(dataDir, { recursive: true });
  await copyMigratedStore(dataDir);
  const file = join(here, 'latchkey.json');
  const run = (args: string[], input?: string, environment: Record<string, string> = {}) =>
    runCommand(args, { LATCHKEY_DATA_DIR: dataDir, ...environment }, input);
  return {
    here,
    file,
    run,
    write: (...applications: object[]) => writeFileSync(file, JSON.stringify({ applications })),
    apply: (...args: string[]) => run(['apply', '-f', file, ...args]),
    async json(...args: string[]) {
      const result = await run([...args, '--json']);
      assert.equal(result.status, 0, result.stderr);
      return JSON.parse(result.stdout);
    },
    /** Every row of every table. */
    rows(): Record<string, unknown[]> {
      const database = new DatabaseSync(join(dataDir, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
      try {
        return Object.fromEntries(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]));
      } finally {
        database.close();
      }
    },
  };
}

describe('apply', () => {
  test("creates what's missing, shows each secret once, and changes nothing the second time", async () => {
    const { here, write, apply, json, rows } = await place('create');
    mkdirSync(join(here, 'logos'));
    writeFileSync(join(here, 'logos/photos.png'), redPixel(1));
    // As some editors write it: with a trailing space and decomposed letters.
    write(
      { ...photos, scopes: ['email', 'openid'], logo: 'logos/photos.png' },
      { ...phone, name: 'Te\u0301le\u0301phone ' },
    );
    const first = await apply();
    assert.equal(first.status, 0, first.stderr);
    const secret = /lk_secret_[A-Za-z0-9_-]{43}/.exec(first.stdout)?.[0];
    assert.equal(
      first.stdout,
      [
        '+ application "Photos" (photos)',
        '    + redirect_uris: https://photos.example/cb',
        '    + scopes: openid',
        '    + scopes: email',
        '    + public: false (it gets a secret)',
        '    + logo: added',
        '+ application "Téléphone" (phone)',
        '    + redirect_uris: com.example.app:/cb',
        '    + scopes: openid',
        '    + scopes: profile',
        '    + scopes: email',
        '    + public: true',
        `\n  client_id      photos\n  client_secret  ${secret}\n`,
        "Copy the secret now. You won't be able to see it again.\n",
        '2 created, 0 changed, 0 deleted, 0 unchanged.\n',
      ].join('\n'),
    );
    const made = await json('client', 'show', 'photos');
    assert.deepEqual([made.name, made.scopes, made.logo, made.public], ['Photos', ['openid', 'email'], true, false]);
    assert.deepEqual((await json('client', 'show', 'phone')).scopes, ['openid', 'profile', 'email']);

    const before = rows();
    const second = await apply();
    assert.deepEqual([second.status, second.stdout], [0, '0 created, 0 changed, 0 deleted, 2 unchanged.\n']);
    const nothing = await apply('--prune');
    assert.deepEqual([nothing.status, nothing.stderr], [0, '']);
    assert.deepEqual(rows(), before, 'no row, no event, no time is another');
  });

  test('prints the difference as a plan, and a dry run changes nothing', async () => {
    const { write, apply, json, rows, run } = await place('plan');
    write(photos, { ...phone, client_id: 'mail', name: 'Mail' }, { ...phone, client_id: 'same' });
    assert.equal((await apply()).status, 0);
    await run(['client', 'create', '--name', 'Old', '--redirect-uri', 'https://old.example/cb']);
    const old = (await json('client', 'list')).find((client: { name: string }) => client.name === 'Old').client_id;
    const uris = ['https://photos.example/new', 'https://photos.example/newer'];
    const mail = { ...phone, client_id: 'mail', name: 'Post', scopes: ['openid'], redirect_uris: uris };
    write({ ...photos, client_id: 'fresh' }, { ...mail, public: false }, { ...phone, client_id: 'same' }, photos);

    const before = rows();
    const plan = [
      '+ application "Photos" (fresh)',
      '    + redirect_uris: https://photos.example/cb',
      '    + scopes: openid',
      '    + scopes: profile',
      '    + scopes: email',
      '    + public: false (it gets a secret)',
      '~ application "Mail" (mail)',
      '    ~ name: "Mail" → "Post"',
      `    + redirect_uris: ${uris[0]}`,
      `    + redirect_uris: ${uris[1]}`,
      '    - redirect_uris: com.example.app:/cb',
      '    - scopes: profile',
      '    - scopes: email',
      '    ~ public: true → false (it gets a secret)',
    ];
    const left = `Not in the file, and kept (--prune deletes them): application "Old" (${old}).`;
    const dry = await apply('--dry-run');
    assert.equal(dry.status, 0);
    const end = 'Dry run: nothing was changed. 1 to create, 1 to change, 0 to delete, 2 unchanged.';
    assert.equal(dry.stdout, [...plan, '', end, left, ''].join('\n'));
    const pruning = await apply('--dry-run', '--prune');
    assert.ok(pruning.stdout.includes(`\n- application "Old" (${old})\n`));
    assert.doesNotMatch(pruning.stdout, /kept/);
    assert.match(pruning.stdout, /1 to delete, 2 unchanged\.\n$/);
    const asJson = JSON.parse((await apply('--dry-run', '--json')).stdout);
    assert.equal(asJson.dry_run, true);
    assert.deepEqual(asJson.applications[0], { client_id: 'fresh', action: 'create', applied: false });
    assert.deepEqual(rows(), before);

    const done = await apply();
    assert.ok(done.stdout.startsWith(plan.join('\n')));
    const secrets = [...done.stdout.matchAll(/client_id +(\S+)\n +client_secret +lk_secret_/g)].map(([, id]) => id);
    assert.deepEqual(secrets, ['fresh', 'mail'], 'what has become confidential has a secret, too');
    const post = await json('client', 'show', 'mail');
    assert.deepEqual([post.name, post.redirect_uris, post.scopes], ['Post', uris, ['openid']]);
    assert.equal((await json('client', 'show', old)).name, 'Old', 'left alone');
    const pruned = await apply('--prune');
    const notice = 'The next release will need --yes to delete something without a terminal.\n';
    assert.deepEqual([pruned.status, pruned.stderr], [0, notice]);
    assert.equal((await run(['client', 'show', old])).status, 1, 'pruned');
    assert.equal((await json('client', 'list')).length, 4);
  });

  test('the difference has colors on a terminal, unless NO_COLOR is set', async () => {
    const { here, file, write, apply } = await place('colors');
    write({ ...photos, redirect_uris: ['https://old.example/cb'] });
    await apply();
    write(photos, phone);
    const onTerminal = (more: Record<string, string>) =>
      runOnTerminal(['apply', '-f', file, '--dry-run'], {
        environment: { LATCHKEY_DATA_DIR: join(here, 'data'), ...more },
        columns: 200,
      });
    const [colored, plain] = await Promise.all([onTerminal({}), onTerminal({ NO_COLOR: '1' })]);
    for (const [color, line] of [
      [33, '~ application "Photos" (photos)'],
      [32, '    + redirect_uris: https://photos.example/cb'],
      [31, '    - redirect_uris: https://old.example/cb'],
      [32, '+ application "Phone" (phone)'],
    ]) {
      assert.ok(colored.shown.includes(`\u001b[${color}m${line}\u001b[39m\n`), colored.shown);
      assert.ok(plain.shown.includes(`${line}\n`), plain.shown);
    }
    assert.equal(plain.shown.includes('\u001b'), false);
  });

  test('--json lists the changes, with the new secrets', async () => {
    const { write, apply } = await place('json');
    write(photos, phone);
    const { dry_run, applications } = JSON.parse((await apply('--json')).stdout);
    assert.equal(dry_run, false);
    const [{ client_secret: secret, ...first }, second] = applications;
    assert.match(secret, /^lk_secret_/);
    assert.deepEqual(
      [first, second],
      [
        { client_id: 'photos', action: 'create', applied: true },
        { client_id: 'phone', action: 'create', applied: true },
      ],
    );
    const post_logout_redirect_uris = ['https://b.example/bye'];
    write({ ...photos, name: 'Pictures', redirect_uris: ['https://b.example/'], post_logout_redirect_uris });
    assert.deepEqual(JSON.parse((await apply('--json')).stdout).applications, [
      {
        client_id: 'photos',
        action: 'update',
        applied: true,
        changes: {
          name: { from: 'Photos', to: 'Pictures' },
          redirect_uris: { added: ['https://b.example/'], removed: ['https://photos.example/cb'] },
          post_logout_redirect_uris: { added: post_logout_redirect_uris, removed: [] },
        },
        revoked: false,
      },
      { client_id: 'phone', action: 'leave', revoked: false },
    ]);
  });

  test("an application's links change when given and are removed with null", async () => {
    const { write, apply, json } = await place('links');
    const links = { client_uri: 'https://b.example', launch_url: 'https://b.example/start' };
    write({ ...photos, ...links });
    await apply();
    write({ ...photos, launch_url: null });
    const changed = await apply();
    assert.match(
      changed.stdout,
      /^~ application "Photos" \(photos\)\n {4}~ launch_url: https:\/\/b\.example\/start → \(none\)$/m,
    );
    const { client_uri, launch_url } = await json('client', 'show', 'photos');
    assert.deepEqual([client_uri, launch_url], [links.client_uri, null]);
    assert.match((await apply()).stdout, /1 unchanged/);
  });

  test('a logo changes with its content, stays without a key, and is removed with null', async () => {
    const { here, write, apply, json, rows } = await place('logo');
    const logo = async () => (await json('client', 'show', 'photos')).logo;
    writeFileSync(join(here, 'a.png'), redPixel(1));
    writeFileSync(join(here, 'b.png'), redPixel(1));
    write({ ...photos, logo: 'a.png' });
    await apply();
    const before = rows();
    write({ ...photos, logo: 'b.png' });
    assert.match((await apply()).stdout, /1 unchanged/, 'other path, same picture');
    write(photos);
    assert.match((await apply()).stdout, /1 unchanged/, 'no key');
    assert.deepEqual(rows(), before);
    writeFileSync(join(here, 'b.png'), redPixel(2));
    write({ ...photos, logo: 'b.png' });
    assert.match((await apply()).stdout, /^ {4}~ logo: changed$/m);
    const [kept] = rows().logos as { bytes: Uint8Array }[];
    assert.deepEqual(Buffer.from(kept?.bytes ?? []), redPixel(2));
    write({ ...photos, logo: null });
    assert.match((await apply()).stdout, /^ {4}- logo: removed$/m);
    assert.equal(await logo(), false);
    write({ ...photos, logo: 'a.png' });
    assert.match((await apply()).stdout, /^ {4}\+ logo: added$/m);
    assert.equal(await logo(), true);
  });

  test('a revoked application stays revoked, and the output says so', async () => {
    const { write, apply, json, run } = await place('revoked');
    write(photos);
    await apply();
    await run(['client', 'revoke', 'photos']);
    const mention =
      /^! application ".+" \(photos\) stays revoked \(restore it with "latchkey client restore photos"\)$/m;
    assert.match((await apply()).stdout, mention);
    write({ ...photos, name: 'Pictures' });
    assert.match((await apply()).stdout, mention);
    const shown = await json('client', 'show', 'photos');
    assert.equal(shown.name, 'Pictures');
    assert.notEqual(shown.revoked_at, null);
    const [told] = JSON.parse((await apply('--json')).stdout).applications;
    assert.deepEqual(told, { client_id: 'photos', action: 'unchanged', revoked: true });
  });

  test('a file can revoke an application but not restore it', async () => {
    const { write, apply, json } = await place('revoke');
    write(photos, { ...phone, revoked: true });
    assert.match((await apply()).stdout, /^\+ application "Phone" \(phone\)\n(.+\n)* {4}\+ revoked: true$/m);
    assert.notEqual((await json('client', 'show', 'phone')).revoked_at, null);
    write({ ...photos, revoked: true }, { ...phone, revoked: true });
    const revoked = await apply();
    assert.match(
      revoked.stdout,
      /^~ application "Photos" \(photos\)\n {4}~ revoked: false → true\n\n0 created, 1 changed/,
    );
    assert.notEqual((await json('client', 'show', 'photos')).revoked_at, null);
    assert.equal((await apply()).stdout, '0 created, 0 changed, 0 deleted, 2 unchanged.\n');
  });

  test('a file can have only groups, and the output names the groups it leaves alone', async () => {
    const { file, apply, run, json } = await place('groups');
    await run(['group', 'create', 'Crew']);
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'Staff' }] }));
    const applied = await apply();
    const end = '1 created, 0 changed, 0 deleted, 0 unchanged.';
    const kept = 'Not in the file, and kept (--prune deletes them): group "Crew".';
    assert.equal(applied.stdout, `+ group "Staff"\n\n${end}\n${kept}\n`);
    assert.match((await apply('--dry-run', '--prune')).stdout, /^- group "Crew"\n/);
    assert.equal((await json('group', 'list')).length, 2);
  });

  test("webhooks are shown by URL, and an unchanged one isn't checked against newer settings", async () => {
    const { file, apply, run } = await place('webhooks');
    const inside = { id: 'inside', url: 'http://10.1.2.3/hook' };
    const audit = { id: 'audit', url: 'https://hooks.example/audit' };
    const own = { id: 'own', url: 'https://photos.example/hook', client_id: 'photos' };
    const write = (...webhooks: object[]) => writeFileSync(file, JSON.stringify({ applications: [photos], webhooks }));
    write(inside, audit, own);
    const created = await run(['apply', '-f', file], undefined, { LATCHKEY_WEBHOOK_NETWORKS: '10.0.0.0/8' });
    assert.equal(created.status, 0, created.stderr);
    const exported = await run(['apply', '--export']);
    const again = await run(['apply', '-f', '-', '--prune'], exported.stdout);
    assert.match(again.stdout, /^0 created, 0 changed, 0 deleted, \d+ unchanged\.\n$/, again.stderr);

    write({ ...audit, description: 'Audit' }, own);
    const { stdout } = await apply('--dry-run');
    assert.match(
      stdout,
      /^~ webhook audit \(https:\/\/hooks\.example\/audit\)\n {4}~ description: \(empty\) → Audit$/m,
    );
    assert.match(stdout, /\(--prune deletes them\): webhook inside \(http:\/\/10\.1\.2\.3\/hook\)\.$/m);
    assert.match((await apply('--dry-run', '--prune')).stdout, /^- webhook inside \(http:\/\/10\.1\.2\.3\/hook\)$/m);
    write({ ...inside, url: 'http://10.9.9.9/hook' });
    assert.match((await apply()).stderr, /webhook "inside": the URL must begin with https:.* Nothing was changed\.$/m);
    writeFileSync(file, JSON.stringify({ applications: [phone], webhooks: [{ ...own, description: 'new' }] }));
    assert.match((await apply('--prune')).stderr, /webhook "own": the file has no application "photos".*Nothing was/);
  });

  test('too many webhooks are refused before anything changes; pruned ones make room', async () => {
    const { file, apply, rows } = await place('many-webhooks');
    const twenty = (name: string) =>
      Array.from({ length: 20 }, (_, index) => ({ id: `${name}${index}`, url: 'https://hooks.example/' }));
    const write = (webhooks: object[]) => writeFileSync(file, JSON.stringify({ webhooks }));
    write([...twenty('a'), { id: 'more', url: 'https://hooks.example/' }]);
    assert.match((await apply()).stderr, /there can be 20 endpoints.* Nothing was changed\.$/m);
    assert.deepEqual(rows().webhook_endpoints, []);
    write(twenty('a'));
    assert.equal((await apply()).status, 0);
    write(twenty('b'));
    assert.match((await apply()).stderr, /there can be 20 endpoints.* Nothing was changed\.$/m);
    assert.match((await apply('--prune')).stdout, /^20 created, 0 changed, 20 deleted, 0 unchanged\.$/m);
  });

  test('reports every problem in the file at once and changes nothing', async () => {
    const { here, write, apply, rows, file } = await place('faults');
    write(photos);
    await apply();
    writeFileSync(join(here, 'no.png'), '<svg/>');
    const before = rows();
    write(
      { ...photos, name: 'Renamed' },
      { ...phone, color: 'red', redirect_uris: 'com.example.app:/cb' },
      { ...photos, logo: 'no.png' },
      { ...photos, client_id: 'new', logo: 'missing.png' },
    );
    const result = await apply('--prune');
    assert.deepEqual([result.status, result.stdout], [1, '']);
    const [first, ...faults] = result.stderr.trimEnd().split('\n');
    assert.equal(first, `latchkey: ${file} has problems. Nothing was changed:`);
    for (const [index, pattern] of [
      /^ {2}- applications\[1\] \("phone"\): "color" is not among the keys/,
      /"redirect_uris" must be a list of strings/,
      /^ {2}- applications\[2\] \("photos"\): the logo is not a PNG, JPEG or WebP image/,
      /the client_id appears twice/,
      /^ {2}- applications\[3\] \("new"\): can't read the image: ENOENT/,
    ].entries()) {
      assert.match(faults[index] ?? '', pattern);
    }
    assert.equal(faults.length, 5);
    writeFileSync(file, '{"applications": [\n  {"client_id": "photos",}\n]}');
    const broken = await apply();
    assert.equal(broken.status, 1);
    assert.match(broken.stderr, /is not valid JSON: a key in double quotes is expected at line 2, column 26\n$/);
    assert.deepEqual(rows(), before);
  });

  test('reads standard input if the file is "-"', async () => {
    const { run } = await place('stdin');
    const applied = await run(['apply', '-f', '-'], JSON.stringify({ applications: [phone] }));
    assert.match(applied.stdout, /^\+ application "Phone" \(phone\)\n/);
    const nothing = await run(['apply', '-f', '-'], '');
    assert.equal(nothing.status, 1);
    assert.match(nothing.stderr, /^latchkey: standard input has problems. Nothing was changed:\n/);
  });

  test("a missing file, or one that isn't text, fails with one sentence", async () => {
    const { apply, file } = await place('no-file');
    const missing = await apply();
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /^latchkey: can't read \S+latchkey\.json: ENOENT.*\n$/);
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    const binary = await apply();
    assert.equal(binary.status, 1);
    assert.match(binary.stderr, /^latchkey: \S+ isn't UTF-8 text\.\n$/);
  });

  test('a step that the store refuses ends it with one sentence; earlier new secrets are shown', async () => {
    const { write, apply, here } = await place('refused');
    write(phone);
    await apply();
    // Stands in for someone else who registers the same ID between the plan and the change.
    const database = new DatabaseSync(join(here, 'data/latchkey.db'), { timeout: 10_000 });
    database.exec(`CREATE TRIGGER another BEFORE INSERT ON clients WHEN NEW.id = 'mail'
      BEGIN INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at)
        VALUES ('mail', 'Mail', 1, '[]', 'openid', 0, 0, 0); END`);
    database.close();
    write(photos, { ...photos, client_id: 'mail' }, { ...photos, client_id: 'third' });
    const result = await apply('--json');
    assert.equal(result.status, 1);
    const sentence = `can't apply mail: there is already an application "mail". Earlier changes are saved`;
    assert.equal(result.stderr, `latchkey: ${sentence}; apply the file again.\n`);
    const [first, second, third] = JSON.parse(result.stdout).applications;
    assert.match(first.client_secret, /^lk_secret_/);
    assert.deepEqual([first.applied, second.applied, third.applied], [true, false, false]);
  });

  test('continues when its output is closed', async () => {
    const { here, file, json } = await place('closed-pipe');
    const many = Array.from({ length: 40 }, (_, index) => ({ ...photos, client_id: `app${index}` }));
    writeFileSync(file, JSON.stringify({ applications: many }));
    const line = 'set -o pipefail; ./latchkey apply -f "$0" | head -n 1';
    const environment = cleanEnvironment({ LATCHKEY_DATA_DIR: join(here, 'data') });
    const { status } = spawnSync('bash', ['-c', line, file], { cwd: root, env: environment });
    assert.equal(status, 0);
    assert.equal((await json('client', 'list')).length, many.length);
  });

  test('the example in docs/command-line.md can be applied', async () => {
    const { here, file, apply, json } = await place('document');
    const text = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
    const [, example = ''] = /## Applications in a file[\s\S]*?```json\n([\s\S]*?)```/.exec(text) ?? [];
    writeFileSync(file, example);
    for (const { logo } of JSON.parse(example).applications) {
      if (logo) writeFileSync(join(here, logo), redPixel(3));
    }
    const applied = await apply();
    assert.equal(applied.status, 0, applied.stderr);
    assert.equal((await json('client', 'list')).length, JSON.parse(example).applications.length);
  });
});
