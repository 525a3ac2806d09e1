// What administrators do in a real browser: set up the service, manage clients and users, find out why something
// failed, and create API keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeSetUpLink } from '../../src/operations/users/set-up-link.ts';
import { assertSoundInBothLooks, inBrowser } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { Person } from '../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, postForm, refreshParameters } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { signInPastPage } from '../harness/signed-in-browser.ts';

const password = 'a rather long phrase';

let service: TestService;
let mail: MailServer;
let administrator: Pick<TestUser, 'email' | 'password'>;

before(async () => {
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

async function signIn(page: Page): Promise<void> {
  await signInPastPage(page, service, administrator);
  await page.goto(`${service.url}/admin`);
  await reaches(page, 'Overview');
}

const reaches = (page: Page, heading: string) =>
  page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Pick<Page, 'getByRole'>, name: string) => page.getByRole('link', { name, exact: true }).click();
const asked = (page: Page, title: string) => page.getByRole('dialog', { name: title, exact: true }).waitFor();
/** Follows a link that asks first, and presses the button in its dialog. */
async function confirmed(page: Page, name: string): Promise<void> {
  await follow(page, name);
  await page.locator('dialog[open]').getByRole('button', { name, exact: true }).click();
}
const says = (page: Page, text: string | RegExp) =>
  page.locator('[role=status], [role=alert]').filter({ hasText: text }).waitFor();

test('the first administrator sets up the service with the set-up link', () =>
  inBrowser(async (page) => {
    const link = await makeSetUpLink(service.running.services, requester);
    assert.equal(link.kind, 'done');
    if (link.kind !== 'done') return;
    await page.goto(link.url);
    await reaches(page, 'Set up this service');
    administrator = { email: 'admin@example.test', password };
    await page.getByLabel('Email').fill(administrator.email);
    await page.getByLabel('Name').fill('Margaret Hamilton');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Create account');
    await reaches(page, 'Overview');
    await page.goto(link.url);
    await reaches(page, 'This link has expired');
    await page.getByText('Ask your administrator').waitFor();
  }));

test('an application registered by keyboard, with its secret copied, can sign people in', () =>
  inBrowser(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await signIn(page);
    await follow(page, 'Applications');
    await page.getByRole('link', { name: 'New application' }).focus();
    await page.keyboard.press('Enter');
    await reaches(page, 'New application');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Photo album');
    // Past the type.
    for (let steps = 0; steps < 2; steps++) await page.keyboard.press('Tab');
    await page.keyboard.type('https://photos.example/callback');
    // Past who can use it and the other options, to the button.
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Create application');
    await page.keyboard.press('Enter');
    await reaches(page, 'Copy your client secret');
    await press(page, 'Copy Client secret');
    await page.getByRole('button', { name: 'Copied Client secret' }).waitFor();
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    const id = (await page.locator('#client-id').textContent()) ?? '';
    await press(page, 'Copy .env file');
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
    await follow(page, 'Continue to application');
    await reaches(page, 'Photo album');
    await follow(page, 'Secrets');
    await press(page, 'Rotate secret');
    await reaches(page, 'Copy your client secret');
    const newSecret = (await page.locator('#client-secret').textContent()) ?? '';
    // Reloading the page sends the form again, which leads back to the application and makes no other secret.
    await page.reload();
    await reaches(page, 'Photo album');
    assert.equal((await service.running.services.storage.findClient(id))?.secrets.length, 2);
    assert.deepEqual([await refreshWith(secret), await refreshWith(newSecret)], [200, 200]);
    await follow(page, 'Secrets');
    await follow(page, 'Retire previous secret');
    await asked(page, 'Retire the previous secret?');
    await press(page, 'Retire previous secret');
    await says(page, 'Previous secret retired.');
    assert.deepEqual([await refreshWith(secret), await refreshWith(newSecret)], [401, 200]);

    // Revoked after a confirmation, and restored.
    await follow(page, 'Danger');
    await follow(page, 'Revoke application');
    await page.getByText('1 person uses it and will lose access right away.').waitFor();
    await press(page, 'Revoke application');
    await says(page, 'Application revoked.');
    assert.equal(await refreshWith(newSecret), 401);
    await press(page, 'Restore application');
    await says(page, 'Application restored.');

    await follow(page.getByRole('navigation', { name: 'Administration' }), 'Applications');
    await page.getByRole('searchbox', { name: 'Search' }).fill('bum');
    await press(page, 'Search');
    assert.deepEqual(await page.getByRole('rowheader').getByRole('link').allTextContents(), ['Photo album']);
  }));

