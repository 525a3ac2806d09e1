// What is imported about a person from another service, and by which rules. sources/ reads each service's format. Whatever
// isn't imported is listed, so that nothing is lost silently.

import type { AttributeValues } from '../account/attribute-values.ts';
import { isEmail } from '../account/email-address.ts';
import { cleanName, isUserId, nameProblem, usernameProblem } from '../account/names.ts';
import { readEnd } from '../ends.ts';
import { canonicalLocale } from '../languages.ts';
import { hasControlCharacters } from '../reading/control-characters.ts';
import type { Json } from '../reading/strict-json.ts';
import { webUrlProblem } from '../reading/web-url.ts';
import type { HashReading } from '../sign-in/hash-sources/reading.ts';
import { noPassword } from '../sign-in/password-policy.ts';
import { type AttributeChoices, readForeignAttributes, readOwnAttributes } from './given-attributes.ts';
import { type GivenIdentity, type IdentityChoices, type ImportedIdentity, readIdentities } from './identities.ts';
import { type GroupChoices, groupNames } from './memberships.ts';
import { type GivenFactors, type ImportedAuthenticator, lostFactorProblem, takeOver } from './second-factors.ts';

export interface ImportedPerson {
  /** Their ID at the other service, by which a repeated import matches them. */
  readonly oldId: string;
  /** The ID that they keep; undefined for a new one. */
  readonly id: string | undefined;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly username: string | null;
  readonly picture: string | null;
  readonly locale: string | null;
  /** In milliseconds; null if the other service doesn't say. */
  readonly createdAt: number | null;
  readonly disabled: boolean;
  /** When access ends; null for never. */
  readonly expiresAt: number | null;
  /** As it's stored; empty for people without a password. */
  readonly passwordHash: string;
  readonly attributes: AttributeValues;
  readonly authenticator: ImportedAuthenticator | null;
  /** Whether they had a second factor that couldn't be taken over. */
  readonly lostFactor: boolean;
  /** By name, each once. */
  readonly groups: readonly string[];
  readonly identities: readonly ImportedIdentity[];
}

export type PersonReading =
  /** `left` lists what isn't imported. */
  | { readonly kind: 'person'; readonly person: ImportedPerson; readonly left: readonly string[] }
  /** Not a person who signs in. */
  | { readonly kind: 'skipped'; readonly what: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[]; readonly lostFactor?: boolean };

export interface ImportChoices extends GroupChoices, AttributeChoices, IdentityChoices {
  /** False for new ids. */
  readonly keepIds: boolean;
  /** Whether people whose hash is refused are imported without a password. */
  readonly dropRefusedHashes: boolean;
  /** Whether people are imported whose second factor can't be taken over. */
  readonly withoutSecondFactors?: boolean | undefined;
  /** Whether the settings allow no passwords, so that every hash is refused. */
  readonly passwordsOff?: boolean | undefined;
  readonly now: number;
}

/** A person as the other service describes them, before our rules. */
export interface GivenPerson {
  readonly oldId: string | undefined;
  /** False if it isn't an ID but used in place of one. */
  readonly isOwnId?: boolean;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** The first valid name is used. */
  readonly names: readonly (string | undefined)[];
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly username?: string | undefined;
  readonly picture?: string | undefined;
  readonly locale?: string | undefined;
  readonly createdAt: number | undefined;
  readonly disabled: boolean;
  /** When access ends, as people write it. */
  readonly expiresAt?: string | undefined;
  /** Undefined for people without a password. */
  readonly password: HashReading | undefined;
  /** Undefined if they had none, or the other service doesn't say. */
  readonly factors?: GivenFactors;
  /** By name. */
  readonly groups?: readonly Json[];
  readonly identities?: readonly GivenIdentity[];
  /** By the name of the attribute; as text, or of the attribute's kind. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** By what the other service calls them, and as it has them. */
  readonly foreignAttributes?: Readonly<Record<string, Json>>;
}

const nameLimit = 100;
const oldIdLimit = 255;

