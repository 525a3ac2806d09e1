// The guide for Directus, with its own Node and a PostgreSQL of the test's.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { cleanEnvironment } from '../../harness/command.ts';
import { queryPostgres, startPostgres } from '../../harness/postgres.ts';
import type { TestUser } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { type Stage, setStage } from '../guide-journey.ts';
import { folderOf, signInTo } from './software.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

test('the settings in directus.md sign a person in, and a group decides their role', async () => {
  const { service, changeGroup } = stage;
  const user = await service.newUser({ email: 'grace@example.com' });
  const other = await service.newUser({ email: 'ada@example.com' });
  await changeGroup('Admins', 'add', user);
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
    const [{ id: administrator } = {}] = await queryPostgres(database, 'SELECT id FROM directus_roles');
    const [{ id: visitor } = {}] = await queryPostgres(
      database,
      "INSERT INTO directus_roles (id, name) VALUES (gen_random_uuid(), 'Visitor') RETURNING id",
    );
    const roleOf = async ({ id }: TestUser) => {
      const [found] = await queryPostgres(
        database,
        `SELECT role FROM directus_users WHERE external_identifier = '${id}'`,
      );
      return found?.role;
    };
    const isInside = (page: Page) =>
      page.waitForURL((url) => url.pathname.startsWith('/admin') && !url.pathname.includes('/login'));
    await signInTo(stage, user, {
      name: 'directus',
      packages,
      command: () => [node, directus, 'start'],
      environment,
      fillIn: (text) => {
        const filled = text.replace('ID_OF_THE_ADMINISTRATOR_ROLE', String(administrator));
        return filled.replace('ID_OF_ANOTHER_ROLE', String(visitor));
      },
      signIn: (page) => page.click('text=Log In with Latchkey'),
      signedIn: async (page) => {
        await isInside(page);
        const answer = await page.request.get(new URL('/users/me?fields=external_identifier,role', page.url()).href);
        assert.deepEqual(await answer.json(), { data: { external_identifier: user.id, role: administrator } });
      },
      signOut: async (page) => {
        await page.goto(new URL('/admin/logout', page.url()).href);
        await page.waitForSelector('text=Log In with Latchkey');
      },
      complaint: /failed to validate JWT signature|unexpected JWT alg/,
      roles: async (visit) => {
        await visit(other, async () => until(async () => (await roleOf(other)) === visitor, 'the default role'));
        assert.equal(await roleOf(user), administrator);
        await changeGroup('Admins', 'remove', user);
        await visit(user, async () => until(async () => (await roleOf(user)) === visitor, 'the role taken away'));
      },
    });
  } finally {
    await server.remove();
  }
});
