// "Moving from Keycloak" and "Moving from Auth0", followed to the letter: the commands of each guide are run one after the
// other on what the other service exports, and then people sign in with the passwords that they had there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { composeServices } from '../../../src/cli/compose.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { cleanEnvironment, root } from '../../harness/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with the program and the exports, as the guide assumes it. */
function stage(name: string, exports: Readonly<Record<string, string>>) {
  const at = join(folder, name);
  for (const [from, to] of Object.entries(exports)) {
    cpSync(join(root, 'test/fixtures/import', from), join(at, to), { recursive: true });
  }
  for (const part of ['latchkey', 'src', 'node_modules', 'package.json']) symlinkSync(join(root, part), join(at, part));
  return { at, dataDir: join(at, 'data') };
}

function commandsOf(guide: string): string[] {
  const text = readFileSync(join(root, 'docs/moving', guide), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands.trim());
  return blocks.flatMap((block) => block.split('\n'));
}

function follow(guide: string, exports: Readonly<Record<string, string>>) {
  const { at, dataDir } = stage(guide, exports);
  const env = cleanEnvironment({ LATCHKEY_DATA_DIR: dataDir });
  const output = commandsOf(guide).map((command) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: at, env, encoding: 'utf8' });
    assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
    return { command, text: `${stdout}${stderr}` };
  });
  return { output, dataDir };
}

/** What the store has after the guide. */
async function inStore(dataDir: string, email: string, password: string) {
  const { services, close } = await composeServices(readConfig({ LATCHKEY_DATA_DIR: dataDir }));
  try {
    const user = await services.storage.findUserByEmail(email);
    assert.ok(user, email);
    const verified = await services.passwords.verify(password, user.passwordHash);
    return { user, verified, clients: (await services.storage.listClients()).map(({ id }) => id).sort() };
  } finally {
    await close();
  }
}

/** The script of a guide, and the commands of those that end with `people.csv`, on what its service exports. */
async function converted(name: string, fixture: string, exported: string) {
  const [, script = ''] =
    /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, `docs/moving/${name}.md`), 'utf8')) ?? [];
  const { at, dataDir } = stage(name, { [fixture]: exported });
  writeFileSync(join(at, 'convert.mjs'), script);
  const env = cleanEnvironment({ LATCHKEY_DATA_DIR: dataDir });
  const output = commandsOf(`${name}.md`).map((command) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: at, env, encoding: 'utf8' });
    assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
    return stdout;
  });
  const { services, close } = await composeServices(readConfig({ LATCHKEY_DATA_DIR: dataDir }));
  try {
    const { storage } = services;
    const [ada, grace] = [
      await storage.findUserByEmail('ada@example.com'),
      await storage.findUserByEmail('grace@example.com'),
    ];
    assert.ok(ada && grace);
    const groups = (await storage.listGroupsOf(ada.id, Date.now())).map((group) => group.name);
    const hasFactor = (await storage.findListedUser(ada.id))?.hasSecondFactor;
    return { output, ada, grace, groups, hasFactor };
  } finally {
    await close();
  }
}

describe('the steps of the guides with a CSV file of your own work', () => {
  test('Moving from ZITADEL', async () => {
    const { output, ada, grace, hasFactor } = await converted('zitadel', 'zitadel-export.json', 'export.json');
    assert.match(output[2] ?? '', /Imported 2 people\.[\s\S]*1 taken over, 0 not[\s\S]*identity\.2184\s+1/);
    assert.deepEqual(
      [ada.id, ada.name, ada.preferredUsername],
      ['218400000000000001', 'Ada "Countess", Lovelace', 'ada'],
    );
    assert.match(ada.passwordHash, /^foreign:\$2y\$05/);
    assert.deepEqual([hasFactor, ada.emailVerifiedAt === null, grace.emailVerifiedAt], [true, false, null]);
  });

  test('Moving from Ory Kratos', async () => {
    const { output, ada, grace, hasFactor } = await converted('kratos', 'kratos-identities.json', 'identities.json');
    assert.match(output[2] ?? '', /Imported 2 people\.[\s\S]*1 taken over, 0 not/);
    assert.match(output[2] ?? '', /webauthn, passkey\s+1/);
    assert.deepEqual([ada.name, hasFactor, ada.emailVerifiedAt === null], ['Ada Lovelace', true, false]);
    assert.match(ada.passwordHash, /^foreign:\$2y\$05/);
    assert.deepEqual(
      [grace.name, grace.preferredUsername, grace.disabledAt === null],
      ['Grace Hopper', 'grace', false],
    );
  });

  test('Moving from Pocket ID', async () => {
    const { output, ada, grace, groups } = await converted('pocket-id', 'pocket-id-users.json', 'users.json');
    assert.match(output[2] ?? '', /Imported 2 people\.[\s\S]*0 taken over, 2 not/);
    assert.notEqual(ada.lostFactorAt, null);
    assert.deepEqual([groups, ada.passwordHash, ada.adminSince], [['developers', 'staff'], '', null]);
    assert.deepEqual([ada.emailVerifiedAt === null, grace.disabledAt === null, grace.name], [false, false, 'Grace']);
  });
});

describe('the steps of the moving guides work', () => {
  test('Moving from Keycloak', async () => {
    const { output, dataDir } = follow('keycloak.md', { keycloak: 'export' });
    const [dry, done, shown, , clients, applied, again] = output.map(({ text }) => text);
    assert.match(dry ?? '', /Would import 4 people\.\nSkipped 1 service accounts\./);
    assert.match(dry ?? '', /federatedIdentities \(google\)\s+1/);
    assert.match(done ?? '', /Imported 4 people\./);
    assert.match(shown ?? '', /6d5a0a3c-1e7b-4f0f-9a51-0d1cf3a0c001/);
    assert.match(shown ?? '', /^imported\s+from keycloak, /m);
    for (const reason of [/wildcard/, /RS256/, /implicit flow/]) assert.match(clients ?? '', reason);
    assert.match(applied ?? '', /shop-web/);
    assert.match(again ?? '', /Imported 0 people\.\n4 people from this source/);
    const { user, verified, clients: registered } = await inStore(dataDir, 'ada@example.com', 'lètmein');
    assert.equal(verified, true);
    assert.deepEqual([user.adminSince === null, user.locale, user.preferredUsername], [false, 'de', 'ada']);
    assert.deepEqual(registered, ['shop-for-phones', 'shop-web']);
  });

  test('Moving from Auth0', async () => {
    const exports = {
      'auth0-users.json': 'users.json',
      'auth0-password-hashes.json': 'password-hashes.json',
      'auth0-apps.json': 'apps.json',
    };
    const { output, dataDir } = follow('auth0.md', exports);
    const [dry, done, shown, , clients, , again] = output.map(({ text }) => text);
    assert.match(dry ?? '', /identities \(google-oauth2\)\s+1/);
    assert.match(done ?? '', /Imported 3 people\./);
    assert.match(shown ?? '', /auth0\|5dea9f9c82dd7c0e76e4ec93/);
    assert.match(clients ?? '', /left out Reports/);
    assert.match(again ?? '', /Imported 0 people\./);
    const { user, verified, clients: registered } = await inStore(dataDir, 'grace@example.com', 'lètmein');
    assert.equal(verified, true);
    assert.equal(user.id, 'auth0|euclid');
    assert.deepEqual(registered, ['shop', 'shop-cart']);
  });
});
