// The documents: no dead links, and the README's commands do what it says.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withSettingsReference } from '../scripts/settings-reference.ts';
import { withWebhookReference } from '../scripts/webhook-reference.ts';
import { findCommand, loadCommand } from '../src/cli/commands.ts';
import { isGroup } from '../src/cli/frame/spec.ts';
import { readConfig } from '../src/platform/config.ts';
import { configVariables, fileVariable, secretsInFiles } from '../src/platform/config-variables.ts';
import { settingNames } from '../src/protocol/resources/settings.ts';
import { webhookTypes } from '../src/protocol/webhooks/types.ts';
import { cleanEnvironment, outputMatching, root, runCommand } from './harness/command.ts';
import { brokenLinks } from './harness/documents.ts';
import { obtainTokens } from './harness/relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from './harness/service.ts';

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

for (const document of documents) {
  test(`every link in ${document} has a target`, () => {
    assert.deepEqual(brokenLinks(root, document), []);
  });
}

describe('the settings reference', () => {
  test('is up to date; run "node scripts/settings-reference.ts" to update it', () => {
    const text = readFileSync(join(root, 'docs/settings.md'), 'utf8');
    assert.equal(text, withSettingsReference(text));
    for (const name of Object.keys(configVariables)) assert.match(text, new RegExp(`^### ${name}$`, 'm'));
    for (const name of settingNames) assert.ok(text.includes(`| \`${name}\` |`), name);
  });

  test('lists every variable the service reads, and so do the help and the systemd example', async () => {
    const read = new Set<string>();
    const environment = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
    readConfig(environment);
    const files = secretsInFiles.map(fileVariable);
    assert.deepEqual([...read].sort(), [...Object.keys(configVariables), ...files].sort());
    const reference = readFileSync(join(root, 'docs/settings.md'), 'utf8');
    for (const name of files) assert.ok(reference.includes(`\`${name}\``), name);
    const { stdout } = await runCommand(['serve', '--help'], {});
    const example = readFileSync(join(root, 'deploy/latchkey.env.example'), 'utf8');
    for (const name of read) {
      assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'), name);
      // The example has one way to set a secret, and the other in its comments.
      assert.match(example, new RegExp(files.includes(name) ? name : `^#?${name}=`, 'm'), name);
    }
    for (const line of stdout.split('\n')) assert.ok(line.length <= 120, line);
  });
});

test('the webhook reference is up to date; run "node scripts/webhook-reference.ts" to update it', () => {
  const text = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  assert.equal(text, withWebhookReference(text));
  for (const type of webhookTypes) assert.match(text, new RegExp(`^#### ${type}$`, 'm'));
});

test('the list of decisions has every record once, in order', () => {
  const folder = join(root, 'docs/decisions');
  const records = readdirSync(folder).filter((name) => /^\d/.test(name));
  const rows = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| (\d+) \| \[[^\]]+\]\(([^)]+)\)/gm);
  const listed = [...rows].map(([, number = '', file = '']) => ({ number, file }));
  assert.deepEqual(
    listed.map(({ file }) => file),
    records.sort(),
  );
  for (const { number, file } of listed) assert.equal(Number(number), Number.parseInt(file, 10));
});

test('every command in the documents exists, with its options', async () => {
  const found: string[] = [];
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8').replace(/\\\n\s*/g, ' ');
    const code = [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`|^ {4}(\S.*)$/gm)];
    for (const line of code.flatMap(([, block, inline, indented]) => (block ?? inline ?? indented ?? '').split('\n'))) {
      for (const [, words = ''] of line.matchAll(/(?:^|[ |(])(?:\.\/)?latchkey ([a-z][a-z-]*(?: [^|#&`]*)?)/g)) {
        const [name = '', ...rest] = words.trim().split(/\s+/);
        // "latchkey" is also the name of a user, a group, an image and a namespace.
        if (/\b(useradd|install|docker|kubectl|systemctl|createuser)\b/.test(line)) continue;
        const where = `${document}: ${line}`;
        const command = await loadCommand(name);
        assert.ok(command, where);
        const { path, command: named } = findCommand(name, command, rest);
        const [subcommand = ''] = rest;
        const isNamed = path.length === 2 || !isGroup(command) || command.own !== undefined;
        if (/^[a-z][a-z-]+$/.test(subcommand)) assert.ok(isNamed, where);
        const options = isGroup(named) ? named.own?.options : named.options;
        for (const option of rest.filter((word) => word.startsWith('--') && word !== '--help')) {
          assert.ok(Object.hasOwn(options ?? {}, option.slice(2).replace(/=.*/, '')), `${option} in ${where}`);
        }
        found.push(words);
      }
    }
  }
  assert.ok(found.length > 40, `${found.length} commands`);
});

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, name = ''] of text.matchAll(/npm run ([a-z-]+)/g)) assert.ok(name in scripts, `${document}: ${name}`);
  }
});

