// Authenticator apps and passkeys in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { addFingerprintReader, assertNotTooWide } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { authorizePath, decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { requester } from '../harness/service.ts';
import {
  amrOf,
  anotherPassword,
  assertNoSecrets,
  client,
  endSession,
  exchange,
  go,
  inBrowser,
  look,
  mail,
  nextCodeFrom,
  reaches,
  says,
  send,
  sendSignIn,
  service,
  setUpApp,
  signIn,
  signOut,
  startAccountSite,
} from './account-site.ts';

startAccountSite();

/** Reads the QR code from the pixels on the screen, as a camera does. */
async function readQrCode(page: Page): Promise<string> {
  const bytes = await page.locator('.qr svg').screenshot();
  const { width, height, data } = (await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    return { width, height, data: btoa(Array.from(pixels, (byte) => String.fromCharCode(byte)).join('')) };
  })()`)) as { width: number; height: number; data: string };
  return decodeQR({ width, height, data: new Uint8Array(Buffer.from(data, 'base64')) });
}

test('the QR code has the key and the email address', async () => {
  const user = await service.newUser();
  await inBrowser(
    async (page) => {
      await signIn(page, user);
      await go(page, '/account/authenticator');
      const key = (await page.locator('code.key').textContent()) ?? '';
      const uri = new URL(await readQrCode(page));
      assert.ok(uri.href.startsWith('otpauth://totp/'), uri.href);
      assert.equal(uri.searchParams.get('secret'), key.replaceAll(' ', ''));
      assert.ok(decodeURIComponent(uri.pathname).endsWith(`:${user.email}`));
      assert.equal(await page.getByText('Open in authenticator app').isVisible(), false, 'a desktop has no such app');
    },
    // In which it's harder to read.
    { colorScheme: 'dark' },
  );
});

test('on a phone, the app opens with the key, or it can be copied', async () => {
  const user = await service.newUser();
  await inBrowser(
    async (page, context) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await signIn(page, user);
      await go(page, '/account/authenticator');
      const key = ((await page.locator('code.key').textContent()) ?? '').replaceAll(' ', '');
      const open = page.getByRole('link', { name: 'Open in authenticator app' });
      const uri = new URL((await open.getAttribute('href')) ?? '');
      assert.equal(uri.protocol, 'otpauth:');
      assert.equal(uri.searchParams.get('secret'), key);
      // There is no app, but nothing keeps the page from asking for it.
      await open.click();
      await page.getByRole('button', { name: 'Copy key' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
      await assertNotTooWide(page, 'the key');
    },
    { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  );
});

// engines/journeys.ts sets one up and signs in with it.
releaseTest('an authenticator app is set up, asked for, substituted by a recovery code and removed', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    await go(page, '/account/security');
    await page.getByRole('link', { name: 'Set up authenticator app' }).click();
    await reaches(page, 'Set up an authenticator app');
    await page.getByRole('link', { name: 'Back to security' }).click();
    await reaches(page, 'Security');
    await page.getByRole('link', { name: 'Set up authenticator app' }).click();
    await reaches(page, 'Set up an authenticator app');
    const key = (await page.locator('code.key').textContent()) ?? '';
    await send(page, '/account/authenticator', { '6-digit code from the app': '000000' }, 'Turn on');
    await says(page, 'alert', 'That code is incorrect.');
    assert.equal(await page.locator('code.key').textContent(), key, 'the app has this key already');
    const { code: usedCode, codes } = await setUpApp(page);
    assert.match(
      (await mail.next(user.email, /Your security settings were changed/)).text,
      /authenticator app was added/,
    );
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await reaches(page, 'Security');
    await page.getByText('You have 10 recovery codes left.').waitFor();
    const shown = await page.content();
    for (const code of codes) assert.equal(shown.includes(code), false, 'codes are shown once');
    await go(page, '/account/authenticator');
    await page.waitForURL(`${service.url}/account/security`);
    await assertNoSecrets(await (await page.request.get(`${service.url}/account/data.json`)).text());
    await endSession(page);

    const secondStep = (code: string) => send(page, '/sign-in/second-step', { Code: code }, 'Continue');
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'Two-step verification');
    await page.waitForSelector('#code:focus');
    await secondStep(usedCode);
    await says(page, 'alert', 'That code is incorrect or has already been used.');
    const code = nextCodeFrom(key);
    await secondStep(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pwd', 'otp', 'mfa']);

    // With a remembered consent, the second step leads straight to the application.
    await endSession(page);
    const verifier = newVerifier();
    await go(page, authorizePath(client, verifier));
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'Two-step verification');
    await secondStep(code);
    await says(page, 'alert', 'has already been used');
    const [recovery = ''] = codes;
    await secondStep(recovery.toUpperCase().replaceAll('-', ' '));
    await reaches(page, 'You used a recovery code');
    await page.getByText('9 left.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Remove it' }).getAttribute('href'), '/account/security');
    await look(page, 'used recovery code');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${client.redirectUri}?**`);
    assert.deepEqual(decodeJwt((await exchange(new URL(page.url()), verifier)).id_token).amr, ['pwd', 'otp', 'mfa']);
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'Two-step verification');
    await secondStep(recovery);
    await says(page, 'alert', 'has already been used');
    await secondStep(nextCodeFrom(key));
    await page.waitForURL(`${service.url}/account`);

    await go(page, '/account/security');
    await page.getByText('You have 9 recovery codes left.').waitFor();
    await send(page, '/account/recovery-codes', {}, 'Create new codes');
    await reaches(page, 'Save your recovery codes');
    const newCodes = await page.locator('.codes code').allTextContents();
    assert.equal(new Set([...codes, ...newCodes]).size, 20);
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();

    await page.locator('summary', { hasText: 'Remove authenticator app' }).click();
    await look(page, 'security with an app');
    service.clock.advance(16 * 60);
    await send(page, '/account/authenticator/remove', {}, 'Remove');
    await reaches(page, "Confirm it's you");
    await page.waitForSelector('#password:focus');
    await look(page, 'proof by password and code');
    const prove = (password: string) => {
      const code = { 'Code from your authenticator app, or a recovery code': nextCodeFrom(key) };
      return send(page, '/account/authenticator/remove', { Password: password, ...code }, 'Confirm');
    };
    await prove('wrong');
    await says(page, 'alert', 'Incorrect password.');
    await prove(user.password);
    await says(page, 'status', 'Authenticator app removed.');
    assert.equal(await page.getByText('Recovery codes').count(), 0);
    await go(page, '/account/activity');
    for (const words of ['Password and code', 'Password and recovery code', 'Recovery code used']) {
      await page.getByText(words).first().waitFor();
    }
    await endSession(page);
    await signIn(page, user);
    assert.deepEqual(await amrOf(page), ['pwd']);
  });
});

