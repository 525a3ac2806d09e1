// A person's page in a browser: its tabs, the field for an end in the reader's time zone, and groups that are chosen.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { assertKnownPageIsSound, assertSoundInBothLooks } from '../harness/browser.ts';
import { obtainTokens } from '../harness/relying-party.ts';
import { requester, type TestUser } from '../harness/service.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite();
const inVienna: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, timezoneId: 'Europe/Vienna' };
let person: TestUser;

before(async () => {
  const { service } = site;
  const { services } = service.running;
  person = await service.newUser({ name: 'Emmy Noether' });
  for (const [index, name] of ['Engineering', 'Finance', 'Board'].entries()) {
    await createGroup(services, { name }, requester);
    const expiresAt = index === 1 ? null : '2099-06-30';
    await changeMembers(services, name, { add: [{ id: person.id }], expiresAt }, requester);
  }
  for (let index = 0; index < 10; index++) {
    const client = await service.newClient({ name: `Workshop planner ${index}`, access: 'listed' });
    const allowed = { people: [person.id], groups: ['Engineering'], expiresAt: index % 2 ? null : '2099-01-31' };
    await changeAllowed(services, client.id, 'allow', allowed, requester);
    await obtainTokens(service, client, person);
  }
  for (let index = 0; index < 60; index++) await createGroup(services, { name: `Chapter ${index}` }, requester);
});

const path = (tab = '') => `/admin/people/${person.id}${tab}`;
const endOf = async () => (await site.service.running.services.storage.findUser(person.id))?.expiresAt ?? null;
/** The last form of the Access tab. */
const endForm = (page: Page) => page.locator(`form[action="${path('/end')}"]`);

test('with ten applications, no tab is longer than two screens, and each is sound', () =>
  site.open(
    path(),
    async (page) => {
      for (const tab of ['Profile', 'Access', 'Security', 'Activity', 'Danger zone']) {
        await page.getByRole('navigation', { name: 'Pages about' }).getByRole('link', { name: tab }).click();
        await page.locator(`nav.tabs [aria-current="page"]`, { hasText: tab }).waitFor();
        const height = await page.evaluate<number>('document.documentElement.scrollHeight');
        assert.ok(height <= 1800, `${tab} is ${height} px high`);
        await assertKnownPageIsSound(page, `the tab ${tab} of a person`);
      }
    },
    inVienna,
  ));

test('an end is chosen in the time zone of the reader, who sees which moment it is', () =>
  site.open(
    path('/access'),
    async (page) => {
      const form = endForm(page);
      const choice = form.getByLabel('Access ends');
      const time = form.getByLabel('Date and time');
      const hint = form.locator('[data-chosen]');
      const save = async () => {
        await form.getByRole('button', { name: 'Save end of access' }).click();
        await page.getByRole('status').waitFor();
      };
      assert.equal(await hint.textContent(), 'Times are in your time zone, Europe/Vienna.');
      assert.equal(await time.isVisible(), false);

      await choice.selectOption('Date and time…');
      await time.fill('2099-07-31T17:00');
      assert.equal(await hint.textContent(), 'Ends Friday, 31 July 2099 at 17:00 CEST.');
      await assertSoundInBothLooks(page, 'the field for an end');
      await save();
      assert.equal(await endOf(), Date.parse('2099-07-31T15:00:00Z'));
      assert.equal(await choice.locator('option:checked').textContent(), '31 July 2099 at 17:00');

      // An hour that there isn't, and one that there is twice.
      await choice.selectOption('Date and time…');
      await time.fill('2099-03-29T02:30');
      assert.equal(await hint.textContent(), 'Ends Sunday, 29 March 2099 at 03:30 CEST.');
      await save();
      assert.equal(await endOf(), Date.parse('2099-03-29T01:30:00Z'));
      await site.service.execute(
        `UPDATE users SET expires_at = ${Date.parse('2099-10-25T01:30:00Z')} WHERE id = '${person.id}'`,
      );
      await page.goto(site.service.url + path('/access'));
      assert.equal(await hint.textContent(), 'Ends Sunday, 25 October 2099 at 02:30 CET.');
      await save();
      assert.equal(await endOf(), Date.parse('2099-10-25T01:30:00Z'), 'it stays the second one');

      await choice.selectOption('End of the quarter');
      await save();
      const end = new Date((await endOf()) ?? 0);
      // The last millisecond of the quarter in Vienna.
      assert.match(end.toISOString(), /^\d{4}-(03-31T21|06-30T21|09-30T21|12-31T22):59:59\.999Z$/);

      await choice.selectOption('Date and time…');
      await time.fill('2001-01-31T17:00');
      await form.getByRole('button', { name: 'Save end of access' }).click();
      await page.getByRole('alert').waitFor();
      assert.equal(await time.inputValue(), '2001-01-31T17:00', 'what was refused stays');

      await choice.selectOption('Never');
      await save();
      assert.equal(await endOf(), null);
    },
    inVienna,
  ));

