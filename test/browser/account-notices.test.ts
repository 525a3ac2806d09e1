// Every notice of the account, in a real browser, after the action that it names.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { en } from '../../src/pages/languages/en.ts';
import { png } from '../harness/account.ts';
import { addFingerprintReader, sharedBrowser } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { Person } from '../harness/person.ts';
import { codeOf, secretOf } from '../harness/second-factors.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { allowLoopbackUpstreams, type Provider, startProvider } from '../harness/upstream-latchkey.ts';
import { anEvent } from '../storage/records.ts';
import { type Sent, sendForm, showAll } from './notice-pages.ts';

const password = 'a rather long phrase';
const security = '/account/security';

let mail: MailServer;
let service: TestService;
let provider: Provider;
let context: BrowserContext;
let page: Page;

before(async () => {
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  mail = await startMailServer();
  service = await startTestService({
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
    ...allowLoopbackUpstreams,
  });
  provider = await startProvider(service);
});
after(async () => {
  await context?.close();
  await provider?.service.stop();
  await service?.stop();
  await mail?.stop();
});

const send = (path: string, action: string, sent: Sent = {}) => sendForm(page, service.url + path, action, sent);
/** The identity provider's clock stands at the same time. */
function advance(seconds: number): void {
  for (const { clock } of [service, provider.service]) clock.advance(seconds);
}
const reaches = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function person(email: string): Promise<TestUser> {
  const record = await service.running.services.storage.findUserByEmail(email);
  assert.ok(record);
  return { id: record.id, email, password, record };
}

async function signIn(email: string, secret = password): Promise<void> {
  await context.clearCookies({ name: 'latchkey_session' });
  await send('/sign-in?password', '/sign-in', { values: { email, password: secret } });
}

async function signInThere(user: TestUser): Promise<void> {
  await page.waitForURL(`${provider.service.url}/**`);
  const { email, password: secret } = user;
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', secret);
  await page.click('form[action="/sign-in"] button[type=submit]');
}

async function addPasskey(): Promise<void> {
  await page.goto(service.url + security);
  await page.locator('summary', { hasText: 'Passkey name' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
}

async function setUpApp(): Promise<Uint8Array> {
  await page.goto(`${service.url}/account/authenticator`);
  const secret = secretOf((await page.locator('code.key').textContent()) ?? '');
  advance(30);
  await page.getByLabel('6-digit code from the app').fill(codeOf(service, { secret }));
  await page.getByRole('button', { name: 'Turn on' }).click();
  return secret;
}

test('every notice of the account names what was done', async () => {
  const { services } = service.running;
  const email = 'ada@example.test';
  let secret: Uint8Array = new Uint8Array();
  const signInElsewhere = async () => void (await new Person(service).signIn(await person(email)));
  await addFingerprintReader(page);

  await showAll(page, en.account.notices, {
    async welcome() {
      await send('/sign-up', '/sign-up', { values: { email } });
      const { link } = await mail.next(email, /Finish creating your account/);
      await sendForm(page, link, '/sign-up/finish', { values: { name: 'Ada Lovelace', password } });
    },
    profile: () => send('/account/profile', '/account/profile', { values: { name: 'Ada King' } }),
    async picture() {
      await page.goto(`${service.url}/account/profile`);
      await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png });
      await page.getByRole('button', { name: 'Upload' }).click();
    },
    password: () => send(security, '/account/password', { values: { new_password: password } }),
    async session() {
      await signInElsewhere();
      await page.goto(`${service.url}/account/sessions`);
      await page
        .getByRole('button', { name: /^Sign out (?!everywhere)/ })
        .first()
        .click();
    },
    async sessions() {
      await signInElsewhere();
      await send('/account/sessions', '/account/sessions', { button: 'end_others' });
    },
    async proof() {
      advance(16 * 60);
      await send('/account/proof', '/account/proof', { values: { password } });
    },
    async 'authenticator-added'() {
      // The passkey brings the recovery codes.
      await addPasskey();
      await reaches('Save your recovery codes');
      secret = await setUpApp();
    },
    passkey: () => send(security, '/account/passkeys/remove'),
    'passkey-added': addPasskey,
    async 'not-possible'() {
      await page.goto(service.url + security);
      const { id } = await person(email);
      const [passkey] = (await services.storage.findSignInFacts(id, undefined)).passkeys;
      await services.storage.removePasskey(id, passkey?.id ?? '', anEvent());
      await page.locator('summary', { hasText: 'Remove' }).first().click();
      await page.locator('form[action="/account/passkeys/remove"] button').click();
    },
    async untrusted() {
      await signIn(email);
      await reaches('Two-step verification');
      advance(30);
      await page.getByLabel('Code', { exact: true }).fill(codeOf(service, { secret }));
      await page.getByLabel("Don't ask for a code on this device for 30 days").check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(`${service.url}/account`);
      await send('/account/sessions', '/account/sessions', { button: 'untrust' });
    },
    authenticator: () => send(security, '/account/authenticator/remove'),
    async 'method-kept'() {
      await addPasskey();
      await reaches('Save your recovery codes');
      await setUpApp();
      await setPassword(services, (await person(email)).id, password, requester);
      await signIn(email);
      await reaches('Review your account');
      await page.getByRole('button', { name: 'Finish review' }).click();
      await page.waitForURL(`${service.url}/account`);
      await send(security, `${security}/paused`, { button: 'keep' });
    },
    'method-removed': () => send(security, `${security}/paused`, { button: 'remove' }),
    async 'identity-linked'() {
      await send(security, '/account/identities/link');
      await signInThere(await provider.service.newUser());
      await page.getByRole('button', { name: 'Allow' }).click();
    },
    'identity-unlinked': () => send(security, '/account/identities/unlink'),
    async 'password-set'() {
      await context.clearCookies();
      await page.goto(`${service.url}/sign-in`);
      await page.getByRole('button', { name: 'Continue with Company' }).click();
      await signInThere(await provider.service.newUser());
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${service.url}/account`);
      await send(security, '/account/password', { values: { new_password: password } });
    },
    async 'password-removed'() {
      await addPasskey();
      await reaches('Save your recovery codes');
      await send(security, '/account/password/remove');
    },
  });
});
