// What people see who have a passkey instead of a password, and where passwords are on their way out.

import { setPasswords, today } from '../passwordless.ts';
import { startTestService } from '../service.ts';
import { site, visitor } from './site.ts';

const DAY = 24 * 60 * 60;
const email = 'ada@example.com';

export const passwordlessPages = site({
  name: 'somebody without a password',
  translated: true,
  async start(page, language) {
    const service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
    const [grace, mary] = [
      await service.newUser({ name: 'Grace Hopper', email: 'grace@example.com' }),
      await service.newUser({ name: 'Mary Somerville', email: 'mary@example.com' }),
    ];
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options });
    // It would also sign in by itself, where the sign-in page has passkeys offered in the email field.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    return {
      ...visitor(page, service.url, language),
      service,
      grace,
      mary,
      async openLink(path: string) {
        const emails = await service.running.services.emailQueue.list(50);
        const link = emails
          .map((each) => each.email.text.match(`${service.url}${path}\\?link=\\S+`)?.[0])
          .find(Boolean);
        if (link === undefined) throw new Error(`no email with a link to ${path}`);
        await page.goto(link);
      },
      createPasskey: () => page.click('[data-create-passkey]'),
      /** With passkeys of two people, the browser would choose one of them. */
      forgetPasskeys: () => devices.send('WebAuthn.clearCredentials', { authenticatorId }),
      async stop() {
        await devices.send('WebAuthn.disable');
        await service.stop();
      },
    };
  },
  pages: {
    async 'sign-up-with-passkey'({ visit, send, heading, openLink, fill }) {
      await visit('/sign-up');
      await send('/sign-up', { email });
      await heading('Check your email');
      await openLink('/sign-up/finish');
      await fill({ name: 'Ada Lovelace' });
    },
    async 'codes-of-a-new-account'({ createPasskey, heading }) {
      await createPasskey();
      await heading('Save your recovery codes');
    },
    'security-passkey-only': ({ visit }) => visit('/account/security'),
    async 'reset-to-passkey'({ page, visit, send, heading, openLink, forgetPasskeys, mary }) {
      await page.context().clearCookies();
      await forgetPasskeys();
      await visit('/reset-password');
      await send('/reset-password', { email: mary.email });
      await heading('Check your email');
      await openLink('/reset-password/finish');
    },
    async 'passkey-created'({ createPasskey, heading }) {
      await createPasskey();
      await heading('Passkey created');
    },
    async 'review-with-passkey'({ page, visit, heading }) {
      await visit('/sign-in');
      await page.click('form[action="/sign-in/passkey"] button');
      await heading('Review your account');
    },
    async 'asked-for-a-passkey'({ page, visit, signIn, heading, service, grace }) {
      await setPasswords(service, 'off', today(service));
      await page.context().clearCookies();
      await visit('/sign-in');
      await signIn(grace);
      await heading('Create a passkey');
    },
    'security-password-ending': ({ visit }) => visit('/account/security'),
    async 'invited-without-password'({ page, visit, send, heading, openLink }) {
      await page.context().clearCookies();
      await visit('/sign-up');
      await send('/sign-up', { email: 'emmy@example.com' });
      await heading('Check your email');
      await openLink('/sign-up/finish');
    },
    async 'passwords-over'({ page, visit, fill, service, grace, problem }) {
      await visit('/sign-in');
      await fill({ email: grace.email, password: grace.password });
      service.clock.advance(DAY);
      await page.click('form[action="/sign-in"] button[type=submit]');
      await problem();
    },
    'sign-in-passkeys-only': ({ visit }) => visit('/sign-in'),
    'passkey-by-email': ({ visit }) => visit('/reset-password'),
  },
});
