// A migration that has landed is never edited: its checksum is recorded with each store. Three were, before they were in a release.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { type Driver, type Migration, StoreUnusable } from '../../src/storage/driver.ts';
import { checksumOf, earlierTexts, examineSchema, sqlFor } from '../../src/storage/migrating.ts';
import { statementsOf, stepsOf } from '../../src/storage/postgres/migration-steps.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { runCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { Person } from '../harness/person.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { postgresSchema, sqliteSchema } from '../harness/schema-dump.ts';
import { startTestService } from '../harness/service.ts';
import { earlierTextOf } from './earlier-texts.ts';

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
  '010-access-and-assurance.sql': '7b4782fd05d50921ff2b0e804b3ef46790e4bd4036f3702ca85856bcde967609',
  '011-branding.sql': '18e8991f21e1a20878eadf4710aa47f74100bdbde8e560ba2fd473b1701cac32',
  '012-console-lists.sql': '2f7c678f37ca1db271eff3fd4824d2c888325625df971a04f35821338d189825',
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
  '026-answering-lists.sql': 'e87efc9bb3582929d78fe01775058359f5ed7525aa75e014c7412a1bfb7415f4',
  '027-last-four.sql': '8255b5b86a032b890950eb8d77b74d0e08fa65ce9870ea96244426d64e4a4527',
  '028-clocks-of-instances.sql': 'b2c3776207cc3157053554073361d92decec39b46f2e0d3f6027a7ae40701f55',
  '029-deleted-ids.sql': '9ba96b6b01b0aa7cc89e38342ed740dd3ba9abc6520969807aa85c043faa5b46',
  '030-session-generation.sql': '2f02006d85cb827c1b010d35e04d3b1ed715542c619291d3eb7679da6b599232',
  '031-mails-in-order.sql': '327aed7bcd2a853549b7ba79453ae35a3219c264871c1b3bbf6618d2e777bede',
  '032-inactive-accounts.sql': 'e2722f28d302890728b294db04be04ce18afbd0c4e8c12effd97b0ce74233ad9',
  '033-since-when.sql': '5d0b0fd78956e07d1911f2ea13bf4846484791a70a1da3d3e0603a6fc69aeff3',
  '036-owners.sql': '51a79eac6c77aa2ed0a1c6bd21e6dc9be03dd9d3a5ca7c5f1c4f50b0a60c67bd',
  '037-access-requests.sql': '409fe1526c7760c06f54b0b1d721ae6877fea566a47691423af024f6297a4cc7',
  '038-reviews.sql': '138d49fed74839a8329bffe1d4b76133ad933b97180607f4203a8ab471ba93e3',
  '039-lost-factors.sql': '97d53de2db4c5492f0d62de7666040c453f6c8ec8dba21f4c9d627dafa222c60',
  '040-sign-up-links-of-keys.sql': '38884f5a0dd1aa3701a9aff864a767807fd4edf6b5f502d0483dbf1acde817f8',
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

