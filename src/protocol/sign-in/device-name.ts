// Names a browser and its system for lists of sessions and for emails ("Firefox on Linux"). Anybody can send any
// User-Agent, so no part of the header is repeated: every word of a name comes from the tables below.

interface Product {
  readonly name: string;
  /** Any of these in the header identifies it. */
  readonly marks: readonly string[];
}

/** The header is read up to this length. */
const headerLimit = 512;

// Browsers also send the marks of those that they imitate, so an imitator has to come before what it imitates.
const browsers: readonly Product[] = [
  { name: 'Edge', marks: ['Edg/', 'EdgA/', 'EdgiOS/', 'Edge/'] },
  { name: 'Opera', marks: ['OPR/', 'OPT/', 'OPX/', 'OPiOS/', 'Opera/', 'Opera Mini/'] },
  { name: 'Samsung Internet', marks: ['SamsungBrowser/'] },
  { name: 'Vivaldi', marks: ['Vivaldi/'] },
  { name: 'Yandex Browser', marks: ['YaBrowser/'] },
  { name: 'UC Browser', marks: ['UCBrowser/'] },
  { name: 'Mi Browser', marks: ['MiuiBrowser/'] },
  { name: 'Huawei Browser', marks: ['HuaweiBrowser/'] },
  { name: 'DuckDuckGo', marks: ['DuckDuckGo/', 'Ddg/'] },
  { name: 'GNOME Web', marks: ['Epiphany/'] },
  { name: 'Internet Explorer', marks: ['MSIE ', 'Trident/'] },
  { name: 'Firefox', marks: ['Firefox/', 'FxiOS/'] },
  { name: 'Chrome', marks: ['Chrome/', 'CriOS/', 'Chromium/'] },
];

// Every browser on WebKit sends "Safari". It is Safari on Apple's systems, if no other browser was found.
const safari: Product = { name: 'Safari', marks: ['Safari/'] };
const systemsWithSafari: readonly (string | undefined)[] = ['iPhone', 'iPad', 'iPod', 'macOS'];

// Ordered for the same reason: Windows phones imitate all others, iPhones say "like Mac OS X", Android says "Linux".
const systems: readonly Product[] = [
  { name: 'Windows', marks: ['Windows'] },
  { name: 'iPod', marks: ['iPod'] },
  { name: 'iPad', marks: ['iPad'] },
  { name: 'iPhone', marks: ['iPhone'] },
  { name: 'macOS', marks: ['Macintosh', 'Mac OS X'] },
  { name: 'Android', marks: ['Android'] },
  { name: 'ChromeOS', marks: ['CrOS '] },
  { name: 'FreeBSD', marks: ['FreeBSD'] },
  { name: 'OpenBSD', marks: ['OpenBSD'] },
  { name: 'Linux', marks: ['Linux'] },
];

const marksOfBrowsersNotForMacs: readonly string[] = ['FxiOS/', 'CriOS/', 'EdgiOS/', 'OPT/', 'OPX/', 'OPiOS/'];

/** An unknown system is left out; an unknown browser is called unknown. */
export function deviceName(userAgent: string | undefined): string {
  const header = (userAgent ?? '').slice(0, headerLimit);
  const system = systemIn(header);
  const candidates = systemsWithSafari.includes(system) ? [...browsers, safari] : browsers;
  const browser = firstIn(header, candidates) ?? 'Unknown browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}

function systemIn(header: string): string | undefined {
  const system = firstIn(header, systems);
  // An iPad says that it is a Mac to get desktop pages. A browser that exists only for iOS shows that it is not.
  return system === 'macOS' && hasAny(header, marksOfBrowsersNotForMacs) ? 'iPad' : system;
}

function firstIn(header: string, products: readonly Product[]): string | undefined {
  return products.find(({ marks }) => hasAny(header, marks))?.name;
}

function hasAny(header: string, marks: readonly string[]): boolean {
  return marks.some((mark) => header.includes(mark));
}
