// A user changes what clients see of them under the scope `profile`.

import {
  type AttributeProblem,
  type GivenAttributes,
  readAttributes,
} from '../../protocol/account/attribute-values.ts';
import { cleanName, nameProblem, type UsernameProblem, usernameProblem } from '../../protocol/account/names.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { canonicalLocale, type LanguageTag, matchLanguage } from '../../protocol/languages.ts';
import { type ImageProblem, readPicture } from '../../protocol/reading/image.ts';
import {
  type Attribute,
  type Logo,
  type Profile,
  type SignedIn,
  StorageUnavailable,
  type User,
} from '../../storage/storage.ts';
import { isOwnedBySource } from '../admin/authority.ts';
import { unlessTaken } from '../admin/outcome.ts';
import { listAttributes } from '../attributes/attributes.ts';
import { changeOf } from '../attributes/person-attributes.ts';
import type { Recording, Services, Storing } from '../services.ts';

/** As it was typed. An empty string removes a value, except for the name, which everybody has. */
export interface ProfileInput {
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly preferredUsername: string;
  readonly locale: string;
  /** Of those that people edit themselves; others stay as they are. */
  readonly attributes?: GivenAttributes;
}

export type ProfileOutcome =
  | { kind: 'changed'; profile: Profile }
  | { kind: 'invalid'; problems: ProfileProblems }
  | { kind: 'username_taken' };

/** Everything that is wrong with what was typed, so that a page can show it all at once. */
export interface ProfileProblems {
  readonly name: boolean;
  readonly givenName: boolean;
  readonly familyName: boolean;
  readonly username: UsernameProblem | undefined;
  readonly locale: boolean;
  readonly attributes: Readonly<Record<string, AttributeProblem>>;
}

/** More often than attributes change at the same moment. */
const attempts = 10;

/** The attributes that people edit themselves. */
export async function ownAttributes(services: Storing): Promise<Attribute[]> {
  return (await listAttributes(services)).filter(({ editableBy }) => editableBy === 'person');
}

export async function changeProfile(
  services: Recording,
  { user }: SignedIn,
  input: ProfileInput,
  requester: Requester,
): Promise<ProfileOutcome> {
  const { storage, clock, journal } = services;
  const name = cleanName(input.name);
  const givenName = cleanName(input.givenName) || null;
  const familyName = cleanName(input.familyName) || null;
  const preferredUsername = input.preferredUsername.trim() || null;
  const locale = input.locale === '' ? null : canonicalLocale(input.locale);
  const isInvalid = (each: string | null) => each !== null && nameProblem(each) !== undefined;
  const words = {
    name: isInvalid(name),
    givenName: isInvalid(givenName),
    familyName: isInvalid(familyName),
    username: usernameProblemFor(user, preferredUsername),
    locale: locale === undefined,
  };
  for (let attempt = 0; ; attempt++) {
    const given = input.attributes ?? { as: 'text', values: {} };
    const read = readAttributes(await ownAttributes(services), user.attributes, given);
    const isWrong = [...Object.values(words), ...Object.values(read.problems)].some(Boolean);
    if (locale === undefined || isWrong) {
      return { kind: 'invalid', problems: { ...words, attributes: read.problems } };
    }
    const profile: Profile = { name, givenName, familyName, preferredUsername, locale };
    const keys = Object.keys(profile) as (keyof Profile)[];
    const isSame = keys.every((key) => user[key] === profile[key]);
    const { change, changed } = changeOf(read.patch, read.changed);
    // Saving the form unchanged is not a change, so it leaves no event.
    if (isSame && change === undefined) return { kind: 'changed', profile };
    const detail = change && { changed: [...(isSame ? [] : ['profile']), ...changed] };
    const event = journal.event({ kind: 'profile_changed', userId: user.id, ...(detail && { detail }) }, requester);
    const stored = await unlessTaken(storage.changeProfile(user.id, profile, clock.now(), event, change));
    if (stored === 'taken') return { kind: 'username_taken' };
    // An attribute has changed meanwhile, so it's looked at again.
    if (stored || change === undefined) return { kind: 'changed', profile };
    if (attempt === attempts) throw new StorageUnavailable('the attributes keep changing');
  }
}

/** A directory finds its people by their usernames: a person can't take another's place by choosing one. */
function usernameProblemFor(user: User, chosen: string | null): UsernameProblem | undefined {
  if (chosen !== user.preferredUsername && isOwnedBySource(user)) return 'managed';
  return chosen === null ? undefined : usernameProblem(chosen);
}

/** The language that the person has picked for the pages, unless theirs is a variety of it already. */
export async function changeLanguage(
  services: Recording,
  { user }: SignedIn,
  language: LanguageTag,
  requester: Requester,
): Promise<void> {
  if (user.locale !== null && matchLanguage([user.locale]) === language) return;
  const { name, givenName, familyName, preferredUsername } = user;
  const profile: Profile = { name, givenName, familyName, preferredUsername, locale: language };
  const event = services.journal.event({ kind: 'profile_changed', userId: user.id }, requester);
  await services.storage.changeProfile(user.id, profile, services.clock.now(), event);
}

/** Without bytes, the picture is removed. Anybody who has its URL can fetch it. */
export async function changePicture(
  { storage, clock, journal, issuer }: Recording & Pick<Services, 'issuer'>,
  { user }: SignedIn,
  bytes: Uint8Array | undefined,
  requester: Requester,
): Promise<'changed' | ImageProblem> {
  const event = journal.event({ kind: 'picture_changed', userId: user.id }, requester);
  if (bytes === undefined) {
    await storage.setPicture(user.id, undefined, clock.now(), event);
    return 'changed';
  }
  const picture = readPicture(bytes);
  if (picture.kind === 'invalid') return picture.problem;
  // The version is part of the URL, so the image behind a URL never changes and may be cached forever.
  const version = digestOf(Buffer.from(picture.bytes).toString('latin1')).slice(0, 16);
  const { contentType } = picture;
  const url = `${issuer}/pictures/${encodeURIComponent(user.id)}/${version}`;
  await storage.setPicture(user.id, { url, version, contentType, bytes: picture.bytes }, clock.now(), event);
  return 'changed';
}

export function findPicture(services: Storing, userId: string, version: string): Promise<Logo | undefined> {
  return services.storage.findPicture(userId, version);
}
