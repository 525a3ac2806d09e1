// A user changes what clients see of them under the scope `profile`. The picture has a file of its own.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { type UsernameProblem, usernameProblem } from '../../protocol/account/username.ts';
import type { Origin } from '../../protocol/event.ts';
import { type LanguageTag, matchLanguage } from '../../protocol/languages.ts';
import { type Profile, type SignedIn, StorageConflict } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** As it was typed. An empty string removes a value, except for the name, which everybody has. */
export interface ProfileInput {
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly preferredUsername: string;
  readonly locale: string;
}

export type ProfileOutcome =
  | { kind: 'changed'; profile: Profile }
  | { kind: 'invalid_name' }
  | { kind: 'invalid_username'; problem: UsernameProblem }
  | { kind: 'username_taken' }
  | { kind: 'invalid_locale' };

export async function changeProfile(
  services: Services,
  { user }: SignedIn,
  input: ProfileInput,
  origin: Origin,
): Promise<ProfileOutcome> {
  const { storage, clock, journal } = services;
  const name = cleanName(input.name);
  const givenName = cleanName(input.givenName) || null;
  const familyName = cleanName(input.familyName) || null;
  if ([name, givenName, familyName].some((each) => each !== null && nameProblem(each) !== undefined)) {
    return { kind: 'invalid_name' };
  }
  const preferredUsername = input.preferredUsername.trim() || null;
  const problem = preferredUsername === null ? undefined : usernameProblem(preferredUsername);
  if (problem !== undefined) return { kind: 'invalid_username', problem };
  const locale = readLocale(input.locale);
  if (locale === 'invalid') return { kind: 'invalid_locale' };

  const profile: Profile = { name, givenName, familyName, preferredUsername, locale };
  // Saving the form unchanged is not a change, so it leaves no event.
  const keys = Object.keys(profile) as (keyof Profile)[];
  if (keys.every((key) => user[key] === profile[key])) return { kind: 'changed', profile };
  const event = journal.event({ kind: 'profile_changed', userId: user.id }, origin);
  try {
    await storage.changeProfile(user.id, profile, clock.now(), event);
  } catch (error) {
    if (error instanceof StorageConflict) return { kind: 'username_taken' };
    throw error;
  }
  return { kind: 'changed', profile };
}

/** The language that the person has picked for the pages, unless theirs is a variety of it already. */
export async function changeLanguage(
  services: Services,
  { user }: SignedIn,
  language: LanguageTag,
  origin: Origin,
): Promise<void> {
  if (user.locale !== null && matchLanguage([user.locale]) === language) return;
  const { name, givenName, familyName, preferredUsername } = user;
  const profile: Profile = { name, givenName, familyName, preferredUsername, locale: language };
  const event = services.journal.event({ kind: 'profile_changed', userId: user.id }, origin);
  await services.storage.changeProfile(user.id, profile, services.clock.now(), event);
}

/** Null when none is given. */
function readLocale(text: string): string | null | 'invalid' {
  if (text === '') return null;
  try {
    const [locale = ''] = text.length > 35 ? [] : Intl.getCanonicalLocales(text);
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return names.of(locale) === undefined ? 'invalid' : locale;
  } catch {
    return 'invalid';
  }
}
