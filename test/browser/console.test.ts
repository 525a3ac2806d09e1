// What administrators do in a real browser: set up the service, manage clients and users, find out why something
// failed, and create API keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { makeSetUpLink } from '../../src/operations/admin/set-up-link.ts';
import { assertSoundInBothLooks, sharedBrowser } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { Person, readForm } from '../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, postForm, refreshParameters } from '../harness/relying-party.ts';
import { origin, startTestService, type TestService, type TestUser } from '../harness/service.ts';

const password = 'a rather long phrase';

let service: TestService;
let browser: Browser;
let mail: MailServer;
let administrator: Pick<TestUser, 'email' | 'password'>;

before(async () => {
  browser = await sharedBrowser();
  mail = await startMailServer();
  service = await startTestService({
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
  });
});
after(async () => {
  await service?.stop();
  await mail?.stop();
});

async function inBrowser(
  work: (page: Page, context: BrowserContext) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  context.setDefaultTimeout(10_000);
  try {
    await work(await context.newPage(), context);
    assert.deepEqual(complaints, [], 'nothing is blocked by the content security policy');
  } finally {
    await context.close();
  }
}

/** Signs in with one page instead of three: the form is sent past the page. */
async function signIn(page: Page): Promise<void> {
  const { fields = {} } = readForm(await (await page.request.get(`${service.url}/sign-in`)).text(), '/sign-in') ?? {};
  const form = { ...fields, email: administrator.email, password: administrator.password };
  await page.request.post(`${service.url}/sign-in`, { form, maxRedirects: 0 });
  await page.goto(`${service.url}/admin`);
  await reaches(page, 'Overview');
}

const reaches = (page: Page, heading: string) =>
  page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const says = (page: Page, text: string | RegExp) =>
  page.locator('[role=status], [role=alert]').filter({ hasText: text }).waitFor();

test('the first administrator sets the service up by the set-up address', () =>
  inBrowser(async (page) => {
    const link = await makeSetUpLink(service.running.services, origin);
    assert.equal(link.kind, 'done');
    if (link.kind !== 'done') return;
    await page.goto(link.url);
    await reaches(page, 'Set up this service');
    await assertSoundInBothLooks(page, 'set-up');
    administrator = { email: 'admin@example.test', password };
    await page.getByLabel('E-mail').fill(administrator.email);
    await page.getByLabel('Name').fill('Margaret Hamilton');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Create the account');
    await reaches(page, 'Overview');
    await assertSoundInBothLooks(page, 'an empty overview');
    await page.goto(link.url);
    await reaches(page, 'This link has expired');
    await page.getByText('Ask the administrator').waitFor();
  }));

test('an application is registered with the keyboard alone, its secret copied, and it signs people in', () =>
  inBrowser(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await signIn(page);
    await follow(page, 'Applications');
    await page.getByRole('link', { name: 'New application' }).focus();
    await page.keyboard.press('Enter');
    await reaches(page, 'New application');
    await assertSoundInBothLooks(page, 'a new application');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Photo album');
    await page.keyboard.press('Tab');
    await page.keyboard.type('https://photos.example/callback');
    // Past the URIs for signing out, the scopes, the type and the second factor, to the button.
    for (let steps = 0; steps < 7; steps++) await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Create the application');
    await page.keyboard.press('Enter');
    await reaches(page, 'Keep this secret now');
    await assertSoundInBothLooks(page, 'the secret');
    await press(page, 'Copy Client secret');
    await page.getByRole('button', { name: 'Copied Client secret' }).waitFor();
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    const id = (await page.locator('#client-id').textContent()) ?? '';
    await press(page, 'Copy Ready for a .env file');
    const env = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(env, new RegExp(`^OIDC_CLIENT_ID=${id}$`, 'm'));
    assert.match(env, new RegExp(`^OIDC_CLIENT_SECRET=${secret}$`, 'm'));

    const record = await service.running.services.storage.findClient(id);
    assert.ok(record);
    const client = { id, secret, redirectUri: 'https://photos.example/callback', record };
    const { tokens } = await obtainTokens(service, client, await service.newUser({ name: 'Ada Lovelace' }));
    const refreshWith = async (by: string) =>
      (await postForm(service, '/oauth/token', refreshParameters({ ...client, secret: by }, tokens.refresh_token)))
        .status;

    // A second secret, after which the old one is retired.
    await follow(page, 'Go to the application');
    await reaches(page, 'Photo album');
    await press(page, 'Make a new secret');
    await reaches(page, 'Keep this secret now');
    const newSecret = (await page.locator('#client-secret').textContent()) ?? '';
    assert.deepEqual([await refreshWith(secret), await refreshWith(newSecret)], [200, 200]);
    await follow(page, 'Go to the application');
    await assertSoundInBothLooks(page, 'an application');
    await follow(page, 'Retire the old secret');
    await reaches(page, 'Retire the old secret?');
    await press(page, 'Retire the old secret');
    await says(page, 'The old secret does not work any more.');
    assert.deepEqual([await refreshWith(secret), await refreshWith(newSecret)], [401, 200]);

    // Revoked after a confirmation, and restored.
    await follow(page, 'Revoke');
    await page.getByText('1 person uses it and is cut off at once.').waitFor();
    await assertSoundInBothLooks(page, 'the question before revoking');
    await press(page, 'Revoke');
    await says(page, 'The application is stopped.');
    assert.equal(await refreshWith(newSecret), 401);
    await assertSoundInBothLooks(page, 'a revoked application');
    await press(page, 'Restore');
    await says(page, 'can sign people in again');

    await follow(page, 'Applications');
    await page.getByRole('searchbox', { name: 'Search' }).fill('alb');
    await press(page, 'Search');
    await assertSoundInBothLooks(page, 'applications');
    assert.deepEqual(await page.locator('.thing-name').allTextContents(), ['Photo album']);
  }));

