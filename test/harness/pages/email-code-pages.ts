// The pages of somebody who signs in with a code by email.

import { newestCode, newMailboxOwner, setPolicy } from '../email-codes.ts';
import { newOwner } from '../second-factors.ts';
import { startTestService } from '../service.ts';
import { site, visitor } from './site.ts';

export const emailCodePages = site({
  name: 'codes by email',
  translated: true,
  async start(page, language) {
    const service = await startTestService();
    await setPolicy(service, { email_codes: 'everyone' });
    const own = visitor(page, service.url, language);
    const ask = async (email: string) => {
      service.clock.advance(60);
      await page.context().clearCookies();
      await own.visit('/sign-in');
      await own.fill({ email });
      await page.click('button[formaction="/sign-in/code"]');
      await page.waitForSelector('input[name="code"]');
    };
    const enter = async (email: string) => own.send('/sign-in/code', { code: await newestCode(service, email) });
    return { ...own, service, ask, enter, stop: () => service.stop() };
  },
  pages: {
    'sign-in-with-codes': ({ visit }) => visit('/sign-in'),
    'email-code': ({ ask }) => ask('grace@example.com'),
    async 'email-code-wrong'({ send, problem }) {
      await send('/sign-in/code', { code: 'ABCD-EFGH' });
      await problem();
    },
    async 'email-code-needs-recovery'({ service, ask, enter, heading }) {
      // Verified until the authenticator app is there, which only its owner could have added.
      const { user } = await newOwner(service);
      const { storage, clock, journal } = service.running.services;
      const found = await storage.findUser(user.id);
      if (found === undefined) throw new Error('there is no such user');
      const { name, givenName, familyName } = found;
      const event = journal.event({ kind: 'user_edited', userId: user.id }, { address: '', requestId: '' });
      const basis = { name, givenName, familyName, email: user.email };
      await storage.editUser(user.id, basis, { ...basis, email: 'ada@example.com' }, clock.now(), event);
      await ask('ada@example.com');
      await enter('ada@example.com');
      await heading('Ask your administrator');
    },
    async 'review-after-first-code'({ service, ask, enter, heading }) {
      const { email } = await service.newUser({ email: 'grace@example.com', emailVerified: false });
      await ask(email);
      await enter(email);
      await heading('Review your account');
    },
    async 'proof-by-email'({ service, ask, enter, page, visit }) {
      const { email } = await newMailboxOwner(service);
      await ask(email);
      await enter(email);
      await page.waitForURL(`${service.url}/account`);
      service.clock.advance(20 * 60);
      await visit('/account/proof');
      await page.waitForSelector('button[name="send_code"]');
    },
    async 'proof-by-email-code'({ page }) {
      await page.click('button[name="send_code"]');
      await page.waitForSelector('input[name="email_code"]');
    },
  },
});
