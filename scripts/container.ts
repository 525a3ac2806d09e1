// Builds the image of deploy/Dockerfile with buildah, starts it with podman as it should run in production, and signs in to it.
// There has to be no Docker and no registry of images: without the usual base image, one is made of Debian and the Node that the
// project pins. It takes a minute or two, and a few more the first time, when the base is made; npm's registry, or a cache of it,
// must be reachable.
//
//   npm run container -- [--base IMAGE] [--storage FOLDER]
//
// The container has its own network, processes and limits, a read-only file system, and no capabilities. The steps of the build
// share those of the machine ("chroot" isolation), so that it also works inside a container.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../test/harness/command.ts';
import { obtainTokens, userinfo } from '../test/harness/relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';

const { values } = parseArgs({
  options: { base: { type: 'string' }, storage: { type: 'string', default: '/var/tmp/latchkey-container' } },
});
const ownBase = 'localhost/latchkey-base';
const image = 'localhost/latchkey-under-test';
/** The user of the image, and its group. */
const userId = 1000;
const packages = 'buildah podman runc containernetworking-plugins debootstrap';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

const container = `latchkey-under-test-${process.pid}`;
const volume = `${container}-data`;
/** As an operator would, and with limits that need no privileges. */
const hardened = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
  '--memory',
  '512m',
  '--pids-limit',
  '100',
  '--ulimit',
  'nofile=4096:4096',
  '--ulimit',
  'nproc=1000:1000',
];

requireThat(process.platform === 'linux' && process.getuid?.() === 0, 'This needs root on Linux.');
requireProgram('buildah');
requireProgram('podman');
mkdirSync(values.storage, { recursive: true, mode: 0o700 });

const base = values.base ?? (await findBase());
say(`Building the image on ${base}`);
const ignored = ['--ignorefile', 'deploy/Dockerfile.dockerignore'];
const build = ['build', '--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE_IMAGE=${base}`, ...ignored];
buildah([...build, '-f', 'deploy/Dockerfile', '-t', image, '.'], 'inherit');
await tryImage();
say('The image was built, started, signed in to, and stopped');

/** The image that the Dockerfile names, if a registry has it, or else one of our own, which is kept for the next time. */
async function findBase(): Promise<string> {
  const usual = /^ARG BASE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))?.[1] ?? '';
  const pulled = spawnSync('buildah', [...storage(), 'pull', '--quiet', usual], { timeout: 120_000 });
  if (pulled.status === 0) return usual;
  say(`${usual} can't be had from here.`);
  if (spawnSync('buildah', [...storage(), 'inspect', '--type', 'image', ownBase]).status !== 0) makeBase();
  return ownBase;
}

