// Questions before a change are dialogs, and pages without JavaScript. Notices after it can be dismissed and don't come back.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createAttribute } from '../../src/operations/attributes/attributes.ts';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { newWaiting } from '../harness/approval.ts';
import { assertSoundInBothLooks } from '../harness/browser.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { requester } from '../harness/service.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite();
/** The page that asks before the account is disabled. */
let person: string;

before(async () => {
  const { id } = await site.service.newUser({ name: 'Ada Lovelace' });
  person = `/admin/people/${id}/danger`;
});
/** The URLs of the forms that are sent from now on. */
function postsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  return sent;
}

const disable = (page: Page) => page.getByRole('link', { name: 'Disable', exact: true });
const orderOf = (page: Page, place: string) => page.locator(`${place} footer :is(a, button)`).allTextContents();

test('a question is a dialog with the focus on Cancel, which Escape and Cancel close', () =>
  site.open(person, async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Disable Ada Lovelace?', exact: true });
    await disable(page).dblclick();
    await dialog.waitFor();
    assert.equal(await page.getByRole('dialog').count(), 1, 'however often the link was pressed');
    assert.deepEqual(await orderOf(page, 'dialog'), ['Disable', 'Cancel']);
    const focus = page.locator(':focus');
    assert.equal(await focus.textContent(), 'Cancel');
    await assertSoundInBothLooks(page, 'a question as a dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await focus.textContent(), 'Disable', 'the focus is where it was');
    await page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(page.url(), site.service.url + person, 'nothing was done');
    assert.equal(await disable(page).count(), 1);
  }));

test('without JavaScript it is a page with the same buttons in the same order', () =>
  site.open(
    person,
    async (page) => {
      await disable(page).click();
      await page.getByRole('heading', { level: 1, name: 'Disable Ada Lovelace?' }).waitFor();
      assert.deepEqual(await orderOf(page, '#question'), ['Disable', 'Cancel']);
      await page.getByRole('link', { name: 'Cancel' }).click();
      assert.equal(page.url(), site.service.url + person);
    },
    { javaScriptEnabled: false },
  ));

test('whoever was signed out meanwhile signs in first, and then sees the question as a page', () =>
  site.open(person, async (page) => {
    await page.context().clearCookies();
    await disable(page).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  }));

interface FormThatAsks {
  /** Below /admin. */
  readonly path: string;
  readonly change?: (page: Page) => Promise<unknown>;
  readonly press: string;
  readonly asks: string;
  readonly confirm: string;
  readonly done: string;
}

/** Forms that may be answered with a question. */
const formsThatAsk: Record<string, () => Promise<FormThatAsks>> = {
  async 'limiting access'() {
    const { id } = await site.service.newClient({ name: 'Vault' });
    const change = (page: Page) => page.getByLabel('Only these people and groups').check();
    const words = { press: 'Save changes', asks: 'Limit access to Vault?', confirm: 'Limit access' };
    return { path: `applications/${id}/access`, change, ...words, done: 'Access limited to listed people and groups.' };
  },
  async 'removing the last one'() {
    const { id } = await site.service.newClient({ name: 'Safe', access: 'listed' });
    const { services } = site.service.running;
    const { id: user } = await site.service.newUser({ name: 'Mary Jackson' });
    await changeAllowed(services, id, 'allow', { people: [user], groups: [] }, requester);
    const words = { press: 'Remove Mary Jackson', asks: 'Lock everyone out of Safe?', confirm: 'Remove access' };
    return {
      path: `applications/${id}/access`,
      ...words,
      done: 'Mary Jackson was removed from the access list of Safe. Tokens that ended stay ended, even if you undo it.',
    };
  },
  async 'a redirect URI on a new host'() {
    const client = await site.service.newClient({ redirectUris: ['https://photos.example/callback'] });
    const query = new URLSearchParams({ client_id: client.id, redirect_uri: 'https://other.example/callback' });
    await fetch(`${site.service.url}/oauth-authorize?${query}`);
    const open = (page: Page) =>
      page
        .locator('main summary', { hasText: /refused|failed|mismatch/i })
        .first()
        .click();
    const words = { press: 'Add this URI', asks: 'Send people to other.example?', confirm: 'Add this URI' };
    const done = 'Redirect URI added. The next sign-in with it will work.';
    return { path: `events?application=${client.id}`, change: open, ...words, done };
  },
  async 'an attribute in use'() {
    const { services } = site.service.running;
    const name = `team${(await services.storage.listAttributes()).length}`;
    await createAttribute(services, { name, label: 'Team', kind: 'text' }, requester);
    const claims = [{ claim: 'team', source: 'attribute', attribute: name }] as never;
    await site.service.newClient({ name: 'Wiki', claims });
    const change = (page: Page) => page.getByLabel('Administrators, and people on their own profile').check();
    const words = { press: 'Save attribute', asks: 'Let people edit Team?', confirm: 'Let people edit it' };
    return { path: `settings/attributes/${name}`, change, ...words, done: 'Attribute saved.' };
  },
  async 'declining a person'() {
    const { id } = await newWaiting(site.service, { name: 'Joan Clarke' });
    const words = { press: 'Decline', asks: 'Decline Joan Clarke?', confirm: 'Decline and delete account' };
    return { path: `people/${id}`, ...words, done: 'Declined. The account was deleted.' };
  },
};

