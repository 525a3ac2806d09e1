// npm run screenshots -- [FOLDER] [--only NAME] [--language TAG] [--update-docs]: takes pictures of every page, on a phone and a
// desktop, in light and dark. Without a folder they go into a temporary one; the image in the README changes with
// --update-docs alone.

import { mkdirSync, writeFileSync } from 'node:fs';
import { updateClient } from '../src/operations/clients/clients.ts';
import { changeSettings } from '../src/operations/settings/change-settings.ts';
import { en } from '../src/pages/languages/en.ts';
import { messagesIn } from '../src/pages/languages/languages.ts';
import { totpCode, totpStep } from '../src/protocol/sign-in/totp.ts';
import { noteBreach } from '../test/harness/account.ts';
import { launchBrowser, looks } from '../test/harness/browser.ts';
import { root } from '../test/harness/command.ts';
import { authorizePath, newVerifier } from '../test/harness/relying-party.ts';
import { requester, startTestService } from '../test/harness/service.ts';
import { allowLoopbackUpstreams } from '../test/harness/upstream-latchkey.ts';
import { shootConsole } from './console-screenshots.ts';
import { shootDemo } from './demo-screenshots.ts';
import { shootDocs, shootOthers } from './other-screenshots.ts';
import { readScreenshotOptions, screenshotFiles } from './screenshot-files.ts';
import { shootUpstreams } from './upstream-screenshots.ts';

/** Thrown when the one page that was asked for has been taken. */
class OnlyPageTaken extends Error {}

const options = readScreenshotOptions(process.argv.slice(2));
mkdirSync(options.folder, { recursive: true });

