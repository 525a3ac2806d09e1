import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepReport } from '../../src/cli/service/background.ts';
import type { SweepOutcome } from '../../src/operations/housekeeping/sweep.ts';

const swept: SweepOutcome = { kind: 'swept', rows: 0 };
const elsewhere: SweepOutcome = { kind: 'elsewhere' };
const paused = (reason: 'clock_jumped' | 'too_much'): SweepOutcome => ({ kind: 'paused', pause: { since: 0, reason } });

test('a paused sweep is logged as an error at first, then hourly, and once more when it ends', () => {
  const lines: string[] = [];
  const report = sweepReport(
    {
      info: (line: string) => lines.push(`info: ${line}`),
      error: (line: string) => lines.push(`error: ${line}`),
    } as never,
    3,
  );
  const linesAfter = (...outcomes: SweepOutcome[]) => {
    for (const outcome of outcomes) report(outcome);
    return lines.splice(0);
  };
  assert.deepEqual(linesAfter(swept, elsewhere), []);
  assert.match(
    linesAfter(paused('clock_jumped')).join(),
    /^error: expired data isn't being deleted because the clock jumped.* run "latchkey sweep --resume"\.$/,
  );
  assert.deepEqual(linesAfter(paused('clock_jumped'), elsewhere, paused('clock_jumped')), []);
  assert.match(linesAfter(paused('too_much')).join(), /^error: .* most grants and sessions have expired/);
  assert.deepEqual(linesAfter(swept, swept), ['info: deleting expired data again']);
});
