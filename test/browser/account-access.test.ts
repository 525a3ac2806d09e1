// Getting an account and getting back into it, in a real browser, with emails that really go out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseTest } from '../harness/lane.ts';
import { authorizePath, decodeJwt, newVerifier, userinfo } from '../harness/relying-party.ts';
import { withoutAddress } from '../harness/sign-up.ts';
import {
  anotherPassword,
  client,
  endSession,
  exchange,
  go,
  inBrowser,
  mail,
  nextCodeFrom,
  reaches,
  says,
  send,
  sendSignIn,
  service,
  setUpApp,
  signIn,
  smallPng,
  startAccountSite,
  tokensFor,
} from './account-site.ts';

startAccountSite();

test('signing up during an authorization request ends at the application', async () => {
  const email = 'ada@example.test';
  const verifier = newVerifier();
  await inBrowser(async (page) => {
    await go(page, authorizePath(client, verifier));
    await page.getByRole('button', { name: 'Create an account' }).click();
    await reaches(page, 'Create an account');
    await page.getByText('to continue to Photo album').waitFor();
    await send(page, '/sign-up', { Email: email }, 'Send link');
    await reaches(page, 'Check your email');

    const letter = await mail.next(email, /Finish creating your account/);
    assert.equal(letter.from, 'Latchkey <latchkey@example.test>');
    assert.ok(letter.link.startsWith(`${service.url}/sign-up/finish?link=`));
    assert.ok(letter.html.includes(`href="${letter.link}"`), 'both parts of the mail have the same link');

    await page.goto(letter.link);
    await reaches(page, 'Finish creating your account');
    await page.getByText(email).waitFor();
    await page.waitForSelector('#name:focus');
    await send(page, '/sign-up/finish', { Name: 'Ada Lovelace', Password: 'password1' }, 'Create account');
    await says(page, 'alert', 'too common');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ada Lovelace', 'the name need not be typed again');
    await page.getByText(email).waitFor();
    await send(page, '/sign-up/finish', { Password: anotherPassword }, 'Create account');

    await reaches(page, 'Sign in to Photo album');
    await page.getByText('Ada Lovelace').first().waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${client.redirectUri}?**`);
    const tokens = await exchange(new URL(page.url()), verifier);
    const { body } = await userinfo(service, tokens.access_token);
    assert.equal(body.email, email);
    assert.equal(body.email_verified, true);
    assert.equal(body.name, 'Ada Lovelace');
    assert.deepEqual(decodeJwt(tokens.id_token).amr, ['pwd']);

    await page.goto(letter.link);
    await reaches(page, 'This link has expired');
    await go(page, '/account/activity');
    await page.getByText('Account created').waitFor();
  });
});

test("pages don't reveal whether an email address has an account; its owner gets an email", async () => {
  const owner = await service.newUser();
  await inBrowser(async (page) => {
    for (const form of ['/sign-up', '/reset-password']) {
      const answers: string[] = [];
      for (const email of [owner.email, 'nobody@example.test']) {
        await go(page, form);
        await send(page, form, { Email: email }, 'Send link');
        await reaches(page, 'Check your email');
        answers.push(withoutAddress(await page.content(), email));
      }
      assert.equal(new Set(answers).size, 1, form);
    }
  });
  const letter = await mail.next(owner.email, /You already have an account/);
  assert.equal(letter.link, `${service.url}/sign-in`);
  await mail.next('nobody@example.test', /Finish creating your account/);
  await mail.next('nobody@example.test', /No account with this email address/);
  assert.equal((await service.rows('users')).filter(({ email }) => email === owner.email).length, 1);
});

test('a password reset by email works once and signs out every device', async () => {
  const user = await service.newUser();
  await inBrowser(async (page, context) => {
    await inBrowser(async (elsewhere) => {
      await signIn(elsewhere, user);

      await go(page, '/sign-in');
      await page.getByRole('button', { name: 'Forgot your password?' }).click();
      await reaches(page, 'Reset your password');
      await page.waitForSelector('#email:focus');
      await send(page, '/reset-password', { Email: user.email.toUpperCase() }, 'Send link');
      await reaches(page, 'Check your email');
      const { link } = await mail.next(user.email, /Reset your password/);

      await page.goto(link);
      await reaches(page, 'Create a passkey or choose a password');
      const otherTab = await context.newPage();
      await otherTab.goto(link);
      await send(page, '/reset-password/finish', { 'New password': user.email }, 'Set password');
      await says(page, 'alert', "can't be your name or email address");
      await send(page, '/reset-password/finish', { 'New password': anotherPassword }, 'Set password');
      await reaches(page, 'Password changed');
      await mail.next(user.email, /Your password was changed/);

      await elsewhere.reload();
      await reaches(elsewhere, 'Sign in');
      // The form that another tab opened before, and the link itself.
      await send(otherTab, '/reset-password/finish', { 'New password': 'the third password' }, 'Set password');
      await reaches(otherTab, 'This link has expired');
      await otherTab.goto(link);
      await reaches(otherTab, 'This link has expired');
      await page.getByRole('link', { name: 'Sign in' }).click();
    });
    for (const wrong of [user.password, 'the third password']) {
      await sendSignIn(page, user.email, wrong);
      await says(page, 'alert', 'Incorrect email or password.');
    }
    await sendSignIn(page, user.email, anotherPassword);
    await page.waitForURL(`${service.url}/account`);
    await go(page, '/account/activity');
    await page.getByText('Password reset by email').waitFor();
    await page.getByText('Incorrect password').first().waitFor();
  });
});

// http/account/password changes it; the reset above fills in the same field.
releaseTest('the password can be changed, also by pasting', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    await inBrowser(async (elsewhere) => {
      await signIn(elsewhere, user);
      await go(page, '/account/security');
      const change = (next: string) => send(page, '/account/password', { 'New password': next }, 'Change password');
      await change('password123');
      await says(page, 'alert', 'too common');
      await change('short');
      await says(page, 'alert', 'at least 8 characters');

      const form = page.locator('form[action="/account/password"]');
      // Typed into a visible field, cut, and pasted into the password field.
      await page.locator('summary', { hasText: 'Passkey name' }).click();
      await page.getByLabel('Passkey name').fill(anotherPassword);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('ControlOrMeta+X');
      await form.getByLabel('New password').focus();
      await page.keyboard.press('ControlOrMeta+V');
      assert.equal(await form.getByLabel('New password').inputValue(), anotherPassword);
      await form.getByRole('button', { name: 'Change password' }).click();
      await says(page, 'status', "Password changed. You're signed out on your other devices.");
      await mail.next(user.email, /Your password was changed/);
      await elsewhere.reload();
      await reaches(elsewhere, 'Sign in');
      await sendSignIn(elsewhere, user.email, user.password);
      await says(elsewhere, 'alert', 'Incorrect email or password.');
      await sendSignIn(elsewhere, user.email, anotherPassword);
      await elsewhere.waitForURL(`${service.url}/account`);
    });
  });
});

// http/account/email-address sends the same forms.
releaseTest('the email address changes once the new one is confirmed; the account stays the same', async () => {
  const user = await service.newUser();
  const other = await service.newUser();
  const newEmail = `new.${user.email}`;
  await inBrowser(async (page) => {
    await signIn(page, user);
    const before = await tokensFor(page);
    await go(page, '/account/profile');
    await page.getByRole('link', { name: 'Change email address' }).click();
    await reaches(page, 'Change your email address');
    await page.waitForSelector('#email:focus');
    const ask = (email: string) => send(page, '/account/email', { 'New email address': email }, 'Send link');
    await ask(user.email);
    await says(page, 'alert', "That's already your email address.");
    await ask(other.email);
    await reaches(page, 'Check your email');
    await mail.next(other.email, /You already have an account/);
    await go(page, '/account/email');
    await ask(newEmail);
    await reaches(page, 'Check your email');

    const { link } = await mail.next(newEmail, /Confirm your email address/);
    assert.equal((await userinfo(service, before.access_token)).body.email, user.email, 'nothing is changed yet');
    await page.goto(link);
    await reaches(page, 'Confirm your new email address');
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await reaches(page, 'Email address changed');
    assert.ok((await mail.next(user.email, /Your email address was changed/)).text.includes(newEmail));
    const told = (await userinfo(service, before.access_token)).body;
    assert.deepEqual([told.sub, told.email, told.email_verified], [user.id, newEmail, true]);
    assert.equal(decodeJwt((await tokensFor(page)).id_token).sub, user.id);

    await page.goto(link);
    await reaches(page, 'This link has expired');
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await says(page, 'alert', 'Incorrect email or password.');
    await sendSignIn(page, newEmail, user.password);
    await page.waitForURL(`${service.url}/account`);
  });
});

releaseTest('everything but passkeys works without JavaScript', async () => {
  const email = 'mary@example.test';
  const options = { javaScriptEnabled: false };
  await inBrowser(async (page) => {
    await go(page, '/sign-in');
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await send(page, '/sign-up', { Email: email }, 'Send link');
    await page.goto((await mail.next(email, /Finish creating your account/)).link);
    await send(page, '/sign-up/finish', { Name: 'Mary Jackson', Password: anotherPassword }, 'Create account');
    await page.waitForURL(`${service.url}/account?done=welcome`);
    await says(page, 'status', 'Welcome! Your account is ready.');
    await go(page, '/account/profile');
    await send(page, '/account/profile', { 'First name': 'Mary' }, 'Save profile');
    await says(page, 'status', 'Profile saved.');
    const buffer = await smallPng(page);
    await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Upload' }).click();
    await says(page, 'status', 'Picture updated.');

    await go(page, '/reset-password');
    await send(page, '/reset-password', { Email: email }, 'Send link');
    await page.goto((await mail.next(email, /Reset your password/)).link);
    await send(page, '/reset-password/finish', { 'New password': 'another long phrase' }, 'Set password');
    await reaches(page, 'Password changed');
    await signIn(page, { email, password: 'another long phrase' });

    await go(page, '/account/security');
    await page.locator('noscript .notice').waitFor();
    assert.equal(await page.locator('p[data-without-passkeys]').isVisible(), false, 'it is said once');
    assert.equal(await page.getByText('Add a passkey').first().isVisible(), false, 'nothing that does nothing');
    await page.getByRole('link', { name: 'Set up authenticator app' }).click();
    const { key } = await setUpApp(page);
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, email, 'another long phrase');
    await send(page, '/sign-in/second-step', { Code: nextCodeFrom(key) }, 'Continue');
    await page.waitForURL(`${service.url}/account`);

    // Emails are limited for a network.
    service.clock.advance(16 * 60);
    await go(page, '/reset-password');
    await send(page, '/reset-password', { Email: email }, 'Send link');
    await page.goto((await mail.next(email, /Reset your password/)).link);
    await send(page, '/reset-password/finish', { 'New password': anotherPassword }, 'Set password');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await sendSignIn(page, email, anotherPassword);
    await reaches(page, 'Review your account');
    await page.getByRole('button', { name: 'Remove all other access' }).click();
    await page.waitForURL(`${service.url}/account`);
    await go(page, '/account/security');
    await page.getByRole('link', { name: 'Set up authenticator app' }).waitFor();
  }, options);
});

releaseTest('a mail that the server cannot take now comes later, and the page does not wait for it', async () => {
  const user = await service.newUser();
  await mail.stop();
  await inBrowser(async (page) => {
    await go(page, '/reset-password');
    await send(page, '/reset-password', { Email: user.email }, 'Send link');
    await reaches(page, 'Check your email');
    await mail.startAgain();
    service.clock.advance(10);
    const { link } = await mail.next(user.email, /Reset your password/);
    await page.goto(link);
    await reaches(page, 'Create a passkey or choose a password');
  });
});
