// What `latchkey client create --for NAME --output DIR` writes for Node.js signs a person in, run by the commands that it prints.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cleanEnvironment, outputMatching, root, runCommand } from '../harness/command.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { freePort } from '../harness/service.ts';
import { type Stage, setStage, signInAs } from './guide-journey.ts';
import { registrationIn } from './guide-program.ts';

let stage: Stage;
let folder: string;
before(async () => {
  stage = await setStage();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-written-'));
});
after(async () => {
  await stage?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// What the other libraries make of it can wait for a release, as it does for their guides.
for (const name of firstUntilRelease([
  'openid-client',
  'oauth4webapi',
  'fetch',
  'passport-oauth2',
  'express-openid-connect',
  'oidc-client-ts',
])) {
  test(`the written program of ${name} signs a person in`, async () => {
    const { redirectUri, isPublic } = registrationIn(`${name}.md`);
    redirectUri.port = String(await freePort());
    const target = join(folder, name);
    const { stdout, stderr } = await runCommand(
      [
        ...['client', 'create', '--name', name, '--redirect-uri', redirectUri.href, ...(isPublic ? ['--public'] : [])],
        ...['--for', name, '--output', target],
      ],
      { LATCHKEY_DATA_DIR: stage.service.dataDir, LATCHKEY_BASE_URL: stage.proxy.url },
    );
    assert.equal(stderr, '');
    for (const file of readdirSync(target).filter((each) => each !== '.env')) {
      assert.doesNotMatch(readFileSync(join(target, file), 'utf8'), /lk_secret_/, file);
    }
    const [, printed = ''] = /Start the program:\n\n((?: {2}.+\n)+)/.exec(stdout) ?? [];
    const commands = printed.trim().split(/\n? {2}/);
    // The packages are there already; tests don't need the network.
    if (commands.includes('npm install')) symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
    const script = commands.filter((command) => command !== 'npm install').join(' && ');
    const node = join(process.execPath, '..');
    const PATH = `${node}:${process.env.PATH}`;
    const program = spawn('sh', ['-c', script.replace(/&& node/, '&& exec node')], {
      env: { ...cleanEnvironment({}), PATH },
    });
    const page = await (await stage.browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    try {
      await outputMatching(program, /Open http/);
      await page.goto(/Then open (\S+)\. /.exec(stdout)?.[1] ?? '');
      await page.click('a:has-text("Sign in")');
      await signInAs(page, stage.user);
      await page.click('button[value=approve]');
      await page.waitForSelector(`text=${stage.user.id}`);
    } finally {
      await page.context().close();
      await ended(program);
    }
  });
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return;
  const closed = new Promise((resolve) => program.once('close', resolve));
  program.kill('SIGTERM');
  await closed;
}
