// Everything that is stored about a user, as one JSON value for them to download. Nothing in it can be used to sign in.

import type { Origin } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { listOwnSessions } from './active-sessions.ts';
import { allActivity } from './activity.ts';

export async function downloadOwnData(services: Services, signedIn: SignedIn, origin: Origin): Promise<object> {
  const { storage, journal, clock } = services;
  const { user } = signedIn;
  const pictureVersion = user.picture?.split('/').at(-1) ?? '';
  const [apps, sessions, facts, events, devices, picture] = await Promise.all([
    storage.listConnectedApps(user.id),
    listOwnSessions(services, signedIn),
    storage.findSignInFacts(user.id, undefined),
    allActivity(services, user.id),
    storage.listKnownDevices(user.id),
    storage.findPicture(user.id, pictureVersion),
  ]);
  journal.note({ kind: 'data_downloaded', userId: user.id }, origin);
  return {
    made_at: isoTime(clock.now()),
    account: {
      id: user.id,
      email: user.email,
      email_verified_at: isoTime(user.emailVerifiedAt),
      name: user.name,
      given_name: user.givenName,
      family_name: user.familyName,
      preferred_username: user.preferredUsername,
      picture: user.picture,
      picture_file: picture && {
        type: picture.contentType,
        base64: Buffer.from(picture.bytes).toString('base64'),
      },
      locale: user.locale,
      administrator_since: isoTime(user.adminSince),
      created_at: isoTime(user.createdAt),
      updated_at: isoTime(user.updatedAt),
    },
    second_factors: {
      authenticator: facts.authenticator !== undefined,
      recovery_codes_left: facts.recoveryCodes,
      passkeys: facts.passkeys.map(({ name, createdAt, lastUsedAt }) => ({
        name,
        created_at: isoTime(createdAt),
        last_used_at: isoTime(lastUsedAt),
      })),
      paused: facts.suspended.map(({ kind, name, createdAt }) => ({ kind, name, created_at: isoTime(createdAt) })),
    },
    connected_apps: apps.map(({ client, scopes, grantedAt, lastUsedAt }) => ({
      client_id: client.id,
      name: client.name,
      scopes,
      granted_at: isoTime(grantedAt),
      last_used_at: isoTime(lastUsedAt),
    })),
    sessions: sessions.map(({ device, address, createdAt, lastSeenAt, amr }) => ({
      device,
      address,
      started_at: isoTime(createdAt),
      last_seen_at: isoTime(lastSeenAt),
      methods: amr,
    })),
    known_browsers: devices.map((lastSeenAt) => ({ last_signed_in_at: isoTime(lastSeenAt) })),
    activity: events.map(({ at, kind, clientId, address, actor, detail = {} }) => ({
      at: isoTime(at),
      kind,
      client_id: clientId ?? null,
      // An administrator's IP address is not the user's data.
      address: actor === undefined ? address : null,
      detail,
    })),
  };
}
