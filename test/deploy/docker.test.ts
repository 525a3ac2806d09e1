// deploy/Dockerfile and deploy/compose.yaml. Docker isn't always available, so the test carries out what the Dockerfile does
// with the project's files in a folder, and runs what a container would run there: as another user if possible, with the
// environment from the two files. `npm run container` builds the image and starts it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/platform/config.ts';
import { cleanEnvironment, finished, outputMatching, root } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { queryPostgres, startPostgres, type TestPostgres } from '../harness/postgres.ts';
import { freePort } from '../harness/service.ts';

const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const instructions = [...dockerfile.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name = '', rest = '']) => ({ name, rest }));
const all = (name: string) => instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
/** Of the last stage. The path to Node, and what Node keeps in the image, are those of the folder here. */
const imageEnvironment = Object.fromEntries(
  instructions
    .slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
    .filter(({ name, rest }) => name === 'ENV' && rest.startsWith('LATCHKEY_'))
    .map(({ rest }) => rest.split('=') as [string, string]),
);
const environmentExample = readFileSync(join(root, 'deploy/compose.env.example'), 'utf8');

// In the image the service runs as a user who doesn't own its files. Here that user is nobody.
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const user = isRoot ? nobody : {};

let folder: string;
let app: string;
let data: string;
let path: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-image-'));
  chmodSync(folder, 0o755);
  [app, data] = [join(folder, 'app'), join(folder, 'data')];
  for (const name of ['app', 'bin']) mkdirSync(join(folder, name), { mode: 0o755 });
  cpSync(process.execPath, join(folder, 'bin/node'));
  // The image's Node, and not the one that the project installs.
  const inherited = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));
  path = [join(folder, 'bin'), ...inherited].join(delimiter);
  for (const { name, rest } of instructions) {
    if (name === 'COPY' && !rest.startsWith('--from')) copy(rest.split(' '));
    // The other steps are about Debian's files.
    if (name === 'RUN' && rest.includes('npm ci')) run(rest);
  }
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, nobody.uid, nobody.gid);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function copy(words: string[]): void {
  const target = words.pop() as string;
  for (const source of words) {
    const name = target === './' ? source : target;
    cpSync(join(root, source), join(app, name), { recursive: true });
  }
}

function run(line: string): void {
  const command = line.replace(/^--mount=\S+ /, '');
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: app, env: environmentOf({}), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

function environmentOf(settings: Record<string, string>): Record<string, string> {
  const environment = cleanEnvironment({ ...settings, PATH: path, npm_config_prefer_offline: 'true' });
  for (const name of Object.keys(environment)) {
    if (/^npm_(?!config_(prefer_offline|cache|registry|userconfig))/.test(name)) delete environment[name];
  }
  return environment;
}

/** What `docker run` does with these arguments and settings, on ports and in folders of the test's own. */
function container(args: readonly string[], settings: Record<string, string>, place = app): ChildProcess {
  assert.deepEqual(all('ENTRYPOINT'), ['["latchkey"]']);
  const environment = environmentOf({
    ...imageEnvironment,
    LATCHKEY_DATA_DIR: data,
    LATCHKEY_HOST: '127.0.0.1',
    ...settings,
  });
  return spawn('./latchkey', [...args], { cwd: place, env: environment, ...user });
}

const serveArguments = JSON.parse(all('CMD')[0] ?? '') as string[];

function healthCheck(settings: Record<string, string>): number | null {
  const [, words = ''] = /CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0] ?? '') ?? [];
  const [command = '', ...args] = JSON.parse(words) as string[];
  return spawnSync(command, args, { cwd: app, env: environmentOf({ ...imageEnvironment, ...settings }), ...user })
    .status;
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}

