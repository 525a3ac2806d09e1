// The flow inspector of the demo application, in a real browser: it shows what really happened, never a secret, and how
// each failure looks.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page, Response } from 'playwright-core';
import { assertSoundInBothLooks, sharedBrowser } from '../harness/browser.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { type RunningDemoApp, startDemoApp } from './running-demo-app.ts';
import { startTokenProxy, type TokenProxy } from './token-proxy.ts';

const signInSteps = [
  'Discovery',
  'Authorization request',
  'You, at Latchkey',
  'Callback',
  'Code exchange',
  'ID token',
  'Userinfo',
];
const beforeTheExchange = signInSteps.slice(0, 4);

let browser: Browser;
let service: TestService;
let proxy: TokenProxy;
let issuer: string;
let app: RunningDemoApp;
let appUrl: string;
let client: TestClient;
let user: TestUser;

before(async () => {
  // First, so that nothing else has to be stopped when there is no browser.
  browser = await sharedBrowser();
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  service = await startTestService({ LATCHKEY_BASE_URL: issuer });
  proxy = await startTokenProxy(port, service.url);
  appUrl = `http://localhost:${await freePort()}`;
  client = await service.newClient({
    name: 'Demo',
    redirectUris: [`${appUrl}/callback`],
    postLogoutRedirectUris: [`${appUrl}/signed-out`],
  });
  user = await service.newUser();
  const folder = join(service.dataDir, 'demo');
  mkdirSync(folder);
  app = await startDemoApp({ issuer, client, appUrl, folder, expiredAfterSeconds: 2 });
});
after(async () => {
  await app?.stop();
  await proxy?.stop();
  await service?.stop();
});

/** Runs `work` in a new browser, to which the application sends no secret and which contacts no other host. */
async function inBrowser(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const sent: Promise<string>[] = [];
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
    });
    page.on('response', (response) => {
      const { origin } = new URL(response.url());
      if (origin !== appUrl && origin !== issuer) elsewhere.push(response.url());
      if (origin === appUrl) sent.push(textOf(response));
    });
    await work(page);
    assert.deepEqual(elsewhere, [], 'nobody else is asked');
    assert.deepEqual(complaints, [], 'nothing is blocked by the content security policy');
    assert.ok(proxy.secrets.size > 0, 'there are secrets to look for');
    for (const text of await Promise.all(sent)) {
      for (const secret of [client.secret, ...proxy.secrets]) assert.equal(text.includes(secret), false, secret);
    }
  } finally {
    await context.close();
  }
}

async function textOf(response: Response): Promise<string> {
  // A redirect has no body to read.
  return JSON.stringify(await response.allHeaders()) + (await response.text().catch(() => ''));
}

async function signInAtLatchkey(page: Page): Promise<void> {
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', user.password);
  await page.click('button[type=submit]');
}

/** Signs in and opens the inspector. */
async function signIn(page: Page): Promise<void> {
  await page.goto(appUrl);
  await page.click('a.button');
  await signInAtLatchkey(page);
  await page.waitForURL((url) => url.href === `${appUrl}/` || url.pathname === '/oauth-authorize');
  if (page.url().startsWith(issuer)) await page.click('button[value=approve]');
  await page.click('text=See what happened');
  await page.waitForURL(`${appUrl}/inspector`);
}

/** The same page is loaded again, so the caller waits for what changes on it. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

function titles(page: Page): Promise<string[]> {
  return page
    .locator('.step h3')
    .evaluateAll((headings) => headings.map((heading) => String(heading.lastChild?.textContent).trim()));
}

/** A heading, with its number or the mark of a detail before the title. */
function headingOf(title: string): RegExp {
  return new RegExp(`^(\\d+ )?(.* )?${title}$`);
}

/** The page is at the step, and the browser shows it. */
async function jumpedTo(page: Page, title: string): Promise<void> {
  const target = page.locator('.step.failed:target');
  await target.waitFor();
  assert.equal((await target.locator('h3').evaluate((heading) => heading.lastChild?.textContent))?.trim(), title);
  const { y = Number.POSITIVE_INFINITY } = (await target.locator('h3').boundingBox()) ?? {};
  assert.ok(y < (page.viewportSize()?.height ?? 0), 'in view');
  assert.equal(await target.locator('details:not([open])').count(), 0, 'with all that was sent and received');
}

/** The whole text of a step. */
async function step(page: Page, title: string): Promise<string> {
  return (
    (await page
      .locator('.step', { has: page.getByRole('heading', { name: headingOf(title) }) })
      .last()
      .textContent()) ?? ''
  );
}

async function checks(page: Page, title: string, mark: 'passed' | 'failed'): Promise<string[]> {
  const found = page.locator('.step', { has: page.getByRole('heading', { name: headingOf(title) }) }).last();
  return found
    .locator('.checks li', { has: page.getByLabel(mark) })
    .locator('code')
    .allTextContents();
}

