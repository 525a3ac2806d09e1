// The files of a release: the same bytes from the same commit, nothing but what is committed and needed, and a tarball that
// runs with its production dependencies alone. `npm run release` also installs it with npm.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { iconNames } from '../../src/pages/components/icon.ts';
import { cleanEnvironment, outputMatching, root } from '../harness/command.ts';
import { brokenLinks } from '../harness/documents.ts';
import { freePort } from '../harness/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-releases-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const first = join(folder, 'first');
const second = join(folder, 'elsewhere/second clone');
const out = join(folder, 'out');
const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', '-c', 'commit.gpgsign=false'];
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const [, tag = ''] = /^ARG BASE_IMAGE=([^\s@]+)/m.exec(dockerfile) ?? [];

/** The files as they are here, committed: the commit is in the names of what's made of it. */
function commitFiles(): string {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  const names = listed.toString().split('\0');
  for (const file of names.filter((name) => name !== '' && name !== 'node_modules' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(first, file));
  }
  execFileSync('git', ['init', '-q'], { cwd: first });
  linkPackages(first);
  for (const args of [
    ['add', '-A'],
    [...author, 'commit', '-qm', 'release: test'],
  ]) {
    execFileSync('git', args, { cwd: first });
  }
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: first, encoding: 'utf8' }).trim();
}

const commit = commitFiles();
/** What it calls itself. */
const build = `${version}+${commit.slice(0, 7)}`;
const title = `latchkey-${version.endsWith('-dev') ? build : version}`;

/** What the bundle is made of. */
function linkPackages(place: string): void {
  symlinkSync(realpathSync(join(root, 'node_modules')), join(place, 'node_modules'));
  mkdirSync(join(place, '.git/info'), { recursive: true });
  writeFileSync(join(place, '.git/info/exclude'), 'node_modules\n');
}

function setBaseImage(place: string, image: string): void {
  const file = join(place, 'deploy/Dockerfile');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^ARG BASE_IMAGE=.*$/m, `ARG BASE_IMAGE=${image}`));
}