/** Debian, the pinned Node, and the npm of this machine. */
function makeBase(): void {
  requireProgram('debootstrap');
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  requireThat(npm !== '', 'npm is missing.');
  say('Making a base image with debootstrap. This takes a few minutes, once.');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-base-'));
  try {
    const included = '--include=ca-certificates,libatomic1';
    must('debootstrap', ['--variant=minbase', included, 'stable', folder], ['ignore', 'ignore', 'inherit']);
    const library = join(folder, 'usr/local/lib/node_modules');
    mkdirSync(library, { recursive: true });
    copyFileSync(join(root, 'node_modules/node/bin/node'), join(folder, 'usr/local/bin/node'));
    cpSync(dirname(dirname(realpathSync(npm))), join(library, 'npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
    // What this machine trusts: its way to npm's registry may lead through a proxy of its own.
    if (existsSync(certificates)) copyFileSync(certificates, join(folder, certificates));
    const container = buildah(['from', 'scratch']);
    buildah(['add', '--quiet', container, folder, '/']);
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    buildah(['config', '--env', `PATH=${path}`, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container]);
    buildah(['commit', '--quiet', '--rm', container, ownBase]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Image {
  readonly Size: number;
  readonly User: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

async function tryImage(): Promise<void> {
  const [details] = JSON.parse(podman('image', 'inspect', image)) as [Image];
  assert.equal(details.User, `${userId}:${userId}`);
  say(`The image has ${Math.round(details.Size / 1e6)} MB`);
  const secrets = mkdtempSync(join(tmpdir(), 'latchkey-container-secrets-'));
  const keys = join(secrets, 'keys');
  // As Kubernetes mounts a secret: readable through the group, and writable by nobody.
  writeFileSync(keys, `${randomBytes(32).toString('base64url')}\n`);
  chownSync(keys, 0, userId);
  chmodSync(keys, 0o440);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = ['--env', `LATCHKEY_BASE_URL=${url}`, '--env', 'LATCHKEY_KEYS_FILE=/run/secrets/keys'];
  const mounts = ['--volume', `${volume}:/data`, '--volume', `${keys}:/run/secrets/keys:ro`];
  try {
    podman(
      'run',
      '--detach',
      '--name',
      container,
      ...hardened,
      ...settings,
      ...mounts,
      '-p',
      `127.0.0.1:${port}:8455`,
      image,
    );
    await until(async () => (await statusOf(`${url}/readyz`)) === 200, 'the service is ready', 60);
    podman('healthcheck', 'run', container);
    const [node = '', ...check] = details.Healthcheck.Test.slice(1);
    const idle = ['run', '--rm', ...hardened, '--entrypoint', node, image, ...check];
    assert.equal(tryPodman(idle).status, 1, 'the health check fails where nothing runs');
    assert.equal(await statusOf(`${url}/docs`), 200);
    const { tokens, user } = await signIn(url);
    say(`Signed in at ${url}, as user ${details.User}`);
    examineInside();
    await stopWhileServing(url, tokens.access_token, user);
  } catch (error) {
    process.stderr.write(tryPodman(['logs', container]).output);
    throw error;
  } finally {
    tryPodman(['rm', '--force', container]);
    tryPodman(['volume', 'rm', volume]);
    tryPodman(['rmi', '--force', image]);
    rmSync(secrets, { recursive: true, force: true });
  }
}

async function signIn(url: string) {
  const redirectUri = 'http://localhost:9999/callback';
  const command = ['exec', '--interactive', container, 'latchkey'];
  const made = JSON.parse(
    podman(...command, 'client', 'create', '--name', 'App', '--redirect-uri', redirectUri, '--json'),
  );
  const [email, password] = ['ada@example.test', 'correct horse battery'];
  const args = [...command, 'user', 'create', '--email', email, '--name', 'Ada', '--password-stdin', '--json'];
  const created = tryPodman(args, `${password}\n`);
  assert.equal(created.status, 0, created.output);
  const client = { id: made.client_id, secret: made.client_secret, redirectUri } as TestClient;
  const user = { id: JSON.parse(created.stdout).id, email, password } as TestUser;
  return { user, ...(await obtainTokens({ url } as TestService, client, user)) };
}

/** What the service may do there, as the kernel says, and where it can write. */
function examineInside(): void {
  const script = `const fs = require('node:fs');
    const writable = (folder) => { try { fs.writeFileSync(folder + '/new', ''); fs.rmSync(folder + '/new'); return true } catch { return false } };
    const status = fs.readFileSync('/proc/1/status', 'utf8');
    console.log(JSON.stringify({
      writable: ['/', '/app', '/app/.cache', '/data', '/etc', '/tmp', '/usr/local/bin'].filter(writable),
      status: Object.fromEntries([...status.matchAll(/^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):\\s*(\\w+)/gm)].map(([, name, value]) => [name, value])),
      shell: fs.existsSync('/bin/sh'), tools: fs.existsSync('/app/node_modules/typescript') }))`;
  const found = JSON.parse(podman('exec', container, 'node', '-e', script));
  const none = '0000000000000000';
  const status = { Uid: String(userId), CapEff: none, CapBnd: none, NoNewPrivs: '1', Seccomp: '2' };
  assert.deepEqual(found, { writable: ['/data'], status, shell: false, tools: false });
  say('It can write to its volume only, and has no capabilities');
}

/** While it drains, it isn't ready and answers requests; then it ends by itself. */
async function stopWhileServing(url: string, token: string, user: TestUser): Promise<void> {
  const stopped = spawn('podman', [...engine(), 'stop', '--time', '15', container], { stdio: 'ignore' });
  const ended = new Promise((resolve) => stopped.once('exit', resolve));
  await until(async () => (await statusOf(`${url}/readyz`)) === 503, 'it says that it is about to stop');
  assert.equal((await userinfo({ url } as TestService, token)).body.sub, user.id, 'it still answers');
  await ended;
  assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', container), '0', 'it ends cleanly');
  say('It drained and ended by itself');
}

async function statusOf(url: string): Promise<number | undefined> {
  return (await fetch(url).catch(() => undefined))?.status;
}

/** runc works with every version of cgroups; without it, podman chooses. */
function engine(): string[] {
  return [...storage(), ...(isInstalled('runc') ? ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'] : [])];
}

function podman(...args: readonly string[]): string {
  const { status, stdout, output } = tryPodman(args);
  assert.equal(status, 0, `podman ${args[0]}: ${output}`);
  return stdout.trim();
}

function tryPodman(args: readonly string[], input = ''): { status: number | null; stdout: string; output: string } {
  const { status, stdout, stderr } = spawnSync('podman', [...engine(), ...args], { input, encoding: 'utf8' });
  return { status, stdout, output: stdout + stderr };
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
  requireThat(isInstalled(name), `${name} is missing: apt-get install --no-install-recommends ${packages}`);
}

function isInstalled(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

function requireThat(condition: boolean, sentence: string): void {
  if (condition) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