test('without JavaScript the time is in UTC, and the page says so', () =>
  site.open(
    path('/access'),
    async (page) => {
      const form = endForm(page);
      await form.getByText('Times are in UTC.').waitFor();
      await form.getByLabel('Access ends').selectOption('Date and time…');
      await form.getByLabel('Date and time').fill('2099-07-31T17:00');
      await form.getByRole('button', { name: 'Save end of access' }).click();
      await page.getByRole('status').waitFor();
      assert.equal(await endOf(), Date.parse('2099-07-31T17:00:00Z'));
      await site.service.execute(`UPDATE users SET expires_at = NULL WHERE id = '${person.id}'`);
    },
    { ...inVienna, javaScriptEnabled: false },
  ));

test('groups are chosen from a list that the server searches, and taken out again', () =>
  site.open(
    '/admin/people/invitations',
    async (page) => {
      const field = page.getByLabel('Groups (optional)');
      assert.equal(await page.getByText('One per line.').count(), 0);
      const answer = page.waitForResponse(/group-names\/joinable\?search=chapter\+4$/);
      await field.pressSequentially('chapter 4');
      await answer;
      await page.locator('datalist option[value="Chapter 42"]').waitFor({ state: 'attached' });
      await field.fill('Chapter 42');
      await field.press('Enter');
      await field.fill('Finanec');
      await field.press('Tab');
      await assertSoundInBothLooks(page, 'chosen groups');
      await page.getByLabel('Email address').fill('chosen@example.test');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await page.getByText('There is no group "Finanec". Did you mean Finance?').waitFor();
      assert.deepEqual(await page.locator('ul.chips button').allTextContents(), ['Chapter 42', 'Finanec']);
      await page.getByRole('button', { name: 'Remove Finanec' }).click();
      await page.getByLabel('Groups (optional)').fill('Finance');
      // Without leaving the field, too.
      await page.getByLabel('Groups (optional)').press('Enter');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await page.getByText(/^(Invitation sent\.|Share this link)$/).waitFor();
      await page.goto(`${site.service.url}/admin/people/invitations`);
      await page.getByText('Chapter 42, Finance').first().waitFor();
    },
    inVienna,
  ));

test('at 1280 pixels, every application shows the button that ends access, however long its reasons are', async () => {
  const { service } = site;
  const { services } = service.running;
  const name = 'Contractors of the Vienna office refurbishment programme 2099, second phase';
  await createGroup(services, { name }, requester);
  await changeMembers(services, name, { add: [{ id: person.id }], expiresAt: null }, requester);
  const client = await service.newClient({ name: 'Long-term planner of the Vienna office', access: 'listed' });
  const ends = { Engineering: '2099-06-30', [name]: '2099-12-31' };
  for (const [group, expiresAt] of Object.entries(ends)) {
    await changeAllowed(services, client.id, 'allow', { people: [], groups: [group], expiresAt }, requester);
  }
  const own = { people: [person.id], groups: [], expiresAt: '2099-03-31' };
  await changeAllowed(services, client.id, 'allow', own, requester);
  for (const at of [path('/access'), `/admin/applications/${client.id}/access`]) {
    await site.open(
      at,
      async (page) => {
        const buttons = page.getByRole('button', { name: /^(End access|Remove)/ });
        assert.ok((await buttons.count()) >= 1);
        for (const button of await buttons.all()) {
          const box = await button.boundingBox();
          const frame = await button.locator('xpath=ancestor::*[contains(@class, "rows")]').boundingBox();
          assert.ok(box !== null && frame !== null && box.x + box.width <= frame.x + frame.width + 1, at);
        }
        const wider = await page.evaluate<number>(
          `Math.max(...[...document.querySelectorAll('.rows')].map((each) => each.scrollWidth - each.clientWidth))`,
        );
        assert.equal(wider, 0, `${at} scrolls`);
      },
      { viewport: { width: 1280, height: 800 } },
    );
  }
});
