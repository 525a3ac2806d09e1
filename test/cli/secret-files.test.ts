// Every secret setting can come from a file. All of them are tried at once: a configuration reports everything that is wrong
// with it.

import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  type ConfigVariable,
  configVariables,
  fileVariable,
  secretsInFiles,
} from '../../src/platform/config-variables.ts';
import { outputMatching, runCommand, startCommand } from '../harness/command.ts';
import { freePort } from '../harness/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const mark = 'pa55w0rd';
/** Nothing responds at these addresses. Doctor names the host of each, which shows that it has read the value. */
const values: Record<string, string> = {
  DATABASE_URL: `postgres://latchkey:${mark}@127.0.0.1:1/database`,
  LATCHKEY_SMTP_URL: `smtp://latchkey:${mark}@127.0.0.1:2`,
};
const keys = 'yqw7E2Jr0dZs-Hk4LmVb_Xc9TfPgNuRoA1iQ5eDhWtM';
const base = { LATCHKEY_DATA_DIR: join(folder, 'data'), LATCHKEY_MAIL_FROM: 'id@mail.example' };

/** A file of that text for every secret, and the variables that name them. */
function files(name: string, textOf: (value: string) => string): Record<string, string> {
  return Object.fromEntries(
    secretsInFiles.map((variable) => {
      const file = join(folder, `${variable}-${name}`);
      writeFileSync(file, textOf(values[variable] ?? assert.fail(`${variable} needs a value here`)), { mode: 0o600 });
      return [fileVariable(variable), file];
    }),
  );
}

async function findings(
  environment: Record<string, string>,
): Promise<{ state: string; about: string; text: string }[]> {
  const { stdout, stderr } = await runCommand(['doctor', '--json'], { ...base, ...environment });
  assert.ok(!`${stdout}${stderr}`.includes(mark), 'no secret is printed');
  return JSON.parse(stdout);
}

test('every secret setting is covered, and settings that look secret are marked as such', () => {
  const marked = Object.entries<ConfigVariable>(configVariables).flatMap(([name, { secret }]) =>
    secret ? [name] : [],
  );
  assert.deepEqual(marked.sort(), [...secretsInFiles, 'LATCHKEY_KEYS'].sort());
  const looksSecret = /password@|secret|token|KEYS$/i;
  for (const [name, { summary }] of Object.entries<ConfigVariable>(configVariables)) {
    if (looksSecret.test(`${summary} ${name}`)) assert.ok(marked.includes(name), name);
  }
});

describe('a secret in a file', () => {
  for (const [name, end] of Object.entries({ 'no newline': '', 'a newline': '\n', 'a newline of Windows': '\r\n' })) {
    test(`is read from a file that ends with ${name}`, async () => {
      const found = await findings(files(name, (value) => value + end));
      const texts = found.map(({ text }) => text).join('\n');
      assert.match(texts, /PostgreSQL doesn't respond: .*127\.0\.0\.1:1\b/);
      assert.match(texts, /127\.0\.0\.1:2 doesn't work: connect/);
    });
  }

  test('counts as not set when its variable is empty', async () => {
    const unset = Object.fromEntries(secretsInFiles.map((name) => [fileVariable(name), '']));
    assert.equal((await findings(unset)).filter(({ state }) => state === 'problem').length, 0);
  });

  const missing = Object.fromEntries(secretsInFiles.map((name) => [fileVariable(name), join(folder, 'missing')]));
  const directory = Object.fromEntries(secretsInFiles.map((name) => [fileVariable(name), folder]));
  const faults: { name: string; environment: Record<string, string>; problem: (variable: string) => string }[] = [
    {
      name: 'both set',
      environment: { ...files('both', String), ...values },
      problem: (variable) => `${variable} and ${fileVariable(variable)} are both set; set only one of them`,
    },
    {
      name: 'no such file',
      environment: missing,
      problem: (variable) => `${fileVariable(variable)}: can't read ${join(folder, 'missing')} (ENOENT)`,
    },
    {
      name: 'not a file',
      environment: directory,
      problem: (variable) => `${fileVariable(variable)}: can't read ${folder} (EISDIR)`,
    },
    {
      name: 'an empty file',
      environment: files('empty', () => ' \n'),
      problem: (variable) => `${fileVariable(variable)}: ${join(folder, `${variable}-empty`)} is empty`,
    },
    {
      name: 'more than one line',
      environment: files('lines', (value) => `${value}\n${value}\n`),
      problem: (variable) =>
        `${fileVariable(variable)}: ${join(folder, `${variable}-lines`)} must contain a single line`,
    },
    {
      name: 'something else in the file',
      environment: files('other', () => `mailto:${mark}`),
      problem: (variable) => `${variable} must `,
    },
  ];
  for (const { name, environment, problem } of faults) {
    test(`is refused with the names of the variable and the file: ${name}`, async () => {
      const found = await findings(environment);
      for (const variable of secretsInFiles) {
        const matching = found.filter(({ state, text }) => state === 'problem' && text.startsWith(problem(variable)));
        assert.equal(matching.length, 1, `${variable} in ${JSON.stringify(found)}`);
      }
    });
  }

  test('stops the service from starting when it is refused', async () => {
    const { status, stderr } = await runCommand(['serve'], { ...base, ...missing });
    assert.equal(status, 1);
    for (const name of secretsInFiles) assert.match(stderr, new RegExp(`^ +- ${fileVariable(name)}: can't read`, 'm'));
  });
});

describe('keys in a file', () => {
  test("can't be combined with keys in the environment", async () => {
    const found = await findings({ LATCHKEY_KEYS: keys, LATCHKEY_KEYS_FILE: join(folder, 'keys') });
    assert.deepEqual(found, [
      {
        state: 'problem',
        about: 'configuration',
        text: 'LATCHKEY_KEYS and LATCHKEY_KEYS_FILE are both set; set only one of them',
      },
    ]);
  });

  const skip = process.getuid?.() !== 0 && "needs root, for a file of another user's";
  test('can belong to another user, as a mounted secret does', { skip }, async () => {
    const mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    const file = join(mounted, 'keys');
    writeFileSync(file, `${keys}\n`);
    // Not the user that runs the service, who reads the file through its group.
    chownSync(file, 65534, 0);
    chmodSync(file, 0o440);
    const port = await freePort();
    const environment = { ...base, LATCHKEY_KEYS_FILE: file, LATCHKEY_BASE_URL: `http://localhost:${port}` };
    const service = startCommand(['serve'], environment);
    try {
      await outputMatching(service, /Latchkey is running at/);
      const found = (await findings(environment)).filter(({ about }) => about === 'keys');
      assert.deepEqual(found, [{ state: 'ok', about: 'keys', text: `1 in ${file}.` }]);
    } finally {
      service.kill('SIGINT');
    }
  });
});