// http/console/people sends each of these forms; the next test follows a link from the console.
releaseTest('a person is invited, found, sent a reset, made admin, disabled and deleted', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await follow(page.getByRole('navigation'), 'People');
    await follow(page, 'Invite people');
    await page.getByLabel('Email address').fill('guest@example.test');
    await press(page, 'Send invitation');
    await says(page, 'Invitation sent.');
    const letter = await mail.next('guest@example.test', /You're invited/);
    await inBrowser(async (guest) => {
      await guest.goto(/https?:\/\/\S+\?link=\S+/.exec(letter.text)?.[0] ?? '');
      await reaches(guest, "You're invited");
      await guest.getByLabel('Name').fill('Radia Perlman');
      await guest.getByLabel('Password', { exact: true }).fill(password);
      await press(guest, 'Create account');
      await reaches(guest, 'Your apps');

      await page.goto(`${service.url}/admin/people`);
      await page.getByRole('searchbox', { name: 'Search' }).fill('perl');
      await press(page, 'Search');
      await follow(page, 'Radia Perlman');
      await reaches(page, 'Radia Perlman');
      await follow(page, 'Security');
      await confirmed(page, 'Make admin');
      await says(page, 'Admin access granted.');
      await guest.goto(`${service.url}/admin`);
      await reaches(guest, 'Overview');
      await confirmed(page, 'Remove admin access');
      await says(page, 'Admin access removed.');
      await confirmed(page, 'Sign out everywhere');
      await says(page, 'Signed out on all devices.');
      await guest.reload();
      await reaches(guest, 'Sign in');

      // A recovery link, which the administrator passes on.
      await confirmed(page, 'Create recovery link');
      await reaches(page, 'Share this link');
      await guest.goto((await page.locator('#link').textContent()) ?? '');
      await guest.getByLabel('New password', { exact: true }).fill(`${password} again`);
      await press(guest, 'Set password');
      await reaches(guest, 'Password changed');
    });
    await follow(page, 'Continue');
    await follow(page, 'Danger zone');
    await confirmed(page, 'Disable');
    await says(page, 'Person disabled.');
    await press(page, 'Enable');
    await says(page, 'Person enabled.');
    await follow(page, 'Edit');
    await reaches(page, 'Edit Radia Perlman');
    await page.getByLabel('Name', { exact: true }).fill('Radia Joy Perlman');
    await press(page, 'Save changes');
    await says(page, 'Changes saved.');
    await follow(page, 'Danger zone');
    await follow(page, 'Delete');
    await asked(page, 'Delete Radia Joy Perlman?');
    await press(page, 'Delete person');
    await says(page, 'Person deleted.');
  }),
);

test('a person created without a password sets one with a link', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await page.goto(`${service.url}/admin/people/new`);
    await page.getByLabel('Name', { exact: true }).fill('Annie Easley');
    await page.getByLabel('Email address', { exact: true }).fill('annie@example.test');
    await press(page, 'Create person');
    await says(page, 'We emailed them a link to choose a password.');
    const letter = await mail.next('annie@example.test', /Your new account/);
    assert.match(letter.text, /Margaret Hamilton created an account/);
    await inBrowser(async (annie) => {
      await annie.goto(/https?:\/\/\S+\?link=\S+/.exec(letter.text)?.[0] ?? '');
      await annie.getByLabel('New password', { exact: true }).fill(password);
      await annie.locator('form[method=post] button[type=submit]').first().click();
      await reaches(annie, 'Password changed');
    });
    const user = await service.running.services.storage.findUserByEmail('annie@example.test');
    assert.notEqual(user?.emailVerifiedAt, null, 'the link has proved the email address');
  }));

