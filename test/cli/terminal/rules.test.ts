// The rules of what a terminal shows: widths, times, progress and log lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logLine } from '../../../src/cli/service/log-lines.ts';
import { plainText } from '../../../src/cli/terminal/output.ts';
import { progressLine } from '../../../src/cli/terminal/progress.ts';
import { duration, relativeTime } from '../../../src/cli/terminal/times.ts';
import { displayWidth, padTo, shortened, wrapped } from '../../../src/cli/terminal/width.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/protocol/durations.ts';

test("display width matches the terminal's", () => {
  for (const [text, width] of [
    ['', 0],
    ['plain', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['写真', 4],
    ['안녕', 4],
    ['ｆｕｌｌ', 8],
    ['ﾊﾝｶｸ', 4],
    ['📷', 2],
    ['👩‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇨🇭', 2],
    ['❤️', 2],
    ['©', 1],
    ['7', 1],
    ['عربي', 4],
    ['नमस्ते', 4],
    ['a\u200bb', 2],
    ['…·–', 3],
  ] as const) {
    assert.equal(displayWidth(text), width, JSON.stringify(text));
  }
  assert.equal(padTo('写', 4), '写  ');
  assert.deepEqual(wrapped('two words https://a.example/longer-than-the-line', 9), [
    'two words',
    'https://a.example/longer-than-the-line',
  ]);
  assert.equal(shortened('写真写真', 6), '写真…');
  assert.equal(shortened('plain', 5), 'plain');
});

test('times are shown relative to now', () => {
  for (const [difference, words] of [
    [0, 'just now'],
    [-5 * SECOND, '5 seconds ago'],
    [-59.9 * SECOND, '59 seconds ago'],
    [-MINUTE, '1 minute ago'],
    [-119 * MINUTE, '1 hour ago'],
    [-3 * DAY, '3 days ago'],
    [-119 * DAY, '119 days ago'],
    [-200 * DAY, '6 months ago'],
    [-800 * DAY, '2 years ago'],
    [90 * DAY - SECOND, 'in 90 days'],
    [20 * MINUTE, 'in 20 minutes'],
  ] as const) {
    assert.equal(relativeTime(1e12 + difference, 1e12), words);
  }
});

test('a duration has at most two units', () => {
  for (const [milliseconds, words] of [
    [0, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [30 * HOUR, '30 h'],
  ] as const) {
    assert.equal(duration(milliseconds), words);
  }
});

test('progress shows how far it is and the time remaining on one line', () => {
  const work = { label: 'Exporting', total: { count: 40_000, unit: 'rows' } };
  assert.equal(
    progressLine(work, 10_000, 30_000, 100),
    'Exporting  █████░░░░░░░░░░░░░░░  25%  10,000 of 40,000 rows  1 min 30 s left',
  );
  assert.equal(progressLine(work, 10_000, 30_000, 40), 'Exporting  25%  1 min 30 s left');
  assert.equal(progressLine(work, 10_000, 30_000, 20), 'Exporting  25%  1 …');
  assert.match(progressLine(work, 0, 3000, 100), /0%.*estimating the time$/);
  assert.match(progressLine(work, 50_000, 3000, 100), /100%.*0 s left$/);
  assert.match(progressLine({ label: 'Copying', total: { count: 0, unit: 'MB' } }, 0, 1000, 100), /0%/);
  assert.equal(progressLine({ label: 'Checking the copy' }, 0, 12_000, 100), 'Checking the copy … 12 s');
});

test("a log entry is one line that can't be forged, followed by any stack", () => {
  const line = (entry: unknown) => logLine(JSON.stringify(entry)).map(plainText).join('');
  const time = new Date(2026, 10, 16, 7, 5, 3).getTime();
  const common = { time, pid: 1, hostname: 'h' };
  assert.equal(line({ ...common, level: 30, msg: 'Ready' }), '07:05:03 INFO  Ready');
  assert.equal(
    line({
      ...common,
      level: 20,
      reqId: 'ab12-1',
      route: '/sign-in',
      method: 'GET',
      status: 200,
      ms: 7,
      msg: 'answered',
    }),
    '07:05:03 DEBUG GET /sign-in 200 7 ms  ab12-1',
  );
  assert.equal(
    line({ ...common, level: 40, msg: 'a\n00:00:00 INFO  forged', reason: 'x\u001b[2J', count: 3 }),
    '07:05:03 WARN  a\\u000a00:00:00 INFO  forged  reason=x\\u001b[2J  count=3',
  );
  assert.equal(
    line({ ...common, level: 50, msg: 'a request failed', err: { stack: 'Error: x\n    at y\u001b' } }),
    '07:05:03 ERROR a request failed\n    Error: x\n    at y\\u001b',
  );
  assert.deepEqual(logLine('not JSON\n'), ['not JSON']);
});
