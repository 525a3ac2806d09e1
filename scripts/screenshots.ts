// npm run screenshots [folder]: pictures of every page, at phone and desktop width, light and dark; the consent page of
// the README is made anew from them.

import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, looks } from '../test/harness/browser.ts';
import { root } from '../test/harness/command.ts';
import { authorizePath, newVerifier } from '../test/harness/relying-party.ts';
import { startTestService } from '../test/harness/service.ts';

const folder = resolve(process.argv[2] ?? join(root, 'data/screenshots'));
mkdirSync(folder, { recursive: true });

const service = await startTestService();
const browser = await launchBrowser();
try {
  const user = await service.newUser({
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    givenName: 'Ada',
    familyName: 'Lovelace',
  });
  const client = await service.newClient({ name: 'Photo album', redirectUris: ['https://photos.example/callback'] });
  for (const look of looks) {
    const { viewport, colorScheme } = look;
    const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2 });
    const page = await context.newPage();
    await takePictures(page, (name) => join(folder, `${name}-${look.name.replace(', ', '-')}.png`));
    await context.close();
  }
  copyFileSync(join(folder, 'consent-phone-light.png'), join(root, 'docs/images/consent.png'));
  process.stdout.write(`Pictures are in ${folder}\n`);

  async function takePictures(page: Page, file: (name: string) => string): Promise<void> {
    const shoot = (name: string) => page.screenshot({ path: file(name), fullPage: true });
    const visit = (path: string) => page.goto(service.url + path);
    const signIn = async (password: string) => {
      await page.fill('input[name=email]', user.email);
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
    };
    await visit(authorizePath(client, newVerifier()));
    await shoot('sign-in');
    await signIn('not the password');
    await shoot('sign-in-failed');
    await signIn(user.password);
    await page.waitForSelector('button[value=approve]');
    await shoot('consent');
    // Approved without following the answer: the application is not there.
    const request = await page.inputValue('form[action="/oauth-authorize/decision"] input[name=request]');
    const form = { request, decision: 'approve' };
    await page.request.post(`${service.url}/oauth-authorize/decision`, { form, maxRedirects: 0 });
    await visit('/account/apps');
    await shoot('connected-apps');
    await visit(authorizePath(client, newVerifier(), { prompt: 'select_account' }));
    await shoot('choose-account');
    await visit(authorizePath(client, newVerifier(), { redirect_uri: 'https://photos.example/' }));
    await shoot('error');
    await visit('/account/apps');
    await page.click('button[name=remove]');
    await shoot('connected-apps-none');
    await page.click('button:has-text("Sign out")');
    await shoot('signed-out');
  }
} finally {
  await browser.close();
  await service.stop();
}
