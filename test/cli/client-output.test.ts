// `latchkey client create --for NAME --output DIR` writes a program that's ready to run. clients/written-programs.test.ts runs
// them.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { guideNames } from '../../src/platform/client-guides.ts';
import { filesIn, registrationIn, wordsOf } from '../clients/guide-program.ts';
import { cleanEnvironment, finished, root, runCommand } from '../harness/command.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-output-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({ LATCHKEY_DATA_DIR: join(folder, 'data'), LATCHKEY_BASE_URL: 'http://localhost:8455' });
const run = (...args: string[]) => runCommand(args, environment());
const create = (redirectUri: string, ...args: string[]) =>
  run('client', 'create', '--name', 'My app', '--redirect-uri', redirectUri, ...args);
const clients = async () => JSON.parse((await run('client', 'list', '--json')).stdout).length as number;

/** What runs in a folder: not settings for other software, and not Apache's site. */
const programs = guideNames().filter(
  (name) =>
    existsSync(join(root, `docs/clients/${name}.md`)) && filesIn(`${name}.md`).size > 0 && name !== 'mod-auth-openidc',
);

for (const name of programs) {
  test(`--output writes the program of ${name}, its settings and its packages`, async () => {
    const target = join(folder, name);
    const { redirectUri, isPublic } = registrationIn(`${name}.md`);
    const options = ['--for', name, '--output', target, ...(isPublic ? ['--public'] : [])];
    const { status, stdout, stderr } = await create(redirectUri.href, ...options);
    assert.equal(status, 0, stderr);
    const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
    const settings = readFileSync(join(target, '.env'), 'utf8');
    assert.equal(statSync(join(target, '.env')).mode & 0o777, 0o600);
    assert.ok(settings.includes(id) && settings.includes('http://localhost:8455'), settings);
    assert.doesNotMatch(settings, /…|\$\{/, 'nothing is left to fill in');
    const [secret] = /lk_secret_[\w-]+/.exec(settings) ?? [];
    assert.equal(secret === undefined, isPublic);
    assert.doesNotMatch(stdout, /lk_secret_/, 'what is in the file needs no place in a terminal');

    for (const [file, text] of filesIn(`${name}.md`)) {
      if (file !== '.env') assert.equal(readFileSync(join(target, file), 'utf8'), text, `${file}, as in the guide`);
      assert.ok(stdout.includes(file), file);
    }
    const guide = readFileSync(join(root, `docs/clients/${name}.md`), 'utf8');
    const [, packages] = /^npm install (.*)$/m.exec(guide) ?? [];
    assert.equal(existsSync(join(target, 'package.json')), packages !== undefined);
    if (packages !== undefined) {
      const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
      assert.equal(
        Object.entries(dependencies)
          .map(([each, version]) => `${each}@${version}`)
          .join(' '),
        packages,
      );
    }
    const [, commands = ''] = /Start the program:\n\n((?: {2}.+\n)+)/.exec(stdout) ?? [];
    assert.ok(commands.startsWith(`  cd ${target}\n`), commands);
    assert.equal(commands.includes('  npm install\n'), packages !== undefined);
    assert.ok(guide.includes(`\n${commands.trim().split('\n  ').at(-1)}\n\`\`\``), 'and starts it as the guide does');
    assert.ok(stdout.includes(`docs/clients/${name}.md`));
  });
}

test('the folder can be new, with folders around it, or empty, and its name can be any', async () => {
  mkdirSync(join(folder, 'empty'));
  for (const name of ['empty', 'a/b/c', "it's mine", '-dash']) {
    const options = ['--for', 'fetch', `--output=${join(folder, name)}`];
    const { status, stdout, stderr } = await create('http://localhost:3000/callback', ...options);
    assert.equal(status, 0, stderr);
    const [, command = ''] = /^ {2}(cd .*)$/m.exec(stdout) ?? [];
    assert.deepEqual(wordsOf(command), ['cd', join(folder, name)]);
    assert.deepEqual(readdirSync(join(folder, name)).sort(), ['.env', 'app.mjs']);
  }
});

test('--json says what was written and what to run', async () => {
  const target = join(folder, 'json');
  const { stdout } = await create('http://localhost:3000/callback', '--for', 'fetch', '--output', target, '--json');
  const { client_secret: printed, guide } = JSON.parse(stdout);
  assert.equal(printed, undefined);
  const [, secret = ''] = /^OIDC_CLIENT_SECRET=(.+)$/m.exec(readFileSync(join(target, '.env'), 'utf8')) ?? [];
  assert.ok(secret.length > 20 && !stdout.includes(secret), 'it is in the file alone');
  assert.deepEqual(guide, {
    name: 'fetch',
    path: 'docs/clients/fetch.md',
    written: ['app.mjs', '.env'],
    commands: [`cd ${target}`, 'node --env-file=.env app.mjs'],
  });
});

test('a folder that cannot be filled is refused before anything is created', async () => {
  const before = await clients();
  const at = (name: string) => join(folder, name);
  mkdirSync(at('full'));
  writeFileSync(at('full/mine.txt'), 'mine');
  writeFileSync(at('file'), '');
  mkdirSync(at('open'));
  chmodSync(at('open'), 0o777);
  mkdirSync(at('elsewhere'));
  symlinkSync(at('elsewhere'), at('link'));
  symlinkSync(at('nowhere'), at('dangling'));
  for (const [output, problem] of [
    [at('full'), "it isn't empty"],
    [at('open'), 'other people can change its content'],
    [at('file'), "it's a file"],
    [at('file/below'), 'ENOTDIR'],
    [at('link'), "it's a symbolic link"],
    [`${at('link')}/`, "it's a symbolic link"],
    [at('dangling'), "it's a symbolic link"],
    ['/proc/latchkey', 'ENOENT'],
  ] as const) {
    const refused = await create('http://localhost:3000/callback', '--for', 'openid-client', '--output', output);
    assert.deepEqual([refused.status, refused.stdout], [1, ''], output);
    assert.match(
      refused.stderr,
      new RegExp(`^latchkey: can't write to .*: ${problem}.*\\. No application was created\\.\n$`),
    );
  }
  for (const [options, problem] of [
    [['--output', at('x')], '--output needs --for and the name of a guide'],
    [['--for', 'fetch', '--output', ''], '--output needs the name of a folder'],
    [['--for', 'simple-oauth2', '--output', at('x')], 'simple-oauth2 has no program to write into a folder'],
  ] as const) {
    const refused = await create('http://localhost:3000/callback', ...options);
    assert.deepEqual([refused.status, refused.stdout], [2, '']);
    assert.ok(refused.stderr.includes(problem), refused.stderr);
  }
  for (const [name, uri] of [
    ['mod-auth-openidc', 'http://localhost:3000/account/callback'],
    ['gate', 'https://wiki.example/gate/callback'],
  ] as const) {
    const refused = await create(uri, '--for', name, '--output', at('x'));
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, new RegExp(`${name} has no program to write into a folder`));
  }
  assert.equal(await clients(), before);
  assert.deepEqual(readdirSync(at('full')), ['mine.txt']);
  assert.deepEqual([readdirSync(at('elsewhere')), existsSync(at('nowhere')), existsSync(at('x'))], [[], false, false]);
});

