// A service that requires second factors, and somebody who has to set one up.

import assert from 'node:assert/strict';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import type { SecondFactorPolicy } from '../../src/protocol/resources/settings.ts';
import { type Form, type Person, readForm } from './person.ts';
import { codeOf, keyOn, recoveryCodesOn } from './second-factors.ts';
import { requester, type TestService } from './service.ts';

export const setUpPath = '/sign-in/set-up';
export const verifyPath = '/sign-in/verify';
export const sessionSetUpPath = '/sign-in/verify/set-up';

export async function setPolicy(service: TestService, policy: SecondFactorPolicy): Promise<void> {
  await changeSettings(service.running.services, { second_factor: policy }, requester);
}

export interface SetUp {
  readonly form: Form;
  readonly secret: Uint8Array;
}

/** The page that sets an app up, with this action. */
export async function setUpOn(response: Response, action = setUpPath): Promise<SetUp> {
  const page = await response.text();
  const form = readForm(page, action);
  assert.ok(form, `no set-up on ${response.status}: ${page.slice(0, 2000)}`);
  assert.match(page, /<input id="code" name="code"/);
  return { form, secret: keyOn(page).secret };
}

/** Sends the first code; returns where the page with the recovery codes leads. */
export async function finishSetUp(service: TestService, person: Person, setUp: SetUp, values = {}) {
  const response = await person.submit(setUp.form, { code: codeOf(service, setUp), ...values });
  const page = await response.text();
  assert.equal(response.status, 200, page.slice(0, 2000));
  const continueTo = /<a class="button primary" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const recoveryCodes = recoveryCodesOn(page);
  assert.equal(recoveryCodes.length, 10);
  // The code that turned it on can't be used again.
  service.clock.advance(60);
  return { secret: setUp.secret, recoveryCodes, continueTo };
}
