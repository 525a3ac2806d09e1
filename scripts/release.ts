// Builds a release from the commit that is checked out: a tarball with what is committed and a bundle of it, a list of what it's
// made of (SBOM) and checksums. The same commit gives the same bytes, on any machine and in any folder. Then it installs the
// tarball as an operator would, and starts it.
//
//   npm run release -- [--out FOLDER] [--skip-trial] [--snapshot]
//
// A version that ends in -dev is no release: --snapshot builds one nevertheless, named after its commit.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/protocol/reading/caught-errors.ts';
import { bundle } from './bundle.ts';
import { type Manifests, madeParts, manifestsOf } from './made-parts.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What runs the service, what its documentation consists of, and what helps to deploy it. Nothing else is in the tarball. */
const contents = [
  'latchkey',
  '.npmrc',
  'src',
  'docs',
  // For those who change the service.
  ':!docs/decisions',
  'deploy',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'LICENSE',
  // What `npm start` runs.
  'examples/demo-app',
  'examples/gated-page',
  'scripts/start.js',
  'scripts/prepare.js',
];

interface Release {
  readonly name: string;
  /** What it calls itself. */
  readonly build: string;
  readonly commit: string;
  readonly committedAt: Date;
  /** What its files are called. */
  readonly title: string;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'dist' },
      'skip-trial': { type: 'boolean', default: false },
      snapshot: { type: 'boolean', default: false },
    },
  });
  const out = resolve(root, values.out);
  const release = readRelease(values.snapshot);
  const { title, commit } = release;
  const files = { [`${title}.tgz`]: await tarball(release), [`${title}.cdx.json`]: sbom(release) };
  const sums = Object.entries(files).map(([file, bytes]) => `${digest(bytes)}  ${file}\n`);
  mkdirSync(out, { recursive: true });
  for (const [file, bytes] of Object.entries({ ...files, SHA256SUMS: Buffer.from(sums.join('')) })) {
    writeFileSync(join(out, file), bytes);
  }
  if (!values['skip-trial']) await tryTarball(release, join(out, `${title}.tgz`));
  say(`${title} from ${commit}, in ${out}:\n${sums.join('')}`.trimEnd());
  if (!values.snapshot && /^## \[Unreleased\]\s+(?!## )\S/m.test(committed('CHANGELOG.md').toString())) {
    say('CHANGELOG.md lists unreleased changes: give them a version before you publish this.');
  }
}

function readRelease(snapshot: boolean): Release {
  const changes = git('status', '--porcelain').toString().trimEnd();
  if (changes !== '')
    throw new Error(`A release contains what is committed. Commit or remove these first:\n${changes}`);
  const { name, version } = JSON.parse(committed('package.json').toString()) as { name: string; version: string };
  const commit = git('rev-parse', 'HEAD').toString().trim();
  const isSnapshot = version.endsWith('-dev');
  if (isSnapshot && !snapshot) {
    throw new Error(
      `${version} isn't a release. Give it a version (see CONTRIBUTING.md), or build a snapshot of it with --snapshot.`,
    );
  }
  const build = `${version}+${commit.slice(0, 7)}`;
  const committedAt = new Date(Number(git('log', '-1', '--format=%ct').toString()) * 1000);
  return { name, build, commit, committedAt, title: `${name}-${isSnapshot ? build : version}` };
}

/** Without what a release doesn't need. */
function committedManifests(): Manifests {
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) => JSON.parse(committed(file).toString()));
  return manifestsOf(manifest, lock);
}

