// Follows the quickstart and the README in a fresh clone: every command is taken from their text and executed, in its order, and gives
// what the text promises. Only what isn't free on every machine is replaced: ports, the database, and folders outside of the clone.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sharedBrowser } from '../harness/browser.ts';
import { newClone, newcomersEnvironment } from '../harness/clone.ts';
import { finished, outputMatching, root } from '../harness/command.ts';
import { fencesIn } from '../harness/documents.ts';
import { releaseTest } from '../harness/lane.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { obtainTokens } from '../harness/relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const quickstart = readFileSync(join(root, 'docs/quickstart.md'), 'utf8');
const defaultIssuer = 'http://localhost:8455';

const shellIn = (text: string) => fencesIn(text).flatMap(({ info, body }) => (info === 'sh' ? [body] : []));
const [tryIt = '', firstApplication = '', production = '', severalInstances = '', ...moreInReadme] = shellIn(readme);
const [quickStart = '', register = '', runIt = '', ...moreInQuickstart] = shellIn(quickstart);
/** The clone is there already. */
const cloning = 'git clone <URL of this repository> latchkey\ncd latchkey\n';
const start = tryIt.replace(cloning, '');

/** The commands in the README's sentences. Two of them are for other services than the one that `npm start` starts. */
const sentences = [...readme.matchAll(/`(\.\/latchkey [^`]+)`/g)].map(([, command = '']) => command);
const anotherSetupLink = sentences.find((command) => command.includes('setup-link')) ?? '';
const move = sentences.find((command) => command.includes('postgres://')) ?? '';

const folder = newClone();
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
after(() => rmSync(folder, { recursive: true, force: true }));
/** Where the documents write programs, beside the clone. */
const programs = mkdtempSync(join(tmpdir(), 'latchkey-programs-'));
symlinkSync(join(root, 'node_modules'), join(programs, 'node_modules'));
after(() => rmSync(programs, { recursive: true, force: true }));
after(removeSharedPostgres);

/** The text with what is different on this machine; fails if the text doesn't have it any more. */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), `${from} in: ${text}`);
    return changed.replaceAll(from, to);
  }, text);
}

/** In a group of its own: a shell doesn't pass its signals on. */
function started(commands: string, settings: Record<string, string> = {}): ChildProcess {
  return spawn('bash', ['-euc', commands], { cwd: folder, env: newcomersEnvironment(settings), detached: true });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

/** What each line prints by itself, as somebody types them into a second terminal, which has no settings. */
async function typed(commands: string): Promise<string[]> {
  const printed: string[] = [];
  for (const line of commands.split('\n')) {
    const { status, stdout, stderr } = await finished(started(line));
    assert.equal(status, 0, `${line}: ${stderr}`);
    printed.push(stdout);
  }
  return printed;
}

async function assertBecomesReady(url: string, child: ChildProcess): Promise<void> {
  const isReady = async () => {
    assert.equal(child.exitCode, null, 'it goes on');
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    return response?.status === 200;
  };
  await until(isReady, `${url} is ready`);
}

test('no command is left out', () => {
  assert.equal(quickStart, tryIt);
  assert.equal(cloning + start, tryIt);
  assert.deepEqual([moreInReadme, moreInQuickstart], [[], []]);
});

describe('while npm start is running', () => {
  let running: ChildProcess;
  let issuer: string;
  let printed: ReadonlyMap<string, string>;
  let demoAccount: TestUser;

  before(async () => {
    issuer = `http://localhost:${await freePort()}`;
    running = started(start, { LATCHKEY_BASE_URL: issuer, LATCHKEY_DEMO_PORT: String(await freePort()) });
    const output = await outputMatching(running, /Press Ctrl-C to stop/);
    printed = new Map(
      [...output.matchAll(/^ {2}(\w[\w ]*?) {2,}(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    demoAccount = { email: printed.get('Email'), password: printed.get('Password') } as TestUser;
  });
  after(() => running && stopped(running));

  /** What "client create" prints for the application's .env file. */
  function settingsIn(output: string): Map<string, string> {
    return new Map([...output.matchAll(/^(OIDC_\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]));
  }

  async function signIn(settings: ReadonlyMap<string, string>, user: TestUser): Promise<void> {
    const value = (name: string) => settings.get(`OIDC_${name}`) ?? '';
    assert.equal(value('ISSUER'), issuer, 'the issuer is the service that runs');
    const app = { id: value('CLIENT_ID'), secret: value('CLIENT_SECRET'), redirectUri: value('REDIRECT_URI') };
    const { tokens } = await obtainTokens({ url: issuer } as TestService, app as TestClient, user);
    assert.ok(tokens.id_token);
  }

  test('it has printed URLs that respond and an account, and keeps its data where the README says', async () => {
    for (const name of ['Demo app', 'Your account', 'Console']) {
      const response = await fetch(printed.get(name) ?? name);
      assert.equal(response.status, 200, name);
      await response.body?.cancel();
    }
    assert.match(demoAccount.email, /@/);
    assert.ok(readme.includes('Your data is kept in `data/`') && existsSync(join(folder, 'data/latchkey.db')));
  });

  test('the quickstart leads to a sign-in', async () => {
    const program = join(programs, 'quickstart');
    const [output = ''] = await typed(replaced(register, { '../my-app': program }));
    assert.ok(output.includes(replaced(runIt, { '../my-app': program }).replaceAll(/^/gm, '  ')), 'what it prints');
    const settings = settingsIn(readFileSync(join(program, '.env'), 'utf8'));
    const file = settingsIn(fencesIn(quickstart).find(({ info }) => info === 'ini')?.body ?? '');
    assert.deepEqual([...settings.keys()], [...file.keys()], 'the file is what the command prints');
    assert.equal(file.get('OIDC_ISSUER'), defaultIssuer, 'without other settings');
    assert.equal(file.get('OIDC_REDIRECT_URI'), settings.get('OIDC_REDIRECT_URI'));
    await signIn(settings, demoAccount);
  });

  test("the README's first application works", async () => {
    const program = join(programs, 'readme');
    const [, user = '', ...more] = await typed(replaced(firstApplication, { '../my-app': program }));
    assert.deepEqual(more, []);
    const client = readFileSync(join(program, '.env'), 'utf8');
    const [, email = '', password = ''] = /<(\S+@[^>]+)>[\s\S]*?^ {2}password +(\S+)/m.exec(user) ?? [];
    await signIn(settingsIn(client), { email, password } as TestUser);
    assert.ok(readme.includes(`| \`${defaultIssuer}\` |`), 'the issuer without other settings');
  });

  releaseTest("the quickstart's program signs its reader in at the URL that the quickstart names", async () => {
    const [, page = ''] = /^\d\. Open (\S+) and sign in/m.exec(quickstart) ?? [];
    const port = { ':3000': `:${await freePort()}` };
    const url = replaced(page, port);
    const program = { '../my-app': join(programs, 'program') };
    await typed(replaced(replaced(register, port), program));
    // The packages are beside it.
    const application = started(replaced(runIt, { ...program, 'npm install\n': '' }));
    const context = await (await sharedBrowser()).newContext();
    try {
      await outputMatching(application, new RegExp(`Open ${url}`));
      const browserPage = await context.newPage();
      await browserPage.goto(url);
      await browserPage.click('text=Sign in');
      await browserPage.fill('input[name=email]', demoAccount.email);
      await browserPage.fill('input[name=password]', demoAccount.password);
      await browserPage.click('button[type=submit]');
      await browserPage.click('button[value=approve]');
      await browserPage.waitForURL((current) => current.origin === url);
      assert.match(await browserPage.innerText('body'), new RegExp(`Hello, .*${demoAccount.email}`, 's'));
    } finally {
      await context.close();
      await stopped(application);
    }
  });

  releaseTest('the commands in the sentences of the README work', async () => {
    const commands = sentences.filter((command) => command !== anotherSetupLink && command !== move);
    assert.ok(commands.length >= 7, commands.join('\n'));
    // The README applies the file before it says how to write it.
    const [exported = ''] = await typed(commands.find((command) => command.endsWith('--export')) ?? '');
    writeFileSync(join(folder, 'latchkey.json'), exported);
    for (const command of commands) {
      if (command.includes(' --follow')) {
        const following = started(command);
        await outputMatching(following, /client_revoked/).finally(() => stopped(following));
      } else if (command.includes('<client_id>')) {
        const [list = ''] = await typed('./latchkey client list --json');
        const [{ client_id: id }] = JSON.parse(list) as [{ client_id: string }];
        assert.match((await typed(replaced(command, { '<client_id>': id }))).join(), /[Rr]evoked/);
      } else if (command.includes('backup FOLDER/')) {
        const backups = mkdtempSync(join(folder, 'backups-'));
        await typed(replaced(command, { 'FOLDER/': `${backups}/` }));
        assert.match(readdirSync(backups).join(), /^latchkey-\S+\.db$/);
      } else assert.match((await typed(command)).join(), /\S/, command);
    }
  });
});

releaseTest(
  "the README's command for production starts a service that prints a link for its first administrator",
  async () => {
    const port = await freePort();
    const data = { '/var/lib/latchkey': join(folder, 'production') };
    const command = replaced(production, { 8455: String(port), ...data });
    const running = started(command);
    try {
      const setupLink = /https:\/\/login\.example\.com\/set-up\?link=\S+/;
      await outputMatching(running, setupLink);
      await assertBecomesReady(`http://localhost:${port}`, running);
      const response = await fetch(`http://localhost:${port}/.well-known/openid-configuration`);
      const { issuer } = (await response.json()) as { issuer: string };
      assert.equal(issuer, /LATCHKEY_BASE_URL=(\S+)/.exec(production)?.[1]);
      assert.match((await typed(replaced(command, { './latchkey serve': anotherSetupLink }))).join(), setupLink);
    } finally {
      await stopped(running);
    }
  },
);

releaseTest("the README's commands for PostgreSQL start an instance, and move a service there", async () => {
  const [, exampleUrl = ''] = /DATABASE_URL="([^"]+)"/.exec(severalInstances) ?? [];
  const keys = { '/etc/latchkey/keys': join(folder, 'keys') };
  const database = await (await sharedPostgres()).newDatabase({ migrated: false });
  const url = `http://localhost:${await freePort()}`;
  const running = started(replaced(severalInstances, { [exampleUrl]: database, ...keys }), { LATCHKEY_BASE_URL: url });
  try {
    await assertBecomesReady(url, running);
  } finally {
    await stopped(running);
  }
  await typed(replaced(move, { 'postgres://…': database }));
});
