// A browser in words that a person recognises as theirs. The User-Agent header is whatever its sender likes, so nothing
// of it is ever repeated: every word that comes out is from the tables below.

interface Known {
  readonly name: string;
  /** Any of these in the header gives it away. */
  readonly marks: readonly string[];
}

const lookedAt = 512;

// Browsers claim to be those they imitate: each stands before the ones whose marks it carries as well.
const browsers: readonly Known[] = [
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

// Every browser on WebKit says Safari; it is Safari where Apple made the system and no other browser gave itself away.
const safari: Known = { name: 'Safari', marks: ['Safari/'] };
const systemsWithSafari: readonly (string | undefined)[] = ['iPhone', 'iPad', 'iPod', 'macOS'];

// In an order as above: Windows phones claim to be all the others, iPhones to be like a Mac, Android is a Linux.
const systems: readonly Known[] = [
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

/** Such as "Firefox on Linux". What is not recognised is left out or called unknown. */
export function deviceName(userAgent: string | undefined): string {
  const header = (userAgent ?? '').slice(0, lookedAt);
  const system = systemIn(header);
  const candidates = systemsWithSafari.includes(system) ? [...browsers, safari] : browsers;
  const browser = firstIn(header, candidates) ?? 'an unknown browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}

function systemIn(header: string): string | undefined {
  const system = firstIn(header, systems);
  // A tablet asks for the pages of a computer and says it is a Mac, in browsers that are not made for Macs.
  return system === 'macOS' && hasAny(header, marksOfBrowsersNotForMacs) ? 'iPad' : system;
}

function firstIn(header: string, known: readonly Known[]): string | undefined {
  return known.find(({ marks }) => hasAny(header, marks))?.name;
}

function hasAny(header: string, marks: readonly string[]): boolean {
  return marks.some((mark) => header.includes(mark));
}
