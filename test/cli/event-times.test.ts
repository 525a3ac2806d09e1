import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMoment } from '../../src/cli/events/filter.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const moments: Record<string, string | undefined> = {
  '30s': '2026-03-10T11:59:30.000Z',
  '90m': '2026-03-10T10:30:00.000Z',
  '2h': '2026-03-10T10:00:00.000Z',
  '7d': '2026-03-03T12:00:00.000Z',
  '1w': '2026-03-03T12:00:00.000Z',
  '0s': '2026-03-10T12:00:00.000Z',
  '2026-03-01': '2026-03-01T00:00:00.000Z',
  '2026-03-01T08:30': '2026-03-01T08:30:00.000Z',
  '2026-03-01 08:30:15': '2026-03-01T08:30:15.000Z',
  '2026-03-01T08:30:15.250Z': '2026-03-01T08:30:15.250Z',
  '2026-03-01T08:30+02:00': '2026-03-01T06:30:00.000Z',
  '2024-02-29': '2024-02-29T00:00:00.000Z',
  '2026-02-29': undefined,
  '2026-02-31': undefined,
  '2026-13-01': undefined,
  '2026-03-01T25:00': undefined,
  '2026-03-01T08:30+99:00': undefined,
  '2 hours': undefined,
  '-2h': undefined,
  '1.5h': undefined,
  '9999999d': undefined,
  yesterday: undefined,
  '': undefined,
};

for (const [typed, expected] of Object.entries(moments)) {
  test(`"${typed}" is ${expected ?? 'no time'}`, () => {
    const at = readMoment(typed, now);
    assert.equal(at === undefined ? undefined : new Date(at).toISOString(), expected);
  });
}