describe('the image', () => {
  test('has the pinned Node version and no unnecessary dependency', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [base = '', ...others] = all('ARG');
    const [tag, digest = ''] = base.split('@');
    assert.equal(tag, `BASE_IMAGE=docker.io/library/node:${optionalDependencies.node}-slim`);
    assert.match(digest, /^(sha256:[0-9a-f]{64})?$/);
    assert.deepEqual(others, []);
    for (const name of ['node', 'typescript']) assert.equal(existsSync(join(app, 'node_modules', name)), false, name);
  });

  test('is built in one stage, and the second contains only files from the first', () => {
    assert.deepEqual(all('FROM'), ['$BASE_IMAGE AS build', 'scratch']);
    const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
    const copied = last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    assert.deepEqual(copied, [
      '--from=build /image /',
      '--from=build /app /app',
      '--from=build --chown=1000:1000 /volumes /',
    ]);
    assert.equal(
      last.some(({ name }) => name === 'RUN'),
      false,
    );
  });

  test('starts Node as the launcher does', () => {
    const launcher = readFileSync(join(root, 'latchkey'), 'utf8');
    const [, options] = /^exec "\$node" (.*) "\$main" "\$@"$/m.exec(launcher) ?? [];
    // The gate has less, which an image with one first line can't tell from the service.
    const [, semiSpace = ''] = /^semi_space=(\d+)$/m.exec(launcher) ?? [];
    assert.ok(options && semiSpace);
    const given = options.replace('$semi_space', semiSpace);
    assert.ok(dockerfile.includes(`'#!/usr/local/bin/node ${given}\\nimport "%s";\\n' "$main"`));
    for (const name of ['src/bundle/main.js', 'src/cli/start.ts']) {
      assert.ok(launcher.includes(`main="$here/${name}"`));
      assert.ok(dockerfile.includes(`main=/app/${name}`));
    }
  });

  test('contains what is copied and nothing else', () => {
    const ignored = readFileSync(join(root, 'deploy/Dockerfile.dockerignore'), 'utf8');
    const lines = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const copied = all('COPY')
      .filter((words) => !words.startsWith('--from'))
      .flatMap((words) => words.split(' ').slice(0, -1));
    // Records of decisions aren't documentation for those who use the image.
    const leftOut = 'docs/decisions';
    assert.equal(lines.indexOf(leftOut), lines.indexOf('!docs') + 1);
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('!')),
      ['*', leftOut],
    );
    assert.deepEqual(lines.filter((line) => line.startsWith('!')).sort(), copied.map((name) => `!${name}`).sort());
  });

  test('runs as an unprivileged user, given by number so that Kubernetes can check it', () => {
    assert.deepEqual(all('USER'), ['1000:1000']);
  });

  test('serves, is healthy, runs commands, and stops when asked to', async () => {
    const port = String(await freePort());
    const settings = { LATCHKEY_BASE_URL: 'https://login.example.com', LATCHKEY_PORT: port };
    assert.equal(healthCheck(settings), 1, 'nothing runs yet');
    const service = container(serveArguments, settings);
    try {
      await outputMatching(service, /Latchkey is running at/);
      assert.equal(healthCheck(settings), 0);
      const answer = await fetch(`http://127.0.0.1:${port}/.well-known/openid-configuration`);
      assert.equal(((await answer.json()) as { issuer: string }).issuer, 'https://login.example.com');
      const create = ['client', 'create', '--name', 'My app', '--redirect-uri', 'https://app.example/cb', '--json'];
      const made = await finished(container(create, settings));
      assert.ok(JSON.parse(made.stdout).client_id, made.stderr);
      assert.ok(existsSync(join(data, 'latchkey.db')) && existsSync(join(data, 'keys')));
      for (const page of ['/docs', '/docs/errors', '/docs/security', '/docs/architecture', '/docs/images/flow.svg']) {
        assert.equal((await fetch(`http://127.0.0.1:${port}${page}`)).status, 200, page);
      }
    } finally {
      assert.equal(await stop(service), 0);
    }
  });

  test("starts without the documentation, and then doesn't link to it", async () => {
    const bare = join(folder, 'bare');
    mkdirSync(bare, { mode: 0o755 });
    for (const name of ['src', 'latchkey', 'package.json'])
      cpSync(join(app, name), join(bare, name), { recursive: true });
    symlinkSync(join(app, 'node_modules'), join(bare, 'node_modules'));
    const port = String(await freePort());
    const settings = { LATCHKEY_BASE_URL: `http://localhost:${port}`, LATCHKEY_PORT: port };
    const service = container(serveArguments, settings, bare);
    try {
      await outputMatching(service, /Latchkey is running at/);
      assert.equal((await fetch(`http://127.0.0.1:${port}/docs`)).status, 404);
      const refusal = await fetch(`http://127.0.0.1:${port}/oauth/userinfo`);
      assert.equal('error_uri' in ((await refusal.json()) as object), false);
      const create = ['client', 'create', '--name', 'My app', '--redirect-uri', 'https://app.example/cb'];
      const made = await finished(container(create, settings, bare));
      assert.deepEqual([made.status, /docs/.test(made.stdout)], [0, false], made.stderr);
    } finally {
      assert.equal(await stop(service), 0);
    }
  });

  test('without its Node, the launcher says what is missing', () => {
    const old = join(folder, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const environment = { ...environmentOf({}), PATH: [old, '/usr/bin', '/bin'].join(delimiter) };
    const result = spawnSync('./latchkey', ['--version'], { cwd: app, env: environment, encoding: 'utf8' });
    assert.equal(result.status, 1);
    assert.match(result.stderr, /^latchkey: Node\.js 24\.7 or newer is required/);
  });
});

