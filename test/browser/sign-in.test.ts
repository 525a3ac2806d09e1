// What makes signing in easy, in a real browser: showing the password, keeping what was typed, passkeys in autofill, and
// recovery codes that can be kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import {
  amrOf,
  client,
  endSession,
  go,
  inBrowser,
  look,
  reaches,
  send,
  service,
  setUpApp,
  signIn,
  smallPng,
  startAccountSite,
} from './account-site.ts';

startAccountSite();

test('a password can be shown while it is typed, and is sent as a password', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await go(page, '/sign-in');
    await page.getByLabel('Email', { exact: true }).fill(user.email);
    const password = page.getByLabel('Password', { exact: true });
    await password.fill(user.password);
    await page.getByRole('button', { name: 'Show password' }).click();
    assert.equal(await password.getAttribute('type'), 'text');
    await look(page, 'sign-in with the password shown');
    await page.getByRole('button', { name: 'Hide password' }).click();
    assert.equal(await password.getAttribute('type'), 'password');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/account`);
  });
  await inBrowser(
    async (page) => {
      await go(page, '/sign-in');
      assert.equal(await page.getByRole('button', { name: 'Show password' }).count(), 0);
    },
    { javaScriptEnabled: false },
  );
});

for (const javaScriptEnabled of firstUntilRelease([true, false])) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`the typed email address reaches the next page without appearing in a URL, ${how} JavaScript`, async () => {
    await inBrowser(
      async (page) => {
        for (const [button, heading] of [
          ['Forgot your password?', 'Reset your password'],
          ['Create an account', 'Create an account'],
        ] as const) {
          await go(page, authorizePath(client, newVerifier()));
          await page.getByLabel('Email', { exact: true }).fill('ada@example.test');
          await page.getByRole('button', { name: button }).click();
          await reaches(page, heading);
          assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), 'ada@example.test');
          assert.equal(page.url().includes('ada'), false);
        }
      },
      { javaScriptEnabled },
    );
  });
}

test('the browser offers passkeys in the email field', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(page, user);
    await go(page, '/account/security');
    await page.locator('summary', { hasText: 'Passkey name' }).click();
    await send(page, '/account/passkeys', { 'Passkey name': 'Laptop' }, 'Add a passkey');
    await reaches(page, 'Save your recovery codes');
    await endSession(page);
    await go(page, '/sign-in');
    // The device picks its passkey from the field's suggestions at once.
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pop', 'user', 'mfa']);
  });
});

test('recovery codes can be copied, downloaded and printed', async () => {
  const user = await service.newUser();
  await inBrowser(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript('window.print = () => { document.title = "printed"; }');
    await signIn(page, user);
    await go(page, '/account/authenticator');
    const { codes } = await setUpApp(page);
    await page.getByRole('button', { name: 'Copy codes' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), codes.join('\n'));

    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download codes' }).click();
    const download = await downloads;
    assert.equal(download.suggestedFilename(), 'recovery-codes.txt');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    assert.equal(text, `Latchkey recovery codes for ${user.email}\n\n${codes.join('\n')}\n`);

    await page.getByRole('button', { name: 'Print codes' }).click();
    assert.equal(await page.title(), 'printed');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.codes code').first().isVisible(), true);
    assert.equal(await page.locator('.side').isVisible(), false, 'only the codes are printed');
  });
});

// http/oauth/consent reads the page.
releaseTest('the consent page shows the application, scopes, redirect host and picture', async () => {
  const user = await service.newUser({ name: 'Ada Lovelace' });
  await inBrowser(async (page) => {
    await signIn(page, user);
    await go(page, '/account/profile');
    const buffer = await smallPng(page);
    await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Upload picture' }).click();
    await page.waitForSelector('.portrait');

    await go(page, authorizePath(client, newVerifier()));
    await reaches(page, 'Sign in to Photo album');
    const picture = 'document.querySelector(".shared .portrait")';
    assert.equal(await page.evaluate(`${picture}.decode().then(() => ${picture}.naturalWidth)`), 3);
    assert.equal((await page.locator('main').innerText()).includes('/pictures/'), false, 'not its URL');
    const top = async (text: string) => (await page.getByText(text).first().boundingBox())?.y ?? Number.NaN;
    const order = ['Photo album will receive', 'Ada Lovelace', 'redirected to 127.0.0.1', 'never sees your password'];
    const tops = await Promise.all(order.map(top));
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    );
    assert.equal(await page.getByText('Account ID').isVisible(), false);
    await page.getByText('Your identity').click();
    await page.getByText(user.id).waitFor();
    await page.getByText('Your profile').click();
    await page.getByText('Last updated').waitFor();
    await look(page, 'consent with its details');
  });
});
