// Pictures of the demo application and its inspector. Called by screenshots.ts.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startDemoApp } from '../test/demo/running-demo-app.ts';
import { freePort, startTestService } from '../test/harness/service.ts';

const password = 'a rather long phrase';

export async function shootDemo(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  const service = await startTestService();
  const appUrl = `http://localhost:${await freePort()}`;
  const client = await service.newClient({
    name: 'Demo application',
    redirectUris: [`${appUrl}/callback`],
    postLogoutRedirectUris: [`${appUrl}/signed-out`],
  });
  const names = { name: 'Ada Demo', givenName: 'Ada', familyName: 'Demo' };
  const user = await service.newUser({ ...names, email: 'ada@demo.example', password });
  const folder = join(service.dataDir, 'demo');
  mkdirSync(folder);
  const app = await startDemoApp({ issuer: service.url, client, appUrl, folder, expiredAfterSeconds: 20 });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  try {
    await page.goto(appUrl);
    await shoot('demo-welcome');
    await page.goto(`${appUrl}/inspector`);
    await shoot('demo-inspector-empty');
    await page.goto(`${appUrl}/sign-in`);
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', password);
    await page.click('button[type=submit]');
    await page.click('button[value=approve]');
    await page.waitForURL(`${appUrl}/`);
    await shoot('demo-home');
    await page.click('text=See what happened');
    await shoot('demo-inspector');
    await press('Refresh tokens');
    await page.waitForURL(/#step-8$/);
    await press('Revoke tokens');
    await page.waitForURL(/#step-10$/);
    await shoot('demo-inspector-revoked');
    await press('Wrong verifier');
    await page.waitForURL(/inspector#step-5$/);
    await shoot('demo-inspector-wrong-verifier');
    await press('Canceled consent');
    await page.click('button[value=cancel]');
    await page.waitForURL(/inspector#step-4$/);
    await shoot('demo-inspector-cancelled');
    await press('Expired code');
    await page.waitForSelector('[role=timer] span');
    await shoot('demo-countdown');
    service.clock.advance(61);
    await page.waitForSelector('text=See what happened', { timeout: 60_000 });
    await shoot('demo-countdown-over');
    await page.goto(`${appUrl}/callback?code=x`);
    await shoot('demo-problem');
  } finally {
    await app.stop();
    await service.stop();
  }
}
