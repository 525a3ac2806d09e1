// What the browser tests of the account share: a service with a mail server and a client, and Chromium on its pages.
// A test file calls `startAccountSite` once, at its top.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { assertSoundInBothLooks, inBrowser as openBrowser } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { readForm } from '../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  postForm,
  type TokenBody,
} from '../harness/relying-party.ts';
import { codeOf, secretOf } from '../harness/second-factors.ts';
import { listening, startTestService, type TestClient, type TestService } from '../harness/service.ts';
import { signInPastPage } from '../harness/signed-in-browser.ts';

const chromeOnLinux =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
export const anotherPassword = 'a rather long phrase';

export let service: TestService;
export let mail: MailServer;
/** A client with a page at its redirect URI. */
export let client: TestClient;
let application: Server;

export function startAccountSite(): void {
  before(async () => {
    mail = await startMailServer();
    service = await startTestService({
      LATCHKEY_SIGN_UP: 'open',
      LATCHKEY_SMTP_URL: mail.url,
      LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
    });
    application = createServer((_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>App</title><p>The application');
    });
    const redirectUris = [`${await listening(application, '127.0.0.1')}/callback`];
    client = await service.newClient({ name: 'Photo album', redirectUris });
  });
  after(async () => {
    await new Promise((resolve) => (application ? application.close(resolve) : resolve(undefined)));
    await service?.stop();
    await mail?.stop();
  });
}

/** Runs `work` in a browser without cookies of other tests. */
export const inBrowser = (
  work: (page: Page, context: BrowserContext) => Promise<void>,
  options: BrowserContextOptions = {},
) => openBrowser(work, { userAgent: chromeOnLinux, ...options });

const lookedAt = new Set<string>();
/** Checks each page once, on a desktop in light and on a small phone in dark. */
export async function look(page: Page, name: string): Promise<void> {
  if (lookedAt.has(name)) return;
  lookedAt.add(name);
  await assertSoundInBothLooks(page, name);
}

export const go = (page: Page, path: string) => page.goto(service.url + path);

export async function reaches(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

/** Fills in a form by its labels and submits it with the button of this name. */
export async function send(page: Page, action: string, values: Record<string, string>, button: string): Promise<void> {
  // Chromium rarely paints a tab in the background, which delays the click.
  await page.bringToFront();
  const form = page.locator(`form[action="${action}"]`);
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByRole('button', { name: button, exact: true }).click();
}

export async function says(page: Page, role: 'alert' | 'status', text: string): Promise<void> {
  await page.locator(`[role=${role}]`, { hasText: text }).waitFor();
}

export async function sendSignIn(page: Page, email: string, password: string): Promise<void> {
  await send(page, '/sign-in', { Email: email, Password: password }, 'Sign in');
}

export async function signIn(page: Page, user: { email: string; password: string }): Promise<void> {
  const answer = await signInPastPage(page, service, user);
  assert.equal(answer.headers().location, '/account');
  await go(page, '/account');
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await reaches(page, "You're signed out");
}

/** Takes fewer pages than signing out, with the same end. */
export async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /^latchkey_(session|remembered)$/ });
}

/** The tokens that the client gets for the user of this browser, who approves if asked. */
export async function tokensFor(page: Page): Promise<TokenBody> {
  const verifier = newVerifier();
  const path = authorizePath(client, verifier);
  let answer = await page.request.get(service.url + path, { maxRedirects: 0 });
  if (answer.status() === 200) {
    const fields = readForm(await answer.text(), '/oauth-authorize/decision')?.fields;
    assert.ok(fields, 'somebody is signed in');
    const form = { ...fields, decision: 'approve' };
    answer = await page.request.post(`${service.url}/oauth-authorize/decision`, { form, maxRedirects: 0 });
  }
  return exchange(new URL(answer.headers().location ?? ''), verifier);
}

export async function exchange(answer: URL, verifier: string): Promise<TokenBody> {
  const parameters = exchangeParameters(client, answer.searchParams.get('code') ?? '', verifier);
  const { status, body } = await postForm(service, '/oauth/token', parameters);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export async function amrOf(page: Page): Promise<unknown> {
  return decodeJwt((await tokensFor(page)).id_token).amr;
}

/** The text contains no secret, and no digest of one, that the store holds. */
export async function assertNoSecrets(text: string): Promise<void> {
  const keepers = ['users', 'sessions', 'known_devices', 'authenticators', 'recovery_codes', 'passkeys', 'grants'];
  const secrets: string[] = [];
  for (const table of keepers) {
    for (const row of await service.rows(table)) {
      for (const [column, value] of Object.entries(row)) {
        if (/digest|hash|secret|public_key/.test(column) && typeof value === 'string' && value !== '') {
          secrets.push(value);
        }
      }
    }
  }
  assert.ok(secrets.length > 5, 'there are secrets to look for');
  for (const secret of secrets) assert.equal(text.includes(secret), false, 'a secret is shown');
}

/** A PNG of three by two pixels, cut from the open page. */
export function smallPng(page: Page): Promise<Buffer> {
  return page.screenshot({ clip: { x: 0, y: 0, width: 3, height: 2 } });
}

/** The code that an authenticator app shows for the key on the page. */
export function codeFrom(key: string): string {
  return codeOf(service, { secret: secretOf(key) });
}

/** A code that hasn't been used. */
export function nextCodeFrom(key: string): string {
  service.clock.advance(30);
  return codeFrom(key);
}

export async function setUpApp(page: Page): Promise<{ key: string; code: string; codes: string[] }> {
  const key = (await page.locator('code.key').textContent()) ?? '';
  const code = nextCodeFrom(key);
  await send(page, '/account/authenticator', { '6-digit code from the app': code }, 'Turn on');
  await reaches(page, 'Save your recovery codes');
  const codes = await page.locator('.codes code').allTextContents();
  assert.equal(new Set(codes).size, 10);
  return { key, code, codes };
}
