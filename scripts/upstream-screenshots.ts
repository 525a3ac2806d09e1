// Pictures of what people see who sign in with another provider. Called by screenshots.ts.

import type { Page } from 'playwright-core';
import { disableUpstream } from '../src/operations/upstreams/upstreams.ts';
import { newImported } from '../test/harness/imported.ts';
import { requester, type TestService, type TestUser } from '../test/harness/service.ts';
import { startProvider } from '../test/harness/upstream-latchkey.ts';

interface Screen {
  readonly service: TestService;
  readonly page: Page;
  readonly shoot: (name: string) => Promise<void>;
}

/** Starts signed out, and ends so. */
export async function shootUpstreams({ service, page, shoot }: Screen): Promise<void> {
  const { services } = service.running;
  const provider = await startProvider(service, { label: 'Analytical Engines Ltd' });
  const other = await startProvider(service, { name: 'other', label: 'Difference Engines' });
  const visit = (path: string) => page.goto(service.url + path);
  const later = () => {
    for (const each of [service, provider.service]) each.clock.advance(20 * 60);
  };
  const signIn = async (at: string, user: TestUser) => {
    await page.waitForURL(`${at}/**`);
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', user.password);
    await page.click('form[action="/sign-in"] button[type=submit]');
  };
  try {
    const user = await provider.service.newUser({ name: 'Ada Lovelace', email: 'ada@engines.example' });
    await visit('/sign-in');
    await shoot('sign-in-providers');
    await page.click('button[formaction="/sign-in/with/company"]');
    await signIn(provider.service.url, user);
    await page.click('button[value=cancel]');
    await page.waitForURL(`${service.url}/sign-in/with/**`);
    await shoot('provider-canceled');
    await page.click('form[action="/sign-in/with/company"] button');
    await page.click('button[value=approve]');
    await page.waitForURL(`${service.url}/account**`);
    await visit('/account/security');
    await shoot('security-without-password');
    later();
    await page.fill('input[name=new_password]', 'a phrase of my own');
    await page.click('form[action="/account/password"] button[type=submit]');
    await page.waitForSelector('button[name=upstream]');
    await shoot('proof-elsewhere');
    await page.click('button[name=upstream]');
    await signIn(provider.service.url, user);
    await page.waitForSelector('form[action="/account/password"]');
    await shoot('proof-done');
    await page.click('form[action="/account/password"] button[type=submit]');
    await page.waitForSelector('[role=status]');
    await page.click('.things summary');
    await shoot('security-linked-accounts');
    await page.click('button[form=sign-out]:visible, button[popovertarget]:visible');
    if (!page.url().includes('/signed-out')) await page.locator('button[form=sign-out]').first().click();
    await page.waitForURL('**/signed-out**');
    await shoot('signed-out-elsewhere');

    const imported = await newImported(service, 'auth0|64b0c1f2', { picture: 'https://pictures.example/ada.png' });
    await visit('/sign-in?password');
    await signIn(service.url, imported);
    await page.waitForURL(`${service.url}/account**`);
    await visit('/account/profile');
    await shoot('profile-picture-elsewhere');
    await page.context().clearCookies();

    const taken = await provider.service.newUser({ email: imported.email });
    await visit('/sign-in');
    await page.click('button[formaction="/sign-in/with/company"]');
    await signIn(provider.service.url, taken);
    await page.click('button[value=approve]');
    await page.waitForURL(`${service.url}/sign-in/with/**`);
    await shoot('provider-link-needed');
    await page.context().clearCookies();

    const alone = await provider.service.newUser({ name: 'Mary Somerville' });
    await visit('/sign-in');
    await page.click('button[formaction="/sign-in/with/company"]');
    await signIn(provider.service.url, alone);
    await page.click('button[value=approve]');
    await page.waitForURL(`${service.url}/account**`);
    later();
    await disableUpstream(services, provider.name, requester);
    service.clock.advance(5);
    await visit('/account/proof');
    await shoot('proof-no-way');
    await page.context().clearCookies();
  } finally {
    await provider.service.stop();
    await other.service.stop();
  }
}