// http/console/people is told the same; questions.test.ts has the dialog.
releaseTest("the last administrator can't disable themselves and is told why", () =>
  inBrowser(async (page) => {
    await signIn(page);
    await page.goto(`${service.url}/admin/people?search=margaret`);
    await follow(page, 'Margaret Hamilton');
    await follow(page, 'Danger zone');
    await confirmed(page, 'Disable');
    await says(page, 'is the last administrator. Make someone else an administrator first.');
  }),
);

test('a failed sign-in shows its reason and offers to register the redirect URI', () =>
  inBrowser(async (page) => {
    const client = await service.newClient({ name: 'Field notes', redirectUris: ['https://notes.example/callback'] });
    const path = authorizePath(client, newVerifier(), { redirect_uri: 'https://notes.example/callback/' });
    const refused = await new Person(service).visit(path);
    const reference = refused.headers.get('x-request-id') ?? '';
    await signIn(page);
    await follow(page, 'Events');
    await page.getByText('Add filter').click();
    await page.getByLabel('Reference').fill(reference);
    await page.getByLabel('Event type').selectOption({ label: 'Authorization refused' });
    await press(page, 'Apply filters');
    await page.getByRole('rowheader').getByText("The redirect URI isn't registered.").waitFor();
    assert.deepEqual(await page.locator('mark').allTextContents(), ['/', '']);
    await press(page, 'Add this URI');
    await says(page, 'Redirect URI added.');
    assert.equal((await new Person(service).visit(path)).status, 200);
  }));

// console-lists.test.ts measures the rows of the other lists.
releaseTest('fifty events fit on two screens, one line each', () =>
  inBrowser(async (page) => {
    const client = await service.newClient({ name: 'Field notes for everyone in the whole department' });
    const { journal } = service.running.services;
    const user = await service.newUser({ name: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff' });
    for (let made = 0; made < 60; made++) {
      const facts = { kind: 'post_logout_redirect_refused', clientId: client.id, userId: user.id } as const;
      journal.note(facts, { address: '2001:db8:85a3:8d3:1319:8a2e:370:7348', requestId: 'r' });
    }
    await signIn(page);
    await page.goto(`${service.url}/admin/events?application=${client.id}&kind=post_logout_redirect_refused`);
    const rows = await page
      .locator('tbody tr:not(.details)')
      .evaluateAll((found) =>
        found.map((row) => ({ height: row.getBoundingClientRect().height, end: row.getBoundingClientRect().bottom })),
      );
    assert.equal(rows.length, 50);
    assert.ok(Math.max(...rows.map(({ height }) => height)) < 30, 'each has one line');
    assert.ok((rows.at(-1)?.end ?? 0) <= 1600, `the last one ends at ${rows.at(-1)?.end}`);
    const cut = await page.locator('.rows').evaluate((box) => box.scrollWidth - box.clientWidth);
    assert.ok(cut <= 0, 'long names push nothing out');
    await page.getByText(/^1–50 of /).waitFor();
    await follow(page, 'Next');
    await page.getByText(/^51–60 of /).waitFor();
    await follow(page, 'Previous');
    await page.getByText(/^1–50 of /).waitFor();
    await page.locator('tbody summary').first().click();
    await page.locator('tr.details').first().getByText('Reference', { exact: true }).waitFor();
  }),
);

test('the overview shows activity as a chart and as a table', () =>
  inBrowser(async (page) => {
    await signIn(page);
    const chart = page.getByRole('radiogroup', { name: /^Sign-ins, Last 24 hours: [1-9]\d* in total/ });
    await chart.waitFor();
    const bars = await chart
      .locator('rect')
      .evaluateAll((found) => found.map((bar) => bar.getBoundingClientRect().height));
    assert.equal(bars.length, 24);
    assert.ok((bars.at(-1) ?? 0) > 20, 'what has just happened can be seen');
    await page.getByText('Show as table: Last 24 hours').click();
    assert.equal(await page.locator('details[open] tbody tr').count(), 24);
    await assertSoundInBothLooks(page, 'the overview');
  }));

// http/console/api-keys creates and revokes them; an application's secret is copied above.
releaseTest('an API key is created, shown once and revoked', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await follow(page, 'API keys');
    await page.getByLabel('Name').fill('Nightly report');
    await page.getByLabel('Read and write', { exact: true }).check();
    await press(page, 'Create API key');
    await reaches(page, 'Copy your API key');
    assert.match((await page.locator('#key').textContent()) ?? '', /^lk_api_/);
    await follow(page, "I've saved my API key");
    await follow(page, 'Revoke Nightly report');
    await press(page, 'Revoke API key');
    await says(page, 'API key revoked.');
  }),
);

