// Builds the image of deploy/Dockerfile with buildah, starts it, and signs in to it. There has to be no Docker and no registry of
// images: without the usual base image, one is made of Debian and the Node that the project pins. It takes about a minute, and a
// few more the first time, when the base is made; npm's registry, or a cache of it, must be reachable.
//
//   npm run container -- [--base IMAGE] [--storage FOLDER]
//
// The container shares network and processes with the machine ("chroot" isolation), so it needs root, and nothing of the kernel
// that a container inside a container would not get.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { outputMatching, root } from '../test/harness/command.ts';
import { obtainTokens, userinfo } from '../test/harness/relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from '../test/harness/service.ts';

const { values } = parseArgs({
  options: { base: { type: 'string' }, storage: { type: 'string', default: '/var/tmp/latchkey-container' } },
});
const ownBase = 'localhost/latchkey-base';
const image = 'localhost/latchkey-under-test';
/** The user of the usual base image. */
const userId = 1000;
const certificates = '/etc/ssl/certs/ca-certificates.crt';

requireThat(process.platform === 'linux' && process.getuid?.() === 0, 'This needs root on Linux.');
requireProgram('buildah');
mkdirSync(values.storage, { recursive: true, mode: 0o700 });

const base = values.base ?? (await findBase());
say(`Building the image on ${base}`);
const ignored = ['--ignorefile', 'deploy/Dockerfile.dockerignore'];
const build = ['build', '--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE_IMAGE=${base}`, ...ignored];
buildah([...build, '-f', 'deploy/Dockerfile', '-t', image, '.'], 'inherit');
await tryImage();
say('The image was built, started, signed in to, and stopped.');

/** The image that the Dockerfile names, if a registry has it, or else one of our own, which is kept for the next time. */
async function findBase(): Promise<string> {
  const usual = /^ARG BASE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))?.[1] ?? '';
  const pulled = spawnSync('buildah', [...storage(), 'pull', '--quiet', usual], { timeout: 120_000 });
  if (pulled.status === 0) return usual;
  say(`${usual} can't be had from here.`);
  if (spawnSync('buildah', [...storage(), 'inspect', '--type', 'image', ownBase]).status !== 0) makeBase();
  return ownBase;
}