// http/sign-in/trusted-devices tests the rules.
releaseTest("a trusted device isn't asked for a code until its owner stops trusting it", async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    await go(page, '/account/authenticator');
    const { key } = await setUpApp(page);
    const again = async () => {
      await endSession(page);
      await go(page, '/sign-in');
      await sendSignIn(page, user.email, user.password);
    };
    await again();
    await reaches(page, 'Two-step verification');
    await page.getByLabel("Don't ask for a code on this device for 30 days").check();
    await look(page, 'second step with the box ticked');
    await send(page, '/sign-in/second-step', { Code: nextCodeFrom(key) }, 'Continue');
    await page.waitForURL(`${service.url}/account`);
    await again();
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pwd']);
    await go(page, '/account/activity');
    await page.getByText('Password on a trusted device').waitFor();
    await go(page, '/account/sessions');
    await page.getByRole('heading', { name: 'Trusted devices' }).waitFor();
    await page.getByRole('button', { name: 'Stop trusting Chrome on Linux' }).click();
    await says(page, 'status', 'Device no longer trusted.');
    await again();
    await reaches(page, 'Two-step verification');
  });
});

/** How long the browser keeps the session's cookie; 0 when it forgets it as it is closed. */
async function sessionLastsDays(page: Page): Promise<number> {
  const cookies = await page.context().cookies();
  const expires = cookies.find(({ name }) => name === 'latchkey_session')?.expires ?? 0;
  return expires === -1 ? 0 : Math.round((expires - Date.now() / 1000) / (24 * 60 * 60));
}

