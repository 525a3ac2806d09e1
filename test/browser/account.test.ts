// The account in a real browser: profile, devices, data, and forms in old tabs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNotTooWide, assertPageIsSound } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import {
  anotherPassword,
  assertNoSecrets,
  client,
  go,
  inBrowser,
  mail,
  reaches,
  says,
  send,
  sendSignIn,
  service,
  signIn,
  signOut,
  smallPng,
  startAccountSite,
  tokensFor,
} from './account-site.ts';

startAccountSite();

const firefoxOnWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('the profile shows what was saved, escaped as text', async () => {
  const user = await service.newUser();
  const name = '<b onclick="x">Ada</b> & “Co” עדה';
  await inBrowser(async (page) => {
    await signIn(page, user);
    const tokens = await tokensFor(page);
    const about = async () => (await userinfo(service, tokens.access_token)).body;

    await go(page, '/account/profile');
    await page.getByLabel('Language', { exact: true }).selectOption('en-GB');
    const names = { 'First name': '<script>alert(1)</script>', 'Last name': 'Love\u200flace\u202e' };
    await send(page, '/account/profile', { Name: `\u202e${name}\u200f`, ...names }, 'Save profile');
    await says(page, 'status', 'Profile saved.');
    assert.equal(await page.locator('.account-line strong').textContent(), name);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name);
    assert.equal(await page.getByLabel('Language', { exact: true }).inputValue(), 'en-GB');
    const { name: told, given_name, family_name, locale } = await about();
    assert.deepEqual(
      { told, given_name, family_name, locale },
      { told: name, given_name: '<script>alert(1)</script>', family_name: 'Lovelace', locale: 'en-GB' },
    );
    await send(page, '/account/profile', { Name: '\u200f \u202e' }, 'Save profile');
    await says(page, 'alert', '1 to 100 characters');
    assert.equal((await about()).name, name);

    const upload = async (buffer: Buffer) => {
      await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
      await page.getByRole('button', { name: 'Upload' }).click();
    };
    await page.getByRole('button', { name: 'Upload' }).click();
    await says(page, 'alert', 'Choose a file first.');
    await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'));
    await says(page, 'alert', "That file isn't a PNG, JPEG or WebP image, or it's damaged.");
    assert.equal((await about()).picture, undefined);
    await upload(await smallPng(page));
    await says(page, 'status', 'Picture updated.');
    const picture = String((await about()).picture);
    assert.ok(picture.startsWith(`${service.url}/pictures/`));
    const shown = 'document.querySelector(".portrait")';
    assert.equal(await page.evaluate(`${shown}.decode().then(() => ${shown}.naturalWidth)`), 3);
    assert.equal((await page.request.get(picture)).headers()['content-type'], 'image/png');
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await says(page, 'status', 'Picture updated.');
    assert.equal(await page.locator('.portrait').count(), 0);
    assert.equal((await about()).picture, undefined);
    assert.equal((await page.request.get(picture)).status(), 404);
  });
});

test('the sections are beside the page on a desktop and in a menu on a phone', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    const links = page.getByRole('navigation').getByRole('link');
    assert.equal(await links.count(), 7);
    const [first, main] = [await links.first().boundingBox(), await page.locator('main').boundingBox()];
    assert.ok(first && main && first.x + first.width <= main.x, 'beside the page');
    assert.equal(await page.getByRole('button', { name: 'Menu' }).isVisible(), false);

    await page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await links.count(), 0, 'they are behind the menu');
    const bar = await page.locator('.topbar').boundingBox();
    assert.ok(bar && bar.height < 64, 'one row');
    await page.getByRole('button', { name: 'Menu' }).click();
    assert.equal(await links.count(), 7);
    await assertPageIsSound(page, 'the open menu');
    await page.keyboard.press('Escape');
    assert.equal(await links.count(), 0);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await reaches(page, "You're signed out");
  });
});

