// The users of a Keycloak realm export, as `kc.sh export` writes them. Their passwords are credentials whose data is JSON
// in a text.

import { isJsonObject, type Json, textIn } from '../../reading/strict-json.ts';
import { keycloakHash } from '../../sign-in/hash-sources/keycloak.ts';
import { type HashReading, objectOf } from '../../sign-in/hash-sources/reading.ts';
import type { GivenIdentity } from '../identities.ts';
import { nameInPath } from '../memberships.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord, timeOf } from '../record.ts';
import { type GivenFactors, secretOf } from '../second-factors.ts';

export function readKeycloakUser(value: Json, choices: ImportChoices): PersonReading {
  const user = new GivenRecord(value);
  if (user.has('serviceAccountClientId')) return { kind: 'skipped', what: 'service accounts' };
  const left: string[] = [];
  const { picture, locale, ...foreignAttributes } = user.object('attributes');
  const { password, factors } = credentialsIn(user, left);
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
    picture: first(picture),
    locale: first(locale),
    createdAt: user.time('createdTimestamp'),
    disabled: user.flag('enabled') === false,
    password,
    factors,
    foreignAttributes,
    identities: identitiesIn(user),
    groups: [...user.list('groups').map((path) => nameInPath(path, choices)), ...rolesIn(user, choices, left)],
  };
  user.ignore('disableableCredentialTypes', 'notBefore', 'access', 'self');
  left.push(...user.list('requiredActions').map((action) => `requiredActions (${String(action)})`), ...user.left());
  return readGivenPerson(given, choices, left, user.problems);
}

/** Keycloak has them in every realm, and they mean nothing elsewhere. */
const ownRole = /^(?:default-roles-.*|offline_access|uma_authorization)$/s;

/** As names of groups; listed in `left` unless they're meant to be some. */
function rolesIn(user: GivenRecord, { rolesAsGroups }: ImportChoices, left: string[]): Json[] {
  const isMeaningful = (role: Json) => typeof role !== 'string' || !ownRole.test(role);
  const ofRealm = user.list('realmRoles').filter(isMeaningful);
  const ofClients = Object.entries(user.object('clientRoles')).flatMap(([client, roles]) =>
    (Array.isArray(roles) ? roles : [roles]).map((role) => (typeof role === 'string' ? `${client}/${role}` : role)),
  );
  if (rolesAsGroups) return [...ofRealm, ...ofClients];
  left.push(...(ofRealm.length > 0 ? ['realmRoles'] : []), ...(ofClients.length > 0 ? ['clientRoles'] : []));
  return [];
}

/** Neither signs anybody in as a second factor. */
const noFactors = ['password-history', 'recovery-authn-codes'];

/** What isn't known here is taken for a second factor: it may be one. */
function credentialsIn(user: GivenRecord, left: string[]) {
  let password: HashReading | undefined;
  const apps: GivenFactors['apps'][number][] = [];
  const others: string[] = [];
  for (const credential of user.list('credentials')) {
    if (!isJsonObject(credential)) continue;
    const type = textIn(credential, 'type') ?? 'unknown';
    const [data, secret] = [textIn(credential, 'credentialData') ?? '', textIn(credential, 'secretData') ?? ''];
    if (type === 'password') password ??= keycloakHash(data, secret);
    else if (noFactors.includes(type)) left.push(`credentials (${type})`);
    else if (type !== 'otp' || !isUsualOtp(data)) others.push(`credentials (${type})`);
    else {
      const bytes = otpSecret(data, secret, user.problems);
      const createdAt = timeOf(credential.createdDate ?? null);
      if (bytes !== undefined) apps.push({ secret: bytes, createdAt });
    }
  }
  // Without credentials, as Keycloak's API lists people, nothing else says so.
  const unnamed = user.flag('totp') === true && apps.length + others.length === 0 ? ['totp'] : [];
  return { password, factors: { apps, others: [...others, ...unnamed], appsAs: 'credentials (otp)' } };
}

/** Whether codes are made as ours are. */
function isUsualOtp(credentialData: string): boolean {
  const { subType, digits, period, algorithm } = objectOf(credentialData) ?? {};
  return subType === 'totp' && digits === 6 && period === 30 && algorithm === 'HmacSHA1';
}

/** Keycloak's own secrets are text, whose bytes count; those that were imported there can be in base32. */
function otpSecret(credentialData: string, secretData: string, problems: string[]): Uint8Array | undefined {
  const value = objectOf(secretData)?.value;
  const encoding = objectOf(credentialData)?.secretEncoding ?? undefined;
  const isBase32 = typeof encoding === 'string' && encoding.toUpperCase() === 'BASE32';
  if (typeof value === 'string' && (isBase32 || encoding === undefined)) {
    return secretOf(isBase32 ? value : Buffer.from(value), problems);
  }
  problems.push("the authenticator app's secret can't be read");
  return undefined;
}

/** The list, with what each of its objects has in the member that tells them apart. */
export function named(list: string, items: readonly Json[], member: string): string[] {
  const names = items.map((item) => (isJsonObject(item) ? textIn(item, member) : undefined) ?? 'unknown');
  return [...new Set(names)].map((name) => `${list} (${name})`);
}

function identitiesIn(user: GivenRecord): GivenIdentity[] {
  return user.list('federatedIdentities').map((each) => {
    const provider = (isJsonObject(each) ? textIn(each, 'identityProvider') : undefined) ?? 'unknown';
    return { provider, subject: isJsonObject(each) ? each.userId : undefined, as: `federatedIdentities (${provider})` };
  });
}

function first(values: Json | undefined): string | undefined {
  const [value] = Array.isArray(values) ? values : [];
  return typeof value === 'string' ? value : undefined;
}
