// What a person sees and changes of their own account.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { emailKey, isEmail } from '../../protocol/account/email-address.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { EventRecord, Origin } from '../../protocol/event.ts';
import { type ImageProblem, readPicture } from '../../protocol/reading/image.ts';
import { sessionIsLive, sessionLimits } from '../../protocol/sign-in/session-limits.ts';
import { type Session, type SignedIn, StorageConflict } from '../../storage/storage.ts';
import { findLink, newLink } from '../mail/links.ts';
import { requestEmail } from '../mail/request-email.ts';
import type { Services } from '../services.ts';
import { type Confirmation, confirmPassword } from '../sign-in/confirm-password.ts';

export const activityLength = 100;
/** More than anybody has; a bound all the same. */
const downloadLimit = 50_000;

export interface ProfileInput {
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly locale: string;
}

export async function changeProfile(
  services: Services,
  { user }: SignedIn,
  input: ProfileInput,
  origin: Origin,
): Promise<'changed' | 'invalid_name' | 'invalid_locale'> {
  const { storage, clock, journal } = services;
  const [name, givenName, familyName] = [input.name, input.givenName, input.familyName].map(cleanName) as [
    string,
    string,
    string,
  ];
  const optional = [givenName, familyName].filter((part) => part !== '');
  if ([name, ...optional].some((part) => nameProblem(part) !== undefined)) return 'invalid_name';
  const locale = readLocale(input.locale);
  if (locale === undefined) return 'invalid_locale';
  const { preferredUsername } = user;
  const profile = { name, givenName: givenName || null, familyName: familyName || null, locale, preferredUsername };
  // Saving what is so already is no change, and no event.
  if (Object.entries(profile).every(([field, value]) => user[field as keyof typeof profile] === value))
    return 'changed';
  const event = journal.event({ kind: 'profile_changed', userId: user.id }, origin);
  await storage.changeProfile(user.id, profile, clock.now(), event);
  return 'changed';
}

/** Null for none, undefined for what is not a language. */
function readLocale(text: string): string | null | undefined {
  if (text === '') return null;
  try {
    const [locale = ''] = text.length > 35 ? [] : Intl.getCanonicalLocales(text);
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return names.of(locale) === undefined ? undefined : locale;
  } catch {
    return undefined;
  }
}

/** No bytes at all remove the picture. */
export async function changePicture(
  services: Services,
  { user }: SignedIn,
  bytes: Uint8Array | undefined,
  origin: Origin,
): Promise<'changed' | ImageProblem> {
  const { storage, clock, journal, issuer } = services;
  const event = journal.event({ kind: 'picture_changed', userId: user.id }, origin);
  if (bytes === undefined) {
    await storage.setPicture(user.id, undefined, clock.now(), event);
    return 'changed';
  }
  const picture = readPicture(bytes);
  if (picture.kind === 'invalid') return picture.problem;
  const version = digestOf(Buffer.from(picture.bytes).toString('latin1')).slice(0, 16);
  const { contentType } = picture;
  const url = `${issuer}/pictures/${user.id}/${version}`;
  await storage.setPicture(user.id, { url, version, contentType, bytes: picture.bytes }, clock.now(), event);
  return 'changed';
}

export type EmailChangeOutcome =
  | Exclude<Confirmation, { kind: 'confirmed' }>
  | { kind: 'invalid_email' }
  | { kind: 'same_email' }
  | { kind: 'sent' };

/** The address stays as it is until the mail to the new one is answered. */
export async function requestEmailChange(
  services: Services,
  { user }: SignedIn,
  input: { email: string; currentPassword: string },
  origin: Origin,
): Promise<EmailChangeOutcome> {
  const { storage, emailQueue, emailTemplates, journal, issuer } = services;
  const to = input.email.trim();
  if (!isEmail(to)) return { kind: 'invalid_email' };
  if (to === user.email && user.emailVerifiedAt !== null) return { kind: 'same_email' };
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const outcome = await requestEmail(services, to, origin, async () => {
    const owner = await storage.findUserByEmail(to);
    if (owner === undefined || owner.id === user.id) {
      const { link, url } = newLink(services, 'change_email', user.id, { email: to });
      await emailQueue.queue(emailTemplates.confirmAddress({ to, url }), link);
    } else {
      await emailQueue.queue(emailTemplates.addressHasAccount({ to: owner.email, url: `${issuer}/sign-in` }));
    }
  });
  if (outcome.kind !== 'sent') return outcome;
  if (emailKey(to) !== emailKey(user.email)) {
    await emailQueue.notify(emailTemplates.addressChangeAsked({ to: user.email, newAddress: to }));
  }
  journal.note({ kind: 'email_change_requested', userId: user.id }, origin);
  return { kind: 'sent' };
}

export async function confirmEmailChange(
  services: Services,
  secret: string | undefined,
  origin: Origin,
): Promise<{ kind: 'changed'; email: string } | { kind: 'link_expired' }> {
  const { storage, clock, journal, emailQueue, emailTemplates } = services;
  const link = await findLink(services, 'change_email', secret);
  const user = link?.userId == null ? undefined : await storage.findUser(link.userId);
  const email = link?.data.email;
  if (link === undefined || user === undefined || email === undefined) return { kind: 'link_expired' };
  const event = journal.event({ kind: 'email_changed', userId: user.id }, origin);
  try {
    if (!(await storage.changeEmail(user.id, email, link.digest, clock.now(), event))) return { kind: 'link_expired' };
  } catch (error) {
    if (error instanceof StorageConflict) return { kind: 'link_expired' };
    throw error;
  }
  if (emailKey(email) !== emailKey(user.email)) {
    await emailQueue.notify(emailTemplates.addressChanged({ to: user.email, newAddress: email }));
  }
  return { kind: 'changed', email };
}

