// Upgrading from the previous release: the new version migrates the store, the old instance keeps serving until the new one
// has taken over, and what the old one issued goes on working. The old release is taken from the history and runs for real.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { cleanEnvironment, finished, root } from '../harness/command.ts';
import { Person } from '../harness/person.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { extractRelease, findPreviousRelease, type Release } from '../harness/previous-release.ts';
import {
  authorizePath,
  exchangeParameters,
  type IssuedTokens,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const previous = findPreviousRelease();
const skip = previous === undefined && "the previous release isn't in the history of this clone";
const folder = mkdtempSync(join(tmpdir(), 'latchkey-upgrade-'));
const oldRelease = join(folder, 'previous');

before(() => {
  if (previous !== undefined) extractRelease(previous, oldRelease);
});
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await removeSharedPostgres();
  rmSync(folder, { recursive: true, force: true });
});

function start(place: string, args: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn('./latchkey', [...args], { cwd: place, env: cleanEnvironment(environment) });
}

async function command(place: string, args: readonly string[], environment: Record<string, string>, input = '') {
  const { status, stdout, stderr } = await finished(start(place, [...args, '--json'], environment), input);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

interface Instance {
  readonly service: TestService;
  stop(): Promise<number | null>;
}

/** Both instances have one base URL, as behind a load balancer. */
async function serve(place: string, environment: Record<string, string>): Promise<Instance> {
  const port = String(await freePort());
  const child = start(place, ['serve'], { ...environment, LATCHKEY_PORT: port });
  children.push(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = `http://localhost:${port}`;
  // What is logged at the start differs between releases.
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200, 'it is ready');
  return {
    service: { url, baseUrl: environment.LATCHKEY_BASE_URL } as TestService,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The person's browser, led to another instance by the load balancer. */
function at({ service }: Instance, { person }: { person: Person }): Person {
  const moved = new Person(service);
  for (const [name, value] of person.cookies) moved.cookies.set(name, value);
  return moved;
}

/** A code without signing in or being asked again: the session and the consent are known. */
async function silentCode(person: Person, client: TestClient): Promise<{ code: string; verifier: string }> {
  const verifier = newVerifier();
  const response = await person.request(authorizePath(client, verifier, { prompt: 'none' }));
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code');
  assert.ok(code, response.headers.get('location') ?? 'no redirect');
  return { code, verifier };
}

/** The last migration of a release. */
function newestOf(release: Release | undefined): number {
  const args = ['ls-tree', '--name-only', release?.commit ?? '', 'src/storage/migrations/'];
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return Number(/(\d+)-[^/]*$/.exec(stdout.trim())?.[1]);
}

const engines: Record<string, () => Promise<Record<string, string>>> = {
  'the embedded store': async () => ({}),
  PostgreSQL: async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase({ migrated: false }) }),
};

for (const [engine, settings] of Object.entries(engines)) {
  describe(`from ${previous?.version ?? 'the previous release'} on ${engine}`, { skip }, () => {
    let environment: Record<string, string>;
    let old: Instance | undefined;
    let fresh: Instance | undefined;
    let client: TestClient;
    const users: TestUser[] = [];
    /** What the old instance issued before the migration, and after it. */
    let earlier: IssuedTokens;
    let later: IssuedTokens;

    const refreshed = async (instance: Instance, { tokens }: IssuedTokens) =>
      (await postForm(instance.service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status;
    const known = async (instance: Instance, { tokens }: IssuedTokens) =>
      (await userinfo(instance.service, tokens.access_token)).status;
    const revoke = async (instance: Instance, token: string) => {
      const parameters = { token, client_id: client.id, client_secret: client.secret };
      const response = await fetch(`${instance.service.url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams(parameters),
      });
      assert.equal(response.status, 200);
    };
    const running = (instance: Instance | undefined): Instance => instance ?? assert.fail('it was not started');

    before(async () => {
      environment = {
        ...(await settings()),
        LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
        LATCHKEY_DATA_DIR: mkdtempSync(join(folder, 'data-')),
      };
      await command(oldRelease, ['migrate'], environment);
      const redirectUri = 'http://localhost:9999/callback';
      const made = await command(
        oldRelease,
        ['client', 'create', '--name', 'App', '--redirect-uri', redirectUri],
        environment,
      );
      client = { id: made.client_id, secret: made.client_secret, redirectUri } as TestClient;
      for (const email of ['ada@example.test', 'grace@example.test']) {
        const password = 'correct horse battery';
        const args = ['user', 'create', '--email', email, '--name', 'Ada', '--password-stdin'];
        const { id } = await command(oldRelease, args, environment, `${password}\n`);
        users.push({ id, email, password } as TestUser);
      }
      await command(oldRelease, ['api-key', 'create', '--name', 'Key'], environment);
      await command(oldRelease, ['user', 'invite', '--email', 'guest@example.test'], environment);
      old = await serve(oldRelease, environment);
      earlier = await obtainTokens(old.service, client, users[0] as TestUser);
    });
    after(async () => {
      await fresh?.stop();
    });

    test('a rehearsal succeeds on what the old instance has made, while it serves, and changes nothing', async () => {
      const instance = running(old);
      const args = ['migrate', '--rehearse'];
      const copy = environment.DATABASE_URL === undefined ? [] : ['--copy', (await settings()).DATABASE_URL ?? ''];
      const { held, schema_before, schema_after, going_back } = await command(root, [...args, ...copy], environment);
      assert.deepEqual(
        [held, schema_before, schema_after],
        [true, newestOf(previous), readMigrations().at(-1)?.version],
      );
      assert.equal(going_back.possible, true);
      assert.ok(going_back.unknown.includes('webhook_endpoints') && going_back.unknown.includes('users.attributes'));
      assert.deepEqual([await known(instance, earlier), await refreshed(instance, earlier)], [200, 200]);
      assert.equal((await earlier.person.visit('/account')).status, 200);
    });

    test('what the old release has exported or copied can be restored', async () => {
      const exported = await finished(start(oldRelease, ['export'], environment));
      assert.equal(exported.status, 0, exported.stderr);
      const files = [join(mkdtempSync(join(folder, 'export-')), 'latchkey.jsonl')];
      writeFileSync(files[0] ?? '', exported.stdout);
      if (environment.DATABASE_URL === undefined) {
        const copy = `${files[0]}.db`;
        const { status, stderr } = await finished(start(oldRelease, ['backup', copy], environment));
        assert.equal(status, 0, stderr);
        files.push(copy);
      }
      for (const file of files) {
        const place = {
          ...environment,
          ...(await settings()),
          LATCHKEY_KEYS_FILE: join(environment.LATCHKEY_DATA_DIR ?? '', 'keys'),
          LATCHKEY_DATA_DIR: mkdtempSync(join(folder, 'restored-')),
        };
        const restored = await command(root, ['restore', file], place);
        assert.deepEqual([restored.people, restored.applications], [2, 1]);
        const found = await command(root, ['user', 'list', '--search', 'grace example'], place);
        assert.equal(found.length, 1);
        assert.equal((await command(root, ['api-key', 'list'], place)).length, 1);
      }
    });

    test('the old instance serves every request while the new version migrates', async () => {
      const instance = running(old);
      const migration = command(root, ['migrate'], environment);
      let done = false;
      const answers = new Map<number, number>();
      const ask = async () => {
        while (!done) {
          for (const status of [await known(instance, earlier), await refreshed(instance, earlier)]) {
            answers.set(status, (answers.get(status) ?? 0) + 1);
          }
        }
      };
      const load = Promise.all([ask(), ask(), ask(), ask()]);
      const { before: from, version } = await migration.finally(() => {
        done = true;
      });
      await load;
      assert.ok(version > from, `from ${from} to ${version}`);
      assert.equal(from, newestOf(previous), 'the rehearsal has migrated nothing');
      assert.deepEqual([...answers.keys()], [200]);
    });

    test('the old instance keeps serving on the new schema', async () => {
      const instance = running(old);
      assert.equal((await fetch(`${instance.service.url}/readyz`)).status, 200);
      assert.equal((await earlier.person.visit('/account')).status, 200);
      const { code, verifier } = await silentCode(earlier.person, client);
      const exchange = exchangeParameters(client, code, verifier);
      assert.equal((await postForm(instance.service, '/oauth/token', exchange)).status, 200);
      // A person who has not been there before.
      later = await obtainTokens(instance.service, client, users[1] as TestUser);
      assert.deepEqual([await known(instance, later), await refreshed(instance, later)], [200, 200]);
      // One grant more, ended right away.
      const ended = await obtainTokens(instance.service, client, users[1] as TestUser);
      await revoke(instance, ended.tokens.refresh_token);
      assert.deepEqual([await known(instance, ended), await refreshed(instance, ended)], [401, 400]);
    });

    test("old and new instances accept each other's tokens", async () => {
      const earlierInstance = running(old);
      const now = await serve(root, environment);
      fresh = now;
      for (const issued of [earlier, later]) {
        assert.deepEqual([await known(now, issued), await refreshed(now, issued)], [200, 200]);
      }
      const newer = await obtainTokens(now.service, client, users[0] as TestUser);
      assert.deepEqual([await known(earlierInstance, newer), await refreshed(earlierInstance, newer)], [200, 200]);
      // A code from one instance can be exchanged at the other.
      for (const [from, to] of [
        [earlierInstance, now],
        [now, earlierInstance],
      ] as const) {
        const { code, verifier } = await obtainCode(from.service, client, users[1] as TestUser);
        const answer = await postForm(to.service, '/oauth/token', exchangeParameters(client, code, verifier));
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      }
      // And so can a revocation.
      await revoke(now, newer.tokens.refresh_token);
      assert.deepEqual([await known(earlierInstance, newer), await refreshed(earlierInstance, newer)], [401, 400]);
    });

    test("once it's gone, its tokens and sessions work at the new one", async () => {
      const now = running(fresh);
      assert.equal(await running(old).stop(), 0);
      for (const issued of [earlier, later]) {
        assert.deepEqual([await known(now, issued), await refreshed(now, issued)], [200, 200]);
        const person = at(now, issued);
        assert.equal((await person.visit('/account')).status, 200);
        const { code, verifier } = await silentCode(person, client);
        const exchange = exchangeParameters(client, code, verifier);
        assert.equal((await postForm(now.service, '/oauth/token', exchange)).status, 200);
      }
      await revoke(now, earlier.tokens.refresh_token);
      assert.deepEqual([await known(now, earlier), await refreshed(now, earlier)], [401, 400]);
      assert.deepEqual([await known(now, later), await refreshed(now, later)], [200, 200]);
    });

    test('going back: the old release runs on the new schema again, and the new one after it', async () => {
      const now = running(fresh);
      const newer = await obtainTokens(now.service, client, users[0] as TestUser);
      const listedArgs = [
        'client',
        'create',
        '--name',
        'Listed',
        '--redirect-uri',
        client.redirectUri,
        '--access',
        'listed',
      ];
      const made = await command(root, listedArgs, environment);
      const listed = { ...client, id: made.client_id, secret: made.client_secret };
      assert.equal(await now.stop(), 0);

      old = await serve(oldRelease, environment);
      for (const issued of [later, newer]) {
        assert.deepEqual([await known(old, issued), await refreshed(old, issued)], [200, 200]);
        assert.equal((await at(old, issued).visit('/account')).status, 200);
      }
      assert.deepEqual([await known(old, earlier), await refreshed(old, earlier)], [401, 400]);
      const email = 'hedy@example.test';
      const args = ['user', 'create', '--email', email, '--name', 'Hedy Lamarr', '--password-stdin'];
      const { id } = await command(oldRelease, args, environment, 'correct horse battery\n');
      const hedy = { id, email, password: 'correct horse battery' } as TestUser;
      const between = await obtainTokens(old.service, client, hedy);
      const withoutAccess = await obtainTokens(old.service, listed, hedy);
      assert.equal(await known(old, withoutAccess), 200, "what only the new one knows isn't enforced");
      await revoke(old, newer.tokens.refresh_token);
      assert.equal(await old.stop(), 0);

      const again = await serve(root, environment);
      fresh = again;
      assert.deepEqual([await known(again, newer), await refreshed(again, newer)], [401, 400]);
      for (const issued of [later, between]) {
        assert.deepEqual([await known(again, issued), await refreshed(again, issued)], [200, 200]);
      }
      assert.equal(await known(again, withoutAccess), 401);
      // The old release knows no words of email addresses.
      await command(root, ['migrate', '--reindex'], environment);
      const found = await command(root, ['user', 'list', '--search', 'hedy example'], environment);
      assert.deepEqual(
        found.map((each: { email: string }) => each.email),
        [email],
      );
    });

    test('a version before the old release would refuse to start', async () => {
      const last = readMigrations().findLast(({ sql }) => sql.includes("'oldest_schema'"));
      assert.match(last?.sql ?? '', new RegExp(`'oldest_schema', '${newestOf(previous)}'`));
    });
  });
}
