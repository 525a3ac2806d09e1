// Pictures of the console, on a service with a month of made-up traffic. Called by screenshots.ts.

import type { Page } from 'playwright-core';
import { changeSettings } from '../src/operations/settings/change-settings.ts';
import { makeSetUpLink } from '../src/operations/users/set-up-link.ts';
import { noteBreach } from '../test/harness/account.ts';
import { allowLoopbackUpstreams } from '../test/harness/discovery.ts';
import { authorizePath, newVerifier } from '../test/harness/relying-party.ts';
import { requester, startTestService } from '../test/harness/service.ts';
import { shootProviders } from './provider-screenshots.ts';
import { shootWebhooks } from './webhook-screenshots.ts';

const HOUR = 60 * 60 * 1000;
const password = 'a rather long phrase';
const names = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Radia Perlman', 'Mary Jackson'];

export async function shootConsole(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  const service = await startTestService(allowLoopbackUpstreams);
  const { services } = service.running;
  const visit = (path: string) => page.goto(service.url + path);
  const press = (name: string) => page.getByRole('button', { name }).click();
  const heading = (text: string | RegExp) => page.getByRole('heading', { level: 1, name: text }).waitFor();
  try {
    const link = await makeSetUpLink(services, requester);
    if (link.kind === 'refused') throw new Error(link.problem);
    await page.goto(link.url);
    await page.fill('[name=email]', 'admin@example.com');
    await page.fill('[name=name]', 'Margaret Hamilton');
    await page.fill('[name=password]', password);
    await press('Create account');
    await heading('Overview');
    await shoot('console-overview-empty');

    for (const name of names) {
      await service.newUser({ name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` });
    }
    const album = await service.newClient({ name: 'Photo album', redirectUris: ['https://photos.example/callback'] });
    await service.newClient({ name: 'Field notes', isPublic: true, redirectUris: ['com.example.notes:/callback'] });
    const now = Math.floor(service.clock.now() / HOUR) * HOUR;
    for (let hours = 0; hours < 24 * 30; hours++) {
      const busy = Math.round(20 + 18 * Math.sin(hours / 3.8) + (hours % 7));
      const at = { hour: now - hours * HOUR, clientId: album.id };
      await services.storage.addTotals([
        { ...at, kind: 'sign_in', total: busy },
        { ...at, kind: 'exchange', total: busy },
        { ...at, kind: 'refresh', total: busy * 9 },
        ...(hours % 5 === 0 ? [{ ...at, kind: 'failure', total: hours % 3 } as const] : []),
      ]);
    }
    await visit('/admin');
    await shoot('console-overview');
    await visit('/admin/applications');
    await shoot('console-applications');
    await visit('/admin/applications/new');
    await shoot('console-new-application');
    await page.fill('[name=name]', 'Recipe box');
    await page.fill('[name=redirect_uris]', 'https://recipes.example/oidc/callback');
    await press('Create application');
    await heading('Copy your client secret');
    await shoot('console-secret');
    await page.getByRole('link', { name: 'Continue to application' }).click();
    await press('Rotate secret');
    await heading('Copy your client secret');
    await page.getByRole('link', { name: 'Continue to application' }).click();
    await shoot('console-application');
    await page.getByRole('link', { name: 'Revoke application' }).click();
    await shoot('console-revoke');
    await press('Revoke application');
    await page.waitForSelector('[role=status]');
    await shoot('console-application-revoked');
    await visit('/admin/groups');
    await page.fill('[name=name]', 'Design team');
    await press('Create group');
    await heading('Design team');
    const group = new URL(page.url()).pathname;
    await visit(`${group}?search=gr`);
    await press('Add Grace Hopper');
    await page.waitForSelector('[role=status]');
    await visit(`${group}?search=a`);
    await shoot('console-group');
    await visit('/admin/groups');
    await shoot('console-groups');
    const vault = await service.newClient({ name: 'Vault', access: 'listed' });
    await visit(`/admin/applications/${vault.id}/access?search=ra`);
    await press('Allow Radia Perlman');
    await page.waitForSelector('[role=status]');
    await press('Allow group');
    await page.waitForSelector('[role=status]');
    await visit(`/admin/applications/${vault.id}/access?search=a`);
    await shoot('console-access');
    await visit('/admin/people');
    await shoot('console-people');
    await visit('/admin/people/new');
    await shoot('console-new-person');
    await visit('/admin/people/invitations');
    await page.fill('[name=email]', 'guest@example.com');
    await page.fill('[name=name]', 'Dorothy Vaughan');
    await press('Send invitation');
    await page.waitForSelector('[role=status]');
    await shoot('console-invitations');
    await noteBreach(service, 'admin@example.com');
    await visit('/admin/people');
    await page.getByRole('link', { name: 'Margaret Hamilton' }).click();
    await heading('Margaret Hamilton');
    await shoot('console-person');
    await press('Disable');
    await shoot('console-disable');
    await page.locator('#disable').getByRole('button', { name: 'Disable' }).click();
    await page.waitForSelector('[role=alert]');
    await shoot('console-last-administrator');
    await visit(`${new URL(page.url()).pathname.replace('/disable', '')}/edit`);
    await shoot('console-edit-person');
    await visit('/admin/people?search=ada');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await press('Create recovery link');
    await page.locator('#recovery-link').getByRole('button', { name: 'Create recovery link' }).click();
    await heading('Share this link');
    await shoot('console-recovery-link');
    await visit(authorizePath(album, newVerifier(), { redirect_uri: 'https://photos.example/calback' }));
    await visit('/admin/events');
    await shoot('console-events');
    await visit('/admin/events?application=Photo+album&failures=yes');
    await shoot('console-failures');
    await visit('/admin/keys');
    await page.fill('[name=name]', 'Nightly report');
    await page.locator('form[action="/admin/keys"] button').click();
    await heading('Copy your API key');
    await shoot('console-key');
    await visit('/admin/keys');
    await shoot('console-keys');
    await shootProviders({ service, page, shoot, visit, press });
    await shootWebhooks({ service, page, shoot, visit, press, heading });
    await visit('/admin/settings');
    await shoot('console-settings');
    const brand = { service_name: 'Acme ID', accent: '#c2410c', sign_in_message: 'For everyone at Acme.' };
    const help = { support_url: 'mailto:help@acme.example', privacy_url: 'https://acme.example/privacy' };
    await changeSettings(service.running.services, { ...brand, ...help }, requester);
    await visit('/admin/settings/branding');
    await shoot('console-branding');
  } finally {
    await service.stop();
  }
}
