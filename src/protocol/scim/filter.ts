// Filters of lists (RFC 7644, section 3.4.2.2): comparisons of a few attributes, joined by `and`. Whatever else a filter can
// be is refused, never ignored: a directory that gets more people than it asked for takes one of them for another.

import { includes } from '../reading/includes.ts';
import { invalidFilter, type ScimError } from './errors.ts';
import { withoutUrn } from './urns.ts';

export const filterAttributes = ['id', 'userName', 'externalId', 'emails.value', 'displayName', 'active'] as const;
export type FilterAttribute = (typeof filterAttributes)[number];

export type Comparison =
  | { readonly attribute: Exclude<FilterAttribute, 'active'>; readonly operator: 'eq' | 'sw'; readonly value: string }
  | { readonly attribute: 'active'; readonly operator: 'eq'; readonly value: boolean }
  | { readonly attribute: FilterAttribute; readonly operator: 'pr' };

const longest = 2000;
const most = 10;

const space = /\s+/y;
const attributePath = /(?:(?:urn:[\w:.-]+:)?emails\[\s*type\s+eq\s+"work"\s*\]\.value|[a-z][\w:.$-]*)(?=\s|$)/iy;
const operatorName = /[a-z]+(?=\s|$)/iy;
const literal =
  /(?:"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|[Tt]rue|[Ff]alse)(?=\s|$)/y;

export function readFilter(
  text: string,
  allowed: readonly FilterAttribute[] = filterAttributes,
): readonly Comparison[] | ScimError {
  if (text.length > longest) return invalidFilter(`The filter is longer than ${longest} characters.`);
  const words = new Words(text.trim());
  const comparisons: Comparison[] = [];
  for (;;) {
    const comparison = readComparison(words, allowed);
    if (comparison === undefined) return invalidFilter(supported(allowed));
    comparisons.push(comparison);
    if (words.atEnd) return comparisons;
    if (comparisons.length === most) return invalidFilter(`The filter has more than ${most} comparisons.`);
    if (words.next(operatorName)?.toLowerCase() !== 'and') return invalidFilter(supported(allowed));
  }
}

function readComparison(words: Words, allowed: readonly FilterAttribute[]): Comparison | undefined {
  const attribute = attributeOf(words.next(attributePath) ?? '');
  const operator = words.next(operatorName)?.toLowerCase();
  if (attribute === undefined || !includes(allowed, attribute)) return undefined;
  if (operator === 'pr') return { attribute, operator };
  if (operator !== 'eq' && operator !== 'sw') return undefined;
  const token = words.next(literal);
  if (token === undefined) return undefined;
  const value: unknown = JSON.parse(token.startsWith('"') ? token : token.toLowerCase());
  if (attribute === 'active') {
    const flag = readFlag(value);
    return flag === undefined || operator !== 'eq' ? undefined : { attribute, operator, value: flag };
  }
  // A zero byte is nothing that every database can compare.
  return typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')
    ? undefined
    : { attribute, operator, value };
}

/** Entra ID writes it as a text. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

function attributeOf(path: string): FilterAttribute | undefined {
  const named = withoutUrn(path);
  if (named?.owner !== 'core') return undefined;
  const name = named.name.replace(/^emails\[.*/i, 'emails.value');
  return filterAttributes.find((each) => each.toLowerCase() === name.toLowerCase());
}

function supported(allowed: readonly FilterAttribute[]): string {
  return `Filters can compare ${allowed.join(', ')} by eq, sw or pr, joined by and.`;
}

class Words {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Undefined if the next word isn't of this form. */
  next(form: RegExp): string | undefined {
    const word = this.#take(form);
    if (word !== undefined) this.#take(space);
    return word;
  }

  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const [found] = form.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** What an attribute has to be, all comparisons taken together. */
export interface Wanted {
  readonly eq?: string;
  readonly sw?: string;
  readonly pr?: true;
}

/** By attribute. `fold` makes spellings that mean the same the same. Undefined if nothing can be all of it. */
export function combined(
  comparisons: readonly Comparison[],
  fold: (attribute: FilterAttribute, value: string, operator: 'eq' | 'sw') => string,
): ReadonlyMap<FilterAttribute, Wanted> | undefined {
  const all = new Map<FilterAttribute, Wanted>();
  for (const comparison of comparisons) {
    const { attribute, operator } = comparison;
    const known = all.get(attribute) ?? {};
    if (operator === 'pr') {
      all.set(attribute, { ...known, pr: true });
      continue;
    }
    const value = fold(attribute, String(comparison.value), operator);
    if (operator === 'eq') {
      if (known.eq !== undefined && known.eq !== value) return undefined;
      all.set(attribute, { ...known, eq: value });
    } else {
      const [shorter = '', longer = ''] = [known.sw ?? '', value].toSorted((a, b) => a.length - b.length);
      if (!longer.startsWith(shorter)) return undefined;
      all.set(attribute, { ...known, sw: longer });
    }
  }
  return all;
}
