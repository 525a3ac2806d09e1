// The paths of PATCH (RFC 7644, section 3.5.2): an attribute, one of its members, or those values of it that a filter finds.

import type { Extension } from './urns.ts';
import { withoutUrn } from './urns.ts';

export interface Path {
  readonly owner: 'core' | Extension;
  /** In lower case: attribute names have no case. Empty for an extension as a whole. */
  readonly attribute: string;
  /** `emails[type eq "work"]`: the member in lower case, and what it has to be. */
  readonly where?: { readonly member: string; readonly is: string };
  /** In lower case. */
  readonly member?: string;
}

const longest = 1000;
const form =
  /^([a-z$][\w$-]*)(?:\[\s*([a-z$][\w$-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.([a-z$][\w$-]*))?$/i;

/** Undefined if it isn't a path, or one of a schema that isn't known. */
export function readPath(text: string): Path | undefined {
  if (text.length > longest) return undefined;
  const named = withoutUrn(text.trim());
  if (named === undefined) return undefined;
  const { owner, name } = named;
  if (name === '') return owner === 'core' ? undefined : { owner, attribute: '' };
  const [found, attribute = '', filtered, value = '', member] = form.exec(name) ?? [];
  if (found === undefined) return undefined;
  const is = filtered === undefined ? undefined : literal(value);
  if (filtered !== undefined && is === undefined) return undefined;
  return {
    owner,
    attribute: attribute.toLowerCase(),
    ...(filtered !== undefined && is !== undefined && { where: { member: filtered.toLowerCase(), is } }),
    ...(member !== undefined && { member: member.toLowerCase() }),
  };
}

function literal(token: string): string | undefined {
  if (!token.startsWith('"')) return token.toLowerCase();
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}
