// What a migration on PostgreSQL does to those who use the service meanwhile: a store of the previous release, an instance of which
// goes on serving, and how long it takes. Throws if a request failed or waited for a lock for more than a second.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { MixedLoad } from '../faults/mixed-load.ts';
import { cleanEnvironment, finished, root } from '../test/harness/command.ts';
import { queryPostgres, startPostgres } from '../test/harness/postgres.ts';
import { extractRelease, findPreviousRelease } from '../test/harness/previous-release.ts';
import { freePort, type TestService } from '../test/harness/service.ts';
import { startProcess, stopProcess } from './server-process.ts';
import { populateIn } from './servers.ts';
import { short, table } from './table.ts';

const longestAllowed = 1000;
/** In milliseconds. */
const sampleEvery = 10;
/** By this name, PostgreSQL tells the migration from requests. */
export const migrator = 'migration';

export interface MigrationFigures {
  readonly people: number;
  readonly seconds: number;
  readonly requests: number;
  readonly failures: readonly string[];
  readonly slowestRequest: number;
  /** Of what isn't the migration, in milliseconds, with the statement. */
  readonly longestWait: Wait;
  readonly samples: number;
}

interface Wait {
  readonly milliseconds: number;
  readonly statement: string;
}

/** What a store of 0.3.0 has for each person, in rows. Every tenth has an authenticator app, and every tenth a passkey. */
export function rowsOf(people: number, clientId: string): string[] {
  const numbers = `generate_series(1, ${people}) i`;
  const now = Date.now();
  const id = "'bench' || lpad(i::text, 12, '0')";
  return [
    `INSERT INTO users (id, email, email_key, email_verified_at, name, given_name, family_name, password_hash, generation, created_at,
       updated_at, last_active_at)
     SELECT ${id}, 'p' || i || '@bench.example', 'p' || i || '@bench.example', i, 'Person ' || i, 'Person', 'No' || i, 'hash', 0, i, i,
       CASE WHEN i % 4 = 0 THEN NULL ELSE i END FROM ${numbers}`,
    `INSERT INTO search_words (kind, word, ref, source) SELECT 'person', convert_to(w.word, 'UTF8'), ${id}, w.source
     FROM ${numbers} CROSS JOIN LATERAL (VALUES ('person ' || i, 'name'), ('no' || i, 'name'), ('p' || i || '@bench.example', 'email'))
       w (word, source)`,
    `INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr, device, address)
     SELECT md5(i::text), ${id}, 0, ${now}, ${now}, ${now}, 'pwd', 'Firefox on Linux', '192.0.2.1' FROM ${numbers}`,
    `INSERT INTO known_devices (user_id, digest, last_seen_at) SELECT ${id}, md5(i::text), ${now} FROM ${numbers}`,
    `INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
     SELECT ${id}, '${clientId}', 0, 'openid profile email', ${now}, ${now} FROM ${numbers}`,
    `INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri, code_challenge, auth_time, amr,
       code_digest, code_expires_at, exchanged_at, refresh_digest, expires_at, delete_after)
     SELECT 'grant' || md5(i::text), ${id}, 0, '${clientId}', 0, 'openid profile email', 'http://localhost:9999/callback', md5(i::text),
       ${now}, 'pwd', md5(i::text), ${now}, ${now}, md5(i::text), ${now} + 2592000000, ${now} + 2592000000 FROM ${numbers}`,
    `INSERT INTO events (id, at, kind, user_id, client_id, address, request_id, detail)
     SELECT lpad(i::text, 26, '0') || kind, ${now}, kind, ${id}, '${clientId}', '192.0.2.1', md5(i::text), '{}'
     FROM ${numbers}, (VALUES ('signed_in'), ('code_exchanged')) AS kinds (kind)`,
    `INSERT INTO authenticators (user_id, sealed_secret, last_step, created_at) SELECT ${id}, md5(i::text), 0, i FROM ${numbers}
     WHERE i % 10 = 0`,
    `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
     SELECT md5(i::text), ${id}, md5(i::text), 0, '', 'Key', i FROM ${numbers} WHERE i % 10 = 5`,
  ];
}

