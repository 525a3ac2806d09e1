// With Citus: moving the events to the workers and back, what instances notice of it, and that what requests ask is answered by the
// coordinator alone, or by it and the one worker that has the event.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { versionOf } from '../../src/storage/migrating.ts';
import { isAnswered, storageError } from '../../src/storage/postgres/errors.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { OutcomeUnknown, type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import { addWorkers, newCitusDatabase, skip, workerUrls } from '../harness/citus.ts';
import { runCommand } from '../harness/command.ts';
import { startLossyProxy } from '../harness/lossy-proxy.ts';
import { scrape } from '../harness/metrics.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { obtainTokens, postForm, userinfo } from '../harness/relying-party.ts';
import { freePort, startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import {
  activeGrant,
  aGrant,
  anEvent,
  aSession,
  atOnce,
  eventsInOrder,
  exchangeOf,
  hasEvent,
  issuedGrant,
  start,
  storageOn,
  storedClient,
  storedUser,
  tokenLives,
} from '../storage/records.ts';

after(removeSharedPostgres);

const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-'));
after(() => rmSync(dataDir, { recursive: true }));
const keys = { LATCHKEY_KEYS: randomBytes(32).toString('base64url') };
const newest = readMigrations().at(-1)?.version ?? 0;
const migrate = (url: string, ...words: string[]) =>
  runCommand(['migrate', ...words, '--json'], { ...keys, DATABASE_URL: url });
const said = async (url: string, ...words: string[]) => {
  const { status, stdout, stderr } = await migrate(url, ...words);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};
const factOf = async (url: string, name: string) =>
  (await queryPostgres(url, `SELECT value FROM service_facts WHERE name = '${name}'`))[0]?.value;
const isOut = async (url: string) =>
  (await queryPostgres(url, "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'events'::regclass")).length > 0;

test('what refuses to distribute', async () => {
  const plain = await (await sharedPostgres()).newDatabase();
  const cases: [Record<string, string>, string[], RegExp][] = [
    [{ DATABASE_URL: plain }, ['--distribute'], /has no extension "citus"\. Install Citus on every server/],
    [{ LATCHKEY_DATA_DIR: dataDir }, ['--distribute'], /only be distributed with PostgreSQL: set DATABASE_URL/],
    [{ DATABASE_URL: plain }, ['--distribute', '--undistribute'], /use --distribute without --undistribute/],
    [{ DATABASE_URL: plain }, ['--distribute', '--reindex'], /use --distribute without --reindex/],
    [
      { DATABASE_URL: plain },
      ['--rehearse', '--distribute'],
      /--rehearse changes nothing: use it without --distribute/,
    ],
  ];
  for (const [environment, words, complaint] of cases) {
    const { status, stderr } = await runCommand(['migrate', ...words], { ...keys, ...environment });
    assert.notEqual(status, 0);
    assert.match(stderr, complaint);
  }
  // Earlier releases can still start on it.
  assert.equal(await factOf(plain, 'oldest_schema'), '9');
  assert.deepEqual(await said(plain, '--undistribute'), {
    before: newest,
    version: newest,
    moved: false,
    servers: 0,
    longest_wait_ms: 0,
  });
});

test('a worker that is gone is an outage, by the texts of errors that have no code of their own', () => {
  const outages = [
    'could not commit transaction for shard 102008 on any active node',
    'failure on connection marked as essential: db4.example:5432',
    'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    'could not receive data from server: Connection timed out',
    'SSL connection has been closed unexpectedly',
  ];
  const errorWith = (message: string) =>
    Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: 'XX000' });
  for (const text of outages) {
    assert.ok(storageError(errorWith(text)) instanceof StorageUnavailable, text);
    assert.equal(isAnswered(errorWith(text)), false, text);
  }
  assert.equal(storageError(errorWith('cache lookup failed for relation 5')) instanceof StorageUnavailable, false);
  assert.equal(isAnswered(errorWith('cache lookup failed for relation 5')), true);
});

