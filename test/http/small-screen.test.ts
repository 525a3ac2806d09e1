// Which requests come from a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPhone } from '../../src/http/requests.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
const cases: readonly [name: string, headers: Record<string, string>, phone: boolean][] = [
  ['Chromium on a phone', { 'sec-ch-ua-mobile': '?1' }, true],
  ['Chromium on a desktop', { 'sec-ch-ua-mobile': '?0' }, false],
  ['the header wins over the name', { 'sec-ch-ua-mobile': '?0', 'user-agent': iphone }, false],
  ['a header that says nothing', { 'sec-ch-ua-mobile': 'yes', 'user-agent': iphone }, true],
  ['Safari on an iPhone', { 'user-agent': iphone }, true],
  [
    'Firefox for Android',
    { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' },
    true,
  ],
  [
    'Firefox for Android on a tablet',
    { 'user-agent': 'Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0' },
    false,
  ],
  [
    'Firefox on Linux',
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    false,
  ],
  ['no headers at all', {}, false],
];

for (const [name, headers, phone] of cases) {
  test(name, () => assert.equal(isPhone(headers), phone));
}
