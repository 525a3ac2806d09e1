// A person here and in SCIM: what becomes of a change, and how someone is shown.

import type { AttributeValues } from '../account/attribute-values.ts';
import { emailKey, isEmail } from '../account/email-address.ts';
import { cleanName, nameProblem, usernameProblem } from '../account/names.ts';
import { isoTime } from '../iso-time.ts';
import { canonicalLocale } from '../languages.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { emailDomain } from '../upstreams/claims.ts';
import { invalidValue, ScimError } from './errors.ts';
import { urns } from './urns.ts';
import { enterpriseMembers, type PersonChange } from './user-change.ts';

/** What administrators have decided, by the names of the settings. */
export interface MappingRules {
  readonly scim_user_name: 'email' | 'username';
  readonly scim_verified_domains: readonly string[];
}

/** What a directory decides about a person, besides attributes and whether they can sign in. */
export interface MappedPerson {
  readonly email: string;
  readonly preferredUsername: string | null;
  readonly name: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly locale: string | null;
  readonly externalId: string | null;
}

/** `whole` is a PUT: name and language that it leaves out are removed. What else it leaves out stays. */
export function mapped(
  change: PersonChange,
  current: MappedPerson | undefined,
  rules: MappingRules,
  whole: boolean,
): MappedPerson | ScimError {
  const identity = identityOf(change, current, rules);
  if (identity instanceof ScimError) return identity;
  const basis = whole ? undefined : current;
  const givenName = partOfName(change.givenName, basis?.givenName);
  const familyName = partOfName(change.familyName, basis?.familyName);
  if (givenName instanceof ScimError) return givenName;
  if (familyName instanceof ScimError) return familyName;
  const said = change.displayName ?? change.formatted;
  // A name that was put together from its parts follows them.
  const isOwn = basis !== undefined && basis.name === joined(basis.givenName, basis.familyName);
  const kept = change.displayName === null || isOwn ? undefined : basis?.name;
  const own = joined(givenName, familyName);
  const name = cleanName(said ?? kept ?? (own || (change.userName ?? identity.email)));
  const wrong = nameProblem(name);
  if (wrong !== undefined) return invalidValue(`displayName ${wrong}.`);
  const locale = localeOf(change.locale, basis?.locale ?? null);
  if (locale instanceof ScimError) return locale;
  const { externalId = current?.externalId ?? null } = change;
  if (!isExternalId(externalId)) return longExternalId;
  return { ...identity, name, givenName, familyName, locale, externalId };
}

function joined(givenName: string | null, familyName: string | null): string {
  return [givenName, familyName].filter((part) => part !== null).join(' ');
}

export const longExternalId = invalidValue('externalId must be at most 255 characters.');

/** Null for none. */
export function isExternalId(given: string | null): boolean {
  return given === null || (given.length <= 255 && isPlainText(given));
}

function identityOf(
  { userName, email }: PersonChange,
  current: MappedPerson | undefined,
  { scim_user_name: kind, scim_verified_domains: domains }: MappingRules,
): Pick<MappedPerson, 'email' | 'preferredUsername'> | ScimError {
  const isByEmail = kind === 'email';
  const preferredUsername = isByEmail ? (current?.preferredUsername ?? null) : usernameOf(userName, current);
  if (preferredUsername instanceof ScimError) return preferredUsername;
  if (isByEmail && userName === undefined && current === undefined) return invalidValue('userName is required.');
  if (isByEmail && userName !== undefined && !isEmail(userName)) {
    return invalidValue('userName must be an email address.');
  }
  if (email != null && !isEmail(email)) return invalidValue('emails has something that is not an email address.');
  for (const address of [userName, email]) {
    if (address == null || (address === userName && !isByEmail) || domains.length === 0) continue;
    // One that stays may be older than the list.
    if (current !== undefined && emailKey(address) === emailKey(current.email)) continue;
    if (!domains.includes(emailDomain(address))) return invalidValue('The email address is in another domain.');
  }
  const address = (isByEmail ? userName : email) ?? (email === null && !isByEmail ? undefined : current?.email);
  return address === undefined
    ? invalidValue('A person needs an email address.')
    : { email: address, preferredUsername };
}