export interface OwnSession extends Session {
  /** A name that says nothing about the session's secret. */
  readonly id: string;
  readonly current: boolean;
}

export async function ownSessions(services: Services, { user, session }: SignedIn): Promise<OwnSession[]> {
  const now = services.clock.now();
  const sessions = await services.storage.listSessions(user.id, now - sessionLimits.idle);
  return sessions
    .filter((each) => sessionIsLive(each, now))
    .map((each) => ({ ...each, id: digestOf(each.digest), current: each.digest === session.digest }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

export async function endOwnSession(
  services: Services,
  signedIn: SignedIn,
  id: string,
  origin: Origin,
): Promise<boolean> {
  const target = (await ownSessions(services, signedIn)).find((session) => session.id === id);
  if (target === undefined) return false;
  const ended = await services.storage.endSession(target.digest);
  if (ended) services.journal.note({ kind: 'sessions_ended', userId: signedIn.user.id, detail: { count: 1 } }, origin);
  return ended;
}

/** "Sign out everywhere": every session but this one. */
export async function endOtherSessions(
  services: Services,
  { user, session }: SignedIn,
  origin: Origin,
): Promise<number> {
  const event = services.journal.event(
    { kind: 'sessions_ended', userId: user.id, detail: { count: 'others' } },
    origin,
  );
  return services.storage.endOtherSessions(user.id, session.digest, event);
}

/** The person's own events, newest first, before the one that is named. */
export async function activity(services: Services, { user }: SignedIn, before?: string): Promise<EventRecord[]> {
  await services.journal.flush();
  return services.storage.findEvents({ userId: user.id, beforeId: before }, activityLength);
}

async function wholeActivity(services: Services, signedIn: SignedIn): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (;;) {
    const page = await activity(services, signedIn, events.at(-1)?.id);
    events.push(...page);
    if (page.length < activityLength || events.length >= downloadLimit) return events;
  }
}

/** Everything that is kept about the person, as one value. Nothing in it signs anyone in. */
export async function ownData(services: Services, signedIn: SignedIn, origin: Origin): Promise<object> {
  const { storage, journal, clock } = services;
  const { user } = signedIn;
  const version = user.picture?.split('/').at(-1) ?? '';
  const [apps, sessions, facts, events, devices, picture] = await Promise.all([
    storage.listConnectedApps(user.id),
    ownSessions(services, signedIn),
    storage.findSignInFacts(user.id, undefined),
    wholeActivity(services, signedIn),
    storage.listKnownDevices(user.id),
    storage.findPicture(user.id, version),
  ]);
  journal.note({ kind: 'data_downloaded', userId: user.id }, origin);
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    made_at: time(clock.now()),
    account: {
      id: user.id,
      email: user.email,
      email_verified_at: time(user.emailVerifiedAt),
      name: user.name,
      given_name: user.givenName,
      family_name: user.familyName,
      picture: user.picture,
      picture_file: picture && {
        type: picture.contentType,
        base64: Buffer.from(picture.bytes).toString('base64'),
      },
      locale: user.locale,
      administrator_since: time(user.adminSince),
      created_at: time(user.createdAt),
      updated_at: time(user.updatedAt),
    },
    second_factors: {
      authenticator: facts.authenticator !== undefined,
      recovery_codes_left: facts.recoveryCodes,
      passkeys: facts.passkeys.map(({ name, createdAt, lastUsedAt }) => ({
        name,
        created_at: time(createdAt),
        last_used_at: time(lastUsedAt),
      })),
    },
    connected_apps: apps.map(({ client, scopes, grantedAt, lastUsedAt }) => ({
      client_id: client.id,
      name: client.name,
      scopes,
      granted_at: time(grantedAt),
      last_used_at: time(lastUsedAt),
    })),
    sessions: sessions.map(({ device, address, createdAt, lastSeenAt, amr }) => ({
      device,
      address,
      started_at: time(createdAt),
      last_seen_at: time(lastSeenAt),
      methods: amr,
    })),
    known_browsers: devices.map((lastSeenAt) => ({ last_signed_in_at: time(lastSeenAt) })),
    activity: events.map(({ at, kind, clientId, address, actor, detail = {} }) => ({
      at: time(at),
      kind,
      client_id: clientId ?? null,
      // Where an administrator was is not the person's.
      address: actor === undefined ? address : null,
      detail,
    })),
  };
}

export async function deleteAccount(
  services: Services,
  { user }: SignedIn,
  currentPassword: string,
  origin: Origin,
): Promise<Exclude<Confirmation, { kind: 'confirmed' }> | { kind: 'deleted' } | { kind: 'last_administrator' }> {
  const { storage, journal, emailQueue, emailTemplates } = services;
  const confirmation = await confirmPassword(services, user, currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const event = journal.event({ kind: 'account_deleted', userId: user.id }, origin);
  const deleted = await storage.deleteUser(user.id, event);
  if (!deleted && (await storage.findUser(user.id)) !== undefined) return { kind: 'last_administrator' };
  await emailQueue.notify(emailTemplates.accountDeleted({ to: user.email }));
  return { kind: 'deleted' };
}
