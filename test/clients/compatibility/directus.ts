// The guide for Directus, with its own Node and a PostgreSQL of the test's.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cleanEnvironment } from '../../harness/command.ts';
import { queryPostgres, startPostgres } from '../../harness/postgres.ts';
import { type Stage, setStage } from '../guide-journey.ts';
import { folderOf, signInTo } from './software.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

test('the settings in directus.md sign a person in', async () => {
  const user = await stage.service.newUser({ email: 'grace@example.com' });
  const packages = folderOf('directus');
  const node = join(packages, 'node_modules/node/bin/node');
  const directus = join(packages, 'node_modules/directus/cli.js');
  const server = await startPostgres();
  try {
    const database = await server.newDatabase({ migrated: false });
    // What every installation has. Directus takes no email address under .example.
    const environment = {
      ...{ DB_CLIENT: 'pg', DB_CONNECTION_STRING: database, SECRET: randomBytes(32).toString('hex') },
      ...{ ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: randomBytes(16).toString('hex'), TELEMETRY: 'false' },
    };
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-directus-'));
    execFileSync(node, [directus, 'bootstrap'], { cwd: folder, env: cleanEnvironment(environment), stdio: 'pipe' });
    rmSync(folder, { recursive: true });
    const [role] = await queryPostgres(database, 'SELECT id FROM directus_roles');
    await signInTo(stage, user, {
      name: 'directus',
      packages,
      command: () => [node, directus, 'start'],
      environment: { ...environment, AUTH_LATCHKEY_DEFAULT_ROLE_ID: String(role?.id) },
      signIn: (page) => page.click('text=Log In with Latchkey'),
      signedIn: async (page) => {
        await page.waitForURL((url) => url.pathname.startsWith('/admin') && !url.pathname.includes('/login'));
        const answer = await page.request.get(new URL('/users/me?fields=external_identifier', page.url()).href);
        assert.deepEqual(await answer.json(), { data: { external_identifier: user.id } });
      },
      signOut: async (page) => {
        await page.goto(new URL('/admin/logout', page.url()).href);
        await page.waitForSelector('text=Log In with Latchkey');
      },
      complaint: /failed to validate JWT signature|unexpected JWT alg/,
    });
  } finally {
    await server.remove();
  }
});