test('names of applications break where they have to', async () => {
  const user = await service.newUser();
  const newApp = async (name: string) => {
    const { id } = await service.newClient({ name });
    await service.execute(`UPDATE clients SET launch_url = 'https://app.example' WHERE id = '${id}'`);
  };
  await inBrowser(async (page) => {
    await signIn(page, user);
    const check = async (list: string) => {
      await go(page, '/account');
      await page.locator(list).waitFor();
      for (const width of [320, 375, 640]) {
        await page.setViewportSize({ width, height: 640 });
        await assertNotTooWide(page, `${list} at ${width}`);
        for (const card of await page.locator('.app-card').all()) {
          const isTooWide = await card.evaluate((element) => element.scrollWidth > element.clientWidth);
          assert.equal(isTooWide, false, `${list} at ${width}: ${await card.innerText()}`);
        }
      }
    };
    await newApp('W'.repeat(100));
    for (let number = 2; number <= 12; number++) await newApp(`App ${number}`);
    await check('.app-cards:not(.compact)');
    assert.equal(await page.getByRole('search').count(), 0);
    await newApp('Time tracking');
    await check('.app-cards.compact');
    await page.getByRole('searchbox', { name: 'Search apps' }).fill('track');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Show all apps' }).waitFor();
    assert.deepEqual(await page.locator('.app-card > span:not(.app-icon)').allTextContents(), ['Time tracking']);
  });
});

test('an email can be sent again when a minute is over', async () => {
  await inBrowser(async (page) => {
    await go(page, '/reset-password');
    await send(page, '/reset-password', { Email: 'somebody@example.test' }, 'Send link');
    await reaches(page, 'Check your email');
    const again = page.getByRole('button', { name: 'Send again' });
    const at = (seconds: number) =>
      page.evaluate(`document.getAnimations().forEach((each) => { each.currentTime = ${seconds * 1000}; })`);
    await at(59);
    assert.equal(await again.count(), 0);
    await at(60);
    await again.click();
    await reaches(page, 'Check your email');
  });
});

// A look at one form.
releaseTest('the fields of the profile line up', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    await go(page, '/account/profile');
    const boxOf = async (id: string) => {
      const box = await page.locator(id).boundingBox();
      assert.ok(box, id);
      return { left: box.x, right: box.x + box.width, height: box.height };
    };
    const [name, language] = [await boxOf('#name'), await boxOf('#locale')];
    assert.deepEqual(language, name);
    const [given, family] = [await boxOf('#given_name'), await boxOf('#family_name')];
    assert.deepEqual([given.left, family.right], [name.left, name.right]);
    assert.ok(given.right < family.left);
  });
});

// http/account/sessions signs devices out and reads the emails.
releaseTest('people are notified of new devices and can sign out one or all of them', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    assert.match((await mail.next(user.email, /New sign-in to your account/)).text, /before: Chrome on Linux, /);
    await go(page, '/account/sessions');
    await page.getByText("You aren't signed in anywhere else.").waitFor();
    await inBrowser(
      async (elsewhere) => {
        await signIn(elsewhere, user);
        const letter = await mail.next(user.email, /New sign-in to your account/);
        assert.match(letter.text, /before: Firefox on Windows, .*, IP address (127\.0\.0\.1|::1)/);
        await page.reload();
        await page.getByRole('heading', { name: 'Chrome on Linux' }).waitFor();
        await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
        await says(page, 'status', 'Device signed out.');
        await elsewhere.reload();
        await reaches(elsewhere, 'Sign in');

        await signIn(elsewhere, user);
        await page.reload();
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
        await says(page, 'status', 'Other devices signed out.');
        await page.getByText("You aren't signed in anywhere else.").waitFor();
        await elsewhere.reload();
        await reaches(elsewhere, 'Sign in');
      },
      { userAgent: firefoxOnWindows },
    );
    await go(page, '/account/activity');
    await page.locator('li', { hasText: 'Signed in' }).filter({ hasText: 'Firefox on Windows' }).first().waitFor();
    await page.getByText('Signed out on other devices').first().waitFor();
  });
  const told = mail.received.filter(({ to, subject }) => to === user.email && /New sign-in/.test(subject));
  assert.equal(told.length, 2, 'a browser is news the first time, and only then');
});

