// The users of a Keycloak realm export, as `kc.sh export` writes them. Their passwords are credentials whose data is JSON
// in a text.

import { isJsonObject, type Json, textIn } from '../../reading/strict-json.ts';
import { keycloakHash } from '../../sign-in/hash-sources/keycloak.ts';
import type { HashReading } from '../../sign-in/hash-sources/reading.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';

export function readKeycloakUser(value: Json, choices: ImportChoices): PersonReading {
  const user = new GivenRecord(value);
  if (user.has('serviceAccountClientId')) return { kind: 'skipped', what: 'service accounts' };
  const left: string[] = [];
  const attributes = new GivenRecord(user.object('attributes'), user.problems);
  const password = passwordIn(user.list('credentials'), left);
  const username = user.text('username');
  const email = user.text('email');
  const given = {
    oldId: user.id('id'),
    email,
    emailVerified: user.flag('emailVerified') === true,
    names: [],
    givenName: user.text('firstName'),
    familyName: user.text('lastName'),
    // A realm can use email addresses as usernames.
    username: username === email?.toLowerCase() ? undefined : username,
    picture: first(attributes.list('picture')),
    locale: first(attributes.list('locale')),
    createdAt: user.time('createdTimestamp'),
    disabled: user.flag('enabled') === false,
    password,
  };
  user.ignore('totp', 'disableableCredentialTypes', 'notBefore', 'access', 'self');
  // Every user in a realm has its default role.
  const roles = user.list('realmRoles').filter((role) => typeof role !== 'string' || !/^default-roles-/.test(role));
  left.push(
    ...(roles.length > 0 ? ['realmRoles'] : []),
    ...named('federatedIdentities', user.list('federatedIdentities'), 'identityProvider'),
    ...user.list('requiredActions').map((action) => `requiredActions (${String(action)})`),
    ...attributes.left('attributes.'),
    ...user.left(),
  );
  return readGivenPerson(given, choices, left, user.problems);
}

function passwordIn(credentials: readonly Json[], left: string[]): HashReading | undefined {
  let password: HashReading | undefined;
  for (const credential of credentials) {
    if (!isJsonObject(credential)) continue;
    const type = textIn(credential, 'type') ?? 'unknown';
    if (type !== 'password') left.push(`credentials (${type})`);
    else {
      password ??= keycloakHash(textIn(credential, 'credentialData') ?? '', textIn(credential, 'secretData') ?? '');
    }
  }
  return password;
}

/** The list, with what each of its objects has in the member that tells them apart. */
export function named(list: string, items: readonly Json[], member: string): string[] {
  const names = items.map((item) => (isJsonObject(item) ? textIn(item, member) : undefined) ?? 'unknown');
  return [...new Set(names)].map((name) => `${list} (${name})`);
}

function first(values: readonly Json[]): string | undefined {
  const [value] = values;
  return typeof value === 'string' ? value : undefined;
}