/** `left` and `problems` are what the source itself has found. */
export function readGivenPerson(
  given: GivenPerson,
  choices: ImportChoices,
  left: readonly string[],
  problems: readonly string[] = [],
): PersonReading {
  const found = [...problems];
  const missed = [...left];
  const email = given.email?.trim() ?? '';
  if (email === '') found.push('has no email address');
  else if (!isEmail(email)) found.push(`${JSON.stringify(email)} is not an email address`);
  const oldId = given.oldId ?? '';
  const keeps = choices.keepIds && given.isOwnId !== false;
  if (oldId === '') found.push('has no id');
  else if (oldId.length > oldIdLimit || !oldId.isWellFormed()) found.push('the id is longer than 255 characters');
  else if (keeps && !isUserId(oldId)) {
    const why = /^\.+$/.test(oldId) ? 'no URL can hold' : 'has other characters than A-Z a-z 0-9 . _ | : @ -';
    found.push(`can't keep the id ${JSON.stringify(oldId)}, which ${why}`);
  } else if (hasControlCharacters(oldId)) found.push(`the id ${JSON.stringify(oldId)} has control characters`);
  const attributes = {
    ...readOwnAttributes(given.attributes ?? {}, choices, found),
    ...readForeignAttributes(given.foreignAttributes ?? {}, choices, missed),
  };
  const end = given.expiresAt === undefined ? null : readEnd(given.expiresAt, choices.now);
  if (end !== null && typeof end !== 'number') found.push(`the end of access ${end.problem}`);
  const password = given.password && choices.passwordsOff ? passwordsAreOff : given.password;
  if (password?.kind === 'refused') {
    if (choices.dropRefusedHashes) missed.push('password');
    else found.push(`the password hash is refused: ${password.reason}`);
  }
  const passwordHash = password?.kind === 'accepted' ? password.stored : noPassword;
  const { authenticator, lost: lostFactor } = takeOver(given.factors, choices.now, missed);
  const holder = { emailVerified: given.emailVerified, hasPassword: passwordHash !== noPassword };
  const lost = lostFactor ? lostFactorProblem(holder, choices.withoutSecondFactors === true) : undefined;
  if (lost !== undefined) found.push(`${lost} (${given.factors?.others.join(', ')})`);
  const names = [
    ['name', given.names],
    ['given name', [given.givenName]],
    ['family name', [given.familyName]],
  ] as const;
  for (const [what, texts] of names) {
    const wrong = texts.find((text) => text !== undefined && hasControlCharacters(cleanName(text)));
    if (wrong !== undefined) found.push(`the ${what} ${JSON.stringify(wrong.slice(0, 60))} has control characters`);
  }
  const identities = readIdentities(given.identities ?? [], choices, missed, found);
  const groups = groupNames(given.groups ?? [], found);
  if (found.length > 0) return { kind: 'invalid', problems: found, lostFactor };
  const [givenName, familyName] = [optionalName(given.givenName), optionalName(given.familyName)];
  const name = nameOf(given.names, givenName, familyName, email);
  if (name.shortened) missed.push('name (shortened)');
  const person: ImportedPerson = {
    oldId,
    id: keeps ? oldId : undefined,
    email,
    emailVerified: given.emailVerified,
    name: name.text,
    givenName,
    familyName,
    username: fitting('username', given.username, usernameOf, missed),
    picture: fitting('picture', given.picture, (url) => (webUrlProblem(url) === undefined ? url : undefined), missed),
    locale: fitting('locale', given.locale, (text) => canonicalLocale(text.replaceAll('_', '-')), missed),
    createdAt: given.createdAt === undefined ? null : Math.min(Math.max(0, given.createdAt), choices.now),
    disabled: given.disabled,
    // Anything else is among the problems.
    expiresAt: typeof end === 'number' ? end : null,
    passwordHash,
    attributes,
    authenticator,
    lostFactor,
    groups,
    identities,
  };
  if (present(given.givenName) && givenName === null) missed.push('given name (not a name here)');
  if (present(given.familyName) && familyName === null) missed.push('family name (not a name here)');
  return { kind: 'person', person, left: missed };
}

const passwordsAreOff: HashReading = { kind: 'refused', reason: 'the setting "passwords" is off' };

function usernameOf(text: string): string | undefined {
  return usernameProblem(text) === undefined ? text : undefined;
}

/** Null, and listed in `left`, unless it fits our rules. */
function fitting(
  what: string,
  text: string | undefined,
  read: (text: string) => string | undefined,
  left: string[],
): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const value = read(trimmed);
  if (value === undefined) left.push(`${what} (not allowed here)`);
  return value ?? null;
}

function optionalName(text: string | undefined): string | null {
  const name = cleanName(text ?? '');
  return nameProblem(name) === undefined ? name : null;
}

/** A name is required: without one, it's the first part of the email address. */
function nameOf(
  names: readonly (string | undefined)[],
  givenName: string | null,
  familyName: string | null,
  email: string,
): { text: string; shortened: boolean } {
  const whole = [givenName, familyName].filter((part) => part !== null).join(' ');
  // Services without a name often use the email address.
  const candidates = [...names, whole, email.slice(0, email.lastIndexOf('@'))].map((text) => cleanName(text ?? ''));
  const chosen = candidates.find((text) => text !== '' && text !== email && isName(short(text))) ?? email;
  const text = short(chosen);
  return { text, shortened: text !== chosen };
}

function isName(text: string): boolean {
  return nameProblem(text) === undefined;
}

function short(text: string): string {
  return [...text].slice(0, nameLimit).join('').trim();
}

function present(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}
