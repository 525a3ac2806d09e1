// The users in `manage.py dumpdata`: `auth.user`, or a custom model with its fields.

import type { Json, JsonObject } from '../../reading/strict-json.ts';
import type { HashReading } from '../../sign-in/hash-sources/reading.ts';
import { readHashString } from '../../sign-in/hash-sources/strings.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';

export function readDjangoObject(value: Json, choices: ImportChoices): PersonReading {
  const object = new GivenRecord(value);
  const fields = object.object('fields');
  const model = object.text('model');
  if (object.problems.length === 0 && model !== 'auth.user' && !isUser(fields)) {
    return { kind: 'skipped', what: `objects of ${model ?? 'no model'}` };
  }
  const user = new GivenRecord(fields, object.problems);
  const given = {
    oldId: object.id('pk') ?? user.id('id'),
    email: user.text('email'),
    // Django doesn't record this.
    emailVerified: false,
    names: [user.text('full_name'), user.text('name')],
    givenName: user.text('first_name'),
    familyName: user.text('last_name'),
    username: user.text('username'),
    createdAt: user.time('date_joined'),
    disabled: user.flag('is_active') === false,
    password: passwordOf(user.text('password')),
  };
  return readGivenPerson(given, choices, user.left(), object.problems);
}

function isUser(fields: JsonObject): boolean {
  return Object.hasOwn(fields, 'password') && Object.hasOwn(fields, 'email');
}

/** Django marks an account without a password by an exclamation mark. */
export function passwordOf(text: string | undefined): HashReading | undefined {
  return text === undefined || text.startsWith('!') ? undefined : readHashString(text);
}