/** Debian, the pinned Node, and the npm of this machine, with a user called node. */
function makeBase(): void {
  requireProgram('debootstrap');
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  requireThat(npm !== '', 'npm is missing.');
  say('Making a base image with debootstrap. This takes a few minutes, once.');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-base-'));
  try {
    const packages = '--include=ca-certificates,libatomic1';
    must('debootstrap', ['--variant=minbase', packages, 'stable', folder], ['ignore', 'ignore', 'inherit']);
    const library = join(folder, 'usr/local/lib/node_modules');
    mkdirSync(library, { recursive: true });
    copyFileSync(join(root, 'node_modules/node/bin/node'), join(folder, 'usr/local/bin/node'));
    cpSync(dirname(dirname(realpathSync(npm))), join(library, 'npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
    // What this machine trusts: its way to npm's registry may lead through a proxy of its own.
    if (existsSync(certificates)) copyFileSync(certificates, join(folder, certificates));
    must('chroot', [folder, 'useradd', '--create-home', '--uid', String(userId), 'node']);
    const container = buildah(['from', 'scratch']);
    buildah(['add', '--quiet', container, folder, '/']);
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    buildah(['config', '--env', `PATH=${path}`, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container]);
    buildah(['commit', '--quiet', '--rm', container, ownBase]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ImageConfig {
  readonly Entrypoint: string[];
  readonly Cmd: string[];
  readonly User: string;
  readonly Healthcheck: { readonly Test: string[] };
}

async function tryImage(): Promise<void> {
  const { Docker } = JSON.parse(buildah(['inspect', '--type', 'image', image])) as { Docker: { config: ImageConfig } };
  const { Entrypoint, Cmd, User, Healthcheck } = Docker.config;
  assert.equal(User, 'node');
  const data = mkdtempSync(join(tmpdir(), 'latchkey-container-data-'));
  chownSync(data, userId, userId);
  const container = buildah(['from', '--pull-never', image]);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = ['--env', `LATCHKEY_BASE_URL=${url}`, '--env', `LATCHKEY_PORT=${port}`];
  const inside = ['run', '--isolation', 'chroot', '--volume', `${data}:/data`, ...settings, container, '--'];
  const command = (...args: string[]) => buildah([...inside, ...Entrypoint, ...args]);
  const healthy = () =>
    spawnSync('buildah', [...storage(), ...inside, ...Healthcheck.Test.slice(1)], { cwd: root }).status === 0;
  let service: ChildProcess | undefined;
  try {
    assert.equal(healthy(), false, 'nothing runs yet');
    service = spawn('buildah', [...storage(), ...inside, ...Entrypoint, ...Cmd], { cwd: root });
    const output = await outputMatching(service, /Latchkey is running at/);
    // The process sees the same number as the machine.
    const pid = Number(/"pid":(\d+)/.exec(output)?.[1]);
    assert.equal(healthy(), true, 'the health check of the image');
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal((await fetch(`${url}/docs`)).status, 200);
    const { client, user } = prepare(command, inside, Entrypoint);
    const { tokens } = await obtainTokens({ url } as TestService, client, user);
    assert.equal((await userinfo({ url } as TestService, tokens.access_token)).body.sub, user.id);
    say(`Signed in at ${url}, as the user "${User}" of the image`);
    const ended = new Promise<number | null>((resolve) => service?.once('exit', resolve));
    process.kill(pid, 'SIGTERM');
    assert.equal(await ended, 0, 'it ends cleanly');
  } finally {
    service?.kill('SIGKILL');
    buildah(['rm', container]);
    buildah(['rmi', image]);
    rmSync(data, { recursive: true, force: true });
  }
}

function prepare(command: (...args: string[]) => string, inside: readonly string[], entrypoint: readonly string[]) {
  const redirectUri = 'http://localhost:9999/callback';
  const made = JSON.parse(command('client', 'create', '--name', 'App', '--redirect-uri', redirectUri, '--json'));
  const [email, password] = ['ada@example.test', 'correct horse battery'];
  const args = ['user', 'create', '--email', email, '--name', 'Ada', '--password-stdin', '--json'];
  const created = spawnSync('buildah', [...storage(), ...inside, ...entrypoint, ...args], {
    cwd: root,
    input: `${password}\n`,
    encoding: 'utf8',
  });
  assert.equal(created.status, 0, created.stderr);
  return {
    client: { id: made.client_id, secret: made.client_secret, redirectUri } as TestClient,
    user: { id: JSON.parse(created.stdout).id, email, password } as TestUser,
  };
}

/** Plain folders instead of layers: they work on every file system, also inside a container. */
function storage(): string[] {
  const { storage: folder } = values;
  return ['--storage-driver', 'vfs', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
}

function buildah(args: readonly string[], output: 'pipe' | 'inherit' = 'pipe'): string {
  return must('buildah', [...storage(), ...args], ['ignore', output, 'inherit']);
}

type Stdio = 'ignore' | 'pipe' | 'inherit';

function must(program: string, args: readonly string[], stdio: Stdio[] = ['ignore', 'pipe', 'inherit']): string {
  const { status, stdout } = spawnSync(program, args, {
    cwd: root,
    stdio,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  requireThat(status === 0, `${program} ${args.find((arg) => !arg.startsWith('-')) ?? ''} failed; see above.`);
  return (stdout ?? '').trim();
}

function requireProgram(name: string): void {
  const found = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  requireThat(found, `${name} is missing: apt-get install --no-install-recommends buildah debootstrap`);
}

function requireThat(condition: boolean, sentence: string): void {
  if (condition) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
