// What the tests of notices share: sending any form of a page in a real browser, and the notice on the page after it.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

export interface Sent {
  /** What is filled in or chosen, by the names of the fields. */
  readonly values?: Readonly<Record<string, string>>;
  /** The submit button, by its name or value, for a form with several. */
  readonly button?: string;
  /** A hidden field's value, for a page with several forms of this action. */
  readonly about?: string;
}

/**
 * Opens the page and sends its form with this action, also one in a closed list or on the page that asks about it first. A
 * question in a dialog is confirmed.
 */
export async function sendForm(
  page: Page,
  url: string,
  action: string,
  { values = {}, button, about }: Sent = {},
): Promise<void> {
  await page.goto(url);
  const question = await page.evaluate<string | undefined>(`(({ action, about }) => {
    const asks = ({ pathname, searchParams }) => pathname === action &&
      (about === undefined || [...searchParams.values()].includes(about));
    return [...document.querySelectorAll('a[data-ask]')].map(({ href }) => new URL(href)).find(asks)?.href;
  })(${JSON.stringify({ action, about })})`);
  if (question !== undefined) await page.goto(question);
  const send = page.evaluate(`(({ action, values, button, about }) => {
    const submitters = (form) => [...form.elements].filter((field) => field.type === 'submit');
    const submitter = (form) => submitters(form).find((each) => [undefined, each.name, each.value].includes(button));
    const isMeant = (form) => form.getAttribute('action') === action && submitter(form) !== undefined &&
      (about === undefined || [...form.elements].some((field) => field.value === about));
    const form = [...document.forms].find(isMeant);
    if (form === undefined) return false;
    for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value;
    form.requestSubmit(submitter(form));
    return true;
  })(${JSON.stringify({ action, values, button, about })})`);
  const sent = send.then((found) => assert.ok(found, `no form ${action} at ${url}`));
  const [next, dialog] = [page.waitForEvent('framenavigated'), page.locator('dialog[open]')];
  const isAsked = Promise.any([next.then(() => false), dialog.waitFor().then(() => true)]);
  await sent;
  if (!(await isAsked)) return;
  await dialog.locator('footer button').click();
  await next;
}

/** Does what each notice is about and looks for it afterwards, on a page without one before. */
export async function showAll<Notices extends Readonly<Record<string, string>>>(
  page: Page,
  notices: Notices,
  actions: NoInfer<{ readonly [Name in keyof Notices]: () => Promise<void> }>,
): Promise<void> {
  assert.deepEqual(Object.keys(actions).toSorted(), Object.keys(notices).toSorted(), 'an action for every notice');
  for (const [name, act] of Object.entries<() => Promise<void>>(actions)) {
    await act();
    const shown = page.getByRole('status').getByText(notices[name] ?? name, { exact: true });
    await shown.waitFor().catch((error: unknown) => assert.fail(`${name} at ${page.url()}: ${error}`));
  }
}
