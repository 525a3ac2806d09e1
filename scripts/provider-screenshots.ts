// Pictures of the console's pages about identity providers. Called by console-screenshots.ts.

import type { Page } from 'playwright-core';
import { changeUpstream, disableUpstream } from '../src/operations/upstreams/upstreams.ts';
import { png } from '../test/harness/account.ts';
import { newLinkedUser, newUpstream, startDiscovery } from '../test/harness/discovery.ts';
import { requester, type TestService } from '../test/harness/service.ts';

interface Screen {
  readonly service: TestService;
  readonly page: Page;
  readonly shoot: (name: string) => Promise<void>;
  readonly visit: (path: string) => Promise<unknown>;
  readonly press: (name: string) => Promise<void>;
}

export async function shootProviders({ service, page, shoot, visit, press }: Screen): Promise<void> {
  const { services } = service.running;
  const provider = await startDiscovery();
  try {
    await visit('/admin/providers');
    await shoot('console-providers-none');
    await visit('/admin/providers/new');
    await page.fill('[name=name]', 'company');
    await page.fill('[name=label]', 'Company account');
    await page.fill('[name=issuer]', 'https://10.0.0.7/realms/staff');
    await page.fill('[name=client_id]', 'latchkey');
    await page.fill('[name=client_secret]', 'secret');
    await page.fill('[name=trusted_domains]', 'example.com');
    await press('Add identity provider');
    await page.waitForSelector('[role=alert]:visible');
    await shoot('console-new-provider');

    const rules = { trustedDomains: ['example.com'], createsAccounts: true, trustedAmr: ['mfa'] };
    const company = { name: 'company', kind: 'oidc', issuer: provider.issuer, label: 'Company account', ...rules };
    const upstream = await newUpstream(service, company);
    await newLinkedUser(service, upstream);
    const user = await newLinkedUser(service, upstream);
    await newUpstream(service, { icon: png });
    await disableUpstream(services, 'github', requester);
    await visit('/admin/providers');
    await shoot('console-providers');
    await visit('/admin/providers/company');
    await shoot('console-provider');
    provider.announced = {
      ...provider.announced,
      token_endpoint: `${provider.issuer}/v2/token`,
      userinfo_endpoint: undefined,
    };
    await press('Check for changes');
    await page.waitForSelector('.things');
    await shoot('console-provider-endpoints');
    await visit('/admin/providers/company/delete');
    await shoot('console-provider-delete');
    await visit('/admin/providers/github');
    await shoot('console-provider-disabled');
    await visit(`/admin/people/${user.id}`);
    await shoot('console-person-identities');
    await changeUpstream(services, 'company', { label: 'Company' }, requester);
    await visit('/admin/events');
    await shoot('console-events-providers');
  } finally {
    await provider.stop();
  }
}
