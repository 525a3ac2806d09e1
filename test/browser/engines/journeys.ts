// Six journeys that a person can go on in any browser, the same in all of them: signing up, signing in, a second step,
// consent, the account, and signing out.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Engine, timeZone } from '../../harness/engines/engine.ts';
import { authorizePath, exchangeParameters, newVerifier, postForm, userinfo } from '../../harness/relying-party.ts';
import { codeOf, secretOf, wrongCode } from '../../harness/second-factors.ts';
import { type Site, startSite } from './site.ts';
import { desktop, phone, Visitor } from './visitor.ts';

export interface JourneyEngine {
  readonly name: string;
  readonly start: () => Promise<Engine>;
  /** Why the journeys can't be made in it here. */
  readonly skip?: string | undefined;
  /** How the browser is called on the page that lists devices. */
  readonly device: string;
}

/** As src/pages/assets/passkeys.js decides it. */
const hasPasskeys = `typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential`;

const hasSessionCookie = async ({ tab }: Visitor) =>
  (await tab.cookies()).some(({ name }) => name.endsWith('latchkey_session'));

export function journeysIn({ name, start, skip, device }: JourneyEngine): void {
  describe(`in ${name}`, { skip: skip ?? false }, () => {
    let engine: Engine;
    let site: Site;
    /** Without TLS, as on a developer's machine. */
    let plainSite: Site;

    before(async () => {
      // First, so that nothing else has to be stopped when there is no browser.
      engine = await start();
      site = await startSite('https');
      plainSite = await startSite('http');
    });
    after(async () => {
      await site?.stop();
      await plainSite?.stop();
      await engine?.close();
    });

    const journey = (title: string, work: (visitor: Visitor) => Promise<void>, at = () => site) =>
      test(title, async () => {
        const tab = await engine.newTab();
        try {
          await tab.resize(phone);
          await work(new Visitor(tab, at()));
        } finally {
          await tab.close();
        }
      });

    /** A person who is signed in, at their account. */
    const signedIn = async (visitor: Visitor) => {
      const user = await visitor.site.service.newUser();
      await visitor.open('/sign-in');
      await visitor.signIn(user);
      await visitor.reaches('Your apps');
      return user;
    };

    journey('a person signs up with a link by email', async (visitor) => {
      const email = 'grace@example.test';
      await visitor.open('/sign-up');
      await visitor.reaches('Create an account');
      assert.equal(await visitor.focused(), 'Email');
      await visitor.choose('Send link');
      await visitor.finds('document.activeElement.validity.valueMissing', true);
      await visitor.fill({ Email: 'grace' });
      await visitor.choose('Send link');
      await visitor.finds('document.activeElement.validity.typeMismatch', true);
      await visitor.fill({ Email: email });
      await visitor.choose('Send link');
      await visitor.reaches('Check your email');

      await visitor.open((await site.mail.next(email, /Finish creating your account/)).link);
      await visitor.reaches('Finish creating your account');
      await visitor.fill({ Name: 'Grace Hopper', Password: 'password1' });
      await visitor.choose('Create account');
      await visitor.says('alert', 'too common');
      assert.equal(await visitor.tab.evaluate('document.querySelector("#name").value'), 'Grace Hopper');
      await visitor.fill({ Password: 'a phrase of my own' });
      await visitor.choose('Show password');
      assert.equal(await visitor.tab.evaluate('document.querySelector("#password").type'), 'text');
      await visitor.choose('Create account');
      await visitor.says('status', 'Welcome! Your account is ready.');
      assert.ok(await hasSessionCookie(visitor));
    });

    journey('a person signs in and stays signed in', async (visitor) => {
      const user = await site.service.newUser();
      await visitor.open('/account/sessions');
      await visitor.reaches('Sign in');
      assert.equal(await visitor.focused(), 'Email');
      const offersPasskeys = Boolean(await visitor.tab.evaluate(hasPasskeys));
      assert.equal(await visitor.visible('form[data-passkey] button'), offersPasskeys ? 1 : 0);
      // What is typed ends before the button that shows it.
      const room = 'parseFloat(getComputedStyle(document.querySelector("#password")).paddingInlineEnd)';
      assert.equal(await visitor.tab.evaluate(`${room} >= document.querySelector(".reveal").offsetWidth`), true);
      await visitor.signIn({ email: user.email, password: 'not the password' });
      await visitor.says('alert', 'Incorrect email or password.');
      assert.equal(await visitor.tab.evaluate('document.querySelector("#email").value'), user.email);
      await visitor.choose('Keep me signed in');
      await visitor.fill({ Password: user.password });
      await visitor.press('Enter');

      await visitor.reaches('Devices');
      const cookies = (await visitor.tab.cookies()).filter(({ name }) => /session|device/.test(name));
      assert.deepEqual(
        cookies.toSorted((one, other) => one.name.localeCompare(other.name)),
        ['__Host-latchkey_device', '__Host-latchkey_session'].map((cookie) => {
          return { name: cookie, httpOnly: true, secure: true, sameSite: 'Lax', lasts: true };
        }),
      );
      await visitor.finds('document.querySelector(".things h2").textContent', device);
      const since = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(site.service.clock.now());
      await visitor.finds('document.querySelector("time[data-time=day]").textContent', since);
      assert.match(String(await visitor.tab.evaluate('document.querySelector("time").title')), /GMT-10|HST|Hawaii/);
    });

    journey('a person sets up an authenticator app, and signs in with its codes', async (visitor) => {
      const user = await signedIn(visitor);
      const { service } = site;
      await visitor.open('/account/security');
      await visitor.reaches('Security');
      const offersPasskeys = Boolean(await visitor.tab.evaluate(hasPasskeys));
      assert.equal(await visitor.visible('form[data-passkey]'), offersPasskeys ? 1 : 0);
      assert.equal(await visitor.visible('[data-without-passkeys]'), offersPasskeys ? 0 : 1);
      await visitor.choose('Set up authenticator app');
      await visitor.reaches('Set up an authenticator app');
      const key = String(await visitor.tab.evaluate('document.querySelector("code.key").textContent'));
      const app = { secret: secretOf(key) };
      await visitor.fill({ '6-digit code from the app': codeOf(service, app) });
      await visitor.choose('Turn on');
      await visitor.reaches('Save your recovery codes');
      const recoveryCodes = await visitor.visible('.codes code');
      assert.equal(recoveryCodes, 10);
      await visitor.choose("I've saved my recovery codes");
      await visitor.reaches('Security');
      await visitor.choose('Menu');
      await visitor.choose('Sign out');
      await visitor.reaches("You're signed out");

      service.clock.advance(60);
      await visitor.open('/sign-in');
      await visitor.signIn(user);
      await visitor.reaches('Two-step verification');
      assert.equal(await visitor.focused(), 'Code');
      assert.equal(await hasSessionCookie(visitor), false);
      await visitor.fill({ Code: wrongCode(service, app) });
      await visitor.choose('Continue');
      await visitor.says('alert', 'That code is incorrect or has already been used.');
      await visitor.fill({ Code: codeOf(service, app) });
      await visitor.press('Enter');
      await visitor.reaches('Your apps');
      assert.ok(await hasSessionCookie(visitor));
    });

    journey('a person lets an application in, once', async (visitor) => {
      const { client, service } = site;
      const user = await service.newUser({ name: 'Mary Jackson' });
      const verifier = newVerifier();
      await visitor.open(authorizePath(client, verifier));
      await visitor.reaches('Sign in');
      await visitor.signIn(user);
      await visitor.reaches('Sign in to Photo album');
      await visitor.finds(`document.body.textContent.includes('Mary Jackson')`, true);
      await visitor.choose('Your identity');
      await visitor.finds(`document.querySelector('main details[open] code')?.textContent`, user.id);
      await visitor.choose('Allow');
      const answer = await visitor.returns(client.redirectUri);
      assert.equal(answer.get('state'), 'state-1');
      assert.equal(answer.get('iss'), site.url);
      const parameters = exchangeParameters(client, answer.get('code') ?? '', verifier);
      const { body } = await postForm(service, '/oauth/token', parameters);
      assert.equal((await userinfo(service, body.access_token)).body.name, 'Mary Jackson');

      await visitor.open(authorizePath(client, newVerifier(), { state: 'again' }));
      assert.equal((await visitor.returns(client.redirectUri)).get('state'), 'again');
      await visitor.open(authorizePath(client, newVerifier(), { prompt: 'consent' }));
      await visitor.reaches('Sign in to Photo album');
      await visitor.choose('Cancel');
      assert.equal((await visitor.returns(client.redirectUri)).get('error'), 'access_denied');
    });

    journey('a person looks after their account', async (visitor) => {
      await signedIn(visitor);
      assert.equal(await visitor.visible('#navigation a'), 0);
      await visitor.choose('Menu');
      await visitor.finds('document.querySelector("#navigation").matches(":popover-open")', true);
      await visitor.press('Escape');
      await visitor.finds('document.querySelector("#navigation").matches(":popover-open")', false);
      await visitor.choose('Menu');
      await visitor.choose('Profile');
      await visitor.reaches('Profile');
      // Browsers that draw it themselves ignore our colors.
      assert.equal(await visitor.tab.evaluate('getComputedStyle(document.querySelector("select")).appearance'), 'none');
      await visitor.fill({ Name: 'Katherine Johnson' });
      await visitor.choose('Save profile');
      await visitor.says('status', 'Profile saved.');

      await visitor.open('/account/data');
      await visitor.reaches('Your data');
      await visitor.choose('Delete account');
      const isOpen = 'document.querySelector("dialog[open]") !== null';
      await visitor.finds(isOpen, true);
      assert.equal(await visitor.focused(), 'Cancel');
      await visitor.press('Escape');
      await visitor.finds(isOpen, false);
      assert.equal(await visitor.focused(), 'Delete account');
      await visitor.choose('Delete account');
      await visitor.choose('Cancel', '//dialog');
      await visitor.finds(isOpen, false);

      await visitor.tab.resize(desktop);
      await visitor.open('/account/profile');
      await visitor.reaches('Profile');
      assert.equal(await visitor.visible('[popovertarget=navigation]'), 0);
      assert.equal(await visitor.visible('#navigation nav a'), 7);
      await visitor.choose('Language: English');
      const languages = 'document.querySelector(".languages > .menu-items")';
      assert.equal(await visitor.tab.evaluate(`${languages}.scrollWidth <= ${languages}.clientWidth`), true);
      await visitor.choose('Deutsch');
      await visitor.reaches('Profil');
      assert.equal(await visitor.tab.evaluate('document.documentElement.lang'), 'de');
    });

    journey('a person signs out', async (visitor) => {
      await signedIn(visitor);
      await visitor.choose('Menu');
      await visitor.choose('Sign out');
      await visitor.reaches("You're signed out");
      assert.equal(await hasSessionCookie(visitor), false);
      // The page from before isn't kept anywhere.
      await visitor.tab.back();
      await visitor.reaches('Sign in');
      const silent = authorizePath(site.client, newVerifier(), { prompt: 'none' });
      await visitor.open(silent);
      assert.equal((await visitor.returns(site.client.redirectUri)).get('error'), 'login_required');
    });

    journey('an application signs a person out', async (visitor) => {
      await signedIn(visitor);
      const parameters = { client_id: site.client.id, post_logout_redirect_uri: site.signedOutUrl, state: 'bye' };
      await visitor.open(`/oauth/logout?${new URLSearchParams(parameters)}`);
      await visitor.reaches('Sign out of Latchkey?');
      await visitor.choose('Sign out');
      assert.equal((await visitor.returns(site.signedOutUrl)).get('state'), 'bye');
      await visitor.open('/account');
      await visitor.reaches('Sign in');
    });

    journey(
      'a person signs in and out without TLS, on localhost',
      async (visitor) => {
        await signedIn(visitor);
        const session = (await visitor.tab.cookies()).find(({ name: cookie }) => cookie === 'latchkey_session');
        assert.deepEqual(session, {
          name: 'latchkey_session',
          httpOnly: true,
          secure: false,
          sameSite: 'Lax',
          lasts: false,
        });
        await visitor.choose('Menu');
        await visitor.choose('Sign out');
        await visitor.reaches("You're signed out");
        // Not back: without TLS, WebKit shows the page again that it left, whatever its Cache-Control says.
        await visitor.open('/account');
        await visitor.reaches('Sign in');
      },
      () => plainSite,
    );
  });
}
