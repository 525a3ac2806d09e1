// What a directory says about a person, in a whole resource or in a PATCH: the same few fields, whatever the notation.

import { isJsonObject, type Json, type JsonObject } from '../reading/strict-json.ts';
import { invalidPath, invalidValue, ScimError } from './errors.ts';
import { readFlag } from './filter.ts';
import { type Change, isUrn, member, membersAsChanges, single } from './patch.ts';
import type { Path } from './path.ts';
import { urns } from './urns.ts';

/** What isn't said is undefined; null is what is taken away. */
export interface PersonChange {
  readonly userName?: string;
  readonly externalId?: string | null;
  readonly displayName?: string | null;
  readonly formatted?: string | null;
  readonly givenName?: string | null;
  readonly familyName?: string | null;
  /** The primary email address. */
  readonly email?: string | null;
  readonly active?: boolean;
  readonly locale?: string | null;
  /** Attributes of people by their own names, of which some may not be defined. */
  readonly attributes: Readonly<Record<string, Json>>;
}

type Draft = { -readonly [Name in keyof PersonChange]: PersonChange[Name] };
type TextField = 'externalId' | 'displayName' | 'locale' | 'formatted' | 'givenName' | 'familyName';

/** Maps, because a directory names the keys: an object has a `constructor` that no directory wrote there. */
const textFields: ReadonlyMap<string, TextField> = new Map([
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
  ['locale', 'locale'],
]);

const nameFields: ReadonlyMap<string, TextField> = new Map([
  ['formatted', 'formatted'],
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
]);

/** Of RFC 7643, for which there is no place here, and those that SCIM can't set: passwords and roles. */
const ignored = new Set([
  'schemas',
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'timezone',
  'password',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
]);
const readOnly = new Set(['id', 'meta', 'groups']);

/** A body of POST or PUT. */
export function readPerson(body: JsonObject): PersonChange | ScimError {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.some((urn) => isUrn(urn, urns.user))) {
    return new ScimError(400, 'invalidSyntax', `"schemas" must have ${urns.user}.`);
  }
  const changes = membersAsChanges(body, 'replace');
  return changes instanceof ScimError ? changes : personChange(changes);
}

export function personChange(changes: readonly Change[]): PersonChange | ScimError {
  const attributes = new Map<string, Json>();
  const draft: Draft = { attributes: {} };
  for (const change of changes) {
    const problem = change.path.owner === 'core' ? applyCore(draft, change) : applyExtension(attributes, change);
    if (problem !== undefined) return problem;
  }
  // A name can be __proto__; no attribute is called so.
  return { ...draft, attributes: Object.fromEntries(attributes) };
}

function applyCore(draft: Draft, change: Change): ScimError | undefined {
  const { op, path, value, explicit } = change;
  const field = textFields.get(path.attribute);
  if (field !== undefined) return path.member || path.where ? unknown(change) : setText(draft, field, change);
  switch (path.attribute) {
    case 'username': {
      const text = single(value);
      if (op === 'remove' || typeof text !== 'string' || text.trim() === '') {
        return invalidValue('userName must be a string that is not empty.');
      }
      draft.userName = text.trim();
      return undefined;
    }
    case 'active': {
      const flag = readFlag(single(value));
      if (op === 'remove' || flag === undefined) return invalidValue('active must be true or false.');
      draft.active = flag;
      return undefined;
    }
    case 'name':
      return applyName(draft, change);
    case 'emails':
      return applyEmails(draft, change);
  }
  if (!explicit || ignored.has(path.attribute)) return undefined;
  if (readOnly.has(path.attribute)) return new ScimError(400, 'mutability', `${path.attribute} can't be changed.`);
  return unknown(change);
}

function unknown({ path, explicit }: Change): ScimError | undefined {
  return explicit ? invalidPath(`There's no attribute at ${written(path)}.`) : undefined;
}

function written({ attribute, member: name }: Path): string {
  return name === undefined ? attribute : `${attribute}.${name}`;
}

function setText(draft: Draft, field: TextField, { op, value }: Pick<Change, 'op' | 'value'>): ScimError | undefined {
  const text = op === 'remove' ? null : single(value);
  if (text !== null && typeof text !== 'string') return invalidValue(`${field} must be a string.`);
  draft[field] = text === '' ? null : text;
  return undefined;
}

