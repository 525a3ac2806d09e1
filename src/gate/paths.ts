// What an application says about a path. Servers behind the gate disagree about what unusual paths mean, so one that could
// be read in two ways is never open, and has to satisfy everything that is required anywhere.

import type { GateApplication, Requirement } from './config-file.ts';

export interface PathRules {
  readonly open: boolean;
  /** Whether only programs ask for it, so that it gets no sign-in page. */
  readonly program: boolean;
  readonly require: readonly Requirement[];
}

type PathPatterns = Pick<GateApplication, 'open' | 'programs' | 'require'>;

/** An empty segment, one that begins with a dot, a slash to some servers, and what ends a segment or a path for others. */
const unusual = /\/\/|\/\.|[\\;\u0000-\u001f\u007f]/;
/** A slash, dot, backslash or percent sign, which some servers decode before they look at the path and others after. */
const unusuallyEncoded = /%(?:2f|2e|5c|25)/i;

/** Printable ASCII without the #, which begins a fragment. */
const pathCharacters = /^[\x21\x22\x24-\x7e]*$/;

/** What a server may do that replaces characters by those of ASCII that look like them. */
const unusualForOthers = /\/\/|\/\.|\\|%(?:2f|2e|5c|25)/i;

/** The path as it came, without its query. */
export function rulesFor(path: string, application: PathPatterns): PathRules {
  const { open, programs, require } = application;
  const plain = decoded(path);
  if (plain === undefined || isSpelledDifferently(plain, application)) {
    return { open: false, program: plain !== undefined && covers(programs, plain), require };
  }
  const required = require.filter(({ paths }) => covers(paths, plain));
  return {
    open: required.length === 0 && open.some((pattern) => matches(pattern, plain)),
    program: covers(programs, plain),
    require: required,
  };
}

/** Undefined for a path that could mean several things. */
function decoded(path: string): string | undefined {
  if (!pathCharacters.test(path) || unusual.test(path)) return undefined;
  if (!path.includes('%')) return path;
  if (unusuallyEncoded.test(path)) return undefined;
  try {
    const text = decodeURIComponent(path);
    return unusual.test(text) || unusualForOthers.test(text.normalize('NFKC')) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The patterns of each application, with the spelling that is compared. */
const folded = new WeakMap<PathPatterns, readonly (readonly [string, string])[]>();

/** Whether a server that isn't particular about spelling could take the path for one that a pattern is about. */
function isSpelledDifferently(path: string, application: PathPatterns): boolean {
  let patterns = folded.get(application);
  if (patterns === undefined) {
    const all = [...application.open, ...application.require.flatMap(({ paths }) => paths)];
    patterns = all.map((pattern) => [pattern, pattern.normalize('NFKC').toLowerCase()]);
    folded.set(application, patterns);
  }
  const lenient = leniently(path);
  return patterns.some(([pattern, fold]) => covers([fold], lenient) && !covers([pattern], path));
}

/** In lower case, up to what would begin a query or fragment if it were decoded twice, without dots and spaces at the ends. */
function leniently(path: string): string {
  if (/^[a-z0-9/_-]*$/.test(path)) return path;
  const [beginning = ''] = path.split(/[?#]/, 1);
  return beginning
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<![.\s])[.\s]+(?=\/|$)/g, '');
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** `/admin/*` and `/admin` cover `/admin` and `/admin/`: most servers answer both in the same way. */
function covers(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => matches(pattern, path) || withoutSlash(pattern) === withoutSlash(path));
}

function withoutSlash(path: string): string {
  if (path.endsWith('/')) return path.slice(0, -1);
  return path.endsWith('/*') ? path.slice(0, -2) : path;
}

/** Whether the claims satisfy every requirement. */
export function satisfies(claims: Readonly<Record<string, unknown>>, require: readonly Requirement[]): boolean {
  return require.every(({ claim, values }) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    const given = Array.isArray(value) ? value : [value];
    return given.some((each) => ['string', 'number', 'boolean'].includes(typeof each) && values.includes(String(each)));
  });
}
