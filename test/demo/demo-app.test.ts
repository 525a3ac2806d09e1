// The demo application with a running Latchkey, in a real browser: it follows every rule for clients.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { assertPageIsSound, sharedBrowser } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { type RunningDemoApp, startDemoApp } from './running-demo-app.ts';

let service: TestService;
let browser: Browser;
let app: RunningDemoApp;
let appUrl: string;
let folder: string;
let client: TestClient;
let user: TestUser;

before(async () => {
  // First, so that nothing else has to be stopped when there is no browser.
  browser = await sharedBrowser();
  service = await startTestService();
  appUrl = `http://localhost:${await freePort()}`;
  client = await service.newClient({
    name: 'Demo',
    redirectUris: [`${appUrl}/callback`],
    postLogoutRedirectUris: [`${appUrl}/signed-out`],
  });
  user = await service.newUser();
  folder = join(service.dataDir, 'demo');
  mkdirSync(folder);
  app = await startDemoApp({ issuer: service.url, client, appUrl, folder });
});
after(async () => {
  await app?.stop();
  await service?.stop();
});

async function inBrowser(work: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await work(page, context);
  } finally {
    await context.close();
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto(appUrl);
  await page.click('a.button');
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', user.password);
  await page.click('button[type=submit]');
  await page.waitForURL((url) => url.href === `${appUrl}/` || url.pathname === '/oauth-authorize');
  if (page.url().startsWith(service.url)) await page.click('button[value=approve]');
  await page.waitForSelector('h1:has-text("Hello, Grace Hopper")');
}

/** How many requests to userinfo were refused. */
function refusedUserinfo(): number {
  return service
    .log()
    .split('\n')
    .filter((line) => line.includes('"route":"/oauth/userinfo"') && line.includes('"status":401')).length;
}

test('a person signs in, the tokens are renewed, and signing out ends the session at Latchkey, too', async () => {
  await inBrowser(async (page) => {
    await page.goto(appUrl);
    await signIn(page);
    assert.ok((await page.textContent('table'))?.includes(user.email));
    assert.ok((await page.textContent('table'))?.includes(user.id), 'users are keyed on sub');
    await page.click('text=Reload claims');
    await page.waitForSelector('text=Claims reloaded.');
    await page.click('text=Refresh tokens');
    await page.waitForSelector('text=Tokens refreshed.');
    await page.click('button:has-text("Sign out")');
    await page.waitForSelector('text=the tokens are revoked');
    assert.equal((await service.events('token_revoked')).length, 1);
    await page.goto(`${appUrl}/inspector`);
    assert.deepEqual(await page.locator('.step h3').allTextContents(), [
      '1 Revocation',
      '2 Sign-out request',
      '3 Back from Latchkey',
    ]);
    await assertPageIsSound(page, 'inspector after signing out');
    const shown = (await page.textContent('main')) ?? '';
    assert.match(shown, /id_token_hint: eyJh••• \(\d+ characters\)/);
    assert.match(shown, /state is the one stored for this browser/);
    assert.equal(shown.includes(user.email), false, 'nothing is left about the person');
    await page.goto(appUrl);
    await page.click('a.button');
    await page.waitForSelector('input[name=password]');
  });
});

test('tokens never reach the browser and are encrypted at rest', async () => {
  await inBrowser(async (page, context) => {
    const seen: string[] = [];
    page.on('response', async (response) => {
      if (response.url().startsWith(appUrl)) seen.push(JSON.stringify(await response.allHeaders()));
    });
    await signIn(page);
    seen.push(await page.content(), JSON.stringify(await context.cookies()));
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    const accessTokenHeader = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url');
    for (const text of [...seen, ...stored]) {
      assert.equal(text.includes('lkr_'), false, 'a refresh token');
      assert.equal(text.includes(accessTokenHeader), false, 'an access token');
    }
    assert.ok(stored.join('').includes(user.id), 'the right files are read');
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
  });
});

releaseTest("after the application is removed there's one 401, no retry, and the person signs in again", async () => {
  await inBrowser(async (page) => {
    await signIn(page);
    await page.goto(`${service.url}/account/apps`);
    await page.click(`button[name=remove][value="${client.id}"]`);
    await page.waitForSelector('[role=status]');
    const before = refusedUserinfo();
    await page.goto(appUrl);
    await page.click('text=Reload claims');
    await page.waitForSelector('text=no longer has access');
    await page.waitForSelector('a.button:has-text("Sign in with Latchkey")');
    await until(() => refusedUserinfo() > before, 'the request is logged');
    assert.equal(refusedUserinfo() - before, 1);
  });
});

releaseTest('a canceled consent is shown as such', async () => {
  await inBrowser(async (page) => {
    await page.goto(appUrl);
    await page.click('a.button');
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', user.password);
    await page.click('button[type=submit]');
    await page.click('button[value=cancel]');
    await page.waitForSelector('text=you canceled');
    await assertPageIsSound(page, 'problem');
  });
});

test("unusual URLs don't crash the application", async () => {
  const { port } = new URL(appUrl);
  for (const path of ['//', '//[', '/?notice=constructor', '/constructor', '*']) {
    const status = await new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode));
      asked.on('error', reject).end();
    });
    assert.ok(status === 200 || status === 404, `${path}: ${status}`);
  }
});

test("a response that this browser didn't request is rejected", async () => {
  await inBrowser(async (page) => {
    await page.goto(`${appUrl}/callback?code=x&state=y&iss=${encodeURIComponent(service.url)}`);
    await page.waitForSelector('text=wasn’t started in this browser');
  });
});

test('a response with another state or issuer is rejected', async () => {
  for (const [change, problem] of [
    [{ state: 'forged' }, 'the state doesn’t match'],
    [{ iss: 'https://evil.example' }, 'from another issuer'],
  ] as const) {
    const begun = await fetch(`${appUrl}/sign-in`, { redirect: 'manual' });
    const cookies = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'x', state, iss: service.url, ...change });
    const response = await fetch(`${appUrl}/callback?${query}`, { headers: { Cookie: cookies.join('; ') } });
    assert.equal(response.status, 400);
    assert.ok((await response.text()).includes(problem));
  }
});
