// Pages that need a service of their own: a new one, with a closed application and then with a brand, and the documentation.

import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { createSignUpLink, revokeSignUpLink } from '../../../src/operations/users/sign-up-links.ts';
import { askPath } from '../access-requests.ts';
import { newWaiting } from '../approval.ts';
import { authorizePath, newVerifier } from '../relying-party.ts';
import { requester, startTestService } from '../service.ts';
import { password } from '../sign-up.ts';
import { site, type Visitor, visitor } from './site.ts';

export const acmeBrand = {
  service_name: 'Acme ID',
  accent: '#c2410c',
  sign_in_message: 'For everyone at Acme.',
  support_url: 'mailto:help@acme.example',
  privacy_url: 'https://acme.example/privacy',
};

export const newServicePages = site({
  name: 'a new service',
  translated: true,
  async start(page, language) {
    const service = await startTestService();
    return { ...visitor(page, service.url, language), service, stop: () => service.stop() };
  },
  after: {
    start: [
      'sign-up-link-needed',
      'sign-up-other-domain',
      'sign-up-link-ended',
      'no-access',
      'sign-up-with-approval',
      'sign-in-with-a-brand',
    ],
  },
  pages: {
    async 'set-up'({ page, service }) {
      const link = await makeSetUpLink(service.running.services, requester);
      if (link.kind === 'refused') throw new Error(link.problems[0].says);
      await page.goto(link.url);
    },
    async 'sign-up-link-needed'({ visit, service }) {
      await changeSettings(service.running.services, { sign_up: 'links' }, requester);
      await visit('/sign-up');
    },
    async 'sign-up-other-domain'({ visit, send, problem, service }) {
      const domains = { sign_up: 'domains', sign_up_domains: ['example.com'] };
      await changeSettings(service.running.services, domains, requester);
      await visit('/sign-up');
      await send('/sign-up', { email: 'ada@example.org' });
      await problem();
    },
    async 'sign-up-link-ended'({ page, service }) {
      const { services } = service.running;
      const made = await createSignUpLink(services, {}, requester);
      if (made.kind === 'refused') throw new Error(made.problems[0].says);
      await revokeSignUpLink(services, made.link.id, requester);
      await page.goto(made.url);
    },
    async 'no-access'({ page, visit, signIn, service }) {
      const user = await service.newUser({ name: 'Grace Hopper', email: 'grace@example.com' });
      const vault = await service.newClient({ name: 'Vault', access: 'listed' });
      await visit(authorizePath(vault, newVerifier()));
      await signIn(user);
      await page.waitForSelector('form[action="/oauth-authorize/account"]');
    },
    async 'no-access-to-ask'({ page, visit, service }) {
      const atlas = await service.newClient({ name: 'Atlas', access: 'listed', accessRequests: 'on' });
      await visit(authorizePath(atlas, newVerifier()));
      await page.waitForSelector(`form[action="${askPath}"]`);
    },
    async 'no-access-asked'({ page }) {
      await page.fill('textarea[name="note"]', 'For the maps of the new office');
      await page.click('button[form="ask"]');
      await page.waitForSelector(`form[action="${askPath}"]`, { state: 'detached' });
    },
    async 'sign-up-with-approval'({ page, visit, service }) {
      await changeSettings(service.running.services, { sign_up: 'approval' }, requester);
      await page.context().clearCookies();
      await visit('/sign-up');
    },
    async 'waiting-for-approval'({ visit, signIn, heading, service }) {
      const { email } = await newWaiting(service, { email: 'katherine@example.com' });
      await visit('/sign-in');
      await signIn({ email, password });
      await heading('Waiting for approval');
    },
    async 'sign-in-with-a-brand'({ page, visit, service }) {
      await changeSettings(service.running.services, acmeBrand, requester);
      await page.context().clearCookies();
      await visit('/sign-in');
    },
  },
});

const documents = [
  'endpoints',
  'quickstart',
  'concepts',
  'errors',
  'clients',
  'clients/compatibility',
  'clients/fetch',
  'operating',
  'performance',
  'scaling',
  'settings',
  'sign-out',
];

const documentPages = Object.fromEntries(
  documents.map((path) => [
    `docs-${path.replace('/', '-')}`,
    ({ visit }: Pick<Visitor, 'visit'>) => visit(`/docs/${path}`),
  ]),
);

export const docsPages = site({
  name: 'the documentation',
  translated: false,
  async start(page, language) {
    const service = await startTestService();
    return { ...visitor(page, service.url, language), stop: () => service.stop() };
  },
  after: { start: ['docs-search', ...Object.keys(documentPages)] },
  pages: {
    docs: ({ visit }) => visit('/docs'),
    'docs-search': ({ visit }) => visit('/docs/search?q=refresh+token'),
    ...documentPages,
  },
});
