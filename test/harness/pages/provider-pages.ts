// The console's pages about identity providers.

import { changeUpstream, deleteUpstream, disableUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { png } from '../account.ts';
import { newLinkedUser, newUpstream } from '../discovery.ts';
import { requester } from '../service.ts';
import { startProvider } from '../upstream-latchkey.ts';
import type { ConsolePages } from './console-scene.ts';

export const providerPages: ConsolePages = {
  'console-providers-none': ({ visit }) => visit('/admin/providers'),
  'console-provider-kinds': ({ visit }) => visit('/admin/providers/new'),
  async 'console-new-provider'({ visit, fill, press, problem }) {
    await visit('/admin/providers/new?for=keycloak');
    await fill({
      name: 'company',
      label: 'Company account',
      issuer: 'https://10.0.0.7/realms/staff',
      client_id: 'latchkey',
      client_secret: 'secret',
    });
    await press('Add identity provider');
    await problem();
  },
  async 'console-providers'(scene) {
    const { visit, service, provider } = scene;
    const rules = { trustedDomains: ['example.com'], createsAccounts: true, trustedAmr: ['mfa'] };
    const company = { name: 'company', kind: 'oidc', issuer: provider.issuer, label: 'Company account', ...rules };
    const upstream = await newUpstream(service, company);
    await newLinkedUser(service, upstream);
    scene.linkedUser = (await newLinkedUser(service, upstream)).id;
    await newUpstream(service, { icon: png });
    await disableUpstream(service.running.services, 'github', requester);
    await visit('/admin/providers');
  },
  'console-provider': ({ visit }) => visit('/admin/providers/company'),
  async 'console-provider-endpoints'({ page, press, provider }) {
    const { issuer, announced } = provider;
    provider.announced = { ...announced, token_endpoint: `${issuer}/v2/token`, userinfo_endpoint: undefined };
    await press('Check for changes');
    await page.waitForSelector('.things');
  },
  // What begins in another browser has expired here.
  'console-provider-tried': ({ visit }) => visit('/admin/providers/company/try?state=1&code=2'),
  async 'console-provider-tried-received'({ page, visit, press, heading, signIn, service }) {
    const engines = await startProvider(service, { name: 'engines', label: 'Analytical Engines Ltd' });
    // Both clocks stand still, the provider's since now: what it issues mustn't be of the future on a slow machine.
    service.clock.advance(Math.max(0, Math.ceil((engines.service.clock.now() - service.clock.now()) / 1000)));
    const ada = await engines.service.newUser({ name: 'Ada Lovelace', email: 'ada@engines.example' });
    await visit('/admin/providers/engines');
    await press('Try it');
    await page.waitForURL(`${engines.service.url}/**`);
    await signIn(ada);
    await page.click('button[value=approve]');
    await page.waitForURL(`${service.url}/admin/providers/engines/try**`);
    await heading('Try Analytical Engines Ltd');
    await engines.service.stop();
    await deleteUpstream(service.running.services, 'engines', requester);
  },
  'console-provider-delete': ({ visit }) => visit('/admin/providers/company/delete'),
  'console-provider-disabled': ({ visit }) => visit('/admin/providers/github'),
  'console-person-identities': ({ visit, linkedUser }) => visit(`/admin/people/${linkedUser}/security`),
  async 'console-events-providers'({ visit, service }) {
    await changeUpstream(service.running.services, 'company', { label: 'Company' }, requester);
    await visit('/admin/events');
  },
};