test('somebody is invited by mail, found, helped, made an administrator, stopped and deleted', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await follow(page, 'People');
    await page.getByText('Invite somebody').click();
    await page.getByLabel('E-mail').fill('guest@example.test');
    await assertSoundInBothLooks(page, 'people');
    await press(page, 'Invite');
    await says(page, 'The invitation is on its way.');
    const letter = await mail.next('guest@example.test', /You're invited/);
    await inBrowser(async (guest) => {
      await guest.goto(/https?:\/\/\S+\?link=\S+/.exec(letter.text)?.[0] ?? '');
      await reaches(guest, "You're invited");
      await assertSoundInBothLooks(guest, 'the invitation');
      await guest.getByLabel('Name').fill('Radia Perlman');
      await guest.getByLabel('Password').fill(password);
      await press(guest, 'Create the account');
      await reaches(guest, 'Profile');

      await page.getByRole('searchbox', { name: 'Search' }).fill('perl');
      await press(page, 'Search');
      await follow(page, 'Radia Perlman');
      await reaches(page, 'Radia Perlman');
      await assertSoundInBothLooks(page, 'a person');
      await press(page, 'Make them an administrator');
      await says(page, 'The person is now an administrator.');
      await guest.goto(`${service.url}/admin`);
      await reaches(guest, 'Overview');
      await press(page, 'Take away administration');
      await says(page, 'is not an administrator any more');
      await press(page, 'Sign them out everywhere');
      await says(page, 'signed out everywhere');
      await guest.reload();
      await reaches(guest, 'Sign in');

      // A recovery link, which the administrator passes on.
      await press(page, 'Make a recovery link');
      await reaches(page, 'Hand this address over');
      await assertSoundInBothLooks(page, 'a recovery link');
      await guest.goto((await page.locator('#link').textContent()) ?? '');
      await guest.getByLabel('New password').fill(`${password} again`);
      await press(guest, 'Set the password');
      await reaches(guest, 'Password changed');
    });
    await follow(page, 'Go on');
    await press(page, 'Disable');
    await says(page, 'The person is disabled.');
    await press(page, 'Enable');
    await says(page, 'can sign in again');
    await follow(page, 'Delete');
    await reaches(page, 'Delete Radia Perlman?');
    await press(page, 'Delete');
    await says(page, 'The person is deleted.');
  }));

test('the last administrator is told why they cannot disable themselves', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await page.goto(`${service.url}/admin/people?search=margaret`);
    await follow(page, 'Margaret Hamilton');
    await press(page, 'Disable');
    await says(page, 'is the last administrator: make another one first.');
  }));

test('a sign-in that failed explains itself, and its address is registered from there', () =>
  inBrowser(async (page) => {
    const client = await service.newClient({ name: 'Field notes', redirectUris: ['https://notes.example/callback'] });
    const path = authorizePath(client, newVerifier(), { redirect_uri: 'https://notes.example/callback/' });
    const refused = await new Person(service).visit(path);
    const reference = refused.headers.get('x-request-id') ?? '';
    await signIn(page);
    await follow(page, 'Events');
    await page.getByText('Filter').click();
    await page.getByLabel('Reference').fill(reference);
    await page.getByLabel('Kind').selectOption({ label: 'Authorization refused' });
    await press(page, 'Show');
    await page.getByText('not registered, letter by letter').waitFor();
    await assertSoundInBothLooks(page, 'events');
    assert.deepEqual(await page.locator('mark').allTextContents(), ['/', '']);
    await press(page, 'Register this address');
    await says(page, 'The address is registered.');
    assert.equal((await new Person(service).visit(path)).status, 200);
  }));