describe('a migration on a PostgreSQL that is in use', () => {
  const afterRelease = migrations.filter(({ version }) => version > previousRelease);
  /** What takes no time however large the tables are. Everything else has to say how it's done in batches. */
  const quick = [
    /^CREATE (TABLE|VIEW|FUNCTION|TRIGGER) /,
    /^CREATE (UNIQUE )?INDEX \w+ ON /,
    /^DROP INDEX \w+$/,
    /^ALTER TABLE \w+ ADD COLUMN \w+ (TEXT|BIGINT|BYTEA)( NOT NULL DEFAULT ('[^']*'|\d+))?$/,
    /^ALTER TABLE \w+ ALTER COLUMN \w+ SET DEFAULT /,
    /^INSERT INTO \w+ \([^)]*\) VALUES /,
    / \/\* in batches of \w+\.\w+ \*\/(\s|$)/,
    // Only versions between two releases have any.
    /^UPDATE webhook_endpoints /,
  ];

  test('each statement is one that takes no time, or one for batches', () => {
    for (const statement of afterRelease.flatMap(statementsOf)) {
      assert.ok(
        quick.some((form) => form.test(statement)),
        statement,
      );
    }
  });

  test('a step changes one of the tables that requests read, and builds no index while it has it', () => {
    for (const migration of afterRelease) {
      const created = new Set(statementsOf(migration).flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []));
      for (const step of stepsOf(migration)) {
        if (step.kind !== 'change') continue;
        const changed = [...step.sql.matchAll(/(?:^|\n)(?:ALTER TABLE (\w+)|CREATE TRIGGER .* ON (\w+))/g)];
        const tables = new Set(
          changed.map(([, altered, noted]) => altered ?? noted).filter((name) => !created.has(name ?? '')),
        );
        assert.deepEqual([...tables], step.table === undefined ? [] : [step.table]);
        for (const [, table = ''] of step.sql.matchAll(/CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/g))
          assert.ok(created.has(table));
      }
    }
  });

  test('the steps of a plain migration follow from its statements', () => {
    const sql = `-- A comment; with a semicolon.
      CREATE TABLE fresh (id TEXT);
      CREATE INDEX fresh_by_id ON fresh (id);
      ALTER TABLE users ADD COLUMN a TEXT; -- Why.
      ALTER TABLE users ADD COLUMN b TEXT;
      ALTER TABLE grants ADD COLUMN c TEXT;
      DROP INDEX gone;
      DROP INDEX grants_by_c;
      CREATE UNIQUE INDEX grants_by_c ON grants (c) WHERE c <> 'x';
      UPDATE users SET a = b WHERE b <> '' /* in batches of users.id */;
      -- embedded: CREATE TRIGGER one AFTER INSERT ON users BEGIN SELECT 1; SELECT 2; END;
      -- server: CREATE FUNCTION noted() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      -- server: CREATE TRIGGER one AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION noted();`;
    const plain = { version: 1, file: '001-plain.sql', sql: sql.replaceAll(/^ +/gm, '') };
    const steps = stepsOf(plain).map((step) =>
      step.kind === 'fill' ? { ...step, within: step.within('AND here') } : step,
    );
    assert.deepEqual(steps, [
      {
        kind: 'change',
        sql: [
          'CREATE TABLE fresh (id TEXT)',
          'CREATE INDEX fresh_by_id ON fresh (id)',
          'ALTER TABLE users ADD COLUMN a TEXT',
          'ALTER TABLE users ADD COLUMN b TEXT',
        ].join(';\n'),
        table: 'users',
      },
      { kind: 'change', sql: 'ALTER TABLE grants ADD COLUMN c TEXT', table: 'grants' },
      { kind: 'drop', name: 'gone' },
      {
        kind: 'index',
        name: 'grants_by_c',
        table: 'grants',
        build: "CREATE UNIQUE INDEX CONCURRENTLY grants_by_c_next ON grants (c) WHERE c <> 'x'",
        replaces: true,
      },
      { kind: 'fill', table: 'users', key: 'users.id', within: "UPDATE users SET a = b WHERE b <> '' AND here" },
      {
        kind: 'change',
        sql: [
          'CREATE FUNCTION noted() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
          'CREATE TRIGGER one AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION noted()',
        ].join(';\n'),
        table: 'users',
      },
    ]);
  });
});

interface Engine {
  /** An empty store, and how to ask it past the driver. */
  open(): Promise<{ url: string; run(script: string): Promise<void>; close(): Promise<void> }>;
  driver(url: string): Driver;
  /** What the migrations made of it. */
  schema(url: string): Promise<readonly string[]>;
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
    schema: async (url) => sqliteSchema(url),
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
    schema: postgresSchema,
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

    const unlessQuick = name === 'PostgreSQL' ? releaseTest : test;
    unlessQuick(
      'a store with the earlier text of a migration has the same schema, and continues from there',
      async () => {
        const replaced = Object.keys(earlierTexts).map(Number);
        assert.deepEqual(
          Object.fromEntries(
            migrations
              .filter(({ version }) => replaced.includes(version))
              .map((one) => [one.version, checksumOf(earlierTextOf(one))]),
          ),
          earlierTexts,
        );
        const fresh = await engine.open();
        const reference = engine.driver(fresh.url);
        try {
          await reference.migrate(migrations);
          // 948da801 knew 27 migrations; earlier versions knew fewer of them.
          for (const last of [27, 20, 10]) {
            const store = await engine.open();
            const driver = engine.driver(store.url);
            try {
              await driver.migrate(migrations.filter(({ version }) => version <= previousRelease));
              for (const one of migrations.filter(({ version }) => version > previousRelease && version <= last)) {
                const earlier = earlierTextOf(one);
                await store.run(sqlFor(driver.engine, earlier));
                await store.run(
                  `INSERT INTO schema_version (version, checksum) VALUES (${one.version}, '${checksumOf(earlier)}')`,
                );
              }
              assert.equal(
                (
                  await examineSchema(
                    driver,
                    migrations.filter(({ version }) => version <= last),
                  )
                ).kind,
                'current',
              );
              await driver.migrate(migrations);
              assert.equal((await examineSchema(driver, migrations)).kind, 'current');
              assert.deepEqual(await engine.schema(store.url), await engine.schema(fresh.url));
            } finally {
              await driver.close();
              await store.close();
            }
          }
        } finally {
          await reference.close();
          await fresh.close();
        }
      },
    );

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
