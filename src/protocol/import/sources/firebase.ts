// The accounts of `firebase auth:export`, as JSON or as CSV. How a project hashes passwords isn't in either.

import type { Json, JsonObject } from '../../reading/strict-json.ts';
import { type FirebaseParameters, firebaseHash } from '../../sign-in/hash-sources/firebase.ts';
import { type HashReading, refuse } from '../../sign-in/hash-sources/reading.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';
import { factorsIn } from '../second-factors.ts';
import { named } from './keycloak.ts';

export function readFirebaseUser(
  value: Json,
  choices: ImportChoices,
  parameters: FirebaseParameters | undefined,
): PersonReading {
  const user = new GivenRecord(value);
  const given = {
    oldId: user.text('localId'),
    email: user.text('email'),
    emailVerified: user.flag('emailVerified') === true,
    names: [user.text('displayName')],
    picture: user.text('photoUrl'),
    createdAt: user.time('createdAt'),
    disabled: user.flag('disabled') === true,
    password: passwordOf(user.text('passwordHash'), user.text('salt'), parameters),
    factors: factorsIn('mfaInfo', [], user.problems, user.list('mfaInfo').length > 0 ? ['mfaInfo'] : []),
  };
  const left = [...named('providerUserInfo', user.list('providerUserInfo'), 'providerId'), ...user.left()];
  return readGivenPerson(given, choices, left, user.problems);
}

function passwordOf(
  hash: string | undefined,
  salt: string | undefined,
  parameters: FirebaseParameters | undefined,
): HashReading | undefined {
  if (hash === undefined) return undefined;
  if (parameters === undefined) return refuse("it needs the project's password hash parameters");
  return firebaseHash(hash, salt ?? '', parameters);
}

const columns = ['localId', 'email', 'emailVerified', 'passwordHash', 'salt', 'displayName', 'photoUrl'] as const;
const lastColumns = ['createdAt', 'lastSignedInAt', 'phoneNumber', 'disabled', 'customAttributes'] as const;
/** Where each provider's four columns begin. */
const providers = { 'google.com': 7, 'facebook.com': 11, 'twitter.com': 15, 'github.com': 19 } as const;
const firstOfLast = 23;

/** A line of the CSV as the JSON has it. It has no header, and Firebase ends each line with a comma. */
export function firebaseRow(row: readonly string[]): JsonObject | undefined {
  if (row.length < firstOfLast + 4 || row.length > firstOfLast + lastColumns.length + 1) return undefined;
  const texts = Object.fromEntries([
    ...columns.map((name, index) => [name, row[index] ?? '']),
    ...lastColumns.map((name, index) => [name, row[firstOfLast + index] ?? '']),
  ]);
  return {
    ...texts,
    emailVerified: row[2] === 'true',
    disabled: row[firstOfLast + 3] === 'true',
    providerUserInfo: Object.entries(providers)
      .filter(([, column]) => row[column] !== '')
      .map(([providerId]) => ({ providerId })),
  };
}
