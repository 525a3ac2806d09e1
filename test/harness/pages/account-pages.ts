// What a person sees: from signing up on the way to an application to deleting the account.

import { updateClient } from '../../../src/operations/clients/clients.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { noteBreach } from '../account.ts';
import { formIn, Person } from '../person.ts';
import { authorizePath, newVerifier } from '../relying-party.ts';
import { codeOf, keyOn } from '../second-factors.ts';
import { requester, startTestService } from '../service.ts';
import { site, visitor } from './site.ts';

const email = 'ada@example.com';
const password = 'a rather long phrase';
const newPassword = 'another rather long phrase';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const virtualAuthenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

export const accountPages = site({
  name: 'a person',
  translated: true,
  async start(page, language) {
    const service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
    const client = await service.newClient({ name: 'Photo album', redirectUris: ['https://photos.example/callback'] });
    return {
      ...visitor(page, service.url, language),
      service,
      client,
      devices: await page.context().newCDPSession(page),
      newcomer: await service.newUser({ name: 'Grace Hopper', email: 'grace@example.com' }),
      recoveryCodes: [''],
      /** The code that an authenticator app shows for the key on the page. */
      codeNow: async () => codeOf(service, keyOn(await page.content())),
      async openLink(path: string) {
        const emails = await service.running.services.emailQueue.list(50);
        const link = emails
          .map((each) => each.email.text.match(`${service.url}${path}\\?link=\\S+`)?.[0])
          .find(Boolean);
        if (link === undefined) throw new Error(`no email with a link to ${path}`);
        await page.goto(link);
      },
      stop: () => service.stop(),
    };
  },
  after: {
    start: ['components', 'error', 'set-up-link-sent'],
    'sign-in': ['sign-up'],
    profile: [
      'your-apps-none',
      'your-apps',
      'sign-out',
      'change-email',
      'outbox',
      'outbox-email',
      'security',
      'devices',
      'activity',
      'data',
    ],
    'your-apps': ['your-apps-many', 'consent'],
    'choose-account': ['connected-apps', 'connected-apps-none'],
    security: ['security-breached', 'authenticator'],
  },
  pages: {
    'sign-in': ({ visit, client }) => visit(authorizePath(client, newVerifier())),
    async 'sign-in-failed'({ signIn, problem }) {
      await signIn({ email, password: 'not the password' });
      await problem();
    },
    async 'sign-up'({ page, heading }) {
      await page.click('button[formaction="/sign-up/start"]');
      await heading('Create an account');
    },
    async 'mail-sent'({ send, heading }) {
      await send('/sign-up', { email });
      await heading('Check your email');
    },
    'finish-sign-up': ({ openLink }) => openLink('/sign-up/finish'),
    async 'finish-sign-up-failed'({ send, problem }) {
      await send('/sign-up/finish', { name: 'Ada Lovelace', password: 'password1' });
      await problem();
    },
    async profile({ page, visit, send, press, success, service }) {
      await send('/sign-up/finish', { password });
      await page.waitForSelector('button[value=approve]');
      // The same person in another browser, for the list of devices.
      const elsewhere = new Person(service);
      const form = await formIn(await elsewhere.visit('/sign-in'), '/sign-in');
      await elsewhere.submit(form, { email, password }, { 'User-Agent': firefox });
      await visit('/account/profile');
      await send('/account/profile', { given_name: 'Ada', family_name: 'Lovelace' });
      await success();
      // A blank page has no content security policy against an inline style, so it can draw the portrait.
      await page.goto('about:blank');
      await page.setContent('<body style="background: linear-gradient(135deg, #0f5f4e, #f2c14e)">');
      const portrait = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } });
      await visit('/account/profile');
      await page.setInputFiles('#picture', { name: 'portrait.png', mimeType: 'image/png', buffer: portrait });
      await press('Upload picture');
      await page.waitForSelector('.portrait');
    },
    'your-apps-none': ({ visit }) => visit('/account'),
    /** Applications that can be opened from the account, one of them with everything that it can have. */
    async 'your-apps'({ visit, service, client }) {
      const { services } = service.running;
      const album = 'https://photos.example';
      const links = { clientUri: album, policyUri: `${album}/privacy`, tosUri: `${album}/terms` };
      await updateClient(services, client.id, links, requester);
      for (const name of ['Calendar', 'Expenses', 'Handbook', 'Time tracking for teams in several countries', 'Wiki']) {
        const { id } = await service.newClient({ name });
        await updateClient(services, id, { launchUrl: 'https://apps.example' }, requester);
      }
      await visit('/account');
    },
    async 'your-apps-many'({ visit, service }) {
      for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const { id } = await service.newClient({ name: `Team site ${number}` });
        await updateClient(service.running.services, id, { launchUrl: 'https://apps.example' }, requester);
      }
      await visit('/account');
    },
    consent: ({ visit, client }) => visit(authorizePath(client, newVerifier())),
    async 'choose-account'({ page, visit, service, client }) {
      // Approve without following the redirect: there is no application to return to.
      const request = await page.inputValue('form[action="/oauth-authorize/decision"] input[name=request]');
      const form = { request, decision: 'approve' };
      await page.request.post(`${service.url}/oauth-authorize/decision`, { form, maxRedirects: 0 });
      await visit(authorizePath(client, newVerifier(), { prompt: 'select_account' }));
    },
    error: ({ visit, client }) =>
      visit(authorizePath(client, newVerifier(), { redirect_uri: 'https://photos.example/' })),
    'sign-out': ({ visit, client }) => visit(`/oauth/logout?client_id=${client.id}`),
    'change-email': ({ visit }) => visit('/account/email'),
    async 'confirm-email'({ send, heading, openLink }) {
      await send('/account/email', { email: 'ada@lovelace.example' });
      await heading('Check your email');
      await openLink('/account/email/confirm');
    },
    outbox: ({ visit }) => visit('/dev/outbox'),
    async 'outbox-email'({ page, visit }) {
      await visit('/dev/outbox');
      await page.locator('.letters a').first().click();
      await page.locator('.letters [aria-current=page]').waitFor();
    },
    components: ({ visit }) => visit('/dev/components'),

    async security({ visit, devices, service }) {
      // Factors that come with the account count otherwise.
      service.clock.advance(1);
      await devices.send('WebAuthn.enable');
      await devices.send('WebAuthn.addVirtualAuthenticator', { options: virtualAuthenticator });
      await visit('/account/security');
    },
    async 'security-failed'({ send, problem }) {
      await send('/account/password', { new_password: 'password1' });
      await problem();
    },
    async 'security-breached'({ visit, service }) {
      await noteBreach(service, email);
      await visit('/account/security');
    },
    authenticator: ({ visit }) => visit('/account/authenticator'),
    async 'recovery-codes'(scene) {
      await scene.send('/account/authenticator', { code: await scene.codeNow() });
      await scene.heading('Save your recovery codes');
      scene.recoveryCodes = await scene.page.locator('.codes code').allTextContents();
    },
    async 'security-with-factors'({ page, visit, send, unfold }) {
      await visit('/account/security');
      await unfold('Passkey name');
      await send('/account/passkeys', { name: 'My laptop' });
      await page.waitForSelector('h3');
      await unfold('Passkey name');
      await unfold('Remove authenticator app');
    },
    async 'this-was-not-me'({ devices, openLink }) {
      // The sign-in page offers the passkey, and the device would use it at once.
      await devices.send('WebAuthn.disable');
      await openLink('/not-me');
    },
    devices: ({ visit }) => visit('/account/sessions'),
    'connected-apps': ({ visit }) => visit('/account/apps'),
    activity: ({ visit }) => visit('/account/activity'),
    data: ({ visit }) => visit('/account/data'),
    async 'connected-apps-none'({ page, visit, success }) {
      await visit('/account/apps');
      await page.click('button[name=remove]');
      await success();
    },
    async 'signed-out'({ press, heading }) {
      await press('Sign out');
      await heading("You're signed out");
    },
    'signed-out-without-a-way-back': ({ visit, client }) =>
      visit(`/oauth/logout?client_id=${client.id}&post_logout_redirect_uri=https://photos.example/bye`),

    'reset-password': ({ visit }) => visit('/reset-password'),
    async 'new-password'({ send, heading, openLink }) {
      await send('/reset-password', { email });
      await heading('Check your email');
      await openLink('/reset-password/finish');
    },
    async 'password-reset'({ send, heading }) {
      await send('/reset-password/finish', { password: newPassword });
      await heading('Password changed');
    },
    async 'link-over'({ openLink, heading }) {
      await openLink('/reset-password/finish');
      await heading('This link has expired');
    },
    async review({ visit, signIn, heading }) {
      await visit('/sign-in');
      await signIn({ email, password: newPassword });
      await heading('Review your account');
    },
    async 'security-with-paused-passkey'({ page, visit, press, success, heading }) {
      await page.locator('button[name=keep]').first().click();
      await success();
      await press('Finish review');
      await heading('Your apps');
      await visit('/account/security');
    },
    async 'second-step'({ visit, press, signIn, heading }) {
      await press('Sign out');
      await heading("You're signed out");
      await visit('/sign-in');
      await signIn({ email, password: newPassword });
      await heading('Two-step verification');
    },
    async 'second-step-failed'({ fill, press, problem }) {
      await fill({ code: 'not a code' });
      await press('Continue');
      await problem();
    },
    async 'used-recovery-code'({ page, fill, press, heading, recoveryCodes }) {
      await fill({ code: recoveryCodes[0] ?? '' });
      await page.check('#trust');
      await press('Continue');
      await heading('You used a recovery code');
    },
    async 'devices-trusted'({ page, visit, follow, service }) {
      await follow('Continue');
      await page.waitForURL(`${service.url}/account`);
      await visit('/account/sessions');
    },
    async 'sign-in-remembered'({ page, visit, signIn, service }) {
      const endSession = () => page.context().clearCookies({ name: 'latchkey_session' });
      await endSession();
      await visit('/sign-in');
      await page.check('#keep');
      await signIn({ email, password: newPassword });
      await page.waitForURL(`${service.url}/account`);
      await endSession();
      await visit('/sign-in');
    },
    async 'delete-account'({ page, visit, fill, follow, service }) {
      await fill({ password: newPassword });
      await page.click('form[action="/sign-in"] button[type=submit]');
      await page.waitForURL(`${service.url}/account`);
      await visit('/account/data');
      // Proof of identity counts for 15 minutes.
      service.clock.advance(16 * 60);
      await follow('Delete account');
    },
    async 'confirm-identity'({ send, heading }) {
      await send('/account/delete', {});
      await heading("Confirm it's you");
    },
    async deleted({ page, press, heading, recoveryCodes }) {
      await page.fill('#password', newPassword);
      await page.fill('#code', recoveryCodes[1] ?? '');
      await press('Confirm');
      await heading('Account deleted');
    },

    async 'set-up-link-sent'({ page, visit, signIn, heading, service, newcomer, devices }) {
      // Whoever was here before may have left a session, and a passkey that the device would use at once.
      await devices.send('WebAuthn.disable');
      await page.context().clearCookies();
      const setLostAt = (at: string) =>
        service.execute(`UPDATE users SET lost_factor_at = ${at} WHERE id = '${newcomer.id}'`);
      await setLostAt('1');
      await visit('/sign-in');
      await signIn(newcomer);
      await heading('Check your email');
      await setLostAt('NULL');
    },
    async 'set-up-second-factor'({ visit, signIn, heading, service, client, newcomer }) {
      await changeSettings(service.running.services, { second_factor: 'everyone' }, requester);
      await visit(authorizePath(client, newVerifier()));
      await signIn(newcomer);
      await heading('Set up two-step verification');
    },
    async 'set-up-second-factor-failed'({ send, problem }) {
      await send('/sign-in/set-up', { code: '000000' });
      await problem();
    },
    async 'recovery-codes-on-the-way-in'({ send, heading, codeNow }) {
      await send('/sign-in/set-up', { code: await codeNow() });
      await heading('Save your recovery codes');
    },
    async 'second-factor-in-a-session'({ visit, heading, service, newcomer }) {
      const { storage } = service.running.services;
      for (const session of await storage.listSessions(newcomer.id, 0)) {
        const withoutFactor = { session: { ...session, amr: ['pwd'] }, replacedDigest: session.digest };
        await storage.raiseSession(withoutFactor, newcomer.record.sessionGeneration);
      }
      await visit('/account');
      await heading('Two-step verification');
    },
  },
});
