// What administrators have set.

import assert from 'node:assert/strict';
import { anEvent, hasEvent, type Rule } from '../records.ts';

export function settingRules(rule: Rule): void {
  rule('settings are stored together with the event, and the others stay as they are', async (storage) => {
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

  rule('two changes at the same moment both take place, whatever their order', async (storage) => {
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
}
