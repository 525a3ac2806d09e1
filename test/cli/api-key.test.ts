// latchkey api-key …, run as an operator runs it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-api-key-'));
  await runCommand(['setup-link'], { LATCHKEY_DATA_DIR: folder });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runCommand(['api-key', ...args], { LATCHKEY_DATA_DIR: folder });

async function json(...args: string[]) {
  const result = await run(...args, '--json');
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

function inStore<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(folder, 'latchkey.db'), { timeout: 10_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

test('a key is shown once, listed without its secret and revoked', async () => {
  assert.match((await run('list')).stdout, /^No API keys yet\./);
  const { key, ...facts } = await json('create', '--name', 'Reports');
  assert.match(key, /^lk_api_[A-Za-z0-9_-]{43}$/);
  assert.equal(facts.name, 'Reports');
  assert.equal(facts.permission, 'read', 'nothing more than asked for');
  assert.equal(facts.expires_at, null);
  assert.equal(facts.last_used_at, null);
  assert.equal(facts.over, false);
  assert.deepEqual(await json('list'), [facts]);
  assert.equal(facts.last_four, key.slice(-4));
  assert.ok((await run('list')).stdout.includes(`…${key.slice(-4)}`));

  const created = await run('create', '--name', 'Deploys', '--permission', 'write', '--days', '30');
  const [, id = '', secret = ''] = /^ {2}id {3}(\S+)\n {2}key {2}(\S+)\n\nCopy the key now/m.exec(created.stdout) ?? [];
  assert.match(secret, /^lk_api_/);
  const [deploys] = (await json('list')).filter((each: { id: string }) => each.id === id);
  assert.equal(deploys.permission, 'write');
  assert.equal(Date.parse(deploys.expires_at) - Date.parse(deploys.created_at), 30 * 86_400_000);

  const all = await run('create', '--name', 'Directory', '--permission', 'administrator');
  assert.match(all.stdout, /^Created API key "Directory" with administrator access\./);
  const wrong = await run('create', '--name', 'Directory', '--permission', 'root');
  assert.match(wrong.stderr, /read, write or administrator/);
  assert.notEqual(wrong.status, 0);
  await run('end', /^ {2}id {3}(\S+)$/m.exec(all.stdout)?.[1] ?? '');

  const digests = inStore((database) => database.prepare('SELECT digest FROM api_keys').all()).map((row) => row.digest);
  const shown = (await run('list')).stdout + (await run('list', '--json')).stdout;
  assert.equal(digests.length, 2);
  for (const hidden of [key, secret, ...digests]) assert.equal(shown.includes(String(hidden)), false);

  assert.match((await run('end', id)).stdout, new RegExp(`^Revoked API key ${id}\\.`));
  assert.deepEqual(await json('end', facts.id), { id: facts.id, over: true, created: [], created_truncated: false });
  assert.deepEqual(await json('list'), []);
  const again = await run('end', id);
  assert.equal(again.status, 1);
  assert.equal(again.stderr, `latchkey: there is no API key "${id}".\n`);
});

test('a key has roles instead of a permission, and what it created is listed with its end', async () => {
  const { id, roles, permission } = await json('create', '--name', 'Helpdesk', '--role', 'people', '--role', 'auditor');
  assert.deepEqual([roles, permission], [['auditor', 'people'], null]);
  assert.match((await run('list')).stdout, new RegExp(`^${id} +…\\S{4} +active +auditor, people `, 'm'));
  inStore((database) =>
    database
      .prepare(
        `INSERT INTO events (id, at, kind, address, request_id, detail, actor_kind, actor_id)
          VALUES (?, ?, 'group_created', '', '', ?, 'api_key', ?)`,
      )
      .run('z'.repeat(26), Date.now(), JSON.stringify({ group: 'Backdoor' }), id),
  );
  inStore((database) =>
    database
      .prepare(
        `INSERT INTO events (id, at, kind, address, request_id, detail, actor_kind, actor_id)
          VALUES (?, ?, 'webhook_created', '', '', ?, 'api_key', ?)`,
      )
      .run('y'.repeat(26), Date.now() + 1, JSON.stringify({ webhook: 'hook' }), id),
  );
  inStore((database) =>
    database
      .prepare(
        `INSERT INTO events (id, at, kind, address, request_id, detail, actor_kind, actor_id)
          VALUES (?, ?, 'scim_token_created', '', '', ?, 'api_key', ?)`,
      )
      .run('x'.repeat(26), Date.now() + 2, JSON.stringify({ token: 'tok', name: 'Entra' }), id),
  );
  inStore((database) =>
    database
      .prepare(
        `INSERT INTO scim_tokens (digest, id, source, name, adopts, subject_claim, created_at)
          VALUES ('digest', 'tok', 'entra', 'Entra', 0, 'sub', 0)`,
      )
      .run(),
  );
  const { stdout } = await run('end', id);
  assert.match(stdout, /^ {2}SCIM token {2}Entra {2}http\S+\/admin\/scim-tokens$/m);
  assert.match(stdout, /It no longer works\.\n\nIt created:\n\n {2}group {2}Backdoor\n/);
  // What is gone has no page.
  assert.match(stdout, /^ {2}webhook {2}hook$/m);
});

test('the list shows when a key was last used and whether it has expired', async () => {
  const { id } = await json('create', '--name', 'Old', '--days', '1');
  const rowOf = async (state: string) =>
    new RegExp(`^${id} +…\\S{4} +${state} +read +(\\S+) +(\\S+) +(\\S+) +Old$`, 'm').exec((await run('list')).stdout);
  const [, , expires, used] = (await rowOf('active')) ?? [];
  assert.match(expires ?? '', /^\d{4}-.*Z$/);
  assert.equal(used, 'never');
  inStore((database) =>
    database.prepare('UPDATE api_keys SET expires_at = ?, last_used_at = ? WHERE id = ?').run(Date.now() - 1, 1e12, id),
  );
  assert.equal((await rowOf('ended'))?.[3], '2001-09-09T01:46:40.000Z');
  const [listed] = (await json('list')).filter((each: { id: string }) => each.id === id);
  assert.equal(listed.over, true);
  assert.equal(listed.last_used_at, '2001-09-09T01:46:40.000Z');
});

for (const [args, why] of [
  [['--name', ' '], /the name is empty/],
  [['--name', 'x', '--permission', 'everything'], /the permission must be read, write or administrator/],
  [['--name', 'x', '--role', 'administrator'], /the roles must be people, applications or auditor/],
  [['--name', 'x', '--permission', 'read', '--role', 'people'], /an API key has roles or a permission, not both/],
  [['--name', 'x', '--days', '0'], /an API key can be valid for 1 to 3650 days/],
] as const) {
  test(`api-key create ${args.join(' ')} is refused with a message`, async () => {
    const result = await run('create', ...args);
    assert.equal(result.status, 1);
    assert.match(result.stderr, why);
    assert.equal(result.stderr.trim().split('\n').length, 1);
  });
}
