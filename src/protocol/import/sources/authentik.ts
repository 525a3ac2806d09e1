// The users of authentik, as `GET /api/v3/core/users/?include_groups=true` lists them. Its passwords are only in its database,
// in Django's formats.

import { isJsonObject, type Json } from '../../reading/strict-json.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';
import { passwordOf } from './django.ts';

export interface AuthentikChoices extends ImportChoices {
  /** authentik doesn't record whether an email address is its owner's. */
  readonly emailsVerified?: boolean | undefined;
}

export function readAuthentikUser(
  value: Json,
  choices: AuthentikChoices,
  hashOf: (username: string) => string | undefined = () => undefined,
): PersonReading {
  const user = new GivenRecord(value);
  if (user.text('type')?.endsWith('service_account')) return { kind: 'skipped', what: 'service accounts' };
  const [username, email] = [user.text('username'), user.text('email')];
  const groups = user.list('groups_obj').map((group) => (isJsonObject(group) ? (group.name ?? null) : group));
  const given = {
    oldId: user.text('uuid'),
    email,
    emailVerified: choices.emailsVerified === true,
    names: [user.text('name')],
    username: username?.toLowerCase() === email?.toLowerCase() ? undefined : username,
    createdAt: user.time('date_joined'),
    disabled: user.flag('is_active') === false,
    password: passwordOf(username === undefined ? undefined : hashOf(username)),
    groups,
    foreignAttributes: user.object('attributes'),
  };
  // Without their names, groups are of no use.
  const unnamed = groups.length === 0 && user.list('groups').length > 0 ? ['groups'] : [];
  user.ignore('groups', 'pk', 'uid', 'path', 'avatar', 'last_login', 'last_updated', 'password_change_date');
  return readGivenPerson(given, choices, [...unnamed, ...user.left()], user.problems);
}

/** A row of `SELECT username, password FROM authentik_core_user`. */
export function readAuthentikHash(value: Json): { id: string; hash: string } | undefined {
  const row = new GivenRecord(value);
  const id = row.text('username');
  return id === undefined ? undefined : { id, hash: row.text('password') ?? '!' };
}