test('every step of a sign-in is shown, with every check passed', async () => {
  await inBrowser(async (page) => {
    await page.goto(`${appUrl}/inspector`);
    await page.waitForSelector('text=No steps recorded yet');
    await signIn(page);
    assert.deepEqual(await titles(page), signInSteps);
    assert.equal((await service.rows('grants')).length, 1, 'asking for the 301 has made no grant');
    assert.match(await step(page, 'Authorization request'), /303 See Other[\s\S]*oauth-authorize\.php[\s\S]*S256/);
    assert.match(await step(page, 'Callback'), /code: lkc_••• \(\d+ characters\)[\s\S]*303 See Other/);
    const exchange = await step(page, 'Code exchange');
    for (const name of ['client_secret', 'code', 'code_verifier'])
      assert.match(exchange, new RegExp(`${name}: \\S{4}•••`));
    for (const name of ['access_token', 'refresh_token', 'id_token'])
      assert.match(exchange, new RegExp(`"${name}": "\\S{4}•••`));
    assert.match(exchange, /"expires_in": 900/);
    assert.match(await step(page, 'ID token'), /"alg": "HS256"[\s\S]*"iss": /);
    assert.deepEqual(await checks(page, 'Callback', 'passed'), ['state', 'iss']);
    const ofIdToken = ['signature', 'iss', 'aud', 'exp', 'nonce', 'sub', 'at_hash'];
    assert.deepEqual(await checks(page, 'ID token', 'passed'), ofIdToken);
    assert.deepEqual(await checks(page, 'Userinfo', 'passed'), ['sub']);
    assert.match(await step(page, 'Userinfo'), /Authorization: Bearer eyJh•••[\s\S]*200 OK[\s\S]*Grace Hopper/);

    await press(page, 'Refresh tokens');
    await page.waitForURL(`${appUrl}/inspector#step-8`);
    await press(page, 'Reload claims');
    await page.waitForURL(`${appUrl}/inspector#step-10`);
    await press(page, 'Revoke tokens');
    await page.waitForURL(`${appUrl}/inspector#step-11`);
    const later = ['Refresh', 'New ID token', 'Userinfo', 'Revocation', 'Userinfo after the revocation'];
    assert.deepEqual(await titles(page), [...signInSteps, ...later]);
    assert.deepEqual(await page.getByLabel('failed').count(), 0);
    assert.match(await step(page, 'Revocation'), /token: lkr_•••[\s\S]*200 OK/);
    assert.match(
      await step(page, 'Userinfo after the revocation'),
      /401 Unauthorized[\s\S]*WWW-Authenticate[\s\S]*TOKEN_INVALID/,
    );
    await page.waitForSelector('text=You’re not signed in');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.click('text=Show everything');
    await page.waitForURL(`${appUrl}/inspector?open=all`);
    assert.equal(await page.locator('details:not([open])').count(), 0);
    // The redirect from the .php URL is only here, and doesn't count as a step.
    const [before, after] = [signInSteps.slice(0, 2), signInSteps.slice(2)];
    assert.deepEqual(await titles(page), [...before, 'Redirect from the .php URL', ...after, ...later]);
    const redirect = await step(page, 'Redirect from the .php URL');
    assert.match(redirect, /301 Moved Permanently, to \/oauth-authorize[\s\S]*state: /);
    assert.deepEqual(await checks(page, 'Redirect from the .php URL', 'passed'), ['query']);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, 'nothing is wider than a phone');

    await page.click('text=Clear steps');
    await page.waitForSelector('text=No steps recorded yet');
  });
});

test('a wrong verifier is refused and leaves the code unused; a replayed code is refused', async () => {
  await inBrowser(async (page) => {
    await signIn(page);
    await press(page, 'Wrong verifier');
    await page.waitForSelector('.notice:has-text("It doesn\'t use up the code")');
    await jumpedTo(page, 'Exchange with the wrong verifier');
    assert.deepEqual(await titles(page), [
      ...beforeTheExchange,
      'Exchange with the wrong verifier',
      'Exchange with the right verifier',
      'ID token',
      'Userinfo',
    ]);
    assert.match(
      await step(page, 'the wrong verifier'),
      /400 Bad Request[\s\S]*invalid_grant[\s\S]*OAUTH_INVALID_GRANT/,
    );
    assert.match(await step(page, 'the right verifier'), /200 OK/);
    await page.waitForSelector('text=You’re signed in');

    await press(page, 'Replayed code');
    await page.waitForSelector('.notice:has-text("a code works once")');
    await jumpedTo(page, 'The same code again');
    const afterwards = ['Code exchange', 'The same code again', 'ID token', 'Userinfo'];
    assert.deepEqual(await titles(page), [...beforeTheExchange, ...afterwards]);
    assert.match(await step(page, 'The same code again'), /400 Bad Request[\s\S]*OAUTH_INVALID_GRANT/);
    assert.match(await step(page, 'Userinfo'), /200 OK/);
  });
});

