// The users of Logto: as its API lists them with `includePasswordHash`, or as the rows of its own database.

import { isJsonObject, type Json, type JsonObject, textIn } from '../../reading/strict-json.ts';
import { logtoHash } from '../../sign-in/hash-sources/logto.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';
import { factorsIn } from '../second-factors.ts';
import { named } from './keycloak.ts';

/** Columns of the database, where they're called otherwise than in the API. */
const columnNames: Readonly<Record<string, string>> = {
  password_encrypted: 'passwordDigest',
  password_encryption_method: 'passwordAlgorithm',
};

export function readLogtoUser(value: Json, choices: ImportChoices): PersonReading {
  const user = new GivenRecord(isJsonObject(value) ? inTheApi(value) : value);
  const profile = new GivenRecord(user.object('profile'), user.problems);
  const [digest, algorithm] = [user.text('passwordDigest'), user.text('passwordAlgorithm')];
  const email = user.text('primaryEmail');
  const given = {
    oldId: user.text('id'),
    email,
    // Logto tells applications so, too.
    emailVerified: email !== undefined,
    names: [user.text('name'), profile.text('nickname')],
    givenName: profile.text('givenName'),
    familyName: profile.text('familyName'),
    username: user.text('username'),
    picture: user.text('avatar'),
    locale: profile.text('locale'),
    createdAt: user.time('createdAt'),
    disabled: user.flag('isSuspended') === true,
    password: digest === undefined ? undefined : logtoHash(algorithm ?? '', digest),
    factors: factorsIn('mfaVerifications', [], user.problems, factorsOf(user)),
  };
  user.ignore('tenantId', 'updatedAt', 'hasPassword', 'applicationId', 'isPasswordExpired');
  const providers = Object.keys(user.object('identities')).map((name) => `identities (${name})`);
  return readGivenPerson(given, choices, [...providers, ...profile.left('profile.'), ...user.left()], user.problems);
}

/** The rows of the database say which there are; the API's list of people doesn't. Backup codes are no factor. */
function factorsOf(user: GivenRecord): string[] {
  const members = ['mfaVerifications', 'mfaVerificationFactors'] as const;
  return members.flatMap((member) =>
    named(
      member,
      user.list(member).filter((each) => typeOf(each) !== 'BackupCode'),
      'type',
    ),
  );
}

function typeOf(factor: Json): string | undefined {
  return isJsonObject(factor) ? textIn(factor, 'type') : undefined;
}

function inTheApi(row: JsonObject): JsonObject {
  const camel = (key: string) => columnNames[key] ?? key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value]));
}
