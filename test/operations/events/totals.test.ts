// How many events a list of several kinds has: they are counted one kind after the other, and no further than the total says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listEvents } from '../../../src/operations/events/events.ts';
import { totalOf } from '../../../src/protocol/admin/totals.ts';
import type { EventKind } from '../../../src/protocol/events/kinds.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { anEvent } from '../../storage/records.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const kinds = ['signed_in', 'signed_out', 'password_changed'] as const satisfies EventKind[];
const cases: readonly {
  readonly name: string;
  readonly stored: Readonly<Record<(typeof kinds)[number], number>>;
  readonly limits: readonly number[];
  readonly total: object;
}[] = [
  {
    name: 'all kinds, if there is room for them',
    stored: { signed_in: 6000, signed_out: 3000, password_changed: 1000 },
    limits: [10_000, 4000, 1000],
    total: { count: 10_000, more: false },
  },
  {
    name: 'nothing beyond the kind that has too many',
    stored: { signed_in: 6000, signed_out: 4001, password_changed: 1 },
    limits: [10_000, 4000],
    total: { count: 10_000, more: true },
  },
  {
    name: 'whether there is one more',
    stored: { signed_in: 10_000, signed_out: 0, password_changed: 1 },
    limits: [10_000, 0, 0],
    total: { count: 10_000, more: true },
  },
];

for (const { name, stored, limits, total } of cases) {
  test(`counted: ${name}`, async () => {
    const { services } = service.running;
    const asked: (number | undefined)[] = [];
    const storage: typeof services.storage = {
      ...services.storage,
      // A page that isn't the whole list, which would say how many there are.
      async findEvents(_filter, count) {
        return Array.from({ length: count }, () => anEvent());
      },
      async countEvents({ kind }, most) {
        asked.push(most);
        return totalOf(stored[kind as keyof typeof stored], most);
      },
    };
    const listed = await listEvents({ ...services, storage }, { kinds, total: true });
    assert.deepEqual(listed.kind === 'done' && listed.total, total);
    // In the order in which kinds are listed.
    assert.deepEqual(asked, limits);
  });
}
