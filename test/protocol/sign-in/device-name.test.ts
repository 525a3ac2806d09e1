import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deviceName } from '../../../src/protocol/sign-in/device-name.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const mobileWebKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X)';
const iPad = 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)';

describe('browsers and systems by their User-Agent', () => {
  const cases: { expected: string; userAgents: string[] }[] = [
    {
      expected: 'Firefox on Linux',
      userAgents: [
        'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
        'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0',
      ],
    },
    {
      expected: 'Firefox on Windows',
      userAgents: ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    },
    {
      expected: 'Firefox on macOS',
      userAgents: ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:128.0) Gecko/20100101 Firefox/128.0'],
    },
    {
      expected: 'Firefox on Android',
      userAgents: ['Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0'],
    },
    {
      expected: 'Firefox on FreeBSD',
      userAgents: ['Mozilla/5.0 (X11; FreeBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    },
    {
      expected: 'Firefox on iPhone',
      userAgents: [`${iPhone} ${mobileWebKit} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`],
    },
    {
      expected: 'Firefox on iPad',
      userAgents: [
        `${iPad} ${mobileWebKit} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`,
        `${mac} ${mobileWebKit} FxiOS/127.0 Safari/605.1.15`,
      ],
    },
    { expected: 'Safari on iPhone', userAgents: [`${iPhone} ${mobileWebKit} Version/17.5 Mobile/15E148 Safari/604.1`] },
    { expected: 'Safari on iPad', userAgents: [`${iPad} ${mobileWebKit} Version/17.5 Mobile/15E148 Safari/604.1`] },
    {
      expected: 'Safari on iPod',
      userAgents: [
        `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5_5 like Mac OS X) ${mobileWebKit} Version/12.1.2 Mobile/15E148 Safari/604.1`,
      ],
    },
    { expected: 'Safari on macOS', userAgents: [`${mac} ${mobileWebKit} Version/17.5 Safari/605.1.15`] },
    {
      expected: 'Chrome on Android',
      userAgents: [
        `${android} ${webKit} Chrome/126.0.0.0 Mobile Safari/537.36`,
        `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A.230803.041; wv) ${webKit} Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36`,
      ],
    },
    { expected: 'Chrome on Windows', userAgents: [`${windows} ${webKit} Chrome/126.0.0.0 Safari/537.36`] },
    { expected: 'Chrome on macOS', userAgents: [`${mac} ${webKit} Chrome/126.0.0.0 Safari/537.36`] },
    {
      expected: 'Chrome on Linux',
      userAgents: [
        `${linux} ${webKit} Chrome/126.0.0.0 Safari/537.36`,
        `${linux} ${webKit} HeadlessChrome/126.0.0.0 Safari/537.36`,
        `${linux} ${webKit} Ubuntu Chromium/80.0.3987.87 Chrome/80.0.3987.87 Safari/537.36`,
      ],
    },
    {
      expected: 'Chrome on ChromeOS',
      userAgents: [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/126.0.0.0 Safari/537.36`],
    },
    {
      expected: 'Chrome on iPhone',
      userAgents: [`${iPhone} ${mobileWebKit} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`],
    },
    {
      expected: 'Chrome on iPad',
      userAgents: [
        `${iPad} ${mobileWebKit} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`,
        `${mac} ${mobileWebKit} CriOS/126 Version/11.1.1 Safari/605.1.15`,
      ],
    },
    {
      expected: 'Edge on Windows',
      userAgents: [
        `${windows} ${webKit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
        `${windows} ${webKit} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`,
        `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) ${webKit} Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063`,
      ],
    },
    { expected: 'Edge on macOS', userAgents: [`${mac} ${webKit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`] },
    {
      expected: 'Edge on Android',
      userAgents: [`${android} ${webKit} Chrome/126.0.0.0 Mobile Safari/537.36 EdgA/126.0.0.0`],
    },
    {
      expected: 'Edge on iPhone',
      userAgents: [`${iPhone} ${mobileWebKit} Version/17.0 EdgiOS/125.0.2535.96 Mobile/15E148 Safari/604.1`],
    },
    { expected: 'Opera on macOS', userAgents: [`${mac} ${webKit} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`] },
    { expected: 'Opera on Windows', userAgents: ['Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18'] },
    {
      expected: 'Opera on Android',
      userAgents: [
        `${android} ${webKit} Chrome/124.0.0.0 Mobile Safari/537.36 OPR/82.0.0.0`,
        'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
      ],
    },
    {
      expected: 'Opera on iPhone',
      userAgents: [`${iPhone} ${mobileWebKit} Version/17.5 Mobile/15E148 Safari/604.1 OPT/4.7.0`],
    },
    {
      expected: 'Samsung Internet on Android',
      userAgents: [`${android} ${webKit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`],
    },
    {
      expected: 'Vivaldi on Linux',
      userAgents: [`${linux} ${webKit} Chrome/124.0.0.0 Safari/537.36 Vivaldi/6.7.3329.39`],
    },
    {
      expected: 'Yandex Browser on Windows',
      userAgents: [`${windows} ${webKit} Chrome/124.0.0.0 YaBrowser/24.6.0.0 Safari/537.36`],
    },
    {
      expected: 'DuckDuckGo on iPhone',
      userAgents: [`${iPhone} ${mobileWebKit} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
    },
    { expected: 'DuckDuckGo on macOS', userAgents: [`${mac} ${mobileWebKit} Version/17.5 Safari/605.1.15 Ddg/17.5`] },
    {
      expected: 'GNOME Web on Linux',
      userAgents: [`${linux} ${mobileWebKit} Version/16.0 Safari/605.1.15 Epiphany/605.1.15`],
    },
    {
      expected: 'Internet Explorer on Windows',
      userAgents: [
        'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
        'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)',
      ],
    },
    {
      expected: 'Unknown browser on Linux',
      userAgents: [
        'Mozilla/5.0 (X11; Linux x86_64) KHTML/4.14.2 (like Gecko) Konqueror/4.14',
        `${linux} ${mobileWebKit} Version/16.0 Safari/605.1.15`,
        'Wget/1.21.2 (Linux)',
      ],
    },
    {
      expected: 'Unknown browser on Android',
      userAgents: [
        'Dalvik/2.1.0 (Linux; U; Android 9; SM-G960F Build/PPR1.180610.011)',
        'Mozilla/5.0 (Linux; U; Android 4.0.3; de-de; GT-I9100) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
      ],
    },
    { expected: 'Unknown browser on iPhone', userAgents: [`${iPhone} ${mobileWebKit} Mobile/15E148`] },
    { expected: 'Firefox', userAgents: ['Mozilla/5.0 (Mobile; rv:48.0) Gecko/48.0 Firefox/48.0'] },
    { expected: 'Unknown browser', userAgents: ['', 'Mozilla/5.0', 'curl/8.5.0', 'python-requests/2.31.0', 'node'] },
  ];
  for (const c of cases) {
    for (const userAgent of c.userAgents) {
      test(`${c.expected}: ${userAgent}`, () => assert.equal(deviceName(userAgent), c.expected));
    }
  }

  test('without the header the browser is unknown', () => {
    assert.equal(deviceName(undefined), 'Unknown browser');
  });
});

describe('a hostile header', () => {
  const cases = [
    { name: 'markup around a name', userAgent: '<b>Firefox/1</b> on <i>Linux</i>', expected: 'Firefox on Linux' },
    {
      name: 'a sentence instead of a browser',
      userAgent: 'your bank. Call +1 555 0100 at once',
      expected: 'Unknown browser',
    },
    {
      name: 'a sentence after a version',
      userAgent: 'Firefox/128 (Linux) <script>x</script>',
      expected: 'Firefox on Linux',
    },
    { name: 'line ends', userAgent: 'Edg/1\r\nSet-Cookie: a=b\r\nWindows', expected: 'Edge on Windows' },
    { name: 'names of what every object has', userAgent: 'constructor/1 (__proto__)', expected: 'Unknown browser' },
    { name: 'half of a surrogate pair', userAgent: '\ud83d Firefox/1 \ude00', expected: 'Firefox' },
    {
      name: 'what comes after 512 characters is not looked at',
      userAgent: `${'x'.repeat(512)} Firefox/128.0 (Linux)`,
      expected: 'Unknown browser',
    },
    {
      name: 'what comes within 512 characters is',
      userAgent: `${'x'.repeat(512 - 20)}Firefox/128.0 (Linux) Windows`,
      expected: 'Firefox on Linux',
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(deviceName(c.userAgent), c.expected));

  test('a very long header takes as long as a short one', () => {
    const header = 'Mozilla/5.0 (Macintosh '.repeat(1_000_000);
    const started = process.threadCpuUsage();
    for (let round = 0; round < 1000; round++) deviceName(header);
    assert.ok(process.threadCpuUsage(started).user < 1_000_000, 'a thousand in less than a second of CPU');
  });
});