function usernameOf(userName: string | undefined, current: MappedPerson | undefined): string | null | ScimError {
  if (userName === undefined)
    return current === undefined ? invalidValue('userName is required.') : current.preferredUsername;
  // Someone without a username is shown with the email address instead, which directories send back.
  const isShown = current?.preferredUsername === null && emailKey(userName) === emailKey(current.email);
  if (isShown) return null;
  const problem = usernameProblem(userName);
  return problem === undefined
    ? userName
    : invalidValue('userName must be a username: 3 to 30 letters, digits, ".", "_" or "-".');
}

function partOfName(given: string | null | undefined, current: string | null | undefined): string | null | ScimError {
  if (given === undefined) return current ?? null;
  const clean = given === null ? '' : cleanName(given);
  if (clean === '') return null;
  const problem = nameProblem(clean);
  return problem === undefined ? clean : invalidValue(`A part of the name ${problem}.`);
}

/** Entra ID writes en_US at times. What isn't a language is refused. */
function localeOf(given: string | null | undefined, current: string | null): string | null | ScimError {
  if (given == null) return given === undefined ? current : null;
  return canonicalLocale(given.replaceAll('_', '-')) ?? invalidValue('locale must be a language tag such as en-US.');
}

/** Whether the directory's word is enough for the email address to count as verified. */
export function isVerifiedDomain(email: string, { scim_verified_domains: domains }: MappingRules): boolean {
  return domains.includes(emailDomain(email));
}

/** What is shown of a person. */
export interface ShownPerson extends MappedPerson {
  readonly id: string;
  /** Null for someone who could be taken over. The username they have chosen says nothing about who they are. */
  readonly managedBy: string | null;
  readonly active: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Those that are defined. */
  readonly attributes: AttributeValues;
  /** Undefined if they weren't asked for. */
  readonly groups: readonly { readonly id: string; readonly name: string }[] | undefined;
}

export function personJson(
  person: ShownPerson,
  { scim_user_name: kind }: Pick<MappingRules, 'scim_user_name'>,
  base: string,
) {
  const { id, email, name, givenName, familyName, locale, externalId, attributes, groups } = person;
  const enterprise = Object.fromEntries(
    Object.entries(enterpriseMembers).flatMap(([scim, own]) => {
      const value = Object.hasOwn(attributes, own) ? attributes[own] : undefined;
      return value === undefined ? [] : [[scim, scim === 'manager' ? { value: String(value) } : value]];
    }),
  );
  const hasEnterprise = Object.keys(enterprise).length > 0;
  const hasOwn = Object.keys(attributes).length > 0;
  return {
    schemas: [urns.user, ...(hasEnterprise ? [urns.enterprise] : []), ...(hasOwn ? [urns.own] : [])],
    id,
    ...(externalId !== null && { externalId }),
    userName: kind === 'email' || person.managedBy === null ? email : (person.preferredUsername ?? email),
    name: { formatted: name, ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) },
    displayName: name,
    emails: [{ value: email, type: 'work', primary: true }],
    active: person.active,
    ...(locale !== null && { locale }),
    ...(groups && {
      groups: groups.map((group) => ({
        value: group.id,
        $ref: `${base}/Groups/${encodeURIComponent(group.id)}`,
        display: group.name,
        type: 'direct',
      })),
    }),
    ...(hasEnterprise && { [urns.enterprise]: enterprise }),
    ...(hasOwn && { [urns.own]: attributes }),
    meta: {
      resourceType: 'User',
      created: isoTime(person.createdAt),
      lastModified: isoTime(person.updatedAt),
      location: `${base}/Users/${encodeURIComponent(id)}`,
    },
  };
}