/** git gives every file the time of the commit. gzip, unlike zlib, compresses the same way on every processor. */
async function tarball({ title, commit }: Release): Promise<Buffer> {
  const settings = ['tar.umask=0022', 'core.autocrlf=false', 'core.attributesFile=/dev/null'].flatMap((one) => [
    '-c',
    one,
  ]);
  const archive = (...options: string[]) =>
    git(...settings, 'archive', '--format=tar', ...options, `--prefix=${title}/`, 'HEAD', '--', ...contents);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bundle-'));
  try {
    // What is checked out may have other line ends than what is committed.
    must('tar', ['-x', '-C', folder], { input: archive() });
    const place = join(folder, title);
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    const options: string[] = [];
    for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(place, file), committed(file));
    const { manifest, lock } = committedManifests();
    const manifests = { 'package.json': manifest, 'package-lock.json': lock };
    const written = Object.entries(manifests).map(
      ([file, json]) => [file, `${JSON.stringify(json, undefined, 2)}\n`] as const,
    );
    const named = ['src/bundle/commit', `${commit}\n`] as const;
    for (const [file, bytes] of [...(await bundle(place)), ...madeParts(place), ...written, named]) {
      mkdirSync(join(place, dirname(file)), { recursive: true });
      writeFileSync(join(place, file), bytes);
      options.push(`--prefix=${join(title, dirname(file))}/`, `--add-file=${join(place, file)}`);
    }
    return must('gzip', ['-n', '-9'], { input: archive(...options) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What npm says about the lock file, without what depends on the moment, the folder and npm's version. The development
 * dependencies are taken out first: with `--omit=dev`, npm also leaves out what they have in common with the service.
 */
function sbom({ name, title, commit, committedAt }: Release): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sbom-'));
  try {
    const { lock, manifest: all } = committedManifests();
    const { devDependencies: _, ...manifest } = all;
    const packages = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
    const locked = { ...lock, packages: { ...Object.fromEntries(packages), '': manifest } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(locked));
    const kind = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
    const made = JSON.parse(must('npm', ['sbom', ...kind], { cwd: folder }).toString());
    // Shaped as a UUID, and derived from what the list is about.
    const id = digest(Buffer.from(`${title} ${commit}`)).replace(
      /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
      '$1-$2-8$3-8$4-$5',
    );
    made.serialNumber = `urn:uuid:${id}`;
    made.metadata.timestamp = committedAt.toISOString();
    made.metadata.tools = [{ vendor: 'npm', name: 'cli' }];
    // npm takes the folder's name.
    made.metadata.component.name = name;
    return Buffer.from(`${JSON.stringify(made, undefined, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks, installs and starts it, with whatever Node this machine has. */
async function tryTarball({ title, build }: Release, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'));
  let service: ChildProcess | undefined;
  try {
    must('tar', ['-xzf', file, '-C', folder]);
    const place = join(folder, title);
    // npm puts the project's own tools first in the PATH.
    const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));
    const inherited = Object.entries(process.env).filter(
      ([variable]) => !/^(LATCHKEY_|DATABASE_URL|NODE_)/.test(variable),
    );
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const settings = { LATCHKEY_BASE_URL: url, LATCHKEY_DATA_DIR: join(folder, 'data'), LATCHKEY_DRAIN_SECONDS: '0' };
    const environment = { ...Object.fromEntries(inherited), PATH: path.join(delimiter), ...settings };
    must('npm', ['ci', '--omit=dev', '--prefer-offline', '--loglevel=error'], { cwd: place, env: environment });
    const said = must('./latchkey', ['--version'], { cwd: place, env: environment }).toString().trim();
    if (said !== build) throw new Error(`./latchkey --version says ${said}.`);
    service = spawn('./latchkey', ['serve'], { cwd: place, env: environment, stdio: 'ignore' });
    const ended = new Promise<number | null>((done) => service?.once('exit', done));
    for (const page of ['/readyz', '/docs', '/.well-known/openid-configuration']) await answers(url + page);
    service.kill('SIGTERM');
    if ((await ended) !== 0) throw new Error('It did not stop cleanly.');
    say('Installed with "npm ci --omit=dev", started, and stopped.');
  } finally {
    service?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(100)) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
  }
  throw new Error(`${url} did not answer.`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function committed(file: string): Buffer {
  return git('show', `HEAD:${file}`);
}

function git(...args: string[]): Buffer {
  return must('git', args, { cwd: root });
}

interface Options {
  readonly cwd?: string;
  readonly input?: Buffer;
  readonly env?: NodeJS.ProcessEnv;
}

function must(program: string, args: readonly string[], options: Options = {}): Buffer {
  const result = spawnSync(program, args, { ...options, maxBuffer: 1024 ** 3 });
  if (result.status === 0) return result.stdout;
  throw new Error(`${program} ${args[0]} failed: ${result.error?.message ?? result.stderr.toString().trim()}`);
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
