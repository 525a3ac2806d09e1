// Questions before a change are dialogs, and pages without JavaScript. Notices after it can be dismissed and don't come back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assertSoundInBothLooks, sharedBrowser } from '../harness/browser.ts';
import { readForm } from '../harness/person.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let person: string;

before(async () => {
  service = await startTestService();
  const { id } = await service.newUser({ name: 'Ada Lovelace' });
  person = `${service.url}/admin/people/${id}`;
});
after(() => service?.stop());

async function signedIn(work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(10_000);
  try {
    const { email, password } = await service.newUser({ admin: true });
    const page = await context.newPage();
    const form = await (await page.request.get(`${service.url}/sign-in`)).text();
    const { fields = {} } = readForm(form, '/sign-in') ?? {};
    await page.request.post(`${service.url}/sign-in`, { form: { ...fields, email, password }, maxRedirects: 0 });
    await work(page);
  } finally {
    await context.close();
  }
}

const disable = (page: Page) => page.getByRole('link', { name: 'Disable', exact: true });
const orderOf = (page: Page, place: string) => page.locator(`${place} footer :is(a, button)`).allTextContents();

test('a question is a dialog with the focus on Cancel, which Escape and Cancel close', () =>
  signedIn(async (page) => {
    await page.goto(person);
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
    assert.equal(page.url(), person, 'nothing was done');
    assert.equal(await disable(page).count(), 1);
  }));

test('without JavaScript it is a page with the same buttons in the same order', () =>
  signedIn(
    async (page) => {
      await page.goto(person);
      await disable(page).click();
      await page.getByRole('heading', { level: 1, name: 'Disable Ada Lovelace?' }).waitFor();
      assert.deepEqual(await orderOf(page, '#question'), ['Disable', 'Cancel']);
      await page.getByRole('link', { name: 'Cancel' }).click();
      assert.equal(page.url(), person);
    },
    { javaScriptEnabled: false },
  ));

test('whoever was signed out meanwhile signs in first, and then sees the question as a page', () =>
  signedIn(async (page) => {
    await page.goto(person);
    await page.context().clearCookies();
    await disable(page).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  }));

test('a notice scrolls with the page, can be dismissed, and does not come back', () =>
  signedIn(async (page) => {
    await page.goto(person);
    const notice = page.getByRole('status');
    for (const [first, then] of [
      ['Disable', 'reload'],
      ['Enable', 'dismiss'],
    ] as const) {
      const role = first === 'Disable' ? 'link' : 'button';
      await page.getByRole(role, { name: first, exact: true }).click();
      if (role === 'link') await page.locator('dialog').getByRole('button', { name: first }).click();
      await notice.waitFor();
      assert.equal(page.url(), person, 'the address has nothing to show it again');
      const before = await notice.boundingBox();
      await page.mouse.wheel(0, 300);
      await page.waitForFunction(() => 'scrollY' in globalThis && Number(Reflect.get(globalThis, 'scrollY')) >= 200);
      const scrolled = await notice.boundingBox();
      assert.ok(before && scrolled && scrolled.y <= before.y - 200, 'it is not sticky');
      if (then === 'reload') await page.reload();
      else await notice.getByRole('link', { name: 'Dismiss' }).click();
      await notice.waitFor({ state: 'detached' });
    }
  }));

test('without JavaScript, dismissing a notice loads the page without it', () =>
  signedIn(
    async (page) => {
      await page.goto(`${person}?done=enabled`);
      const notice = page.getByRole('status');
      await notice.getByRole('link', { name: 'Dismiss' }).click();
      await notice.waitFor({ state: 'detached' });
      assert.equal(page.url(), `${person}?`);
    },
    { javaScriptEnabled: false },
  ));
