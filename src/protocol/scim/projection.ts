// Which attributes a response has: `attributes` and `excludedAttributes` (RFC 7644, section 3.9).

import { invalidValue, type ScimError } from './errors.ts';
import { urns, withoutUrn } from './urns.ts';

/** Paths in lower case: of an attribute, and perhaps a member of it. */
type Names = readonly (readonly [attribute: string, member: string | undefined])[];

export interface Projection {
  readonly only?: Names;
  readonly without?: Names;
}

const longest = 2000;
/** Are in every response. */
const always = new Set(['schemas', 'id']);

export function readProjection(
  attributes: string | undefined,
  excludedAttributes: string | undefined,
): Projection | ScimError {
  if (attributes !== undefined && excludedAttributes !== undefined) {
    return invalidValue('Say either attributes or excludedAttributes.');
  }
  const text = attributes ?? excludedAttributes;
  if (text === undefined) return {};
  if (text.length > longest) return invalidValue('The list of attributes is too long.');
  const names = text.split(',').flatMap((name) => namesOf(name.trim()));
  return attributes === undefined ? { without: names } : { only: names };
}

/** Names that aren't known are in no response, so they're ignored. */
function namesOf(name: string): Names {
  const named = withoutUrn(name);
  if (named === undefined || name === '') return [];
  if (named.owner !== 'core') {
    return [[urns[named.owner].toLowerCase(), named.name === '' ? undefined : named.name.toLowerCase()]];
  }
  const [attribute = '', member] = named.name.toLowerCase().split('.');
  return [[attribute, member]];
}

/** Whether the attribute is asked for by its name; without a list, `otherwise`. */
export function wants({ only, without }: Projection, attribute: string, otherwise: boolean): boolean {
  const name = attribute.toLowerCase();
  if (only !== undefined) return only.some(([each]) => each === name);
  return otherwise && !(without?.some(([each, member]) => each === name && member === undefined) ?? false);
}

export function projected(resource: object, { only, without }: Projection): object {
  const entries = Object.entries(resource).flatMap(([key, value]) => {
    if (always.has(key) || (only === undefined && without === undefined)) return [[key, value]];
    const about = (only ?? without ?? []).filter(([attribute]) => attribute === key.toLowerCase());
    const isWhole = about.some(([, member]) => member === undefined);
    if (about.length === 0 || isWhole) return isWhole === (only !== undefined) ? [[key, value]] : [];
    const members = new Set(about.map(([, member]) => member));
    const kept = withMembers(value, (member) => members.has(member) === (only !== undefined));
    return [[key, kept]];
  });
  return Object.fromEntries(entries);
}

function withMembers(value: unknown, isKept: (member: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withMembers(item, isKept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name.toLowerCase())));
}