test('there is a document for each reader', () => {
  for (const name of ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CONTRIBUTING.md'])
    assert.ok(documents.includes(name));
  assert.match(readFileSync(join(root, 'LICENSE'), 'utf8'), /Apache License\s+Version 2\.0/);
});

test('every source file and folder that a document names exists', () => {
  const found: string[] = [];
  for (const document of documents.filter((name) => name !== 'CHANGELOG.md')) {
    const text = readFileSync(join(root, document), 'utf8');
    const paths =
      /`((?:src|protocol|operations|storage|http|pages|platform|cli|test|bench|scripts|examples)\/[\w./-]+)`/g;
    for (const [, path = ''] of text.matchAll(paths)) {
      assert.ok(existsSync(join(root, path)) || existsSync(join(root, 'src', path)), `${document}: ${path}`);
      found.push(path);
    }
  }
  assert.ok(found.length > 40, `${found.length} paths`);
});

test("the README says before its first step which clients can't work", () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const [beginning = ''] = text.split(/^## |^```|^<img /m);
  assert.ok(beginning.length < text.length / 2, 'there is a first step');
  for (const words of ['HS256', 'empty key set', 'PKCE', 'RS256', "doesn't work", 'docs/clients/compatibility.md']) {
    assert.ok(beginning.replace(/\s+/g, ' ').includes(words), words);
  }
});

test("the README's first application works, line by line, while npm start is running", async () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const section = /## Your first application\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-readme-'));
  const issuer = `http://localhost:${await freePort()}`;
  // The second terminal has no setting but the folder, which in a clone is the default.
  const data = { LATCHKEY_DATA_DIR: folder };
  const demo = { ...data, LATCHKEY_BASE_URL: issuer, LATCHKEY_DEMO_PORT: String(await freePort()) };
  const start = spawn('npm', ['start'], { cwd: root, env: cleanEnvironment(demo) });
  try {
    await outputMatching(start, /Press Ctrl-C to stop/);
    const run = (line: string) =>
      spawnSync('bash', ['-euc', line], { cwd: root, env: cleanEnvironment(data), encoding: 'utf8' });
    const [client, user, ...more] = block.trim().split('\n').map(run);
    assert.equal(more.length, 0);
    assert.deepEqual([client?.status, user?.status], [0, 0], `${client?.stderr}${user?.stderr}`);
    const value = (name: string) => new RegExp(`^${name}=(\\S+)$`, 'm').exec(client?.stdout ?? '')?.[1] ?? '';
    assert.equal(value('OIDC_ISSUER'), issuer, 'the issuer is the service that runs');
    assert.ok(section.includes('`http://localhost:8455`'), 'which is this one without other settings');
    const registered = { id: value('OIDC_CLIENT_ID'), redirectUri: value('OIDC_REDIRECT_URI') };
    const app = { ...registered, secret: value('OIDC_CLIENT_SECRET') } as TestClient;
    const [, email = '', password = ''] = /<(\S+@[^>]+)>[\s\S]*?^ {2}password +(\S+)/m.exec(user?.stdout ?? '') ?? [];
    const person = { email, password } as TestUser;
    const { tokens } = await obtainTokens({ url: issuer } as TestService, app, person);
    assert.ok(tokens.id_token);
  } finally {
    const ended = new Promise((resolve) => start.once('exit', resolve));
    start.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});

test("if CHROMIUM_PATH doesn't exist, the tests stop with one sentence", () => {
  const environment = { ...process.env, CHROMIUM_PATH: join(root, 'no-such-browser') };
  const result = spawnSync(process.execPath, ['scripts/test.js'], { cwd: root, env: environment, encoding: 'utf8' });
  assert.equal(result.status, 1);
  assert.match(result.stderr, /CHROMIUM_PATH is .*no-such-browser, but there is no such file/);
});

test('.ci/run runs npm test', () => {
  assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^npm test$/m);
});
