// The users of an Auth0 tenant: as its export job writes them, as its support exports password hashes, and as its own
// import reads them.

import { isJsonObject, type Json, objectIn, textIn } from '../../reading/strict-json.ts';
import { auth0CustomHash } from '../../sign-in/hash-sources/auth0.ts';
import type { HashReading } from '../../sign-in/hash-sources/reading.ts';
import { readHashString } from '../../sign-in/hash-sources/strings.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';
import { factorsIn } from '../second-factors.ts';
import { named } from './keycloak.ts';

/** `hashOf` finds a hash in the export of the support, by the whole id. */
export function readAuth0User(
  value: Json,
  choices: ImportChoices,
  hashOf: (id: string) => string | undefined = () => undefined,
): PersonReading {
  const user = new GivenRecord(value);
  const oldId = idOf(user);
  const mailbox = identifierIn(user.list('identifiers'));
  const email = user.text('email') ?? mailbox?.value;
  const password = passwordOf(user) ?? knownHash(oldId, hashOf);
  const given = {
    oldId,
    email,
    emailVerified: user.flag('email_verified') ?? mailbox?.verified ?? false,
    names: [user.text('name'), user.text('nickname')],
    givenName: user.text('given_name'),
    familyName: user.text('family_name'),
    username: user.text('username'),
    picture: user.text('picture'),
    locale: user.text('locale'),
    createdAt: user.time('created_at'),
    disabled: user.flag('blocked') === true,
    password,
    factors: factorsOf(user),
  };
  user.ignore('updated_at', 'tenant', 'connection', 'password_set_date', '_tmp_is_unique', 'version', 'nickname');
  const identities = user
    .list('identities')
    .filter((identity) => !isJsonObject(identity) || textIn(identity, 'provider') !== 'auth0');
  const left = [...named('identities', identities, 'provider'), ...user.left()];
  return readGivenPerson(given, choices, left, user.problems);
}

/** An export says which there are. What its own import reads has their keys. */
function factorsOf(user: GivenRecord) {
  const enrolled = user.list('multifactor');
  const given = user.list('mfa_factors').map((factor) => (isJsonObject(factor) ? factor : {}));
  const keys = given.map((factor) => textIn(objectIn(factor, 'totp') ?? {}, 'secret'));
  const others = given.flatMap((factor, index) => (keys[index] === undefined ? Object.keys(factor) : []));
  return factorsIn('mfa_factors (totp)', keys, user.problems, [
    ...(enrolled.length > 0 ? ['multifactor'] : []),
    ...others.map((kind) => `mfa_factors (${kind.slice(0, 40)})`),
  ]);
}

/** The whole id and the hash in a line of the support's export. */
export function readAuth0Hash(value: Json): { id: string; hash: string } | undefined {
  const user = new GivenRecord(value, []);
  const [id, hash] = [idOf(user), user.text('passwordHash')];
  return id === undefined || hash === undefined ? undefined : { id, hash };
}

/** In the support's export, it's the ID of a database, or a custom one. */
function idOf(user: GivenRecord): string | undefined {
  const [whole, chosen, { $oid }] = [user.text('user_id'), user.text('alt_id'), user.object('_id')];
  if (whole !== undefined) return whole;
  const own = chosen ?? (typeof $oid === 'string' ? $oid : undefined);
  return own === undefined ? undefined : `auth0|${own}`;
}

function identifierIn(identifiers: readonly Json[]): { value: string; verified: boolean } | undefined {
  const found = identifiers.filter(isJsonObject).find(({ type }) => type === 'email');
  const value = found && textIn(found, 'value');
  return value === undefined ? undefined : { value, verified: found?.verified === true };
}

function passwordOf(user: GivenRecord): HashReading | undefined {
  const custom = user.object('custom_password_hash');
  if (Object.keys(custom).length > 0) {
    const read = auth0CustomHash(custom);
    if (read === undefined) user.problems.push('"custom_password_hash" is not as Auth0 describes it');
    return read;
  }
  const hash = user.text('passwordHash') ?? user.text('password_hash');
  return hash === undefined ? undefined : readHashString(hash);
}

function knownHash(id: string | undefined, hashOf: (id: string) => string | undefined): HashReading | undefined {
  const hash = id === undefined ? undefined : hashOf(id);
  return hash === undefined ? undefined : readHashString(hash);
}
