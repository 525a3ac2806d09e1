// What people see who sign in with an identity provider, which is another Latchkey.

import { disableUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { newImported } from '../imported.ts';
import { requester, startTestService, type TestUser } from '../service.ts';
import { allowLoopbackUpstreams, startProvider } from '../upstream-latchkey.ts';
import { site, visitor } from './site.ts';

export const upstreamPages = site({
  name: 'somebody with an identity provider',
  translated: true,
  async start(page, language) {
    const service = await startTestService(allowLoopbackUpstreams);
    const provider = await startProvider(service, { label: 'Analytical Engines Ltd' });
    const other = await startProvider(service, { name: 'other', label: 'Difference Engines' });
    const here = visitor(page, service.url, language);
    const signInThere = async (user: TestUser) => {
      await page.waitForURL(`${provider.service.url}/**`);
      await here.signIn(user);
    };
    return {
      ...here,
      service,
      provider,
      signInThere,
      user: await provider.service.newUser({ name: 'Ada Lovelace', email: 'ada@engines.example' }),
      imported: await newImported(service, 'auth0|64b0c1f2', { picture: 'https://pictures.example/ada.png' }),
      /** In a browser that nobody is signed in with. */
      async comeAs(user: TestUser) {
        await page.context().clearCookies();
        await here.visit('/sign-in');
        await page.click('button[formaction="/sign-in/with/company"]');
        await signInThere(user);
        await page.click('button[value=approve]');
      },
      atAccount: () => page.waitForURL(`${service.url}/account**`),
      /** Proof of identity counts for 15 minutes. */
      waitForProof() {
        for (const each of [service, provider.service]) each.clock.advance(20 * 60);
      },
      async stop() {
        for (const each of [provider.service, other.service, service]) await each.stop();
      },
    };
  },
  pages: {
    'sign-in-providers': ({ visit }) => visit('/sign-in'),
    async 'provider-canceled'({ page, service, signInThere, user }) {
      await page.click('button[formaction="/sign-in/with/company"]');
      await signInThere(user);
      await page.click('button[value=cancel]');
      await page.waitForURL(`${service.url}/sign-in/with/**`);
    },
    async 'security-without-password'({ page, visit, atAccount }) {
      await page.click('form[action="/sign-in/with/company"] button');
      await page.click('button[value=approve]');
      await atAccount();
      await visit('/account/security');
    },
    async 'proof-elsewhere'({ page, send, waitForProof }) {
      waitForProof();
      await send('/account/password', { new_password: 'a phrase of my own' });
      await page.waitForSelector('button[name=upstream]');
    },
    async 'proof-done'({ page, signInThere, user }) {
      await page.click('button[name=upstream]');
      await signInThere(user);
      await page.waitForSelector('form[action="/account/password"]');
    },
    async 'security-linked-accounts'({ page, send, success }) {
      await send('/account/password', {});
      await success();
      await page.click('.things summary');
    },
    async 'signed-out-elsewhere'({ press, heading }) {
      await press('Sign out');
      await heading("You're signed out");
    },
    async 'profile-picture-elsewhere'({ visit, signIn, imported, atAccount }) {
      await visit('/sign-in?password');
      await signIn(imported);
      await atAccount();
      await visit('/account/profile');
    },
    async 'provider-link-needed'({ page, service, provider, comeAs, imported }) {
      await comeAs(await provider.service.newUser({ email: imported.email }));
      await page.waitForURL(`${service.url}/sign-in/with/**`);
    },
    async 'proof-no-way'({ visit, service, provider, comeAs, atAccount, waitForProof }) {
      await comeAs(await provider.service.newUser({ name: 'Mary Somerville' }));
      await atAccount();
      waitForProof();
      await disableUpstream(service.running.services, provider.name, requester);
      service.clock.advance(5);
      await visit('/account/proof');
    },
  },
});