test('the overview draws what happened, and says it in a table', () =>
  inBrowser(async (page) => {
    await signIn(page);
    const chart = page.getByRole('radiogroup', { name: /^Sign-ins, Last 24 hours: [1-9]\d* in all/ });
    await chart.waitFor();
    const bars = await chart
      .locator('rect')
      .evaluateAll((found) => found.map((bar) => bar.getBoundingClientRect().height));
    assert.equal(bars.length, 24);
    assert.ok((bars.at(-1) ?? 0) > 20, 'what has just happened can be seen');
    await page.getByText('As a table: Last 24 hours').click();
    assert.equal(await page.locator('details[open] tbody tr').count(), 24);
    await assertSoundInBothLooks(page, 'the overview');
  }));

test('a key is made, shown once, and ended', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await follow(page, 'API keys');
    await page.getByLabel('Name').fill('Nightly report');
    await page.getByLabel('Read and write').check();
    await press(page, 'Create a key');
    await reaches(page, 'Keep this key now');
    assert.match((await page.locator('#key').textContent()) ?? '', /^lk_api_/);
    await assertSoundInBothLooks(page, 'a new key');
    await follow(page, 'I have kept it');
    await assertSoundInBothLooks(page, 'API keys');
    await press(page, 'End it Nightly report');
    await says(page, 'The key does not work any more.');
  }));

test('settings are saved', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await follow(page, 'Settings');
    await reaches(page, 'Settings');
    await page.getByLabel('Sign out after (hours)').fill('0');
    await press(page, 'Save settings');
    await says(page, 'session_hours must be a whole number from 1 to 720.');
    await assertSoundInBothLooks(page, 'settings, with a problem');
    await page.getByLabel('Sign out after (hours)').fill('8');
    await press(page, 'Save settings');
    await says(page, 'Settings saved.');
    assert.equal(await page.getByLabel('Sign out after (hours)').inputValue(), '8');
    await assertSoundInBothLooks(page, 'settings');
  }));

test('everything but copying works without JavaScript', () =>
  inBrowser(
    async (page) => {
      await signIn(page);
      await page.goto(`${service.url}/admin/applications/new`);
      await page.getByLabel('Name').fill('Plain');
      await page
        .getByLabel('Redirect URIs', { exact: true })
        .fill('https://plain.example/one\nhttps://plain.example/two');
      await press(page, 'Create the application');
      await reaches(page, 'Keep this secret now');
      assert.equal(await page.locator('button[data-copy]:visible').count(), 0);
      await follow(page, 'Go to the application');
      assert.equal(
        await page.getByLabel('Redirect URIs', { exact: true }).inputValue(),
        'https://plain.example/one\nhttps://plain.example/two',
      );
      await follow(page, 'Delete');
      await press(page, 'Delete');
      await says(page, 'The application is deleted.');
    },
    { javaScriptEnabled: false },
  ));

test('the documentation can be read by everybody, on a phone too', () =>
  inBrowser(async (page) => {
    const pages = ['', '/quickstart', '/concepts', '/endpoints', '/errors', '/clients', '/clients/not-supported'];
    const more = [
      '/clients/fetch',
      '/operating',
      '/performance',
      '/scaling',
      '/settings',
      '/sign-out',
      '/search?q=refresh+token',
    ];
    for (const path of [...pages, ...more]) {
      await page.goto(`${service.url}/docs${path}`);
      await assertSoundInBothLooks(page, `/docs${path}`);
    }
    await page.getByRole('searchbox').fill('sign-in flow');
    await press(page, 'Search');
    await reaches(page, 'Search');
    await page.setViewportSize({ width: 390, height: 800 });
    await press(page, 'Menu');
    await follow(page, 'Concepts');
    await reaches(page, 'Concepts');
    await press(page, 'On this page');
    await follow(page, 'Signing out');
    await page.waitForURL(/\/docs\/concepts#signing-out$/);
    const pictures = await page.evaluate<boolean[]>(
      '[...document.querySelectorAll("article img")].map((image) => image.naturalWidth > 0 && image.alt !== "")',
    );
    assert.deepEqual(pictures, [true, true]);
  }));
