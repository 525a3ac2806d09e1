// What must hold behind the gate with any proxy that docs/gate.md has a tested configuration for.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gated, type GatedProxy, startGated } from './gated-place.ts';

export function behindTheGate(program: GatedProxy): void {
  describe(`the gate behind ${program.name}`, { skip: program.skip }, () => {
    let gated: Gated;
    before(async () => {
      gated = await startGated(program);
    });
    after(() => gated?.stop());

    test('a person signs in, the application knows who it is, and they sign out', async () => {
      const user = await gated.service.newUser({ name: 'Zoë Ångström' });
      const page = await gated.newPage();
      const url = `${gated.origin}/notes?page=2`;
      await gated.signIn(page, user, url);
      const text = await page.innerText('pre');
      for (const line of [`Remote-User: ${user.id}`, `Remote-Email: ${user.email}`, 'Remote-Name: Zoë Ångström']) {
        assert.ok(text.includes(line), text);
      }
      await page.goto(`${gated.origin}/gate/sign-out`);
      await page.click('button[type=submit]');
      await page.waitForURL(`${gated.service.url}/**`);
      await page.goto(url);
      await page.waitForURL(`${gated.service.url}/**`);
    });
  });
}
