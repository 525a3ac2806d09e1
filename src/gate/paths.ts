// What an application says about a path. Servers behind the gate disagree about what unusual paths mean, so one that could
// be read in two ways is never open, and has to satisfy everything that is required anywhere.

import type { GateApplication, Requirement } from './config.ts';

export interface PathRules {
  readonly open: boolean;
  /** Whether only programs ask for it, so that nobody is sent to a sign-in page. */
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

/** The path as it came, without its query. */
export function rulesFor(path: string, { open, programs, require }: PathPatterns): PathRules {
  const plain = decoded(path);
  const lower = plain?.toLowerCase() ?? '';
  const differs = (pattern: string) => matches(pattern.toLowerCase(), lower) && !matches(pattern, plain ?? '');
  if (plain === undefined || open.some(differs) || require.some(({ paths }) => paths.some(differs))) {
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
    return unusual.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** `/admin/*` covers `/admin`, too: most servers answer both in the same way. */
function covers(patterns: readonly string[], path: string): boolean {
  return patterns.some(
    (pattern) => matches(pattern, path) || (pattern.endsWith('/*') && pattern.slice(0, -2) === path),
  );
}

/** Whether the claims satisfy every requirement. */
export function satisfies(claims: Readonly<Record<string, unknown>>, require: readonly Requirement[]): boolean {
  return require.every(({ claim, values }) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    const given = Array.isArray(value) ? value : [value];
    return given.some((each) => ['string', 'number', 'boolean'].includes(typeof each) && values.includes(String(each)));
  });
}
