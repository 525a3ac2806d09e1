// The demo application and its inspector.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDemoApp } from '../../demo/running-demo-app.ts';
import { freePort, startTestService } from '../service.ts';
import { site, visitor } from './site.ts';

export const demoPages = site({
  name: 'the demo',
  translated: false,
  async start(page, language) {
    const service = await startTestService();
    const appUrl = `http://localhost:${await freePort()}`;
    const client = await service.newClient({
      name: 'Demo application',
      redirectUris: [`${appUrl}/callback`],
      postLogoutRedirectUris: [`${appUrl}/signed-out`],
    });
    const names = { name: 'Ada Demo', givenName: 'Ada', familyName: 'Demo' };
    const user = await service.newUser({ ...names, email: 'ada@demo.example' });
    const folder = join(service.dataDir, 'demo');
    mkdirSync(folder);
    const app = await startDemoApp({ issuer: service.url, client, appUrl, folder, expiredAfterSeconds: 12 });
    return {
      ...visitor(page, appUrl, language),
      service,
      user,
      async stop() {
        await app.stop();
        await service.stop();
      },
    };
  },
  after: {
    start: ['demo-inspector-empty', 'demo-home', 'demo-problem'],
    'demo-inspector': ['demo-inspector-wrong-verifier', 'demo-inspector-canceled', 'demo-countdown'],
  },
  pages: {
    'demo-welcome': ({ visit }) => visit('/'),
    'demo-inspector-empty': ({ visit }) => visit('/inspector'),
    async 'demo-home'({ page, visit, signIn, user }) {
      await visit('/sign-in');
      await signIn(user);
      await page.click('button[value=approve]');
      await page.getByText('See what happened').waitFor();
    },
    'demo-inspector': ({ page }) => page.click('text=See what happened'),
    async 'demo-inspector-revoked'({ page, press }) {
      await press('Refresh tokens');
      await page.waitForURL(/#step-8$/);
      await press('Revoke tokens');
      await page.waitForURL(/#step-10$/);
    },
    async 'demo-inspector-wrong-verifier'({ page, press }) {
      await press('Wrong verifier');
      await page.waitForURL(/inspector#step-5$/);
    },
    async 'demo-inspector-canceled'({ page, press }) {
      await press('Canceled consent');
      await page.click('button[value=cancel]');
      await page.waitForURL(/inspector#step-4$/);
    },
    async 'demo-countdown'({ page, press }) {
      await press('Expired code');
      await page.waitForSelector('[role=timer] span');
    },
    async 'demo-countdown-over'({ page, service }) {
      service.clock.advance(61);
      await page.waitForSelector('text=See what happened');
    },
    'demo-problem': ({ visit }) => visit('/callback?code=x'),
  },
});
