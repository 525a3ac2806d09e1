// The users of a Clerk application: the CSV of its dashboard, the JSON of its support, and its API's own objects.

import { isJsonObject, type Json, textIn } from '../../reading/strict-json.ts';
import { clerkHash } from '../../sign-in/hash-sources/clerk.ts';
import { type ImportChoices, type PersonReading, readGivenPerson } from '../person.ts';
import { GivenRecord } from '../record.ts';
import { factorsIn } from '../second-factors.ts';
import { named } from './keycloak.ts';

interface Mailbox {
  readonly address: string;
  readonly verified: boolean;
}

export function readClerkUser(value: Json, choices: ImportChoices): PersonReading {
  const user = new GivenRecord(value);
  const mailboxes = mailboxesOf(user);
  const digest = user.text('password_digest');
  const hasher = user.text('password_hasher');
  const given = {
    oldId: user.text('id'),
    email: mailboxes[0]?.address,
    emailVerified: mailboxes[0]?.verified === true,
    names: [],
    givenName: user.text('first_name'),
    familyName: user.text('last_name'),
    username: user.text('username'),
    // Clerk generates a picture for people without one.
    picture: user.flag('has_image') === false ? undefined : user.text('image_url'),
    locale: user.text('locale'),
    createdAt: user.time('created_at'),
    disabled: user.flag('banned') === true || user.flag('locked') === true,
    password: digest === undefined ? undefined : clerkHash(hasher ?? 'bcrypt', digest),
    factors: factorsOf(user),
  };
  user.ignore('object', 'image_url', 'profile_image_url', 'updated_at', 'password_enabled');
  user.ignore('delete_self_enabled', 'create_organization_enabled', 'verification_attempts_remaining');
  user.ignore('primary_phone_number_id', 'primary_web3_wallet_id', 'password_last_updated_at');
  const left = [
    ...(mailboxes.length > 1 ? ['other email addresses'] : []),
    ...named('external_accounts', user.list('external_accounts'), 'provider'),
    ...user.left(),
  ];
  return readGivenPerson(given, choices, left, user.problems);
}

/** The app's key is in exports, but not in the objects of the API, which say no more than that there's a factor. */
function factorsOf(user: GivenRecord) {
  const key = user.text('totp_secret');
  const isElsewhere = user.flag('two_factor_enabled') === true && key === undefined;
  return factorsIn('totp_secret', [key], user.problems, isElsewhere ? ['two_factor_enabled'] : []);
}

/** The primary one first. */
function mailboxesOf(user: GivenRecord): Mailbox[] {
  const primaryId = user.text('primary_email_address_id');
  const primary = user.text('primary_email_address');
  const verified = addresses(user, 'verified_email_addresses');
  const unverified = addresses(user, 'unverified_email_addresses');
  if (primary !== undefined) {
    const others = [...verified, ...unverified].filter((address) => address !== primary);
    return [primary, ...others].map((address) => ({ address, verified: verified.includes(address) }));
  }
  const objects = user.has('email_addresses') ? addressObjects(user, primaryId) : [];
  if (objects.length > 0) return objects;
  return [...verified, ...unverified].map((address) => ({ address, verified: verified.includes(address) }));
}

/** In the CSV, several are separated by bars. */
function addresses(user: GivenRecord, key: string): string[] {
  const value = user.value(key);
  if (Array.isArray(value)) return value.filter((each): each is string => typeof each === 'string');
  return typeof value === 'string' ? value.split(/[|,]/).filter((each) => each !== '') : [];
}

function addressObjects(user: GivenRecord, primaryId: string | undefined): Mailbox[] {
  const value = user.value('email_addresses');
  if (typeof value === 'string')
    return addresses(user, 'email_addresses').map((address) => ({ address, verified: false }));
  const objects = Array.isArray(value) ? value.filter((each: Json) => isJsonObject(each)) : [];
  const ordered = objects.toSorted((a, b) => Number(b.id === primaryId) - Number(a.id === primaryId));
  return ordered.flatMap((each) => {
    const address = textIn(each, 'email_address');
    const { verification = null } = each;
    const verified = isJsonObject(verification) && verification.status === 'verified';
    return address === undefined ? [] : [{ address, verified }];
  });
}
