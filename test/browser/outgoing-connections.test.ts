// What a service connects to while people and administrators use it: the mail server, webhooks and identity providers, and
// nothing else. Whatever a request, a file or a passkey names, the service refuses to be sent anywhere.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { composeServices } from '../../src/cli/compose.ts';
import { createUser } from '../../src/operations/users/users.ts';
import { readConfig } from '../../src/platform/config.ts';
import { certifiedAttestation } from '../harness/attestations.ts';
import { addFingerprintReader, sharedBrowser } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { register } from '../harness/passkeys.ts';
import { Person } from '../harness/person.ts';
import { recordingConnections } from '../harness/recorded-connections.ts';
import { authorizePath, exchangeParameters, newVerifier, postForm, userinfo } from '../harness/relying-party.ts';
import { codeOf, secretOf } from '../harness/second-factors.ts';
import { Served } from '../harness/served.ts';
import {
  freePort,
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../harness/service.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';
import { until } from '../harness/until.ts';
import { allowLoopbackUpstreams } from '../harness/upstream-latchkey.ts';
import { allowLoopback, type Receiver, startReceiver } from '../harness/webhooks.ts';

const password = 'a rather long phrase';
const administrator = { email: 'admin@example.test', password };
const person = { email: 'ada@example.test', password };

let folder: string;
let served: Served;
let mail: MailServer;
let provider: TestService;
let webhooks: Receiver;
/** Where the service may not connect to. A browser may. */
let elsewhere: Receiver;
let context: BrowserContext;
let page: Page;

before(async () => {
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  mail = await startMailServer();
  [webhooks, elsewhere] = [await startReceiver(), await startReceiver()];
  elsewhere.answer = { status: 200 };
  // Under another host: browsers send the cookies of a host to all of its ports.
  const port = String(await freePort());
  const issuer = `http://127.0.0.1:${port}`;
  provider = { ...(await startTestService({ LATCHKEY_BASE_URL: issuer, LATCHKEY_PORT: port })), url: issuer };
  folder = mkdtempSync(join(tmpdir(), 'latchkey-connections-'));
  served = await Served.at({
    LATCHKEY_DATA_DIR: join(folder, 'data'),
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
    ...allowLoopbackUpstreams,
    ...allowLoopback,
    ...recordingConnections(
      [serverOf(mail.url), serverOf(webhooks.url), serverOf(issuer)],
      join(folder, 'connections'),
    ),
  });
  const { services, close } = await composeServices(readConfig(served.environment), { passwordMemory: 512 });
  const made = await createUser(
    services,
    { ...administrator, name: 'Admin', emailVerified: true, admin: true },
    requester,
  );
  assert.equal(made.kind, 'done');
  await close();
  await served.start();
});
after(async () => {
  await context?.close();
  await served?.end('SIGTERM');
  await provider?.stop();
  for (const each of [mail, webhooks, elsewhere]) await each?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const serverOf = (url: string) => new URL(url).host;
const go = (path: string) => page.goto(served.url + path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
const reaches = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const says = (text: string) => page.locator('[role=status]').filter({ hasText: text }).waitFor();

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
}

/** Adds an identity provider, a webhook and an application, with everything that can name a URL. */
async function administrate(): Promise<TestClient> {
  await go('/admin/providers/new?for=other');
  await fill(administrator);
  await press('Sign in');
  const atProvider = await provider.newClient({ redirectUris: [`${served.url}/sign-in/with/company/callback`] });
  const credentials = { client_id: atProvider.id, client_secret: atProvider.secret };
  await fill({ issuer: provider.url, name: 'company', label: 'Company', ...credentials });
  await press('Add identity provider');
  // It publishes no keys.
  await page.locator('[name=algorithm]').selectOption('HS256');
  await fill(credentials);
  await press('Add identity provider');
  await says('Identity provider added.');

  await go('/admin/webhooks/new');
  await page.getByLabel('URL', { exact: true }).fill(webhooks.url);
  await press('Create webhook');
  await follow("I've saved my secret");

  await go('/admin/applications/new');
  const redirectUri = `${elsewhere.url}/callback`;
  await page.getByLabel('Name', { exact: true }).fill('Photo album');
  await page.getByLabel('Redirect URIs', { exact: true }).fill(redirectUri);
  await press('Create application');
  await reaches('Copy your client secret');
  const id = (await page.locator('#client-id').textContent()) ?? '';
  const secret = (await page.locator('#client-secret').textContent()) ?? '';
  await follow('Continue to application');
  await press('Sign out');
  return { id, secret, redirectUri } as TestClient;
}

async function signUp(): Promise<void> {
  await go('/sign-up');
  await fill({ email: person.email });
  await press('Send link');
  await page.goto((await mail.next(person.email, /Finish creating your account/)).link);
  await fill({ name: 'Ada Lovelace', password });
  await press('Create account');
}

/** A picture, a passkey, an authenticator app and an identity elsewhere. */
async function fillAccount(): Promise<void> {
  await go('/account/profile');
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 3, height: 2 } });
  await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Upload' }).click();
  await says('Picture updated.');

  await go('/account/authenticator');
  const secret = secretOf((await page.locator('code.key').textContent()) ?? '');
  await page
    .getByLabel('6-digit code from the app')
    .fill(codeOf({ clock: { now: Date.now } } as TestService, { secret }));
  await press('Turn on');
  await reaches('Save your recovery codes');

  await go('/account/security');
  await page.locator('summary', { hasText: 'Passkey name' }).click();
  await page.getByLabel('Passkey name').fill('Laptop');
  await press('Add a passkey');
  await says('Passkey added.');

  await press('Link Company');
  const there = await provider.newUser();
  await page.waitForURL(`${provider.url}/**`);
  await fill({ email: there.email, password: there.password });
  await press('Sign in');
  await press('Allow');
  await says('Account linked.');
}

async function authorize(client: TestClient): Promise<void> {
  const verifier = newVerifier();
  await go(authorizePath(client, verifier));
  await press('Allow');
  await page.waitForURL(`${client.redirectUri}?**`);
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const { body } = await postForm(served.service, '/oauth/token', exchangeParameters(client, code, verifier));
  assert.equal((await userinfo(served.service, body.access_token)).body.email, person.email);
}

test('a service connects to the mail server, webhooks and identity providers only', async () => {
  await addFingerprintReader(page);
  const client = await administrate();
  await signUp();
  await fillAccount();
  await authorize(client);
  await go('/account');
  await press('Sign out');
  await go('/sign-in');
  await press('Sign in with a passkey');
  await page.waitForURL(`${served.url}/account`);
  await go('/account/data');
  await page.request.get(`${served.url}/account/data.json`);
  await press('Sign out');
  await go('/sign-in');
  await press('Continue with Company');
  await reaches('Two-step verification');

  const visits = elsewhere.received.length;
  const hostile = new Person(served.service);
  await hostile.signIn(administrator as TestUser);
  const attestation = certifiedAttestation('android-key', elsewhere.url);
  await register(hostile, new SoftwareAuthenticator(served.url), { attestation });

  await until(() => webhooks.received.length > 0, 'a message at the webhook');
  await served.end('SIGTERM');
  const lines = readFileSync(join(folder, 'connections'), 'utf8').trim().split('\n');
  assert.deepEqual(
    [...new Set(lines)].toSorted(),
    [mail.url, webhooks.url, provider.url].map((url) => `allowed ${serverOf(url)}`).toSorted(),
  );
  assert.equal(elsewhere.received.length, visits);
});
