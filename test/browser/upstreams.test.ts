// A whole journey of somebody whose company signs them in: with a real browser and another Latchkey as the provider. They
// never see a password field here, prove who they are over there, and link and unlink accounts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { allowLoopbackUpstreams, type Provider, startProvider } from '../harness/upstream-latchkey.ts';

let service: TestService;
let provider: Provider;
let context: BrowserContext;
let page: Page;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await startProvider(service);
  context = await (await sharedBrowser()).newContext();
  page = await context.newPage();
});
after(async () => {
  await context?.close();
  await provider?.service.stop();
  await service?.stop();
});

const press = (name: string) => page.getByRole('button', { name }).first().click();
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function noPasswordField(where: string): Promise<void> {
  assert.ok(page.url().startsWith(service.url), where);
  assert.equal(await page.locator('input[type=password]').count(), 0, where);
}

async function signInThere(user: TestUser): Promise<void> {
  await page.waitForURL(`${provider.service.url}/**`);
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', user.password);
  await page.click('form[action="/sign-in"] button[type=submit]');
}

test('people sign in with an identity provider and manage their account without a password', async () => {
  const { services } = service.running;
  await changeSettings(services, { default_upstream: provider.name }, requester);
  const client = await service.newClient({ redirectUris: [`${service.url}/healthz`] });
  const user = await provider.service.newUser({ name: 'Ada Lovelace' });

  await page.goto(service.url + authorizePath(client, newVerifier()));
  await signInThere(user);
  await press('Allow');
  await page.waitForURL(`${service.url}/**`);
  await noPasswordField('consent');
  await press('Allow');
  await page.waitForURL(/code=/);

  await page.goto(`${service.url}/account/security`);
  await page.getByText("You don't have a password").waitFor();
  await page.getByText('This is your only way to sign in').waitFor();

  for (const each of [service, provider.service]) each.clock.advance(20 * 60);
  await page.fill('input[name=new_password]', 'a phrase of my own');
  await press('Set a password');
  await heading("Confirm it's you");
  await noPasswordField('proof');
  await press('Continue with Company');
  await signInThere(user);
  await heading('Identity confirmed');
  await press('Continue');
  await page.getByText('Password set.').waitFor();

  await page.getByText('Unlink', { exact: true }).first().click();
  await press('Unlink');
  await page.getByText('Account unlinked.').waitFor();
  await press('Link Company');
  await page.getByText('Account linked.').waitFor();
  await press('Sign out');
  await heading("You're signed out");

  await page.goto(`${service.url}/sign-in?password`);
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', 'a phrase of my own');
  await page.click('form[action="/sign-in"] button[type=submit]');
  await page.waitForURL(`${service.url}/account`);
});