// http/account/own-data reads the file and deletes the account.
releaseTest('a person downloads their data and deletes the account', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    const tokens = await tokensFor(page);
    await go(page, '/account/data');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download data' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'latchkey-account.json');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const data = JSON.parse(text);
    const parts = [
      'account',
      'linked_accounts',
      'second_factors',
      'connected_apps',
      'access_requests',
      'access_reviews',
      'sessions',
      'known_browsers',
      'activity',
    ];
    assert.deepEqual(Object.keys(data), ['made_at', ...parts]);
    assert.equal(data.account.email, user.email);
    assert.equal(data.account.id, user.id);
    assert.deepEqual(
      data.connected_apps.map((app: { name: string }) => app.name),
      ['Photo album'],
    );
    assert.equal(data.sessions[0].device, 'Chrome on Linux');
    assert.ok(data.activity.some((event: { kind: string }) => event.kind === 'signed_in'));
    await assertNoSecrets(text);
    for (const token of [tokens.access_token, tokens.refresh_token]) assert.equal(text.includes(token), false);

    service.clock.advance(16 * 60);
    const { access_token } = await tokensFor(page);
    await page.getByRole('link', { name: 'Delete account' }).click();
    await send(page, '/account/delete', {}, 'Delete account');
    await reaches(page, "Confirm it's you");
    await send(page, '/account/delete', { Password: 'wrong' }, 'Confirm');
    await says(page, 'alert', 'Incorrect password.');
    assert.equal((await userinfo(service, access_token)).status, 200);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(`${service.url}/account/data`);
    await page.getByRole('link', { name: 'Delete account' }).click();
    await send(page, '/account/delete', {}, 'Delete account');
    await send(page, '/account/delete', { Password: user.password }, 'Confirm');
    await reaches(page, 'Account deleted');
    await mail.next(user.email, /Your account was deleted/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const refresh = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.deepEqual([refresh.status, refresh.body.error], [400, 'invalid_grant']);
    await go(page, '/account');
    await reaches(page, 'Sign in');
    await sendSignIn(page, user.email, user.password);
    await says(page, 'alert', 'Incorrect email or password.');
  });
});

test('forms of an earlier session are refused, in any tab and order', async () => {
  const user = await service.newUser();
  await inBrowser(async (page, context) => {
    await signIn(page, user);
    const tabs = [await context.newPage(), await context.newPage(), await context.newPage()] as const;
    const [signedOutTab, staleTab, securityTab] = tabs;
    await Promise.all([
      go(signedOutTab, '/account/profile'),
      go(staleTab, '/account/profile'),
      go(securityTab, '/account/security'),
    ]);
    await signOut(page);
    await send(signedOutTab, '/account/profile', { Name: 'Somebody Else' }, 'Save profile');
    await reaches(signedOutTab, 'Sign in');
    await page.goBack();
    await reaches(page, 'Sign in');

    await sendSignIn(page, user.email, user.password);
    await page.waitForURL(`${service.url}/account`);
    await send(staleTab, '/account/profile', { Name: 'Somebody Else' }, 'Save profile');
    await reaches(staleTab, 'This page has expired');
    await staleTab.getByText('Nothing was changed.').waitFor();
    await send(securityTab, '/account/password', { 'New password': anotherPassword }, 'Change password');
    await reaches(securityTab, 'This page has expired');
    await go(staleTab, '/account/profile');
    assert.equal(await staleTab.getByLabel('Name', { exact: true }).inputValue(), 'Grace Hopper');
    await signOut(staleTab);
    await signIn(page, user);
  });
});
