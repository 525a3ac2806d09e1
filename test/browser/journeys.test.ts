// What users do in a real browser: sign in, approve, cancel, remove an application, sign out.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assertKnownPageIsSound, inBrowser, looks } from '../harness/browser.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { listening, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let application: Server;
let applicationUrl: string;
let user: TestUser;

before(async () => {
  service = await startTestService();
  user = await service.newUser();
  application = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>App</title><p>The application');
  });
  applicationUrl = await listening(application, '127.0.0.1');
});
after(async () => {
  await new Promise((resolve) => (application ? application.close(resolve) : resolve(undefined)));
  await service?.stop();
});

const withPage = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) => inBrowser(work, options);

function newClient(options: Partial<Parameters<TestService['newClient']>[0]> = {}): Promise<TestClient> {
  return service.newClient({ name: 'Photo album', redirectUris: [`${applicationUrl}/callback`], ...options });
}

async function signIn(page: Page, password = user.password): Promise<void> {
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', password);
  await page.click('button[type=submit]');
}

// One journey for each screen size. test/browser/pages.test.ts checks these pages on a desktop.
for (const look of firstUntilRelease(looks.filter(({ colorScheme }) => colorScheme === 'light'))) {
  test(`a person signs in, approves, removes the application and signs out (${look.name})`, async () => {
    const client = await newClient();
    const { viewport, colorScheme } = look;
    const isPhone = viewport.width < 900;
    const assertSound = async (page: Page, name: string) => {
      if (isPhone) await assertKnownPageIsSound(page, name);
    };
    await withPage({ viewport, colorScheme, javaScriptEnabled: true }, async (page) => {
      await page.goto(service.url + authorizePath(client, newVerifier()));
      await page.waitForSelector('text=to continue to Photo album');
      await assertSound(page, 'sign-in');
      await signIn(page, 'not the password');
      await page.waitForSelector('[role=alert]');
      await assertSound(page, 'sign-in with an error');
      await signIn(page);

      await page.waitForSelector('h1:has-text("Sign in to Photo album")');
      await assertSound(page, 'consent');
      await page.click('button[name=decision][value=approve]');
      await page.waitForURL(`${applicationUrl}/callback?**`);
      const answer = new URL(page.url());
      assert.ok(answer.searchParams.get('code'));
      assert.equal(answer.searchParams.get('state'), 'state-1');

      await page.goto(`${service.url}/account/apps`);
      await page.waitForSelector('h2:has-text("Photo album")');
      await assertSound(page, 'connected apps');
      await page.click(`button[name=remove][value="${client.id}"]`);
      await page.waitForSelector('[role=status]');
      await assertSound(page, 'connected apps after a removal');

      await page.goto(
        `${service.url}${authorizePath(client, newVerifier(), { redirect_uri: 'https://evil.example' })}`,
      );
      await assertSound(page, 'error');
      await page.goto(service.url + authorizePath(client, newVerifier(), { prompt: 'select_account' }));
      await page.waitForSelector('h1:has-text("Choose an account")');
      await assertSound(page, 'choose account');

      const unregistered = encodeURIComponent('https://evil.example/');
      await page.goto(`${service.url}/oauth/logout?client_id=${client.id}&post_logout_redirect_uri=${unregistered}`);
      await page.waitForSelector('h1:has-text("Sign out of Latchkey?")');
      await assertSound(page, 'sign out?');
      await page.click('button:has-text("Sign out")');
      await page.waitForSelector('text=To go back, open the application yourself');
      await assertSound(page, 'signed out without a way back');

      await page.goto(`${service.url}/account/apps`);
      await signIn(page);
      await page.waitForURL(`${service.url}/account/apps`);
      if (isPhone) await page.click('button:has-text("Menu")');
      await page.click('button:has-text("Sign out")');
      await page.waitForSelector('h1:has-text("signed out")');
      await assertSound(page, 'signed out');
    });
  });
}

