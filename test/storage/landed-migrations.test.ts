// A migration that has landed is never edited: its checksum is recorded with each store.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { type Driver, type Migration, StoreUnusable } from '../../src/storage/driver.ts';
import { checksumOf, examineSchema } from '../../src/storage/migrating.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { runCommand } from '../harness/command.ts';
import { Person } from '../harness/person.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { startTestService } from '../harness/service.ts';

after(removeSharedPostgres);

const migrations = readMigrations();
/** The last migration of 0.3.0. */
const previousRelease = 9;

/** When this fails, put the file back as it was and write the next migration. Every migration lands with its line. */
const landed: Record<string, string> = {
  '001-initial.sql': 'e12eef5777d98cf22e239e77d6ef4b15a0197f2ad9905e39159e9bf21c8fcf36',
  '002-leases.sql': 'fb6e3b7ff2cc752d18b26b1257bb3dc91f9b8ee5780d2d2e49ad2f5b6c6c3b8e',
  '003-accounts.sql': 'e2994a93657237cef31473ed014e654d407c1b208e457041a7c591ea89e9a47d',
  '004-administration.sql': 'b59f0ab08d22ad8ca112d9ee04af640b3d3f4ee48f94b124510e37f47a5d86bb',
  '005-actors-and-usernames.sql': 'eb9d59e6980f6929341603bd1cfff92a9655adfd5f2fb02b7b5b4cf7bca38bba',
  '006-account-recovery.sql': 'fd158be21fa697a35994bbd1f899c64f8b3e6df447890760f5e70e6a7a53fd66',
  '008-mails-by-age.sql': '698d0c8a9f9d04451e5e4efa3fb7ea7418c11899dd16c28e20bbfcc07b57c3d6',
  '009-service-keys.sql': 'feeeeecb49cc0e5da532e9f3b7e58de2940cb476ef17582e3876a99d4328fb17',
  '010-access-and-assurance.sql': 'e2266203dd1344dbf5bb1e5f8d1fc6c5312cd673f2f6291aaf9fcf540b4fc0d3',
  '011-branding.sql': '18e8991f21e1a20878eadf4710aa47f74100bdbde8e560ba2fd473b1701cac32',
  '012-console-lists.sql': '060192a871253cbb307f935d0ce2a5a216ccd26ca8e51ff5bb53680c7a00ea45',
  '013-webhooks.sql': 'bcc43a15519a09a9c6dd8713cac8a99dc4386a89ebbc75c9c437d5f3117615ef',
  '014-event-traces.sql': '4fa936c02b49998bedf15f418de35ee571302d5c4ee6ad0a73ea8ab564bdc6d2',
  '015-other-providers.sql': '9c910a6f712533c136f262c7583b6eecbe88831570da27ad0d9b09e3be90dc73',
  '016-webhooks-of-deleted-applications.sql': 'd6419183043881ada03ca5e0521f75f3598f32da5a4b5975d73cd6f1d2ff51da',
  '017-contact-email.sql': '29256b838377e5a58133e557a009e242281afe27680e210350cfe19f13290d3d',
  '018-instances.sql': '3b1872859900e1988e820efcee3c7591bd8337e2af72ab280a6d50abb70bb6ab',
  '019-going-back.sql': '34309a9dd4fd86b1bb9eb840127aff214fff61e76675f620cf723447c1b316e5',
  '020-access-functions.sql': '42080c0ae4b71561243e2c8ee52a11d8ae989f218874c73c72196068ccf13d16',
  '021-attributes.sql': '3502421f8a625a0fcb02f0175786b2d45b32e8cb6c75a103f37b4970bc28501f',
  '022-claims.sql': '286d18bb797d1bbedd951de84017311de6e2b4dd6a210f4dae36384c6d2b5d4c',
  '023-back-channel-logout.sql': 'b1f7cd71fc7b42213d941c8c9765453bbd80fd46905d0af1c28046ea965fcc09',
  '024-ending-access.sql': '7b9799bc15f1672f76902f1200a79211566aeda7abd8edc76696395eaea52b68',
  '025-sources-and-roles.sql': '67fba020925e5df4668537c2cde44838fc4cd43225c0bde71035dc894aee38a2',
  '026-answering-lists.sql': '60004d5aae38be0c2cffdb41c9dd9a2ea1c49bc2cdaf4f0bb8157307541ac4cf',
  '027-last-four.sql': '8255b5b86a032b890950eb8d77b74d0e08fa65ce9870ea96244426d64e4a4527',
};

test('no migration that has landed was edited', () => {
  assert.deepEqual(Object.fromEntries(migrations.map((each) => [each.file, checksumOf(each)])), landed);
});

test("line endings don't change a migration's checksum", () => {
  const [first] = migrations;
  assert.ok(first);
  assert.equal(checksumOf({ ...first, sql: first.sql.replaceAll('\n', '\r\n') }), checksumOf(first));
  assert.notEqual(checksumOf({ ...first, sql: `${first.sql} ` }), checksumOf(first));
});