const email = 'ada@example.com';
const password = 'a rather long phrase';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const service = await startTestService({ LATCHKEY_SIGN_UP: 'open', ...allowLoopbackUpstreams });
const browser = await launchBrowser();
try {
  const client = await service.newClient({ name: 'Photo album', redirectUris: ['https://photos.example/callback'] });
  const context = await browser.newContext({ deviceScaleFactor: 2, locale: options.language });
  const page = await context.newPage();
  const visit = (path: string) => page.goto(service.url + path);

  /** Takes the current page in every look. */
  const shoot = async (name: string) => {
    if (options.only !== undefined && options.only !== name) return;
    for (const look of looks) {
      await page.setViewportSize(look.viewport);
      await page.emulateMedia({ colorScheme: look.colorScheme });
      const picture = await page.screenshot({ fullPage: true });
      for (const file of screenshotFiles(options, root, name, look.name)) writeFileSync(file, picture);
    }
    if (options.only !== undefined) throw new OnlyPageTaken();
  };
  /** Fills in a form by the names of its fields and submits it. */
  const send = async (action: string, values: Record<string, string>) => {
    const form = page.locator(`form[action="${action}"]`);
    for (const [name, value] of Object.entries(values)) await form.locator(`[name="${name}"]`).fill(value);
    await form.locator('button[type=submit]').first().click();
  };
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: say(text) }).waitFor();
  const press = (text: string) =>
    page
      .getByRole('button', { name: say(text) })
      .first()
      .click();
  /** Applications that can be opened from the account, one of them with everything that it can have. */
  const addApps = async () => {
    const { services } = service.running;
    const site = 'https://photos.example';
    const links = { clientUri: site, policyUri: `${site}/privacy`, tosUri: `${site}/terms` };
    await updateClient(services, client.id, links, requester);
    for (const name of ['Calendar', 'Expenses', 'Handbook', 'Time tracking for teams in several countries', 'Wiki']) {
      const { id } = await service.newClient({ name });
      await updateClient(services, id, { launchUrl: 'https://apps.example' }, requester);
    }
  };
  const openLink = async (kind: string) => {
    const emails = await service.running.services.emailQueue.list(50);
    const link = emails.map(({ email }) => email.text.match(`${service.url}${kind}\\?link=\\S+`)?.[0]).find(Boolean);
    if (link === undefined) throw new Error(`no email with a link to ${kind}`);
    await page.goto(link);
  };

  // Create an account on the way to an application.
  await visit(authorizePath(client, newVerifier()));
  await shoot('sign-in');
  await send('/sign-in', { email, password: 'not the password' });
  await page.waitForSelector('[role=alert]:visible');
  await shoot('sign-in-failed');
  await page.click('button[formaction="/sign-up/start"]');
  await shoot('sign-up');
  await send('/sign-up', { email });
  await heading('Check your email');
  await shoot('mail-sent');
  await openLink('/sign-up/finish');
  await shoot('finish-sign-up');
  await send('/sign-up/finish', { name: 'Ada Lovelace', password: 'password1' });
  await page.waitForSelector('[role=alert]:visible');
  await shoot('finish-sign-up-failed');
  await send('/sign-up/finish', { password });
  await page.waitForSelector('button[value=approve]');

  // The same user in another browser, for the list of devices.
  const elsewhere = await (await browser.newContext({ userAgent: firefox })).newPage();
  await elsewhere.goto(`${service.url}/sign-in`);
  await elsewhere.fill('input[name=email]', email);
  await elsewhere.fill('input[name=password]', password);
  await elsewhere.click('form[action="/sign-in"] button[type=submit]');
  await elsewhere.waitForURL(`${service.url}/account`);
  await elsewhere.context().close();

  // Profile and email address.
  await visit('/account/profile');
  await send('/account/profile', { given_name: 'Ada', family_name: 'Lovelace' });
  await page.waitForSelector('[role=status]');
  // A blank page has no content security policy against an inline style, so it can draw the portrait.
  await page.goto('about:blank');
  await page.setContent('<body style="background: linear-gradient(135deg, #0f5f4e, #f2c14e)">');
  const portrait = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } });
  await visit('/account/profile');
  await page.setInputFiles('#picture', { name: 'portrait.png', mimeType: 'image/png', buffer: portrait });
  await press('Upload picture');
  await page.waitForSelector('.portrait');
  await shoot('profile');
  await visit('/account');
  await shoot('your-apps-none');
  await addApps();
  await visit('/account');
  await shoot('your-apps');
  await visit(authorizePath(client, newVerifier()));
  await shoot('consent');
  // Approve without following the redirect: there is no application to return to.
  const request = await page.inputValue('form[action="/oauth-authorize/decision"] input[name=request]');
  const form = { request, decision: 'approve' };
  await page.request.post(`${service.url}/oauth-authorize/decision`, { form, maxRedirects: 0 });
  await visit(authorizePath(client, newVerifier(), { prompt: 'select_account' }));
  await shoot('choose-account');
  await visit(authorizePath(client, newVerifier(), { redirect_uri: 'https://photos.example/' }));
  await shoot('error');
  await visit(`/oauth/logout?client_id=${client.id}`);
  await shoot('sign-out');
  await visit('/account/email');
  await shoot('change-email');
  await send('/account/email', { email: 'ada@lovelace.example' });
  await heading('Check your email');
  await openLink('/account/email/confirm');
  await shoot('confirm-email');
  await visit('/dev/outbox');
  await shoot('outbox');
  await visit('/dev/components');
  await shoot('components');

  // Second factors.
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await visit('/account/security');
  await shoot('security');
  await send('/account/password', { new_password: 'password1' });
  await page.waitForSelector('[role=alert]:visible');
  await shoot('security-failed');
  await noteBreach(service, email);
  await visit('/account/security');
  await shoot('security-breached');
  await visit('/account/authenticator');
  await shoot('authenticator');
  const key = (await page.locator('code.key').textContent()) ?? '';
  const code = totpCode(fromBase32(key), totpStep(service.clock.now()));
  await send('/account/authenticator', { code });
  await heading('Save your recovery codes');
  await shoot('recovery-codes');
  const recoveryCodes = await page.locator('.codes code').allTextContents();
  await visit('/account/security');
  await page.locator('summary', { hasText: say('Add a passkey') }).click();
  await send('/account/passkeys', { name: 'My laptop' });
  await page.waitForSelector('h3');
  await page.locator('summary', { hasText: say('Add a passkey') }).click();
  await page.locator('summary', { hasText: say('Remove authenticator app') }).click();
  await shoot('security-with-factors');
  // The sign-in page offers the passkey, and the device would use it at once.
  await session.send('WebAuthn.disable');
  await openLink('/not-me');
  await shoot('this-was-not-me');

  // The other sections of the account.
  for (const name of ['sessions', 'apps', 'activity', 'data']) {
    await visit(`/account/${name}`);
    await shoot(name === 'apps' ? 'connected-apps' : name === 'sessions' ? 'devices' : name);
  }
  await visit('/account/apps');
  await page.click('button[name=remove]');
  await page.waitForSelector('[role=status]');
  await shoot('connected-apps-none');
  await press('Sign out');
  await heading("You're signed out");
  await shoot('signed-out');
  await visit(`/oauth/logout?client_id=${client.id}&post_logout_redirect_uri=https://photos.example/bye`);
  await shoot('signed-out-without-a-way-back');

  // A forgotten password, the review of the account, then the second step.
  await visit('/reset-password');
  await shoot('reset-password');
  await send('/reset-password', { email });
  await heading('Check your email');
  await openLink('/reset-password/finish');
  await shoot('new-password');
  const used = page.url();
  await send('/reset-password/finish', { password: `new: ${password}` });
  await heading('Password changed');
  await shoot('password-reset');
  await page.goto(used);
  await heading('This link has expired');
  await shoot('link-over');
  const signIn = async () => {
    await visit('/sign-in');
    await send('/sign-in', { email, password: `new: ${password}` });
  };
  await signIn();
  await heading('Review your account');
  await shoot('review');
  await page.locator('button[name=keep]').first().click();
  await page.waitForSelector('[role=status]');
  await press('Finish review');
  await heading('Your apps');
  await visit('/account/security');
  await shoot('security-with-paused-passkey');
  await press('Sign out');
  await signIn();
  await heading('Two-step verification');
  await shoot('second-step');
  await page.fill('input[name=code]', 'not a code');
  await press('Continue');
  await page.waitForSelector('[role=alert]:visible');
  await shoot('second-step-failed');
  await page.fill('input[name=code]', recoveryCodes[0] ?? '');
  await page.check('#trust');
  await press('Continue');
  await page.waitForURL(`${service.url}/account`);
  await visit('/account/sessions');
  await shoot('devices-trusted');

  await visit('/account/data');
  // Proof of identity counts for 15 minutes.
  service.clock.advance(16 * 60);
  await press('Delete account');
  await shoot('delete-account');
  await send('/account/delete', {});
  await heading("Confirm it's you");
  await shoot('confirm-identity');
  await page.fill('#password', `new: ${password}`);
  await page.fill('#code', recoveryCodes[1] ?? '');
  await press('Confirm');
  await heading('Account deleted');
  await shoot('deleted');

  // Two-step verification that an administrator requires.
  await changeSettings(service.running.services, { second_factor: 'everyone' }, requester);
  const newcomer = await service.newUser({ name: 'Grace Hopper', email: 'grace@example.com' });
  await visit(authorizePath(client, newVerifier()));
  await send('/sign-in', { email: newcomer.email, password: newcomer.password });
  await heading('Set up two-step verification');
  await shoot('set-up-second-factor');
  const newKey = (await page.locator('code.key').textContent()) ?? '';
  await send('/sign-in/set-up', { code: '000000' });
  await page.waitForSelector('[role=alert]:visible');
  await shoot('set-up-second-factor-failed');
  await send('/sign-in/set-up', { code: totpCode(fromBase32(newKey), totpStep(service.clock.now())) });
  await heading('Save your recovery codes');
  await shoot('recovery-codes-on-the-way-in');
  const { storage } = service.running.services;
  for (const session of await storage.listSessions(newcomer.id, 0)) {
    const withoutFactor = { session: { ...session, amr: ['pwd'] }, replacedDigest: session.digest };
    await storage.raiseSession(withoutFactor, newcomer.record.passwordHash);
  }
  await visit('/account');
  await heading('Two-step verification');
  await shoot('second-factor-in-a-session');

  await context.clearCookies();
  await shootUpstreams({ service, page, shoot });

  await shootOthers(page, shoot);
  if (options.language === 'en') {
    await shootConsole(page, shoot);
    await shootDemo(page, shoot);
    await shootDocs(page, shoot);
  }
  if (options.only !== undefined) throw new Error(`there is no page called "${options.only}"`);
} catch (error) {
  if (!(error instanceof OnlyPageTaken)) throw error;
} finally {
  await browser.close();
  await service.stop();
}
process.stdout.write(`Pictures are in ${options.folder}\n`);

/** A text of the English catalogue in the language of the pictures. */
function say(text: string): string {
  return find(en, messagesIn(options.language)) ?? text;

  function find(source: object, translated: object): string | undefined {
    for (const [name, value] of Object.entries(source)) {
      const other = (translated as Record<string, unknown>)[name];
      if (value === text) return other as string;
      const found = typeof value === 'object' && find(value, other as object);
      if (found) return found;
    }
    return undefined;
  }
}

function fromBase32(key: string): Buffer {
  const bits = [...key.replace(/\s/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