// http/settings sends each of them.
releaseTest('settings are saved', () =>
  inBrowser(async (page) => {
    await signIn(page);
    await follow(page, 'Settings');
    await reaches(page, 'Settings');
    await follow(page, 'Sessions');
    await page.getByLabel('Sign out after (hours)').fill('0');
    await press(page, 'Save settings');
    await says(page, 'Sign out after (hours) must be a whole number from 1 to 720.');
    await page.getByLabel('Sign out after (hours)').fill('8');
    await press(page, 'Save settings');
    await says(page, 'Settings saved.');
    assert.equal(await page.getByLabel('Sign out after (hours)').inputValue(), '8');
  }),
);

releaseTest('everything but copying works without JavaScript', () =>
  inBrowser(
    async (page) => {
      await signIn(page);
      await page.goto(`${service.url}/admin/applications/new`);
      await page.getByLabel('Name').fill('Plain');
      await page
        .getByLabel('Redirect URIs', { exact: true })
        .fill('https://plain.example/one\nhttps://plain.example/two');
      await press(page, 'Create application');
      await reaches(page, 'Copy your client secret');
      assert.equal(await page.locator('button[data-copy]:visible').count(), 0);
      await follow(page, 'Continue to application');
      await page.getByText('Waiting for the first sign-in…').waitFor();
      await follow(page.locator('main'), 'Settings');
      assert.equal(
        await page.getByLabel('Redirect URIs', { exact: true }).inputValue(),
        'https://plain.example/one\nhttps://plain.example/two',
      );
      await follow(page, 'Danger');
      await follow(page, 'Delete application');
      await press(page, 'Delete application');
      await says(page, 'Application deleted.');
      // Asking first needs no script either, and a filter is a link.
      const user = await service.newUser({ name: 'Plain Person' });
      await page.goto(`${service.url}/admin/people/${user.id}`);
      await follow(page, 'Danger zone');
      await follow(page, 'Disable');
      await press(page, 'Disable');
      await says(page, 'Person disabled.');
      await page.goto(`${service.url}/admin/events?person=plain+person`);
      await follow(page, 'Failures only');
      await page.getByText('No matching events.').waitFor();
      assert.equal(new URL(page.url()).searchParams.get('person'), 'plain person');
      await page.getByRole('link', { name: 'Person: Plain Person' }).click();
      assert.deepEqual([...new URL(page.url()).searchParams.keys()], ['failures']);
    },
    { javaScriptEnabled: false },
  ),
);

// The same menu and links as in the account; http/docs reads every document.
releaseTest('the documentation is readable without a session, also on a phone', () =>
  inBrowser(async (page) => {
    await page.goto(`${service.url}/docs`);
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
  }),
);

test('no form of the settings is longer than a screen and a half, on the screen of a laptop', () =>
  inBrowser(async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page);
    await follow(page, 'Settings');
    await reaches(page, 'Settings');
    const tabs = await page.locator('nav.tabs a').all();
    const sections = await Promise.all(tabs.map((tab) => tab.getAttribute('href')));
    assert.ok(sections.length >= 5, sections.join());
    for (const section of sections) {
      await page.goto(service.url + section);
      const forms = await page.locator('main form:has(button[type=submit])').all();
      for (const form of forms) {
        const { height = Number.NaN } = { ...(await form.boundingBox()) };
        assert.ok(height <= 1.5 * 900, `${section}: ${height} px`);
      }
    }
  }));