test('an application that is refused leaves no files and no folder', async () => {
  mkdirSync(join(folder, 'kept'));
  for (const name of ['kept', 'gone/deeper']) {
    const target = join(folder, name);
    const uri = 'http://app.example/api/auth/callback/latchkey';
    const { status, stderr } = await create(uri, '--for', 'next-auth', '--output', target);
    assert.equal(status, 1);
    assert.match(stderr, /uses plain http/);
  }
  assert.deepEqual(readdirSync(join(folder, 'kept')), []);
  assert.equal(existsSync(join(folder, 'gone')), false);
});

const isRoot = process.getuid?.() === 0;

test('a folder of somebody else is refused', { skip: isRoot && 'root can write everywhere' }, async () => {
  mkdirSync(join(folder, 'locked'));
  chmodSync(join(folder, 'locked'), 0o500);
  const target = join(folder, 'locked');
  const refused = await create('http://localhost:3000/callback', '--for', 'fetch', '--output', target);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /EACCES.*No application was created/);
});

const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;
test('if the disk is full when the secret exists, the secret is printed', {
  skip: !canMount && 'needs root, to mount a small disk',
}, async () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  // Mounted for this shell alone: room for the program, and not for one page more.
  const pages = Math.ceil(Buffer.byteLength(filesIn('fetch.md').get('app.mjs') ?? '') / 4096);
  const script = `mount -t tmpfs -o mode=700,size=${pages * 4}k tmpfs "$1" && ./latchkey client create --name App \
    --redirect-uri http://localhost:3000/callback --for fetch --output "$1"; echo "status $?"`;
  const options = { cwd: root, env: cleanEnvironment(environment()) };
  const { stdout, stderr } = await finished(spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', disk], options));
  assert.match(stderr, /the application was created, but \.env couldn't be written: ENOSPC/);
  const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
  assert.match(stdout, /client_secret +lk_secret_\S+\n/);
  assert.match(stdout, /OIDC_CLIENT_SECRET=lk_secret_\S+\n/);
  assert.match(stdout, /status 1\n$/);
  assert.equal((await run('client', 'show', id)).status, 0);
});