// http/oauth/logout tests each of them; the journey above signs out.
releaseTest('an application signs a person out, with and without confirmation, and by POST', async () => {
  const client = await service.newClient({
    name: 'Photo album',
    redirectUris: [`${applicationUrl}/callback`],
    postLogoutRedirectUris: [`${applicationUrl}/bye`],
  });
  const parameters = { client_id: client.id, post_logout_redirect_uri: `${applicationUrl}/bye`, state: 'x y' };
  await withPage({}, async (page) => {
    const silent = service.url + authorizePath(client, newVerifier(), { prompt: 'none' });
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button[value=approve]');
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
    await page.goto(`${service.url}/oauth/logout?${new URLSearchParams(parameters)}`);
    await page.click('button:has-text("Sign out")');
    await page.waitForURL(`${applicationUrl}/bye?state=x%20y`);
    await page.goto(silent);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'login_required');

    const fields = Object.entries(parameters).map(([name, value]) => `<input name="${name}" value="${value}">`);
    await page.setContent(
      `<form method="post" action="${service.url}/oauth/logout">${fields.join('')}<button>Go</button></form>`,
    );
    await page.click('button');
    await page.waitForURL(`${applicationUrl}/bye?state=x%20y`);
  });
});

test('sign-in to sign-out works without JavaScript', async () => {
  const client = await newClient();
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button[value=approve]');
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
  });
});

test('sign-in to sign-out works by keyboard', async () => {
  const client = await newClient();
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    // The page sets the focus itself, which may take a busy browser a moment.
    await page.waitForSelector('#email:focus');
    await page.keyboard.type(user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(user.password);
    await page.keyboard.press('Enter');
    await page.waitForSelector('button[value=approve]');
    const reached: string[] = [];
    for (let press = 0; press < 8 && reached.at(-1) !== 'Allow'; press++) {
      await page.keyboard.press('Tab');
      reached.push(String(await page.evaluate('document.activeElement.textContent')));
    }
    assert.deepEqual(reached, [
      'Skip to content',
      'Latchkey',
      'Not you?',
      'Your identity',
      `Your profile ${user.record.name}`,
      'Allow',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
  });
});

// http/oauth/consent cancels as well.
releaseTest('canceling returns to the application with access_denied', async () => {
  const client = await newClient();
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button[value=cancel]');
    await page.waitForURL(`${applicationUrl}/callback?**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  });
});

// http/oauth/consent and round-trips remember it; second-factors.test.ts is redirected straight away as well.
releaseTest('with a remembered consent, the sign-in form redirects straight to the application', async () => {
  const client = await newClient();
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button[value=approve]');
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
  });
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
  });
});

// http/oauth/authorize changes the account.
releaseTest('"Not you?" lets another person sign in for the same request', async () => {
  const client = await newClient();
  const other = await service.newUser({ name: 'Mary Jackson' });
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button:has-text("Not you?")');
    await page.fill('input[name=email]', other.email);
    await page.fill('input[name=password]', other.password);
    await page.click('button[type=submit]');
    await page.waitForSelector('text=Mary Jackson');
    await page.click('button[value=approve]');
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
  });
});

test('going back and submitting again gives a new response, not an error', async () => {
  const client = await newClient();
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button[value=approve]');
    await page.waitForURL(`${applicationUrl}/callback?**code=**`);
    const first = new URL(page.url()).searchParams.get('code');
    await page.goBack();
    assert.match(page.url(), new RegExp(`^${applicationUrl}/callback`));
    assert.notEqual(new URL(page.url()).searchParams.get('code'), first);
  });
});

test('a form can redirect to an application on an IPv6 loopback address', async () => {
  const server = createServer((_request, response) => response.end('The application'));
  const url = await listening(server, '::1');
  const client = await newClient({ redirectUris: [`${url}/callback`] });
  await withPage({}, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await signIn(page);
    await page.click('button[value=approve]');
    await page.waitForURL(`${url}/callback?**code=**`);
  });
  await new Promise((resolve) => server.close(resolve));
});

test("long names and unusual characters don't overflow the page", async () => {
  const client = await newClient({ name: `${'W'.repeat(60)} <i>ünïcödé</i> 漢字` });
  const person = await service.newUser({
    name: 'M'.repeat(100),
    email: `${'long'.repeat(15)}@${'domain'.repeat(10)}.test`,
  });
  await withPage({ viewport: { width: 320, height: 600 } }, async (page) => {
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await page.fill('input[name=email]', person.email);
    await page.fill('input[name=password]', person.password);
    await page.click('button[type=submit]');
    await page.waitForSelector('button[value=approve]');
    await assertKnownPageIsSound(page, 'consent');
    await page.click('button[value=approve]');
    await page.waitForURL(`${applicationUrl}/callback?**`);
    await page.goto(`${service.url}/account/apps`);
    await assertKnownPageIsSound(page, 'connected apps');
  });
});
