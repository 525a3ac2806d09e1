// A store of the previous release is migrated while an instance of that release serves from it, and the migration is killed at random
// moments and run again. No request notices, and in the end there is the schema that a new store has.

import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { command, migrator, rowsOf, watchLocks } from '../bench/migration.ts';
import { startProcess, stopProcess } from '../bench/server-process.ts';
import { populateIn } from '../bench/servers.ts';
import { root, startCommand } from '../test/harness/command.ts';
import { Ledger } from '../test/harness/ledger.ts';
import { queryPostgres, startPostgres, type TestPostgres } from '../test/harness/postgres.ts';
import { extractRelease, findPreviousRelease } from '../test/harness/previous-release.ts';
import { freePort, type TestService } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { type Experiment, times } from './experiment.ts';

const connections = 3;
/** Milliseconds. */
const longestWaitAllowed = 1000;
/** Seconds. A request waits for several statements, and for the cores that it shares with the migration. */
const slowestAllowed = 10;
/** Grants that both versions have to agree on, once both of them run. */
const grantsOfBoth = 100;

export const migrationUnderLoad: Experiment = {
  name: 'migration',
  title: 'Migration from the previous release, killed under load, PostgreSQL',
  unavailable: () => (findPreviousRelease() ? undefined : "the previous release isn't in the history of this clone"),
  run: async ({ scale, say }) => {
    const release = findPreviousRelease();
    if (release === undefined) throw new Error('there is no previous release');
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const previous = join(folder.path, 'previous');
    extractRelease(release, previous);
    const postgres = cleanup.adopt(await startPostgres({ durable: true }), (server) => server.remove());
    const databaseUrl = await postgres.newDatabase({ migrated: false });
    const [oldUrl, newUrl] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
    const environment = {
      LATCHKEY_BASE_URL: oldUrl,
      LATCHKEY_PORT: new URL(oldUrl).port,
      LATCHKEY_DATA_DIR: folder.path,
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
      LATCHKEY_DRAIN_SECONDS: '0',
      DATABASE_URL: databaseUrl,
    };
    await command(previous, ['migrate'], environment);
    const { client, users } = await populateIn(previous, environment, connections);
    const people = times(200_000, scale);
    for (const sql of rowsOf(people, client.id)) await queryPostgres(databaseUrl, sql);
    await queryPostgres(databaseUrl, 'VACUUM ANALYZE');
    say(`a store of ${release.version} with ${people} people is there`);

    const start = async (place: string, url: string) => {
      const settings = { ...environment, LATCHKEY_PORT: new URL(url).port };
      const child = await startProcess(['serve'], /Latchkey (serves|is running at)/, {
        environment: settings,
        program: join(place, 'latchkey'),
        everyCore: true,
      });
      return cleanup.adopt(child, (each) => (each.exitCode === null ? stopProcess(each) : undefined));
    };
    const old = await start(previous, oldUrl);
    let [urls, requests] = [[oldUrl], 0];
    const service = {
      get url() {
        return urls[requests++ % urls.length];
      },
      baseUrl: oldUrl,
    } as TestService;
    const ledger = new Ledger(service, client, users);
    await ledger.signIn();

    const broken: string[] = [];
    let ended = false;
    cleanup.defer(() => {
      ended = true;
    });
    const load = ledger.loadThrough(() => ended);
    const waits = await watchLocks(databaseUrl);
    const migrating = { ...environment, DATABASE_URL: `${databaseUrl}?application_name=${migrator}` };
    const kills = times(20, scale);
    let interrupted = 0;
    for (let kill = 1; kill <= kills; kill++) {
      const child = startCommand(['migrate'], migrating);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      const isAtWork = async () => child.exitCode !== null || (await sessionsOfMigration()) > 0;
      await until(isAtWork, 'the migration is under way');
      // At any moment of it, hence a random one. The last runs begin where those before them have ended.
      await pause(Math.random() * 1500);
      if (child.exitCode === null) interrupted++;
      child.kill('SIGKILL');
      await exited;
      say(`migration ${kill} of ${kills} killed, version ${await version(databaseUrl)}`);
    }
    const started = performance.now();
    await command(root, ['migrate'], migrating);
    const seconds = (performance.now() - started) / 1000;
    say(`migrated after ${seconds.toFixed(0)} s, ${ledger.grants} grants`);
    ended = true;
    await load;
    const { longest, samples } = await waits.stop();
    const duringMigration = ledger.grants;
    if (longest.milliseconds > longestWaitAllowed) {
      broken.push(`a statement waited for a lock for ${longest.milliseconds.toFixed(0)} ms: ${longest.statement}`);
    }
    broken.push(...(await schemaDifferences(postgres, databaseUrl)));

    await start(root, newUrl);
    urls = [oldUrl, newUrl];
    await ledger.load(() => ledger.grants >= duringMigration + grantsOfBoth);
    await stopProcess(old);
    urls = [newUrl];
    broken.push(...(await ledger.checkPeople()), ...(await ledger.checkRefresh()));
    broken.push(...(await ledger.check(true)), ...ledger.wrong);
    if (ledger.failed > 0) broken.push(`${ledger.failed} requests failed`);
    const slowest = ledger.slowest / 1000;
    if (slowest > slowestAllowed) broken.push(`a request took ${slowest.toFixed(1)} s`);
    return {
      done: `from ${release.version} with ${people.toLocaleString('en')} people, killed ${interrupted} times, the last run ${seconds.toFixed(0)} s, ${connections} connections`,
      checks: {
        'grants meanwhile': duringMigration,
        grants: ledger.grants,
        revocations: ledger.revocations,
        'looks at locks': samples,
        'migrations killed': interrupted,
      },
      remarks: [
        `longest wait for a lock ${longest.milliseconds.toFixed(0)} ms`,
        `slowest response ${slowest.toFixed(1)} s`,
        'schema',
      ],
      broken,
    };

    async function sessionsOfMigration(): Promise<number> {
      const sql = `SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = '${migrator}'`;
      const [row] = await queryPostgres(databaseUrl, sql);
      return Number(row?.count);
    }
  },
};

async function version(databaseUrl: string): Promise<number> {
  const [row] = await queryPostgres(databaseUrl, 'SELECT max(version) AS version FROM schema_version');
  return Number(row?.version);
}

/** What a new store has that this one hasn't, and the other way around. */
async function schemaDifferences(postgres: TestPostgres, databaseUrl: string): Promise<string[]> {
  const now = await schemaOf(databaseUrl);
  const wanted = await schemaOf(await postgres.newDatabase());
  const lacks = [...wanted.difference(now)].map((line) => `the schema lacks ${line}`);
  return [...lacks, ...[...now.difference(wanted)].map((line) => `the schema has ${line}`)];
}

async function schemaOf(url: string): Promise<Set<string>> {
  const rows = await queryPostgres(
    url,
    `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS line
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT 'an invalid index: ' || indexrelid::regclass FROM pg_index WHERE NOT indisvalid
     UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ line }) => String(line)));
}
