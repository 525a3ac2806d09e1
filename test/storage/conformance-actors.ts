// Who did something that concerns others is kept with the event, even after the user that it concerns is deleted.

import assert from 'node:assert/strict';
import { anEvent, type Rule, storedUser } from './records.ts';

const actors = [
  { kind: 'administrator', id: 'admin-1' },
  { kind: 'api_key', id: 'key_1' },
] as const;

export function actorRules(rule: Rule): void {
  rule('an event is read back with its actor, or without one', async (storage) => {
    const events = [
      anEvent({ detail: { name: 'App' } }),
      ...actors.map((actor) => anEvent({ actor, detail: { name: 'App' } })),
      ...actors.map((actor) => anEvent({ actor })),
    ];
    await storage.appendEvents(events);
    assert.deepEqual(await storage.listEvents('', 10), events);
    assert.deepEqual(await storage.findEvents({}, 10), events.toReversed());
  });

  rule(
    'deleting a user clears the address of their events, and the detail unless somebody else acted',
    async (storage) => {
      const [user, other] = [await storedUser(storage), await storedUser(storage)];
      const detail = { name: 'App' };
      const own = anEvent({ userId: user.id, detail });
      const others = actors.map((actor) => anEvent({ userId: user.id, actor, detail }));
      const bystanders = anEvent({ userId: other.id, detail });
      const before = (await storage.listEvents('', 10)).at(-1)?.id ?? '';
      await storage.appendEvents([own, ...others, bystanders]);
      await storage.deleteUser(user.id, anEvent());
      assert.deepEqual((await storage.listEvents(before, 10)).slice(0, 4), [
        { ...own, address: '', detail: {} },
        ...others.map((event) => ({ ...event, address: '' })),
        bystanders,
      ]);
    },
  );
}