function release(
  place: string,
  folderOfFiles: string,
  environment: Record<string, string> = {},
  umask = '0022',
  more: readonly string[] = version.endsWith('-dev') ? ['--snapshot'] : [],
) {
  const command = `umask ${umask} && exec "$@"`;
  const args = [process.execPath, 'scripts/release.ts', '--skip-trial', '--out', folderOfFiles, ...more];
  return spawnSync('sh', ['-c', command, 'sh', ...args], {
    cwd: place,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
}

/** A file of the tarball. */
const inTarball = (file: string) =>
  execFileSync('tar', ['-xzOf', join(out, `${title}.tgz`), `${title}/${file}`], { encoding: 'utf8' });

describe('a release', () => {
  test('has the same bytes from another clone, with another umask, time zone, locale and configuration', () => {
    const made = release(first, out);
    assert.equal(made.status, 0, made.stderr);
    execFileSync('sh', ['-c', 'umask 0077 && git clone -q "$1" "$2"', 'sh', first, second]);
    linkPackages(second);
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(
      join(home, '.gitconfig'),
      '[tar]\n\tumask = 0\n[core]\n\tautocrlf = true\n[status]\n\tshort = true\n',
    );
    const other = join(folder, 'other');
    const environment = {
      TZ: 'Pacific/Kiritimati',
      LC_ALL: 'tr_TR.UTF-8',
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    };
    const again = release(second, other, environment, '0077');
    assert.equal(again.status, 0, again.stderr);
    const files = readdirSync(out).sort();
    assert.deepEqual(files, ['SHA256SUMS', `${title}.cdx.json`, `${title}.tgz`]);
    assert.deepEqual(readdirSync(other).sort(), files);
    for (const file of files) assert.ok(readFileSync(join(out, file)).equals(readFileSync(join(other, file))), file);
  });

  test('is refused with uncommitted changes', () => {
    for (const [file, text] of Object.entries({ 'src/new.ts': 'export {};\n', 'README.md': 'changed\n' })) {
      writeFileSync(join(second, file), text);
      const refused = release(second, join(folder, 'refused'));
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, new RegExp(`^A release contains what is committed\\..*\\n.* ${file}\\n$`));
      assert.equal(existsSync(join(folder, 'refused')), false);
      execFileSync('sh', ['-c', 'git reset -q --hard && git clean -fdq'], { cwd: second });
    }
  });

  test('is refused for a version that is none, unless a snapshot is asked for', () => {
    const refused = release(second, join(folder, 'refused'), {}, '0022', []);
    assert.equal(refused.status, version.endsWith('-dev') ? 1 : 0, refused.stderr);
    if (!version.endsWith('-dev')) return;
    assert.match(refused.stderr, /^0\.\d+\.0-dev isn't a release\..* --snapshot\.\n$/);
    assert.equal(existsSync(join(folder, 'refused')), false);
  });

  test('needs a version and nothing else to be one', () => {
    const place = join(folder, 'versioned');
    execFileSync('git', ['clone', '-q', second, place]);
    linkPackages(place);
    for (const file of ['package.json', 'package-lock.json']) {
      const json = JSON.parse(readFileSync(join(place, file), 'utf8'));
      json.version = '9.9.0';
      if (json.packages !== undefined) json.packages[''].version = '9.9.0';
      writeFileSync(join(place, file), `${JSON.stringify(json, undefined, 2)}\n`);
    }
    execFileSync('git', [...author, 'commit', '-qam', 'release: 9.9.0'], { cwd: place });
    const made = release(place, join(folder, 'versioned-files'), {}, '0022', []);
    assert.equal(made.status, 0, made.stderr);
    const files = readdirSync(join(folder, 'versioned-files')).sort();
    assert.deepEqual(files, ['SHA256SUMS', 'latchkey-9.9.0.cdx.json', 'latchkey-9.9.0.tgz']);
  });

  test('publishes an image only with the digest of its base image', () => {
    const check = () => spawnSync(process.execPath, ['scripts/base-image.ts'], { cwd: second, encoding: 'utf8' });
    for (const image of [tag, `${tag}@sha256:${'0'.repeat(63)}`, `${tag}@sha256:${'0'.repeat(64)}0`]) {
      setBaseImage(second, image);
      const refused = check();
      assert.equal(refused.status, 1, image);
      assert.ok(refused.stderr.startsWith('The base image in deploy/Dockerfile has no digest.'), refused.stderr);
      assert.ok(refused.stderr.includes(`imagetools inspect ${tag} `), refused.stderr);
    }
    const whole = `${tag}@sha256:${'0'.repeat(64)}`;
    setBaseImage(second, whole);
    assert.equal(check().stdout, `${whole}\n`);
    execFileSync('git', ['reset', '-q', '--hard'], { cwd: second });
  });

  test('comes with checksums', () => {
    for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')) {
      const [sum, file = ''] = line.split('  ');
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(out, file)))
          .digest('hex'),
        sum,
        file,
      );
    }
  });

  test('has an SBOM with exactly the production dependencies in the lock file', () => {
    const { packages } = JSON.parse(inTarball('package-lock.json')) as {
      packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean }>;
    };
    const expected = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(([path, one]) => `${path.replace(/^.*node_modules\//, '')}@${one.version}`);
    const list = JSON.parse(readFileSync(join(out, `${title}.cdx.json`), 'utf8'));
    assert.equal(list.bomFormat, 'CycloneDX');
    assert.match(list.serialNumber, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const { name, type } = list.metadata.component;
    assert.deepEqual([name, list.metadata.component.version, type], ['latchkey', version, 'application']);
    const listed = list.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`);
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(expected)].sort());
    assert.ok(
      listed.some((one: string) => one.startsWith('node@')),
      'the Node that runs it',
    );
  });
});

describe('the tarball', () => {
  const place = join(folder, title);
  const list = join(folder, 'modules');
  const listing = { NODE_OPTIONS: `--import ${join(root, 'test/harness/list-modules.ts')}`, LIST_MODULES: list };

  test('contains the service and its documentation, and no tests or tools', () => {
    execFileSync('tar', ['-xzf', join(out, `${title}.tgz`), '-C', folder]);
    const names = readdirSync(place, { recursive: true }).map(String);
    assert.deepEqual(
      names.filter((name) =>
        /(^|\/)(test|faults|histories|bench|\.ci|\.github)(\/|$)|\.test\.ts$|tsconfig|biome/.test(name),
      ),
      [],
    );
    for (const name of ['latchkey', 'LICENSE', 'package-lock.json', 'docs/settings.md', 'deploy/Dockerfile']) {
      assert.ok(names.includes(name), name);
    }
    assert.ok(!names.some((name) => name.startsWith('docs/decisions')));
    for (const name of names.filter((each) => each.endsWith('.md'))) {
      // What is for those who change the service names records that are in the repository alone.
      const broken = brokenLinks(place, name).filter(
        (link) => !/^(ARCHITECTURE|CONTRIBUTING)/.test(name) || !link.includes('docs/decisions'),
      );
      assert.deepEqual(broken, [], `links of ${name}`);
    }
    const listed = execFileSync('tar', ['-tvzf', join(out, `${title}.tgz`)], { env: { ...process.env, TZ: 'UTC' } });
    for (const line of listed.toString().trimEnd().split('\n')) {
      assert.match(line, /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root\/root /);
    }
  });

  test('has everything bundled, with source maps, and with the licenses of the packages in the bundle', () => {
    const bundled = (name: string) => readFileSync(join(place, 'src/bundle', name), 'utf8');
    for (const name of ['main', 'writer', 'check-copy', 'lock-probe', 'bcrypt-thread']) {
      assert.match(bundled(`${name}.js`), new RegExp(`\\n//# sourceMappingURL=${name}\\.js\\.map\\n$`));
      const { sources } = JSON.parse(bundled(`${name}.js.map`)) as { sources: string[] };
      for (const source of sources) assert.match(source, /^\.\.\/(?!\.\.)|^\.\.\/\.\.\/node_modules\//, name);
    }
    for (const each of readdirSync(join(place, 'src/bundle'), { recursive: true, withFileTypes: true })) {
      if (each.isFile()) assert.ok(!readFileSync(join(each.parentPath, each.name), 'utf8').includes(folder), each.name);
    }
    const licenses = bundled('LICENSES.txt');
    for (const name of ['fastify', 'pino', 'typebox', 'openid-client', 'heroicons']) {
      assert.match(licenses, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n\\S`, 'm'));
    }
    // Whatever was brought along: each package has its license.
    const packages = new Set<string>();
    for (const file of readdirSync(join(place, 'src/bundle')).filter((name) => name.endsWith('.js'))) {
      for (const [, name = ''] of bundled(file).matchAll(/^\/\/ .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)) {
        packages.add(name);
      }
    }
    assert.ok(packages.size > 20);
    for (const name of packages) assert.ok(licenses.includes(`\n${name} `), name);
  });

  test('has the documents and icons ready, and neither the packages they are made with nor an unused icon', () => {
    const icons = readdirSync(join(place, 'src/bundle/icons'));
    assert.deepEqual(icons.sort(), iconNames.map((name) => `${name}.svg`).sort());
    const names: readonly string[] = JSON.parse(readFileSync(join(place, 'src/bundle/docs/names.json'), 'utf8'));
    assert.ok(names.length > 50);
    for (const name of names) assert.ok(existsSync(join(place, `src/bundle/docs/pages/${name}.json`)), name);
    for (const file of ['package.json', 'package-lock.json']) {
      assert.doesNotMatch(
        readFileSync(join(place, file), 'utf8'),
        /"(node_modules\/)?(heroicons|marked|highlight\.js)"/,
      );
    }
  });

  test('runs with production dependencies only, whatever Node version is installed', async () => {
    const { packages } = JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const installed = realpathSync(join(root, 'node_modules'));
    for (const [path, { dev }] of Object.entries(packages)) {
      const [, name, nested] = /^node_modules\/((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(path) ?? [];
      if (name === undefined || nested !== undefined || dev) continue;
      mkdirSync(join(place, 'node_modules', dirname(name)), { recursive: true });
      symlinkSync(join(installed, name), join(place, 'node_modules', name));
    }
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "too old" >&2\nexit 1\n', { mode: 0o755 });
    const port = await freePort();
    const environment = cleanEnvironment({
      PATH: [bin, '/usr/bin', '/bin'].join(delimiter),
      LATCHKEY_BASE_URL: `http://localhost:${port}`,
      LATCHKEY_DATA_DIR: join(folder, 'data'),
    });
    // Which Node this run is about is not what this test is about.
    delete environment.LATCHKEY_NODE;
    const service = spawn('./latchkey', ['serve'], { cwd: place, env: { ...environment, ...listing } });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    try {
      await outputMatching(service, /Latchkey is running at/);
      const pages = ['/readyz', '/sign-in', '/docs', '/docs/deploying', '/docs/security', '/docs/architecture'];
      for (const page of [...pages, '/docs/search?q=refresh', '/docs/clients/fetch', '/api/openapi.json']) {
        assert.equal((await fetch(`http://localhost:${port}${page}`)).status, 200, page);
      }
      for (const page of ['/healthz', '/readyz', '/sign-in', '/']) {
        const response = await fetch(`http://localhost:${port}${page}`);
        const said = `${await response.text()}${JSON.stringify([...response.headers])}`;
        assert.ok(!said.includes(commit.slice(0, 7)) && !said.includes(version), page);
      }
      const headers = { 'Accept-Language': 'de' };
      const german = await (await fetch(`http://localhost:${port}/sign-in`, { headers })).text();
      assert.match(german, /<html lang="de"/);
    } finally {
      service.kill('SIGTERM');
      await ended;
    }
    const loaded = readFileSync(list, 'utf8').split('\n');
    assert.deepEqual(
      loaded.filter((module) => /marked|highlight|markdown/.test(module)),
      [],
    );
    // Of the sources, only the languages are loaded, one by one.
    assert.ok(loaded.some((module) => module.endsWith('/src/bundle/main.js')));
    assert.deepEqual(
      loaded.filter((module) => /\/src\/(?!bundle\/|pages\/languages\/)/.test(module)),
      [],
    );
  });

  test('says which build it is', () => {
    const said = spawnSync('./latchkey', ['--version'], { cwd: place, env: cleanEnvironment({}), encoding: 'utf8' });
    assert.equal(said.stdout, `${build}\n`);
  });

  test('runs the gate, without the code of the service', async () => {
    const port = await freePort();
    const applications = [{ host: 'wiki.example', client_id: 'wiki', client_secret: { env: 'WIKI_SECRET' } }];
    const data = { data_dir: 'gate', key_file: 'gate.key', listen: `127.0.0.1:${port}` };
    const config = join(folder, 'gate.json');
    writeFileSync(config, JSON.stringify({ issuer: 'https://login.example', ...data, applications }));
    const environment = cleanEnvironment({ WIKI_SECRET: 'a secret of the wiki', ...listing });
    const gate = spawn('./latchkey', ['gate', 'serve', '--config', config], { cwd: place, env: environment });
    const ended = new Promise((resolve) => gate.once('exit', resolve));
    try {
      await outputMatching(gate, /The gate is running at/);
      assert.equal((await fetch(`http://127.0.0.1:${port}/gate/healthz`)).status, 200);
    } finally {
      gate.kill('SIGTERM');
      await ended;
    }
    const loaded = readFileSync(list, 'utf8').split('\n');
    const chunks = loaded.flatMap((module) => /\/src\/bundle\/[^/]+\.js$/.exec(module) ?? []);
    const sources = chunks.flatMap((chunk) => {
      const map = JSON.parse(readFileSync(join(place, `${chunk}.map`), 'utf8')) as { sources: string[] };
      return map.sources;
    });
    assert.ok(sources.some((source) => source.endsWith('gate/check.ts')));
    assert.deepEqual(
      sources.filter((source) =>
        /node_modules\/(fastify|pino|pg|typebox)\/|^\.\.\/(http|operations|pages|storage\/(?!driver\.ts))/.test(source),
      ),
      [],
    );
    const options = ['--name', 'Wiki', '--redirect-uri', 'https://wiki.example/gate/callback', '--for', 'gate'];
    const created = spawnSync('./latchkey', ['client', 'create', ...options], {
      cwd: place,
      env: cleanEnvironment({ LATCHKEY_DATA_DIR: join(folder, 'data') }),
      encoding: 'utf8',
    });
    assert.match(created.stdout, /^ {2}"host": "wiki\.example",$/m);
  });
});