function applyName(draft: Draft, change: Change): ScimError | undefined {
  const { op, path, value } = change;
  if (path.where) return unknown(change);
  if (path.member !== undefined) {
    const field = nameFields.get(path.member);
    if (field !== undefined) return setText(draft, field, change);
    return ['middlename', 'honorificprefix', 'honorificsuffix'].includes(path.member) ? undefined : unknown(change);
  }
  if (op === 'remove' || value === null) {
    Object.assign(draft, { givenName: null, familyName: null });
    return undefined;
  }
  if (value === undefined || !isJsonObject(value)) return invalidValue('name must be an object.');
  for (const [key, part] of Object.entries(value)) {
    const field = nameFields.get(key.toLowerCase());
    const problem = field && setText(draft, field, { op, value: part });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** There is one address here: the primary one, else that for work, else the first of those that replace all. */
function applyEmails(draft: Draft, change: Change): ScimError | undefined {
  const { op, path, value } = change;
  if (path.member !== undefined && path.member !== 'value') {
    return ['type', 'primary', 'display', '$ref'].includes(path.member) ? undefined : unknown(change);
  }
  if (path.where !== undefined && !isAboutOurs(path.where)) return undefined;
  if (op === 'remove' || value === null) {
    draft.email = null;
    return undefined;
  }
  if (path.member === undefined && path.where === undefined && Array.isArray(value)) {
    return applyList(draft, value as readonly Json[], op);
  }
  return setEmail(draft, single(value));
}

function applyList(draft: Draft, values: readonly Json[], op: Change['op']): ScimError | undefined {
  const entries = values.filter(isJsonObject);
  if (entries.length < values.length) return invalidValue('emails must be a list of objects.');
  const chosen =
    entries.find((entry) => readFlag(member(entry, 'primary')) === true) ??
    entries.find((entry) => isWord(member(entry, 'type'), 'work')) ??
    (op === 'add' ? undefined : entries[0]);
  if (chosen !== undefined) return setEmail(draft, member(chosen, 'value'));
  if (op === 'replace' && entries.length === 0) draft.email = null;
  return undefined;
}

function isWord(value: Json | undefined, word: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === word;
}

function setEmail(draft: Draft, value: Json | undefined): ScimError | undefined {
  if (typeof value !== 'string' || value.trim() === '') return invalidValue('An email address must be a string.');
  draft.email = value.trim();
  return undefined;
}

function isAboutOurs({ member: name, is }: NonNullable<Path['where']>): boolean {
  if (name === 'type') return is.toLowerCase() === 'work';
  return name === 'primary' ? is.toLowerCase() === 'true' : false;
}

function applyExtension(attributes: Map<string, Json>, { op, path, value }: Change): ScimError | undefined {
  const nameOf = (key: string) => (path.owner === 'enterprise' ? enterpriseNames.get(key.toLowerCase()) : key);
  if (path.attribute === '') {
    if (op === 'remove' || value === null) return invalidValue('Name the attributes of the extension to remove.');
    if (value === undefined || !isJsonObject(value))
      return invalidValue('The value of an extension must be an object.');
    for (const [key, part] of Object.entries(value)) set(attributes, nameOf(key), part);
    return undefined;
  }
  if (path.member !== undefined && path.member !== 'value') return undefined;
  set(attributes, nameOf(path.attribute), op === 'remove' ? null : (value ?? null));
  return undefined;
}

/** A manager is an object, of which the value counts. */
function set(attributes: Map<string, Json>, name: string | undefined, value: Json): void {
  if (name === undefined) return;
  attributes.set(name.toLowerCase(), isJsonObject(value) ? (single(value) ?? null) : value);
}

/** The members of the enterprise extension, with the names that attributes of people have for them. */
export const enterpriseMembers = {
  employeeNumber: 'employee_number',
  costCenter: 'cost_center',
  organization: 'organization',
  division: 'division',
  department: 'department',
  manager: 'manager',
} as const;

const enterpriseNames = new Map(
  Object.entries(enterpriseMembers).map(([scim, name]) => [scim.toLowerCase(), name as string]),
);
