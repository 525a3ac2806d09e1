// What administrators have set.

import assert from 'node:assert/strict';
import { aLogo, anEvent, hasEvent, type Rule } from '../records.ts';

export function settingRules(rule: Rule): void {
  rule('settings are stored with their event, and others stay unchanged', async (storage) => {
    assert.deepEqual(await storage.listSettings(), []);
    const event = anEvent({ kind: 'settings_changed' });
    await storage.storeSettings([{ name: 'b', value: '2' }], 100, event);
    assert.ok(await hasEvent(storage, event));
    await storage.storeSettings([{ name: 'a', value: '"one"' }], 200, anEvent());
    await storage.storeSettings([{ name: 'b', value: '3' }], 300, anEvent());
    assert.deepEqual(await storage.listSettings(), [
      { name: 'a', value: '"one"' },
      { name: 'b', value: '3' },
    ]);
  });

  rule('two concurrent changes both take effect', async (storage) => {
    const names = ['a', 'b', 'c'];
    const change = (value: string, order: readonly string[]) =>
      storage.storeSettings(
        order.map((name) => ({ name, value })),
        100,
        anEvent(),
      );
    await Promise.all(Array.from({ length: 10 }, (_, i) => change(String(i), i % 2 ? names : names.toReversed())));
    const values = (await storage.listSettings()).map(({ value }) => value);
    assert.equal(values.length, 3);
    assert.equal(new Set(values).size, 1, 'each change as a whole');
  });

  rule('a brand image is stored and removed with its version setting', async (storage) => {
    const version = async () => (await storage.listSettings()).find(({ name }) => name === 'logo')?.value;
    const [first, second, dark] = [aLogo(), aLogo(), aLogo()];
    const event = anEvent({ kind: 'settings_changed' });
    await storage.storeBrandImage('logo', first, 100, event);
    assert.ok(await hasEvent(storage, event));
    assert.equal(await version(), JSON.stringify(first.version));
    const found = await storage.findBrandImage('logo', first.version);
    assert.deepEqual([found?.contentType, Buffer.from(found?.bytes ?? [])], ['image/png', Buffer.from(first.bytes)]);
    await storage.storeBrandImage('logo_dark', dark, 200, anEvent());
    await storage.storeBrandImage('logo', second, 200, anEvent());
    assert.equal(await version(), JSON.stringify(second.version));
    assert.equal(await storage.findBrandImage('logo', first.version), undefined);
    await storage.storeBrandImage('logo', undefined, 300, anEvent());
    assert.equal(await version(), '""');
    assert.equal(await storage.findBrandImage('logo', second.version), undefined);
    assert.ok(await storage.findBrandImage('logo_dark', dark.version));
  });
}
