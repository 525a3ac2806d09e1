// Our own format: the columns of a CSV file, or the fields of an object in the API.

import { emailKey } from '../../account/email-address.ts';
import { includes } from '../../reading/includes.ts';
import type { Json } from '../../reading/strict-json.ts';
import { readHashString } from '../../sign-in/hash-sources/strings.ts';
import { type AttributeChoices, attributeRule } from '../given-attributes.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';
import { factorsIn } from '../second-factors.ts';

export const ownColumns = [
  'id',
  'email',
  'email_verified',
  'name',
  'given_name',
  'family_name',
  'username',
  'picture',
  'locale',
  'created_at',
  'disabled',
  'expires_at',
  'password_hash',
  'totp_secret',
  'second_factor',
  'groups',
] as const;

const attributePrefix = 'attribute.';
const identityPrefix = 'identity.';

/** A column of CSV, or a field of an object, that isn't one of the fixed ones. */
export function attributeColumn({ name }: { readonly name: string }): string {
  return `${attributePrefix}${name}`;
}

/** Whether CSV can have such a column. */
export function isOwnColumn(name: string, choices: AttributeChoices): boolean {
  if (name.startsWith(attributePrefix)) return attributeRule(name.slice(attributePrefix.length), choices) !== undefined;
  return includes(ownColumns, name) || (name.startsWith(identityPrefix) && name !== identityPrefix);
}

/** In the order in which they're documented. */
export function knownColumns({ attributes = [] }: AttributeChoices): string[] {
  return [...ownColumns, ...attributes.map(attributeColumn), `${identityPrefix}NAME`];
}

export function readOwnPerson(value: Json, choices: ImportChoices): PersonReading {
  const user = new GivenRecord(value);
  const lost = user.text('second_factor');
  const [id, email, hash] = [user.id('id'), user.text('email'), user.text('password_hash')];
  const attributes = Object.fromEntries(
    user
      .named(attributePrefix)
      .filter(([name]) => attributeRule(name, choices) !== undefined)
      .map(([name, key]) => [name, user.value(key)]),
  );
  const identities = user.named(identityPrefix).flatMap(([provider, key]) => {
    const subject = user.value(key);
    return subject === undefined || subject === '' ? [] : [{ provider, subject, as: key }];
  });
  const given = {
    oldId: id ?? (email === undefined ? undefined : emailKey(email)),
    isOwnId: id !== undefined,
    email,
    emailVerified: user.spelledFlag('email_verified') === true,
    names: [user.text('name')],
    givenName: user.text('given_name'),
    familyName: user.text('family_name'),
    username: user.text('username'),
    picture: user.text('picture'),
    locale: user.text('locale'),
    createdAt: user.time('created_at'),
    disabled: user.spelledFlag('disabled') === true,
    expiresAt: user.text('expires_at'),
    password: hash === undefined ? undefined : readHashString(hash),
    factors: factorsIn('totp_secret', [user.text('totp_secret')], user.problems, lost === undefined ? [] : [lost]),
    identities,
    groups: listIn(user, 'groups'),
    attributes,
  };
  user.problems.push(...user.left().map((key) => `${JSON.stringify(key)} is not known here`));
  return readGivenPerson(given, choices, [], user.problems);
}

/** Separated by commas, which is all that CSV has; or a list. */
function listIn(user: GivenRecord, key: string): readonly Json[] {
  const value = user.value(key);
  if (typeof value !== 'string') return user.list(key);
  return value.split(',').filter((item) => item.trim() !== '');
}