interface Engine {
  /** An empty store, and how to ask it past the driver. */
  open(): Promise<{ url: string; run(script: string): Promise<void>; close(): Promise<void> }>;
  driver(url: string): Driver;
  environment(url: string): Record<string, string>;
}

const engines: Record<string, Engine> = {
  'the embedded store': {
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-landed-'));
      const url = join(folder, 'latchkey.db');
      const database = new DatabaseSync(url);
      return {
        url,
        run: async (script) => database.exec(script),
        async close() {
          database.close();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
    driver: openSqlite,
    environment: (url) => ({ LATCHKEY_DATA_DIR: join(url, '..') }),
  },
  PostgreSQL: {
    async open() {
      const url = await (await sharedPostgres()).newDatabase({ migrated: false });
      return {
        url,
        async run(script) {
          await queryPostgres(url, script);
        },
        async close() {},
      };
    },
    driver: (url) => openPostgres(url),
    environment: (url) => ({
      DATABASE_URL: url,
      LATCHKEY_DATA_DIR: tmpdir(),
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    }),
  },
};

for (const [name, engine] of Object.entries(engines)) {
  describe(`landed migrations on ${name}`, () => {
    test('an edited migration is reported in one sentence, and nothing is migrated', async () => {
      const store = await engine.open();
      const driver = engine.driver(store.url);
      try {
        await driver.migrate(migrations.filter(({ version }) => version <= 4));
        const edited = migrations.map(
          (one): Migration => (one.version === 4 ? { ...one, sql: `${one.sql}-- better` } : one),
        );
        const before = await driver.appliedMigrations();
        await assert.rejects(driver.migrate(edited), (error) => {
          assert.ok(error instanceof StoreUnusable);
          assert.match(error.message, /^The migration 004-administration\.sql isn't the one .* Restore the file/);
          return true;
        });
        assert.deepEqual(await driver.appliedMigrations(), before);

        await store.run("UPDATE schema_version SET checksum = 'of another text' WHERE version = 4");
        for (const command of [['migrate'], ['serve']]) {
          const { status, stderr } = await runCommand(command, engine.environment(store.url));
          assert.equal(status, 1);
          assert.match(stderr, /^latchkey: The migration 004-administration\.sql isn't [^\n]*\n$/);
        }
      } finally {
        await driver.close();
        await store.close();
      }
    });

    test('the previous release can run on a store that this version has migrated, an earlier one cannot', async () => {
      const store = await engine.open();
      const driver = engine.driver(store.url);
      try {
        const newest = await driver.migrate(migrations);
        const knownTo = (version: number) => migrations.filter((one) => one.version <= version);
        const before = await driver.appliedMigrations();
        assert.equal(await driver.migrate(knownTo(previousRelease)), newest);
        assert.deepEqual(await driver.appliedMigrations(), before);
        const states = [newest, previousRelease, previousRelease - 1].map((version) =>
          examineSchema(driver, knownTo(version)),
        );
        assert.deepEqual(
          (await Promise.all(states)).map(({ kind }) => kind),
          ['current', 'newer', 'unusable'],
        );
      } finally {
        await driver.close();
        await store.close();
      }
    });

    test('a store of the next version is served with a warning, and one of a later version is not', async () => {
      const store = await engine.open();
      const driver = engine.driver(store.url);
      try {
        await driver.migrate(migrations);
        await store.run("INSERT INTO schema_version (version, checksum) VALUES (999, 'of another text')");
        const service = await startTestService(engine.environment(store.url));
        try {
          assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
          await new Person(service).signIn(await service.newUser());
          const warned = service
            .log()
            .split('\n')
            .filter((line) => line.includes('schema version 999, from a newer version of Latchkey'));
          assert.deepEqual(
            warned.map((line) => JSON.parse(line).level),
            [40],
          );
        } finally {
          await service.stop();
        }
        await store.run("UPDATE service_facts SET value = '999' WHERE name = 'oldest_schema'");
        for (const command of [['serve'], ['user', 'list']]) {
          const { status, stderr } = await runCommand(command, engine.environment(store.url));
          assert.equal(status, 1);
          assert.match(
            stderr,
            /^latchkey: The store has schema version 999, and [^\n]* go back by one release\. [^\n]*\n$/,
          );
        }
      } finally {
        await driver.close();
        await store.close();
      }
    });

    test('a migration that fails is reported by its name', async () => {
      const store = await engine.open();
      const driver = engine.driver(store.url);
      try {
        const broken = { version: 1, file: '001-broken.sql', sql: 'CREATE TABLE half (id TEXT, id TEXT)' };
        await assert.rejects(driver.migrate([broken]), {
          name: 'StoreUnusable',
          message: /^Migration 001-broken\.sql failed, and the store is as it was: /,
        });
      } finally {
        await driver.close();
        await store.close();
      }
    });
  });
}