describe('with Citus', { skip }, () => {
  test('events move to the workers and back, with nothing lost, as often as it is asked', async () => {
    const url = await newCitusDatabase('alone');
    const storage = storageOn(openPostgres(url));
    const events = eventsInOrder(500);
    await storage.appendEvents(events);
    const listed = () => storage.findEvents({}, 1000, 'oldest');

    const alone = await factOf(url, 'oldest_schema');
    const moved = await said(url, '--distribute');
    assert.deepEqual([moved.moved, moved.servers], [true, 2]);
    assert.ok(moved.longest_wait_ms > 0);
    assert.deepEqual(await listed(), events);
    const sizes = await queryPostgres(
      url,
      `SELECT nodeport AS port, SUM((SELECT result FROM run_command_on_shards('events', 'SELECT COUNT(*) FROM %s') r
          WHERE r.shardid = s.shardid)::int)::int AS rows
        FROM citus_shards s WHERE table_name = 'events'::regclass GROUP BY nodeport`,
    );
    assert.deepEqual([sizes.length, sizes.reduce((sum, { rows }) => sum + Number(rows), 0)], [2, 500]);
    assert.ok(sizes.every(({ rows }) => Number(rows) > 0));
    assert.equal(await factOf(url, 'oldest_schema'), String(newest));
    assert.deepEqual(await said(url, '--distribute'), { ...moved, before: newest, moved: false, longest_wait_ms: 0 });

    assert.equal((await said(url, '--undistribute')).moved, true);
    assert.deepEqual([await isOut(url), await factOf(url, 'oldest_schema')], [false, alone]);
    assert.deepEqual(await listed(), events);
    assert.equal((await said(url, '--undistribute')).moved, false);
    await storage.close();
  });

  test('not while another release runs, nor without workers', async () => {
    const url = await newCitusDatabase('alone');
    const note = (version: string) =>
      queryPostgres(
        url,
        `INSERT INTO instances (id, version, base_url, key_ids, events_days, started_at, last_seen_at)
          SELECT 'one', '${version}', 'http://localhost', '', 1, now.ms, now.ms
          FROM (SELECT CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) AS ms) now
          ON CONFLICT (id) DO UPDATE SET version = excluded.version`,
      );
    await note('0.3.0');
    const refused = await migrate(url, '--distribute');
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /instance one runs version 0\.3\.0, which can't read events on other servers\. .* Nothing has been moved\./,
    );
    assert.deepEqual([await isOut(url), await factOf(url, 'oldest_schema')], [false, '9']);
    await queryPostgres(url, "UPDATE instances SET last_seen_at = last_seen_at - 31000 WHERE id = 'one'");
    await queryPostgres(url, 'SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid <> 0');
    assert.match(
      (await migrate(url, '--distribute')).stderr,
      /The coordinator has no workers\. Add them with citus_add_node\./,
    );
  });

  test('later migrations change the events where they are', async () => {
    const url = await newCitusDatabase();
    const storage = storageOn(openPostgres(url));
    await storage.appendEvents(eventsInOrder(300));
    const driver = openPostgres(url);
    const next = {
      version: newest + 1,
      file: 'next.sql',
      sql: `ALTER TABLE events ADD COLUMN weight BIGINT NOT NULL DEFAULT 1;
        ALTER TABLE users ADD COLUMN weight BIGINT NOT NULL DEFAULT 1;
        CREATE INDEX events_by_weight ON events (weight, id);
        UPDATE events SET weight = 2 WHERE true /* in batches of events.id */;
        DROP INDEX events_by_trace;`,
    };
    assert.equal(await driver.migrate([...readMigrations(), next]), newest + 1);
    assert.equal(versionOf(await driver.appliedMigrations()), newest + 1);
    assert.deepEqual(await queryPostgres(url, 'SELECT weight::int, COUNT(*)::int AS n FROM events GROUP BY weight'), [
      { weight: 2, n: 300 },
    ]);
    const indexes = await queryPostgres(
      url,
      `SELECT DISTINCT result FROM run_command_on_shards('events',
        $$SELECT string_agg(substring(indexrelid::regclass::text, '^[a-z_]*[a-z]'), ' ' ORDER BY 1)
          FROM (SELECT indexrelid FROM pg_index WHERE indrelid = '%s'::regclass AND indisvalid) i
          WHERE indexrelid::regclass::text ~ 'weight|trace'$$)`,
    );
    assert.deepEqual(indexes, [{ result: 'events_by_weight' }]);
    await Promise.all([storage.close(), driver.close()]);
  });

  test('what requests ask stays on the coordinator, and an event goes to one worker', async () => {
    const url = await newCitusDatabase();
    const driver = openPostgres(url);
    const texts = new Map<string, readonly unknown[]>();
    const storage = storageOn({
      ...driver,
      read(sql, params, anew) {
        texts.set(sql, params);
        return driver.read(sql, params, anew);
      },
      write(statements) {
        for (const { sql, serverSql = sql, params } of statements) texts.set(serverSql, params);
        return driver.write(statements);
      },
    });
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const session = aSession(user);
    texts.clear();
    const event = (kind: 'signed_in' | 'approved' | 'token_revoked' | 'signed_out') =>
      anEvent({ kind, userId: user.id, clientId: client.id });
    // In the order of a flow: sign-in, authorization, exchange, userinfo, refresh, revocation.
    await storage.findUserByEmail(user.email ?? '');
    await storage.countFailures(['a'], 1);
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration, event: event('signed_in') });
    await storage.findAuthorizationContext(client.id, session.digest, start);
    await storage.findRememberedApproval(client.id, session.digest, start);
    const grant = aGrant(user, client);
    await storage.approve(grant, grant.scopes, start, event('approved'));
    await storage.issueCode(aGrant(user, client), start);
    await storage.findClientAndGrant(client.id, grant.id, start);
    await storage.consumeCode(exchangeOf(grant));
    await storage.findTokenHolder(grant.id, 'token', start);
    await storage.findClientAndRefreshable(client.id, grant.id, start);
    await storage.noteGrantUses([{ grantId: grant.id, userId: user.id, clientId: client.id, at: start }]);
    await storage.noteSessionsSeen([session.digest], start);
    await storage.revokeAccessToken('token', start, event('token_revoked'));
    await storage.endGrant(grant.id, start, event('token_revoked'));
    await storage.endSession(session.digest, event('signed_out'));

    const connection = new pg.Client(url);
    await connection.connect();
    let remote = 0;
    for (const [sql, params] of texts) {
      await connection.query(`PREPARE asked AS ${sql}`);
      const values = params.map((value) => (value === null ? 'NULL' : connection.escapeLiteral(String(value))));
      const given = values.length === 0 ? '' : `(${values.join(', ')})`;
      const { rows } = await connection.query(`EXPLAIN EXECUTE asked ${given}`);
      await connection.query('DEALLOCATE asked');
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
      assert.ok(
        counts.every((count) => count === 1),
        `${sql}\n${plan}`,
      );
      assert.equal(counts.length > 0, /\bevents\b/.test(sql), `${sql}\n${plan}`);
      remote += counts.length;
    }
    assert.ok(texts.size > 20 && remote >= 2, `${texts.size} texts, ${remote} of them remote`);
    await Promise.all([connection.end(), storage.close()]);
  });

  test('no batch has to be taken apart', async () => {
    const url = await newCitusDatabase();
    const retried: string[] = [];
    const sizes: number[] = [];
    const storage = storageOn(
      openPostgres(url, {
        observer: {
          batch: (_operation, size) => sizes.push(size),
          retried: (reason) => retried.push(reason),
          changed: () => {},
        },
      }),
    );
    const [user, client] = [await storedUser(storage), await storedClient(storage)];
    await issuedGrant(storage, user, client);
    const grants = Array.from({ length: atOnce }, () => aGrant(user, client));
    await Promise.all(grants.map((grant) => storage.issueCode(grant, start)));
    await Promise.all(grants.map((grant) => storage.findClientAndGrant(client.id, grant.id, start)));
    const spent = await Promise.all(grants.map((grant) => storage.consumeCode(exchangeOf(grant))));
    assert.equal(spent.filter(Boolean).length, atOnce);
    await Promise.all(grants.map((grant) => storage.findTokenHolder(grant.id, 'token', start)));
    await Promise.all(grants.map((grant) => storage.appendEvents([anEvent({ clientId: grant.clientId })])));
    assert.deepEqual(retried, []);
    assert.ok(Math.max(...sizes) >= atOnce / 2);
    await storage.close();
  });

  test('when a worker does not commit, the outcome is unknown, and nothing has changed', async () => {
    const url = await newCitusDatabase();
    const storage = storageOn(openPostgres(url));
    const grant = await activeGrant(storage, await storedUser(storage), await storedClient(storage));
    for (const worker of await workerUrls(new URL(url).pathname.slice(1))) {
      await queryPostgres(
        worker,
        `SET citus.enable_ddl_propagation = off; SET citus.override_table_visibility = off;
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no commit'; END $$;
        DO $$ DECLARE shard RECORD; BEGIN
          FOR shard IN SELECT relname FROM pg_class WHERE relname ~ '^events_[0-9]+$' AND relkind = 'r' LOOP
            EXECUTE format('CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON %I DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION refuse()', shard.relname);
          END LOOP;
        END $$`,
      );
    }
    const event = anEvent();
    const revoking = (using: Storage) => using.endGrant(grant.id, start + 5000, event);
    await assert.rejects(revoking(storage), OutcomeUnknown);
    assert.equal(await tokenLives(storage, grant), true);
    assert.equal(await hasEvent(storage, event), false);
    await storage.close();
  });

  test('an instance that has not noticed yet answers that it is unavailable, once', async () => {
    const url = await newCitusDatabase('without workers');
    const storage = storageOn(openPostgres(url));
    const visible = { ofPeople: ['signed_in'], ofApplications: [] } as const;
    const ask = () => storage.findEvents({ visible }, 10);
    assert.deepEqual(await ask(), []);
    await addWorkers(url);
    await said(url, '--distribute');
    await assert.rejects(ask(), {
      name: 'StorageUnavailable',
      message: 'the tables have just been moved to other servers',
    });
    assert.deepEqual(await ask(), []);
    await storage.close();
  });

  test('a lost access is lost once it is answered, whatever becomes of a worker between the phases of a commit', async (t) => {
    const url = await newCitusDatabase();
    const name = new URL(url).pathname.slice(1);
    const [worker = ''] = await workerUrls(name);
    const proxy = await startLossyProxy(Number(new URL(worker).port));
    t.after(() => proxy.stop());
    await queryPostgres(
      url,
      `SELECT citus_update_node(nodeid, nodename, ${proxy.port}) FROM pg_dist_node WHERE nodeport = ${new URL(worker).port}`,
    );
    const storage = storageOn(openPostgres(url));
    t.after(() => storage.close());
    const users = await Promise.all(Array.from({ length: 8 }, () => storedUser(storage)));
    const client = await storedClient(storage, { access: 'listed' });
    const people = () => ({
      people: users.map((user) => ({ id: user.id, event: anEvent({ userId: user.id }) })),
      groups: [],
    });
    const nothing = { people: [], groups: [] };
    await storage.changeAccess(client.id, { allow: people(), disallow: nothing }, start);
    const take = (disallow: ReturnType<typeof people>, using = storage) =>
      using.changeAccess(client.id, { allow: nothing, disallow }, start);
    const written = (from: ReturnType<typeof people>) =>
      Promise.all(from.people.map(({ event }) => hasEvent(storage, event)));
    const grants = await Promise.all(users.map((user) => activeGrant(storage, user, client)));
    const living = async () =>
      (await Promise.all(grants.map((grant) => tokenLives(storage, grant)))).filter(Boolean).length;
    const undecided = async () =>
      (await storage.findOtherServers()).servers.reduce((sum, server) => sum + server.undecided, 0);
    assert.equal(await living(), users.length);

    // After the first phase, and before it's answered: the change is taken back everywhere.
    proxy.loseAnswerTo('PREPARE TRANSACTION', { thenGone: true });
    const first = people();
    await assert.rejects(take(first), OutcomeUnknown);
    proxy.comeBack();
    assert.equal(await living(), users.length);
    await until(async () => (await undecided()) > 0, 'a transaction waits for a decision');
    const decided = async () => {
      await queryPostgres(url, 'SELECT recover_prepared_transactions()');
      return (await undecided()) === 0;
    };
    await until(decided, 'the coordinator decides it');
    assert.deepEqual(
      await written(first),
      users.map(() => false),
    );

    // For each connection of the first one, the coordinator has one to the worker that has ended.
    const later = storageOn(openPostgres(url));
    t.after(() => later.close());

    // Between the phases: it has happened, and what is missing at the worker follows.
    proxy.loseQuestion('COMMIT PREPARED');
    const second = people();
    assert.ok(await take(second, later));
    assert.equal(await living(), 0);
    proxy.comeBack();
    await queryPostgres(url, 'SELECT recover_prepared_transactions()');
    assert.equal(await living(), 0);
    assert.deepEqual(
      await written(second),
      users.map(() => true),
    );
  });

  test('a transaction that has waited for a decision for 5 s is in /readyz, doctor and a metric', async (t) => {
    const url = await newCitusDatabase();
    const port = await freePort();
    const service = await startTestService({ DATABASE_URL: url, LATCHKEY_METRICS_PORT: String(port) });
    const [worker = ''] = await workerUrls(new URL(url).pathname.slice(1));
    t.after(async () => {
      await queryPostgres(worker, "ROLLBACK PREPARED 'interrupted'");
      await service.stop();
    });
    await queryPostgres(worker, "BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'interrupted'");
    const events = async () => {
      service.clock.advance(6);
      return ((await (await fetch(`${service.url}/readyz`)).json()) as { events?: string }).events;
    };
    await until(async () => (await events()) === 'undecided', '/readyz says so');
    const counted = async () => (await scrape(port)).of('latchkey_storage_undecided_transactions');
    await until(async () => (await counted()) === 1, 'the metric counts it');
    const { stdout } = await runCommand(['doctor'], { ...keys, DATABASE_URL: url, LATCHKEY_BASE_URL: service.url });
    assert.match(stdout, /, 1 transaction has waited for a decision for more than 5 s\. The coordinator decides them/);
  });

  test('without its workers, a service says what is missing, and serves what needs no event', async (t) => {
    const url = await newCitusDatabase();
    const port = await freePort();
    const service = await startTestService({ DATABASE_URL: url, LATCHKEY_METRICS_PORT: String(port) });
    t.after(async () => {
      await queryPostgres(url, ports(workers));
      await service.stop();
    });
    const workers = (await workerUrls('any')).map((worker) => new URL(worker).port);
    const ports = (each: readonly unknown[]) =>
      each.map((to, index) => `UPDATE pg_dist_node SET nodeport = ${to} WHERE groupid = ${index + 1}`).join('; ');
    const ready = async () => (await (await fetch(`${service.url}/readyz`)).json()) as { events?: string };
    const examined = async () => {
      const { stdout } = await runCommand(['doctor', '--json'], {
        ...keys,
        DATABASE_URL: url,
        LATCHKEY_BASE_URL: service.url,
      });
      const findings: { about: string; state: string; text: string }[] = JSON.parse(stdout);
      return findings.filter(({ about }) => about === 'event servers').map(({ state, text }) => `${state}: ${text}`);
    };
    const counted = async (state: string) =>
      (await scrape(port)).of(`latchkey_storage_event_servers{state="${state}"}`);
    assert.deepEqual(await ready(), { status: 'ready' });
    assert.equal(await counted('reachable'), 2);
    const [slow, answers] = await examined();
    assert.match(
      slow ?? '',
      /^warning: an interrupted transaction is decided after up to 60 s\. .*recover_2pc_interval = '5s'/,
    );
    assert.equal(answers, 'ok: 2 answer.');
    const client = await service.newClient();
    const { tokens } = await obtainTokens(service, client, await service.newUser());
    const asked = async () => (await userinfo(service, tokens.access_token)).status;

    await queryPostgres(url, ports([1, 2]));
    service.clock.advance(6);
    await until(async () => (await ready()).events === 'unreachable', '/readyz says what is missing');
    await until(async () => (await counted('unreachable')) === 2, 'the metrics count it');
    assert.match(
      (await examined())[0] ?? '',
      /^problem: 127\.0\.0\.1:1 doesn't answer: .*503; everything else is served\.$/,
    );
    assert.equal(await asked(), 200);
    const { id: client_id, secret: client_secret } = client;
    const revoked = await postForm(service, '/oauth/revoke', { token: tokens.access_token, client_id, client_secret });
    assert.equal(revoked.status, 503);
    assert.match(revoked.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(await asked(), 200);
  });

  test('an upgrade of a distributed store can be rehearsed', async () => {
    const url = await newCitusDatabase();
    const copy = await (await sharedPostgres()).newDatabase({ migrated: false });
    const { held, copied_with: made } = await said(url, '--rehearse', '--copy', copy);
    assert.deepEqual([held, made], [true, 'an export (its tables are on several servers)']);
  });
});
