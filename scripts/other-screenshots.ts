// Pictures of pages that need a service of their own: a new one, one with a closed application and a brand, and the
// documentation. Called by screenshots.ts.

import type { Page } from 'playwright-core';
import { changeSettings } from '../src/operations/settings/change-settings.ts';
import { makeSetUpLink } from '../src/operations/users/set-up-link.ts';
import { authorizePath, newVerifier } from '../test/harness/relying-party.ts';
import { requester, startTestService } from '../test/harness/service.ts';

type Shoot = (name: string) => Promise<void>;

export async function shootOthers(page: Page, shoot: Shoot): Promise<void> {
  const service = await startTestService();
  const { services } = service.running;
  const visit = (path: string) => page.goto(service.url + path);
  try {
    const link = await makeSetUpLink(services, requester);
    if (link.kind === 'refused') throw new Error(link.problem);
    await page.goto(link.url);
    await shoot('set-up');
    const user = await service.newUser({ name: 'Grace Hopper', email: 'grace@example.com' });
    const vault = await service.newClient({ name: 'Vault', access: 'listed' });
    await visit(authorizePath(vault, newVerifier()));
    await page.fill('[name=email]', user.email);
    await page.fill('[name=password]', user.password);
    await page.press('[name=password]', 'Enter');
    await page.waitForSelector('form[action="/oauth-authorize/account"]');
    await shoot('no-access');
    const brand = { service_name: 'Acme ID', accent: '#c2410c', sign_in_message: 'For everyone at Acme.' };
    const help = { support_url: 'mailto:help@acme.example', privacy_url: 'https://acme.example/privacy' };
    await changeSettings(services, { ...brand, ...help }, requester);
    await page.context().clearCookies();
    await visit('/sign-in');
    await shoot('sign-in-with-a-brand');
  } finally {
    await service.stop();
  }
}

export async function shootDocs(page: Page, shoot: Shoot): Promise<void> {
  const service = await startTestService();
  try {
    await page.goto(`${service.url}/docs`);
    await shoot('docs');
    await page.goto(`${service.url}/docs/search?q=refresh+token`);
    await shoot('docs-search');
  } finally {
    await service.stop();
  }
}
