// Accounts with a passkey instead of a password, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFingerprintReader } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { setPasswords, today } from '../harness/passwordless.ts';
import {
  amrOf,
  endSession,
  go,
  inBrowser,
  look,
  mail,
  reaches,
  says,
  send,
  sendSignIn,
  service,
  startAccountSite,
} from './account-site.ts';

startAccountSite();

const DAY = 24 * 60 * 60;

test('an account is created with a passkey, signs in with it, and gets and loses a password', async () => {
  const email = 'ada@example.test';
  await inBrowser(async (page) => {
    const passkeys = await addFingerprintReader(page);
    await go(page, '/sign-up');
    await send(page, '/sign-up', { Email: email }, 'Send link');
    await reaches(page, 'Check your email');
    const { link } = await mail.next(email, /Finish creating your account/);
    await page.goto(link);
    await look(page, 'sign-up with a passkey');
    // The browser says what is missing, and no passkey is made.
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    assert.equal(await page.locator('#name:invalid').count(), 1);
    assert.equal(await passkeys(), 0);
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await reaches(page, 'Save your recovery codes');
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await says(page, 'status', 'Welcome! Your account is ready.');
    assert.equal(await passkeys(), 1);
    assert.deepEqual(await amrOf(page), ['pop', 'user', 'mfa']);

    await endSession(page);
    await go(page, '/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await reaches(page, 'Your apps');

    await go(page, '/account/security');
    await send(page, '/account/password', { 'New password': 'a rather long phrase' }, 'Set a password');
    await says(page, 'status', 'Password set.');
    await page.locator('summary', { hasText: 'Remove password' }).click();
    await page.getByRole('button', { name: 'Remove password' }).click();
    await says(page, 'status', 'Password removed.');
    await look(page, 'security without a password');
  });
});

test('Enter sends the password, as it does without the script', async () => {
  const email = 'enter@example.test';
  await inBrowser(async (page) => {
    await go(page, '/sign-up');
    await send(page, '/sign-up', { Email: email }, 'Send link');
    const { link } = await mail.next(email, /Finish creating your account/);
    await page.goto(link);
    await page.getByLabel('Name', { exact: true }).fill('Enter');
    await page.getByLabel('Password', { exact: true }).fill('a rather long phrase');
    await page.keyboard.press('Enter');
    await says(page, 'status', 'Welcome! Your account is ready.');
  });
});

// What a browser does without the script; the test above presses Enter with it.
releaseTest('without JavaScript, a password is chosen', async () => {
  const email = 'plain@example.test';
  await inBrowser(
    async (page) => {
      await go(page, '/sign-up');
      await send(page, '/sign-up', { Email: email }, 'Send link');
      const { link } = await mail.next(email, /Finish creating your account/);
      await page.goto(link);
      assert.equal(await page.getByRole('button', { name: 'Create a passkey' }).isVisible(), false);
      await send(page, '/sign-up/finish', { Name: 'Plain', Password: 'a rather long phrase' }, 'Create account');
      await says(page, 'status', 'Welcome! Your account is ready.');
    },
    { javaScriptEnabled: false },
  );
});

// http/sign-in/passkey-reset tests the rules; the script is that of the first test.
releaseTest('a forgotten password is replaced by a passkey, which leads to the review', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await addFingerprintReader(page);
    await go(page, '/reset-password');
    await send(page, '/reset-password', { Email: user.email }, 'Send link');
    const { link } = await mail.next(user.email, /Reset your password/);
    await page.goto(link);
    await reaches(page, 'Create a passkey or choose a password');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await reaches(page, 'Passkey created');
    assert.equal(await page.locator('.codes code').count(), 10);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await reaches(page, 'Review your account');
    await page.getByRole('button', { name: 'Remove all other access' }).click();
    await reaches(page, 'Your apps');
    await endSession(page);
    await go(page, '/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await reaches(page, 'Your apps');
  });
});

// http/sign-in/password-policy tests the rules; the script is that of the first test.
releaseTest('somebody is asked for a passkey until the day, and told of the way after it', async () => {
  const [user, late] = [await service.newUser(), await service.newUser()];
  await setPasswords(service, 'off', today(service));
  await inBrowser(async (page) => {
    await addFingerprintReader(page);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'Create a passkey');
    await look(page, 'asked for a passkey');
    await page.getByRole('link', { name: 'Not now' }).click();
    await reaches(page, 'Your apps');
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await reaches(page, 'Save your recovery codes');
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await reaches(page, 'Your apps');
    await endSession(page);

    await go(page, '/sign-in');
    service.clock.advance(DAY);
    await sendSignIn(page, late.email, late.password);
    await says(page, 'alert', 'Passwords no longer work here.');
    await page.getByRole('button', { name: 'Create a passkey by email' }).click();
    await reaches(page, 'Create a passkey by email');
    assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), late.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    const { link } = await mail.next(late.email, /Create a passkey/);
    await page.goto(link);
    assert.equal(await page.locator('input[type=password]').count(), 0);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await reaches(page, 'Passkey created');
  });
});
