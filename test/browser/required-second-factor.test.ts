// Second factors that a policy or an application requires, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateClient } from '../../src/operations/clients/clients.ts';
import { addFingerprintReader } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { setPolicy } from '../harness/policy.ts';
import { authorizePath, decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { requester } from '../harness/service.ts';
import {
  client,
  codeFrom,
  exchange,
  go,
  inBrowser,
  look,
  nextCodeFrom,
  reaches,
  says,
  send,
  sendSignIn,
  service,
  signIn,
  signOut,
  startAccountSite,
} from './account-site.ts';

startAccountSite();

const codeLabel = '6-digit code from the app';

test('an application that requires two factors has people set one up during sign-in', async () => {
  await updateClient(service.running.services, client.id, { secondFactor: 'required' }, requester);
  const user = await service.newUser();
  await inBrowser(async (page) => {
    const verifier = newVerifier();
    await go(page, authorizePath(client, verifier));
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'Set up two-step verification');
    await page.getByText('You need two-step verification to continue to Photo album.').waitFor();
    const key = (await page.locator('code.key').textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    const uri = (await page.locator('a[href^="otpauth:"]').getAttribute('href')) ?? '';
    assert.equal(new URL(uri).searchParams.get('secret'), key.replaceAll(' ', ''));
    await send(page, '/sign-in/set-up', { [codeLabel]: '000000' }, 'Turn on and continue');
    await says(page, 'alert', 'That code is incorrect.');
    await send(page, '/sign-in/set-up', { [codeLabel]: codeFrom(key) }, 'Turn on and continue');
    await reaches(page, 'Save your recovery codes');
    assert.equal(await page.locator('.codes code').count(), 10);
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await page.locator('button[value=approve]').click();
    await page.waitForURL(`${client.redirectUri}?**`);
    assert.equal(decodeJwt((await exchange(new URL(page.url()), verifier)).id_token).acr, '2');
  });
});

// http/sign-in/required-second-factor tests the rules; passwordless.test.ts creates a passkey with the same script.
releaseTest('a passkey is offered first, during sign-in and in a session', async () => {
  await updateClient(service.running.services, client.id, { secondFactor: 'required' }, requester);
  const user = await service.newUser();
  await inBrowser(async (page) => {
    const passkeys = await addFingerprintReader(page);
    const verifier = newVerifier();
    await go(page, authorizePath(client, verifier));
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'Set up two-step verification');
    const create = page.getByRole('button', { name: 'Create a passkey' });
    const [first, second] = [await create.boundingBox(), await page.locator('.qr').boundingBox()];
    assert.ok(first && second && first.y < second.y, 'the passkey comes first');
    await page.getByText('Use an authenticator app instead').waitFor();
    await look(page, 'set up two-step verification with a passkey');
    await create.click();
    await reaches(page, 'Save your recovery codes');
    assert.equal(await passkeys(), 1);
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await page.locator('button[value=approve]').click();
    await page.waitForURL(`${client.redirectUri}?**`);
    const { acr, amr } = decodeJwt((await exchange(new URL(page.url()), verifier)).id_token);
    assert.deepEqual([acr, amr], ['2', ['pwd', 'pop', 'mfa']]);
  });

  await setPolicy(service, 'optional');
  const other = await service.newUser();
  await inBrowser(async (page) => {
    const passkeys = await addFingerprintReader(page);
    await signIn(page, other);
    await setPolicy(service, 'everyone');
    service.clock.advance(16 * 60);
    await go(page, '/account/activity');
    await reaches(page, 'Set up two-step verification');
    await page.getByLabel('Current password').fill('wrong');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await says(page, 'alert', 'Incorrect password');
    assert.equal(await passkeys(), 0, 'none is left on the device');
    await page.getByLabel('Current password').fill(other.password);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await reaches(page, 'Activity');
  });
});

test('a session is asked for the second factor, then the request continues', async () => {
  const user = await service.newUser();
  await setPolicy(service, 'optional');
  await inBrowser(async (page) => {
    await signIn(page, user);
    await setPolicy(service, 'everyone');
    service.clock.advance(16 * 60);
    await go(page, '/account/activity');
    await reaches(page, 'Set up two-step verification');
    await look(page, 'set up two-step verification, with the password');
    const key = (await page.locator('code.key').textContent()) ?? '';
    const values = { [codeLabel]: codeFrom(key), 'Current password': user.password };
    await send(page, '/sign-in/verify/set-up', values, 'Turn on and continue');
    await page.getByRole('link', { name: "I've saved my recovery codes" }).click();
    await reaches(page, 'Activity');

    // A session from before there was a second factor.
    await service.running.services.storage.raiseSession(...(await withOneFactor(user.id)));
    await go(page, '/account/apps');
    await reaches(page, 'Two-step verification');
    await send(page, '/sign-in/verify', { Code: 'not a code' }, 'Continue');
    await says(page, 'alert', 'That code is incorrect');
    await send(page, '/sign-in/verify', { Code: nextCodeFrom(key) }, 'Continue');
    await reaches(page, 'Connected apps');

    await service.running.services.storage.raiseSession(...(await withOneFactor(user.id)));
    await go(page, '/account/apps');
    await reaches(page, 'Two-step verification');
    await signOut(page);
  });
});

/** Takes the second factor out of the session of somebody who is signed in once. */
async function withOneFactor(userId: string) {
  const { storage } = service.running.services;
  const [session] = await storage.listSessions(userId, 0);
  const user = await storage.findUser(userId);
  assert.ok(session && user);
  return [{ session: { ...session, amr: ['pwd'] }, replacedDigest: session.digest }, user.sessionGeneration] as const;
}

// http/sign-in/passkey-purposes tests the rules; second-factors.test.ts uses a passkey with the same script.
releaseTest("a passkey also works as a session's second factor", async () => {
  const user = await service.newUser();
  await setPolicy(service, 'optional');
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
    await send(page, '/account/passkeys', { 'Passkey name': '' }, 'Add a passkey');
    await reaches(page, 'Save your recovery codes');
    await setPolicy(service, 'everyone');
    await go(page, '/account/apps');
    await reaches(page, 'Two-step verification');
    await page.getByText('Use your passkey, or enter a recovery code.').waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await reaches(page, 'Connected apps');
    const [session] = await service.running.services.storage.listSessions(user.id, 0);
    assert.deepEqual(session?.amr, ['pwd', 'pop', 'mfa']);
  });
});