/** Submits the passkey form of the security page. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await send(page, '/account/passkeys', { 'Passkey name': name }, 'Add a passkey');
}

// http/account/passkeys asks for proof first; the next test creates one.
releaseTest('a passkey is created only after recent proof, with the name that was typed before', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    const passkeysOnDevice = await addFingerprintReader(page);
    await signIn(page, user);
    await go(page, '/account/security');
    await page.locator('summary', { hasText: 'Passkey name' }).click();
    await page.evaluate(`document.querySelector('#new-passkey-name').removeAttribute('maxlength')`);
    await addPasskey(page, 'x'.repeat(101));
    const form = page.locator('form[action="/account/passkeys"]');
    await form.getByRole('alert').getByText('Enter a name').waitFor();
    service.clock.advance(16 * 60);
    await addPasskey(page, 'Work laptop');
    await reaches(page, "Confirm it's you");
    await look(page, 'proof by password');
    assert.equal(await passkeysOnDevice(), 0);
    await send(page, '/account/passkeys', { Password: user.password }, 'Confirm');
    await says(page, 'status', 'You can add the passkey now.');
    await look(page, 'security, adding a passkey');
    assert.equal(await page.getByLabel('Passkey name').inputValue(), 'Work laptop');
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    await reaches(page, 'Save your recovery codes');
    assert.equal(await passkeysOnDevice(), 1);
  });
});

test('a passkey signs in on its own or after the password, and can be removed', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await addFingerprintReader(page);
    await signIn(page, user);
    await go(page, '/account/security');
    await page.locator('summary', { hasText: 'Passkey name' }).click();
    await addPasskey(page, 'Laptop <1>');
    await reaches(page, 'Save your recovery codes');
    const codes = await page.locator('.codes code').allTextContents();
    assert.equal(codes.length, 10);
    assert.match((await mail.next(user.email, /Your security settings were changed/)).text, /passkey was added/);
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await page.getByRole('heading', { name: 'Laptop <1>' }).waitFor();
    await look(page, 'security with a passkey');
    await assertNoSecrets(await (await page.request.get(`${service.url}/account/data.json`)).text());
    await signOut(page);

    await go(page, '/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${service.url}/account`);
    assert.equal(await sessionLastsDays(page), 0, 'as long as the browser');
    assert.deepEqual(await amrOf(page), ['pop', 'user', 'mfa']);
    await endSession(page);
    await go(page, '/sign-in');
    await page.getByLabel('Keep me signed in').check();
    await look(page, 'sign-in with the box ticked');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${service.url}/account`);
    assert.equal(await sessionLastsDays(page), 30);
    await go(page, '/account/activity');
    await page.getByText('Passkey', { exact: true }).first().waitFor();
    await page.getByText('Passkey “Laptop <1>” added', { exact: true }).waitFor();

    const again = async () => {
      await endSession(page);
      await go(page, '/sign-in');
      await sendSignIn(page, user.email, user.password);
      await reaches(page, 'Two-step verification');
    };
    await again();
    await look(page, 'second step with a passkey');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pwd', 'pop', 'mfa']);
    await again();
    await send(page, '/sign-in/second-step', { Code: codes[3] ?? '' }, 'Continue');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/account`);

    await go(page, '/account/security');
    await page.getByText('You have 9 recovery codes left.').waitFor();
    service.clock.advance(16 * 60);
    await page.locator('summary[aria-label="Remove Laptop <1>"]').click();
    await send(page, '/account/passkeys/remove', {}, 'Remove');
    await reaches(page, "Confirm it's you");
    await look(page, 'proof by passkey');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await says(page, 'status', 'Passkey removed.');
    await endSession(page);
    await go(page, '/sign-in');
    // The device still offers it, but the service no longer knows it.
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await says(page, 'alert', "That passkey didn't work.");
    await sendSignIn(page, user.email, user.password);
    await page.waitForURL(`${service.url}/account`);
  });
});

// http/account/account-recovery undoes it.
releaseTest('a new passkey can be undone from the email or reviewed after a reset', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await addFingerprintReader(page);
    await signIn(page, user);
    await go(page, '/account/security');
    await page.locator('summary', { hasText: 'Passkey name' }).click();
    await addPasskey(page, 'Laptop');
    await reaches(page, 'Save your recovery codes');
    const { link } = await mail.next(user.email, /Your security settings were changed/);
    await page.goto(link);
    await reaches(page, 'Undo this change?');

    await setPassword(service.running.services, user.id, anotherPassword, requester);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, anotherPassword);
    await reaches(page, 'Review your account');
    await page.goto(link);
    await page.getByRole('button', { name: 'Undo and sign out everywhere' }).click();
    await reaches(page, 'Change undone');
    await look(page, 'change undone');
    await go(page, '/account');
    await reaches(page, 'Sign in');
  });
});

test('a browser without passkeys is told so', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await page.addInitScript('delete PublicKeyCredential.parseCreationOptionsFromJSON');
    await signIn(page, user);
    await go(page, '/account/security');
    await page.getByText('Passkeys need JavaScript and a browser that supports them.').waitFor();
    assert.equal(await page.getByText('Add a passkey').first().isVisible(), false);
  });
});