export async function measureMigration(people: number): Promise<MigrationFigures> {
  const release = findPreviousRelease();
  if (release === undefined) throw new Error("the previous release isn't in the history of this clone");
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-migration-'));
  const previous = join(folder, 'previous');
  extractRelease(release, previous);
  const postgres = await startPostgres({ durable: true });
  try {
    const databaseUrl = await postgres.newDatabase({ migrated: false });
    const url = `http://localhost:${await freePort()}`;
    const environment = {
      LATCHKEY_BASE_URL: url,
      LATCHKEY_PORT: new URL(url).port,
      LATCHKEY_DATA_DIR: join(folder, 'data'),
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
      DATABASE_URL: databaseUrl,
    };
    await command(previous, ['migrate'], environment);
    const { client, users } = await populateIn(previous, environment, 40);
    const key = JSON.parse(
      await command(previous, ['api-key', 'create', '--name', 'Bench', '--permission', 'write', '--json'], environment),
    );
    for (const sql of rowsOf(people, client.id)) {
      process.stderr.write(`${sql.slice(0, 40)} …\n`);
      await queryPostgres(databaseUrl, sql);
    }
    await queryPostgres(databaseUrl, 'VACUUM ANALYZE');
    await queryPostgres(databaseUrl, 'CHECKPOINT');

    const child = await startProcess(['serve'], /Latchkey serves/, {
      environment,
      program: join(previous, 'latchkey'),
      everyCore: true,
    });
    try {
      const service = { url } as TestService;
      const load = new MixedLoad(service, client, users);
      await load.signIn();
      const administration = new Administration(url, key.key, people);
      const waits = await watchLocks(databaseUrl);
      let ended = false;
      const running = Promise.all([load.run(() => ended), administration.run(() => ended)]);
      const started = performance.now();
      process.stderr.write('migrating\n');
      await command(root, ['migrate'], { ...environment, DATABASE_URL: `${databaseUrl}?application_name=${migrator}` });
      const seconds = (performance.now() - started) / 1000;
      ended = true;
      await running;
      const { longest, samples } = await waits.stop();
      const timings = [...load.timings.map(({ milliseconds }) => milliseconds), ...administration.timings];
      return {
        people,
        seconds,
        requests: timings.length,
        failures: [...load.wrong, ...administration.wrong],
        slowestRequest: timings.reduce((most, one) => Math.max(most, one), 0),
        longestWait: longest,
        samples,
      };
    } finally {
      await stopProcess(child);
    }
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function command(
  place: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<string> {
  const child = spawn('./latchkey', [...args], { cwd: place, env: cleanEnvironment(environment) });
  const { status, stdout, stderr } = await finished(child, '');
  if (status !== 0) throw new Error(`latchkey ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** What an administrator's program does. */
class Administration {
  readonly #url: string;
  readonly #key: string;
  readonly #people: number;
  readonly timings: number[] = [];
  readonly wrong: string[] = [];

  constructor(url: string, key: string, people: number) {
    this.#url = url;
    this.#key = key;
    this.#people = people;
  }

  async run(ended: () => boolean): Promise<void> {
    for (let round = 1; !ended(); round++) {
      const id = `bench${String(1 + ((round * 7919) % this.#people)).padStart(12, '0')}`;
      const last = `bench${String(this.#people - round).padStart(12, '0')}`;
      await this.#ask('GET', '/api/people?limit=50');
      await this.#ask('GET', `/api/people?search=no${round}&limit=50`);
      await this.#ask('GET', `/api/people/${id}`);
      await this.#ask('POST', `/api/people/${id}/disable`);
      await this.#ask('POST', `/api/people/${id}/enable`);
      await this.#ask('DELETE', `/api/people/${last}`);
      await this.#ask('GET', '/api/applications');
      await this.#ask('GET', '/api/events?limit=50');
    }
  }

  async #ask(method: string, path: string): Promise<void> {
    const started = performance.now();
    const answer = await fetch(this.#url + path, { method, headers: { Authorization: `Bearer ${this.#key}` } }).catch(
      String,
    );
    if (typeof answer !== 'string') await answer.arrayBuffer();
    this.timings.push(performance.now() - started);
    if (typeof answer === 'string' || answer.status !== 200) {
      this.wrong.push(`${method} ${path}: ${typeof answer === 'string' ? answer : answer.status}`);
    }
  }
}

/** Looks again and again for how long anyone but the migration and PostgreSQL itself has been waiting for a lock. */
export async function watchLocks(url: string): Promise<{ stop(): Promise<{ longest: Wait; samples: number }> }> {
  const connection = new pg.Client(url);
  await connection.connect();
  let longest: Wait = { milliseconds: 0, statement: '' };
  let samples = 0;
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const { rows } = await connection.query<{ milliseconds: number; statement: string }>(
        `SELECT (EXTRACT(EPOCH FROM clock_timestamp() - l.waitstart) * 1000)::float8 AS milliseconds, a.query AS statement
         FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE NOT l.granted AND a.backend_type = 'client backend' AND a.application_name <> '${migrator}'
         ORDER BY 1 DESC NULLS LAST LIMIT 1`,
      );
      samples++;
      if ((rows[0]?.milliseconds ?? 0) > longest.milliseconds) longest = rows[0] as Wait;
      await new Promise((resolve) => setTimeout(resolve, sampleEvery));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      await connection.end();
      return { longest, samples };
    },
  };
}

export function migrationTable(figures: MigrationFigures): string {
  const { people, seconds, requests, failures, slowestRequest, longestWait, samples } = figures;
  return table(
    [
      'people',
      'seconds',
      'seconds per million',
      'requests',
      'failed',
      'slowest request',
      'longest wait for a lock',
      'samples',
    ],
    [
      [
        people.toLocaleString('en'),
        short(seconds),
        short((seconds * 1_000_000) / people),
        requests,
        failures.length,
        `${short(slowestRequest)} ms`,
        `${short(longestWait.milliseconds)} ms`,
        samples,
      ],
    ],
  );
}

/** Why the figures aren't good enough. */
export function problemsOf({ failures, longestWait, requests, samples }: MigrationFigures): readonly string[] {
  return [
    ...new Set(failures),
    ...(longestWait.milliseconds > longestAllowed ? [`waited for a lock: ${longestWait.statement}`] : []),
    ...(requests === 0 || samples === 0 ? ['nothing was checked'] : []),
  ];
}
