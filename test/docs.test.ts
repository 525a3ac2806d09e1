// The documents: no dead links, code that is code, and commands that exist. demo/documents.test.ts follows those of a newcomer.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
import { root, runCommand } from './harness/command.ts';
import { brokenLinks, type Fence, fencesIn } from './harness/documents.ts';

const filesLike = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

const documents = filesLike('*.md');

for (const document of documents) {
  test(`every link in ${document} has a target`, () => {
    assert.deepEqual(brokenLinks(root, document), []);
  });
}

const languages = new Set(
  'apache caddyfile console go html http ini js json jsx nginx python ruby sh text yaml'.split(' '),
);

/** Why a code block isn't one for its reader; undefined if it is. */
function problemOf({ info, body, isClosed }: Fence): string | undefined {
  if (!isClosed) return 'not closed';
  if (!/\S/.test(body)) return 'empty';
  // Besides the language and what a program is for, nothing there is shown to anyone.
  const [, language = ''] = /^([a-z]+)( (file|for)=\S+)?$/.exec(info) ?? [];
  if (!languages.has(language)) return `"${info}" is no language`;
  if (language === 'sh') return spawnSync('bash', ['-n'], { input: body, encoding: 'utf8' }).stderr || undefined;
  return undefined;
}

for (const document of documents) {
  test(`every code block in ${document} is one`, () => {
    const problems = fencesIn(readFileSync(join(root, document), 'utf8')).flatMap((fence) => {
      const problem = problemOf(fence);
      return problem === undefined ? [] : [`${document}:${fence.line}: ${problem}`];
    });
    assert.deepEqual(problems, []);
  });
}

describe('a code block is none', () => {
  const broken: readonly [why: string, text: string, problem: RegExp][] = [
    ['with a command instead of its language', '```npm start\n./latchkey\n```\n', /no language/],
    ['with a command after its language', '```sh npm start\n./latchkey\n```\n', /no language/],
    ['without a language', '1. Start it.\n\n   ```\n   npm start\n   ```\n', /no language/],
    ['without code', '```sh\n\n```\n', /empty/],
    ['without an end', '```sh\nnpm start\n', /not closed/],
    ['with commands that no shell can read', '```sh\nnpm start "\n```\n', /unexpected EOF/],
  ];
  for (const [why, text, problem] of broken) {
    test(why, () => {
      const [fence] = fencesIn(text);
      assert.match((fence && problemOf(fence)) ?? '', problem);
    });
  }
});

/** Sentences that made people stop and think, and what is said instead. */
const unclear = {
  'As if the person had just agreed': 'What the application would receive if the person approved every scope.',
  'Everyone listed here': 'Select all',
  'For people who create their account themselves': 'People who create their own account join these groups.',
  'only what has failed': 'failures only',
  "of another service's applications": "convert another service's applications into a file for apply",
  'would get to know': 'what an application would receive about a person',
  'define what is known about people': 'manage attributes of people',
  'links with which people can sign up': 'manage sign-up links',
  'dministrators with less power': 'Limited administrator roles',
  'is a right': 'because a group name can then grant access',
  'instance that is asked': 'by the clock of the instance that handles the request',
  'Both of you': 'You and the directory can both set',
  'never becomes the one you have': "a directory can't take over an existing group",
  'stands for every account': 'A token with `--adopt` can change every account',
  'everything that holds for applications': "everything that applies to applications applies to what's behind it",
  'half of what you want': 'much of what you want behind a sign-in has none of its own',
  'Defining one': 'Define an attribute',
  'Most libraries need the issuer': 'Library defaults to change',
  'Until then, messages are signed': 'Until the previous secret expires',
} as const;

test('sentences that were unclear are gone from documents, pages and help, and what is clear is there', () => {
  const texts = [...filesLike('docs/*.md', 'docs/**/*.md', 'README.md', 'src/**/*.ts')].filter(
    (file) => !file.startsWith('docs/decisions/'),
  );
  assert.ok(texts.length > 500);
  // Sentences go on in the next line.
  const contents = texts.map((file) => readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' '));
  for (const [sentence, clear] of Object.entries(unclear)) {
    const found = texts.filter((_, index) => contents[index]?.includes(sentence));
    assert.deepEqual(found, [], sentence);
    assert.ok(
      contents.some((text) => text.includes(clear)),
      clear,
    );
  }
});

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
    records.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
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

test('sizes are in KB and MB, nowhere in KiB and MiB', () => {
  // Immich calls its own unit so.
  const files = [...documents, ...filesLike('src')].filter((name) => !name.endsWith('immich.md'));
  assert.ok(files.length > 500);
  for (const name of files) assert.doesNotMatch(readFileSync(join(root, name), 'utf8'), /\d ?[KMG]iB\b/, name);
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
  for (const document of documents.filter((name) => !/^CHANGELOG|fixtures/.test(name))) {
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

test("the README says which clients can't work after the first success, and before the first application", () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const sections = text.split(/^## /m);
  const names = sections.slice(1, 4).map((section) => section.split('\n')[0]);
  assert.deepEqual(names, ['Try it', 'Does it work with your application?', 'Your first application']);
  const [, tryIt = '', works = ''] = sections;
  assert.match(tryIt, /^```sh\ngit clone <URL of this repository> latchkey\ncd latchkey\nnpm start\n```$/m);
  for (const words of ['HS256', 'empty key set', 'PKCE', 'RS256', "doesn't work", 'docs/clients/compatibility.md']) {
    assert.ok(works.replace(/\s+/g, ' ').includes(words), words);
  }
});

test("if CHROMIUM_PATH doesn't exist, the tests stop with one sentence", () => {
  const environment = { ...process.env, CHROMIUM_PATH: join(root, 'no-such-browser') };
  const result = spawnSync(process.execPath, ['scripts/test.js'], { cwd: root, env: environment, encoding: 'utf8' });
  assert.equal(result.status, 1);
  assert.match(result.stderr, /CHROMIUM_PATH is .*no-such-browser, but there is no such file/);
});

test('each guide begins with the defaults that break: client authentication, ID token and PKCE', () => {
  const folder = join(root, 'docs/clients');
  const pages = readdirSync(folder).filter((name) => !/README|compatibility|portainer/.test(name));
  assert.ok(pages.length > 20);
  for (const path of pages) {
    const [beginning = ''] = readFileSync(join(folder, path), 'utf8').split('\n## ');
    const [, defaults = ''] = beginning.split('**Defaults to change.** ');
    for (const words of ['client_secret_post', 'HS256', 'S256'])
      assert.ok(defaults.includes(words), `${path}: ${words}`);
  }
});

test('the compatibility table says of frameworks that were only read whether they would work directly', () => {
  const text = readFileSync(join(root, 'docs/clients/compatibility.md'), 'utf8');
  for (const name of [
    'Laravel (Socialite)',
    'Spring Security',
    'ASP.NET Core',
    'Django (mozilla-django-oidc)',
    'Django (django-allauth)',
  ]) {
    const row = text.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
    assert.match(row, /\| directly: .* \| read only \|$/, name);
    assert.match(
      text,
      new RegExp(`^- \\*\\*${name.replace(/[().]/g, '\\$&')}\\*\\*: .*\\([^)]*[0-9a-f]{7}`, 'm'),
      `${name}: what was read`,
    );
  }
});

test('.ci/run runs npm test', () => {
  assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^npm test$/m);
});
