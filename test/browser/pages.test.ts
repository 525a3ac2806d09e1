// Pages are accessible and fit the screen: by all rules on a desktop in light, and by those that depend on the look on a
// small phone in dark. Before a release, that's every page of the table; until then, one for each part that pages are made of.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertPageIsSound, assertSoundInBothLooks, inBrowser } from '../harness/browser.ts';
import { isReleaseLane, releaseTest } from '../harness/lane.ts';
import { checkedUntilRelease, lateParts, lateSites, sites } from '../harness/pages/sites.ts';

const pageNames = sites.flatMap((site) => site.pageNames);
const isChecked = (name: string) => isReleaseLane || checkedUntilRelease.includes(name);
const assertSound = isReleaseLane ? assertSoundInBothLooks : assertPageIsSound;
const partsByPage = new Map<string, readonly string[]>();

for (const site of sites.filter(({ pageNames }) => pageNames.some(isChecked))) {
  test(`axe finds nothing on the pages of ${site.name}, and nothing is blocked`, () =>
    inBrowser(async (page) => {
      const check = async (name: string) => {
        if (isReleaseLane) partsByPage.set(name, await partsOf(page));
        await assertSound(page, name);
      };
      await site.walk(page, 'en', check, isChecked);
    }));
}

test('every page has a name of its own', () => {
  assert.equal(new Set(pageNames).size, pageNames.length);
});

test('pages that are checked until a release are in the table', () => {
  assert.deepEqual(
    checkedUntilRelease.filter((name) => !pageNames.includes(name)),
    [],
  );
});

releaseTest('before a release, every page is checked, and its parts are on pages that are checked until then', () => {
  assert.deepEqual([...partsByPage.keys()], pageNames);
  const known = new Set(checkedUntilRelease.flatMap((name) => partsByPage.get(name) ?? []));
  const late = new Map<string, string>();
  for (const name of sites.filter((site) => !lateSites.includes(site)).flatMap((site) => site.pageNames)) {
    for (const part of partsByPage.get(name) ?? []) if (!known.has(part)) late.set(part, name);
  }
  const found = `where they are: ${JSON.stringify([...late])}`;
  assert.deepEqual([...late.keys()].toSorted(), Object.keys(lateParts).toSorted(), found);
});

/** What a page is made of: its elements, their roles and classes. What's drawn and highlighted code isn't looked into. */
const partsOf = (page: Page) =>
  page.evaluate<string[]>(`[...new Set(
    [...document.querySelectorAll(':not(svg *, pre *)')].flatMap((element) => [
      element.localName === 'input' ? 'input ' + element.type : element.localName,
      'role ' + element.getAttribute('role'),
      ...[...element.classList].map((name) => '.' + name),
    ]),
  )]`);