for (const [name, prepare] of firstUntilRelease(Object.entries(formsThatAsk))) {
  test(`${name} asks in a dialog before the form is sent`, async () => {
    const { path, change, press, asks, confirm, done } = await prepare();
    await site.open(`/admin/${path}`, async (page) => {
      await change?.(page);
      const [url, sent] = [page.url(), postsOf(page)];
      const control = page.getByRole('button', { name: press, exact: true });
      const dialog = page.getByRole('dialog', { name: asks, exact: true });
      await control.dblclick();
      await dialog.waitFor();
      await assertSoundInBothLooks(page, name);
      assert.deepEqual(await orderOf(page, 'dialog'), [confirm, 'Cancel']);
      assert.equal(await page.locator(':focus').textContent(), 'Cancel');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.equal(page.url(), url);
      await control.click();
      await dialog.getByRole('button', { name: confirm }).click();
      await page.getByRole('status').getByText(done).waitFor();
      assert.deepEqual(
        sent.map((each) => each.endsWith('/ask')),
        [true, true, false],
        'it is sent once',
      );
    });
    const again = await prepare();
    await site.open(
      `/admin/${again.path}`,
      async (page) => {
        await change?.(page);
        await page.getByRole('button', { name: press, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: asks }).waitFor();
        assert.deepEqual(await orderOf(page, '#question'), [confirm, 'Cancel']);
      },
      { javaScriptEnabled: false },
    );
  });
}

test('a form without a question is sent once, and so is one that cannot be asked about', () =>
  site.open('/admin', async (page) => {
    const { id } = await site.service.newClient({ access: 'listed' });
    const path = `${site.service.url}/admin/applications/${id}/access`;
    const done = page.getByRole('status').getByText('Access opened to everyone.');
    await page.goto(path);
    const sent = postsOf(page);
    await page.getByLabel('Everyone', { exact: true }).check();
    await page.getByRole('button', { name: 'Save changes' }).dblclick();
    await done.waitFor();
    assert.deepEqual(sent, [`${path}/ask`, path]);
    // Without the notice, so that the next one is waited for.
    await page.goto(path);
    await page.route('**/ask', (route) => route.abort());
    await page.getByRole('button', { name: 'Save changes' }).click();
    await done.waitFor();
    assert.deepEqual(sent.slice(2), [`${path}/ask`, path]);
  }));

test('a notice scrolls with the page, can be dismissed, and does not come back', () =>
  site.open(
    person,
    async (page) => {
      const notice = page.getByRole('status');
      for (const [first, then] of [
        ['Disable', 'reload'],
        ['Enable', 'dismiss'],
      ] as const) {
        const role = first === 'Disable' ? 'link' : 'button';
        await page.getByRole(role, { name: first, exact: true }).click();
        if (role === 'link') await page.locator('dialog').getByRole('button', { name: first }).click();
        await notice.waitFor();
        assert.equal(page.url(), site.service.url + person, 'the address has nothing to show it again');
        const before = await notice.boundingBox();
        await page.mouse.wheel(0, 300);
        await page.waitForFunction(() => 'scrollY' in globalThis && Number(Reflect.get(globalThis, 'scrollY')) >= 200);
        const scrolled = await notice.boundingBox();
        assert.ok(before && scrolled && scrolled.y <= before.y - 200, 'it is not sticky');
        if (then === 'reload') await page.reload();
        else await notice.getByRole('link', { name: 'Dismiss' }).click();
        await notice.waitFor({ state: 'detached' });
      }
    },
    // Less than the page is high.
    { viewport: { width: 1280, height: 360 } },
  ));

test('without JavaScript, dismissing a notice loads the page without it', () =>
  site.open(
    `${person}?done=enabled`,
    async (page) => {
      const notice = page.getByRole('status');
      await notice.getByRole('link', { name: 'Dismiss' }).click();
      await notice.waitFor({ state: 'detached' });
      assert.equal(page.url(), `${site.service.url}${person}?`);
    },
    { javaScriptEnabled: false },
  ));