test('an expired code is refused', async () => {
  await inBrowser(async (page) => {
    await signIn(page);
    proxy.beforeExchange = () => service.clock.advance(61);
    await press(page, 'Expired code');
    await page.waitForSelector('text=See what happened');
    proxy.beforeExchange = () => {};
    assert.deepEqual(await page.locator('[role=timer] span').allTextContents(), [
      '2 seconds left',
      '1 second left',
      "Time's up",
    ]);
    assert.equal(await page.locator('[role=timer] span:visible').count(), 1);
    await page.click('text=See what happened');
    await page.waitForSelector('.notice:has-text("The late exchange is refused")');
    await jumpedTo(page, 'Late exchange');
    assert.deepEqual(await titles(page), [...beforeTheExchange, 'Late exchange']);
    assert.match(await step(page, 'Late exchange'), /400 Bad Request[\s\S]*OAUTH_INVALID_GRANT/);
  });
});

test('a canceled consent returns access_denied with state and iss', async () => {
  await inBrowser(async (page) => {
    await signIn(page);
    await press(page, 'Canceled consent');
    await page.click('button[value=cancel]');
    await page.waitForSelector('[role=alert]:has-text("you canceled")');
    await page.waitForSelector('.notice:has-text("no code and there are no tokens.")');
    assert.deepEqual(await titles(page), beforeTheExchange);
    assert.match(await step(page, 'Callback'), /error: access_denied/);
    await jumpedTo(page, 'Callback');
    assert.deepEqual(await checks(page, 'Callback', 'failed'), ['error']);
    assert.deepEqual(await checks(page, 'Callback', 'passed'), ['state', 'iss']);

    // Approving instead signs the user in, without a message about cancelling.
    await press(page, 'Canceled consent');
    await page.click('button[value=approve]');
    await page.waitForURL(`${appUrl}/inspector`);
    assert.deepEqual(await titles(page), signInSteps);
    assert.equal(await page.locator('.notice').count(), 0);
  });
});

test('after the application is removed, refresh and userinfo are refused', async () => {
  await inBrowser(async (page) => {
    await signIn(page);
    await press(page, 'I’ve removed it');
    await page.waitForURL(`${appUrl}/inspector#step-8`);
    assert.match(await step(page, 'Refresh after removal'), /hasn’t been removed/);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Connected apps' }).click();
    const apps = await opened;
    await apps.click(`button[name=remove][value="${client.id}"]`);
    await apps.waitForSelector('[role=status]');
    await apps.close();
    await press(page, 'I’ve removed it');
    await page.waitForURL(`${appUrl}/inspector#step-10`);
    assert.match(await step(page, 'Refresh after removal'), /400 Bad Request[\s\S]*OAUTH_INVALID_GRANT/);
    assert.match(await step(page, 'Userinfo after removal'), /401 Unauthorized[\s\S]*TOKEN_INVALID/);
    await page.waitForSelector('text=You’re not signed in');
  });
});

test('an ID token that fails a check is marked, and nobody is signed in', async () => {
  for (const [change, crossed, problem] of [
    [(token) => resigned(token, { nonce: 'another' }), 'nonce', 'belongs to another request'],
    [(token) => changed(token, { sub: 'somebody' }), 'signature', 'has an invalid signature'],
  ] as [(token: string) => string, string, string][]) {
    await inBrowser(async (page) => {
      proxy.changeIdToken = change;
      try {
        await page.goto(`${appUrl}/sign-in`);
        await signInAtLatchkey(page);
        await page.waitForURL((url) => url.pathname === '/callback' || url.pathname === '/oauth-authorize');
        if (page.url().startsWith(issuer)) await page.click('button[value=approve]');
        await page.waitForSelector(`[role=alert]:has-text("${problem}")`);
      } finally {
        proxy.changeIdToken = (token) => token;
      }
      if (crossed === 'nonce') await assertSoundInBothLooks(page, 'problem');
      await page.click('text=See what happened');
      await page.waitForSelector('text=You’re not signed in');
      await jumpedTo(page, 'ID token');
      await page.goto(`${appUrl}/inspector`);
      await page.click('text=Go to the failing step');
      await jumpedTo(page, 'ID token');
      assert.deepEqual(await titles(page), signInSteps.slice(0, -1));
      assert.deepEqual(await checks(page, 'ID token', 'failed'), [crossed]);
      assert.equal(await page.getByRole('button', { name: 'Refresh tokens' }).count(), 0);
      if (crossed === 'nonce') await assertSoundInBothLooks(page, 'inspector with a cross');
    });
  }
});

/** The token with changed claims and the old signature. */
function changed(token: string, claims: Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.');
  const old = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  return [header, Buffer.from(JSON.stringify({ ...old, ...claims })).toString('base64url'), signature].join('.');
}

/** The token with changed claims, correctly signed. */
function resigned(token: string, claims: Record<string, unknown>): string {
  const [header, payload] = changed(token, claims).split('.');
  return `${header}.${payload}.${createHmac('sha256', client.secret).update(`${header}.${payload}`).digest('base64url')}`;
}