describe('compose', () => {
  // Used if it is there. It is too large to be installed for this test alone.
  const skip = existsSync('/usr/bin/docker-compose') ? false : 'docker-compose is not installed';
  const keys = randomBytes(32).toString('base64url');
  let postgres: TestPostgres | undefined;
  after(() => postgres?.remove());

  function compose(environment: string | undefined, ...args: string[]) {
    const project = mkdtempSync(join(folder, 'compose-'));
    cpSync(join(root, 'deploy'), join(project, 'deploy'), { recursive: true });
    rmSync(join(project, 'deploy/.env'), { force: true });
    if (environment !== undefined) writeFileSync(join(project, 'deploy/.env'), environment);
    const file = join(project, 'deploy/compose.yaml');
    const { POSTGRES_PASSWORD: _, ...inherited } = cleanEnvironment({});
    const options = { cwd: join(project, 'deploy'), env: inherited, encoding: 'utf8' } as const;
    return spawnSync('/usr/bin/docker-compose', ['-f', file, ...args], options);
  }

  const filledIn = environmentExample
    .replace(/^POSTGRES_PASSWORD=$/m, 'POSTGRES_PASSWORD=secret')
    .replace(/^LATCHKEY_KEYS=$/m, `LATCHKEY_KEYS=${keys}`)
    .replace(/^#([A-Z_]+=)/gm, '$1');

  /** The environment of a service, as docker compose reads the file. */
  function environmentIn(config: string, service: string): Record<string, string> {
    const [, block = ''] = new RegExp(`^ {2}${service}:\\n((?: {4}.*\\n)+)`, 'm').exec(config) ?? [];
    const [, lines = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(block) ?? [];
    const pairs = [...lines.matchAll(/^ {6}(\w+): (.*)$/gm)];
    return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')]));
  }

  test("accepts the file with the example's values filled in", { skip }, () => {
    const services = compose(filledIn, 'config', '--services');
    assert.equal(services.status, 0, services.stderr);
    assert.deepEqual(services.stdout.trim().split('\n').sort(), ['db', 'latchkey', 'migrate', 'proxy']);
  });

  test('does not start without a password and keys', { skip }, () => {
    for (const name of ['POSTGRES_PASSWORD', 'LATCHKEY_KEYS']) {
      const without = compose(filledIn.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=`), 'config');
      assert.notEqual(without.status, 0, name);
      assert.match(without.stderr, /set it in deploy\/\.env/);
    }
  });

  test('names existing files and the proxy to trust', () => {
    const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
    const mounted = [...text.matchAll(/^ +- (\.\/\S+?):\//gm)].map(([, file]) => file as string);
    const built = [...text.matchAll(/dockerfile: (\S+)/g)].map(([, file]) => file as string);
    assert.deepEqual([mounted, built], [['./compose-database.sh', './Caddyfile'], ['deploy/Dockerfile']]);
    for (const file of [...mounted.map((each) => join('deploy', each)), ...built])
      assert.ok(existsSync(join(root, file)), file);
    const believed = /LATCHKEY_TRUST_PROXY: (\S+)/.exec(text)?.[1];
    assert.equal(/^ {2}proxy:[\s\S]*?ipv4_address: (\S+)/m.exec(text)?.[1], believed);
    const variables = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string);
    for (const name of variables) assert.match(environmentExample, new RegExp(`^${name}=`, 'm'));
  });

  const noClient = ensureDebianPackages({ 'postgresql-client': '/usr/bin/psql' });
  test('the service has a role that owns its database and is no superuser', { skip: noClient ?? false }, async () => {
    const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
    assert.doesNotMatch(text, /POSTGRES_USER|POSTGRES_DB\b/, 'the superuser keeps its own name');
    const server = await startPostgres();
    try {
      const admin = new URL(await server.newDatabase({ migrated: false }));
      await queryPostgres(admin.href, "CREATE ROLE postgres SUPERUSER LOGIN PASSWORD 'first'");
      admin.username = 'postgres';
      admin.password = 'first';
      // The tests' own superuser has the name that the service's role gets.
      await queryPostgres(admin.href, 'ALTER ROLE latchkey RENAME TO other');
      const made = spawnSync('sh', [join(root, 'deploy/compose-database.sh')], {
        env: {
          PATH: process.env.PATH,
          POSTGRES_USER: 'postgres',
          POSTGRES_PASSWORD: `it's "secret"`,
          PGHOST: admin.hostname,
          PGPORT: admin.port,
          PGPASSWORD: 'first',
        },
        encoding: 'utf8',
      });
      assert.equal(made.status, 0, made.stderr);
      const asService = `postgres://latchkey:${encodeURIComponent(`it's "secret"`)}@${admin.host}/latchkey?sslmode=disable`;
      const migration = await finished(container(['migrate'], { DATABASE_URL: asService, LATCHKEY_KEYS: keys }));
      assert.equal(migration.status, 0, migration.stderr);
      const [role] = await queryPostgres(
        asService,
        `SELECT current_user AS name, rolsuper, rolcreaterole, rolcreatedb, rolreplication,
          (SELECT rolname FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = 'latchkey') AS owner
          FROM pg_roles WHERE rolname = current_user`,
      );
      const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false };
      assert.deepEqual({ ...role }, { name: 'latchkey', owner: 'latchkey', ...none });
      const elsewhere = asService.replace('/latchkey?', '/postgres?');
      await assert.rejects(queryPostgres(elsewhere, 'SELECT 1'), /permission denied for database/);
      const [superuser] = await queryPostgres(
        admin.href,
        "SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'",
      );
      assert.equal(superuser?.rolpassword, null);
    } finally {
      await server.remove();
    }
  });

  test('the migration, then two instances with the same keys serve one database', { skip }, async () => {
    const { stdout } = compose(filledIn, 'config');
    const given = environmentIn(stdout, 'latchkey');
    const config = readConfig({ ...imageEnvironment, ...given });
    assert.equal(config.databaseUrl, 'postgres://latchkey:secret@db:5432/latchkey?sslmode=disable');
    assert.deepEqual([config.host, config.keys, config.email.kind], ['0.0.0.0', [keys], 'smtp']);
    assert.match(stdout, new RegExp(`LATCHKEY_UPSTREAM: latchkey:${config.port}\n`));
    assert.deepEqual(environmentIn(stdout, 'migrate'), given);

    postgres = await startPostgres();
    const settings = { ...given, DATABASE_URL: await postgres.newDatabase({ migrated: false }) };
    const early = await finished(container(serveArguments, { ...settings, LATCHKEY_PORT: String(await freePort()) }));
    assert.match(early.stderr, /Run "latchkey migrate"/);
    const migration = await finished(container(['migrate'], settings));
    assert.equal(migration.status, 0, migration.stderr);
    const ports = [await freePort(), await freePort()].map(String);
    const instances = ports.map((port) => container(serveArguments, { ...settings, LATCHKEY_PORT: port }));
    try {
      await Promise.all(instances.map((instance) => outputMatching(instance, /Latchkey is running at/)));
      for (const port of ports) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    } finally {
      await Promise.all(instances.map(stop));
    }
  });
});
