// latchkey scim-token …, run as an operator runs it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-scim-token-'));
  await runCommand(['setup-link'], { LATCHKEY_DATA_DIR: folder });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runCommand(['scim-token', ...args], { LATCHKEY_DATA_DIR: folder });

async function json(...args: string[]) {
  const result = await run(...args, '--json');
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

test('a token is shown once, listed without its secret and revoked', async () => {
  assert.match((await run('list')).stdout, /^No SCIM tokens yet\./);
  const { token, ...facts } = await json('create', '--source', 'entra', '--name', 'Production', '--adopt');
  assert.match(token, /^lk_scim_[A-Za-z0-9_-]{43}$/);
  const { source, name, adopt, upstream, subject_claim: claim, expires_at: end, over } = facts;
  assert.deepEqual(
    [source, name, adopt, upstream, claim, end, over],
    ['entra', 'Production', true, null, 'sub', null, false],
  );
  assert.deepEqual(await json('list'), [facts]);
  assert.ok((await run('list')).stdout.includes(`…${facts.last_four}`));
  const created = await run('create', '--source', 'okta', '--name', 'Okta', '--days', '30', '--subject-claim', 'oid');
  assert.match(created.stdout, /\n {2}url {4}\S+\/scim\/v2\n {2}token {2}lk_scim_/);
  const database = new DatabaseSync(join(folder, 'latchkey.db'), { timeout: 10_000 });
  const rows = JSON.stringify(database.prepare('SELECT * FROM scim_tokens').all());
  const events = JSON.stringify(database.prepare("SELECT * FROM events WHERE kind LIKE 'scim%'").all());
  database.close();
  const shown = (await run('list')).stdout + rows + events;
  assert.equal(shown.includes(token.slice(8)), false);
  assert.match((await run('list')).stdout, /active +okta +no /);
  assert.match((await run('list')).stdout, /active +entra +yes /);
  assert.deepEqual(await json('revoke', facts.id), { id: facts.id, revoked: true });
  const again = await run('revoke', facts.id);
  assert.equal(again.stderr, `latchkey: there is no SCIM token "${facts.id}".\n`);
});

test('a token names an identity provider that exists', async () => {
  const options = ['--kind', 'github', '--client-id', 'latchkey', '--secret-stdin'];
  const environment = { LATCHKEY_DATA_DIR: folder };
  const made = await runCommand(['upstream', 'create', 'github', ...options], environment, 'secret-of-github\n');
  assert.equal(made.status, 0, made.stderr);
  const named = ['--source', 'hub', '--name', 'Hub', '--upstream', 'github', '--subject-claim', 'oid'];
  const { upstream, subject_claim: claim } = await json('create', ...named);
  assert.deepEqual([upstream, claim], ['github', 'oid']);
  assert.match((await run('list')).stdout, /active +hub +no +github /);
});

for (const [args, why] of [
  [['--source', 'Entra', '--name', 'x'], /the source must have 1 to 40 lowercase letters/],
  [['--source', 'entra', '--name', ' '], /the name is empty/],
  [['--source', 'entra', '--name', 'x', '--days', '0'], /a SCIM token can be valid for 1 to 3650 days/],
  [['--source', 'entra', '--name', 'x', '--upstream', 'nowhere'], /there is no identity provider "nowhere"/],
  [['--source', 'entra', '--name', 'x', '--subject-claim', 'email'], /the subject claim must be sub or oid/],
] as const) {
  test(`scim-token create ${args.join(' ')} is refused with a message`, async () => {
    const result = await run('create', ...args);
    assert.equal(result.status, 1);
    assert.match(result.stderr, why);
  });
}
