// The first minutes of a newcomer: a fresh clone, `npm start`, a sign-in, a stop, another start.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { assertPageIsSound, sharedBrowser } from '../harness/browser.ts';
import { newClone, newcomersEnvironment, ownPath } from '../harness/clone.ts';
import { outputMatching, root } from '../harness/command.ts';
import { freePort } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let folder: string;
let browser: Browser;
let environment: Record<string, string>;
/** The calls of `npm ci`, a line each. */
let installations: string;

before(async () => {
  folder = newClone();
  installations = join(folder, '.installations');
  environment = newcomersEnvironment({
    PATH: [linkingNpm(), ...ownPath].join(delimiter),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DEMO_PORT: String(await freePort()),
  });
  browser = await sharedBrowser();
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A folder with an `npm` whose `ci` links the packages that are installed here. Unpacking all of them takes longer than any
 * other test, and a run of the tests in a fresh clone has just done it for real.
 */
function linkingNpm(): string {
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const packages = realpathSync(join(root, 'node_modules'));
  const script = `#!/bin/sh
[ "$1" = ci ] || exec "$(PATH='${ownPath.join(delimiter)}' command -v npm)" "$@"
echo "$@" >> '${installations}'
cp -as '${packages}' node_modules 2>/dev/null || cp -a '${packages}' node_modules
`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
  return bin;
}

async function npmStart(): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn('npm', ['start'], { cwd: folder, env: environment });
  const output = await outputMatching(child, /Press Ctrl-C to stop/, 150_000);
  return { child, output };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function printed(output: string, label: string): string {
  const [, value] = new RegExp(`${label} +(\\S+)`).exec(output) ?? [];
  assert.ok(value, `${label} in ${output}`);
  return value;
}

test('npm start in a fresh clone: a sign-in, the inspector, the console and the gate work, and data is kept', async () => {
  const first = await npmStart();
  const address = printed(first.output, 'Demo app');
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.click('a.button');
    await page.fill('input[name=email]', printed(first.output, 'Email'));
    await page.fill('input[name=password]', printed(first.output, 'Password'));
    await page.click('button[type=submit]');
    await page.click('button[value=approve]');
    await page.waitForSelector('h1:has-text("Hello, Ada Demo")');

    // The inspector shows that every check passed.
    await page.click('a[href="/inspector"]');
    await page.waitForSelector('.checks');
    const passed = await page.locator('.checks li.passed code').allTextContents();
    for (const check of ['signature', 'iss', 'aud', 'exp', 'nonce']) assert.ok(passed.includes(check), check);
    assert.equal(await page.locator('.checks li:not(.passed)').count(), 0);

    // The printed account is an administrator's, and the console shows the sign-in.
    await page.goto(printed(first.output, 'Console'));
    await page.waitForSelector('h1:has-text("Overview")');
    await page.waitForSelector('th:has-text("Demo application")');

    // The page behind the gate needs no password any more.
    await page.goto(`${address}/inspector`);
    await page.click('text=Open a page behind Latchkey’s gate');
    await page.click('button[value=approve]');
    await page.waitForSelector('h1:has-text("Hello, Ada Demo")');
    const gatedPage = page.url();
    assert.equal(gatedPage, `${printed(first.output, 'Gated page')}/`);
    await assertPageIsSound(page, 'gated page');
    await stop(first.child);

    const second = await npmStart();
    try {
      assert.equal(printed(second.output, 'Password'), printed(first.output, 'Password'));
      await page.goto(address);
      await page.waitForSelector('h1:has-text("Hello, Ada Demo")');
      await page.click('text=Refresh tokens');
      await page.waitForSelector('text=Tokens refreshed.');
      await page.goto(printed(second.output, 'Your account'));
      await page.click('text=Connected apps');
      await page.waitForSelector('h2:has-text("Demo application")');
      await page.waitForSelector('h2:has-text("Gated page")');

      // The gate has kept its session, until the person signs out at Latchkey.
      await page.goto(gatedPage);
      await page.waitForSelector('h1:has-text("Hello, Ada Demo")');
      await page.goto(address);
      await page.click('button:has-text("Sign out")');
      await page.waitForSelector('text=the tokens are revoked');
      const isSignedOut = async () => {
        await page.goto(gatedPage);
        return page.url() !== gatedPage;
      };
      await until(isSignedOut, 'Latchkey has told the gate');
    } finally {
      await stop(second.child);
    }
  } finally {
    await context.close();
    first.child.kill('SIGKILL');
  }
  const gate = JSON.parse(readFileSync(join(folder, 'data/demo/gate/gate.json'), 'utf8')) as { listen: string };
  for (const url of [address, printed(first.output, 'Gated page'), `http://${gate.listen}`]) {
    await assert.rejects(fetch(url), 'nothing is left running');
  }
  assert.match(readFileSync(installations, 'utf8'), /^ci .*\n$/, 'installed once');
});
