// Everything that is stored about a user, as one JSON value for them to download. Nothing in it can be used to sign in.
// Activity can be long, so the text is made in pieces, and few downloads run at a time.

import { statusOf } from '../../protocol/account/access-requests.ts';
import { definedValues } from '../../protocol/account/attribute-values.ts';
import { rolesOf } from '../../protocol/account/roles.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { claimValues, receivedClaims } from '../../protocol/oauth/application-claims.ts';
import type { SignedIn } from '../../storage/storage.ts';
import { listAttributes } from '../attributes/attributes.ts';
import { findClaimFacts } from '../claim-facts.ts';
import { reasonJson } from '../clients/people-with-access.ts';
import type { Recording, Services, Timing } from '../services.ts';
import { listOwnSessions } from '../sessions/sessions.ts';
import { listIdentities } from '../users/identities.ts';
import { allActivity } from './activity.ts';

/** In seconds: about as long as a large download takes. */
const retryAfterSeconds = 10;

export type DownloadOutcome =
  | { kind: 'busy'; retryAfterSeconds: number }
  /** The text in pieces. `end` must be called when they have been read, or are not going to be. */
  | { kind: 'begun'; pieces: AsyncGenerator<string, void>; end: () => void };

export async function downloadOwnData(
  services: Recording & Pick<Services, 'settings' | 'downloads'>,
  signedIn: SignedIn,
  requester: Requester,
): Promise<DownloadOutcome> {
  const { downloads } = services;
  const { user } = signedIn;
  if (!downloads.begin(user.id)) return { kind: 'busy', retryAfterSeconds };
  const end = () => downloads.end(user.id);
  try {
    const activity = allActivity(services, user.id);
    // Read before the download is noted, so that it doesn't list itself.
    const newest = (await activity.next()).value ?? [];
    const facts = await factsAbout(services, signedIn);
    services.journal.note({ kind: 'data_downloaded', userId: user.id }, requester);
    return { kind: 'begun', pieces: asText(facts, newest, activity), end };
  } catch (error) {
    end();
    throw error;
  }
}

/** The text that `JSON.stringify({ ...facts, activity }, null, 2)` returns. */
async function* asText(
  facts: object,
  newest: readonly EventRecord[],
  older: AsyncIterable<readonly EventRecord[]>,
): AsyncGenerator<string, void> {
  const listed = (events: readonly EventRecord[]) =>
    events.map((event) => `\n    ${JSON.stringify(describe(event), null, 2).replaceAll('\n', '\n    ')}`).join(',');
  yield `${JSON.stringify(facts, null, 2).slice(0, -'\n}'.length)},\n  "activity": [${listed(newest)}`;
  for await (const events of older) if (events.length > 0) yield `,${listed(events)}`;
  yield newest.length === 0 ? ']\n}' : '\n  ]\n}';
}

function describe({ at, kind, clientId, address, actor, detail = {} }: EventRecord) {
  return {
    at: isoTime(at),
    kind,
    client_id: clientId ?? null,
    // An administrator's IP address is not the user's data.
    address: actor === undefined ? address : null,
    detail,
  };
}

async function factsAbout(services: Timing & Pick<Services, 'settings'>, signedIn: SignedIn): Promise<object> {
  const { storage, clock } = services;
  const { user } = signedIn;
  const pictureVersion = user.picture?.split('/').at(-1) ?? '';
  const [
    apps,
    sessions,
    facts,
    devices,
    trusted,
    picture,
    imported,
    identities,
    claimFacts,
    attributes,
    requests,
    reviewed,
  ] = await Promise.all([
    storage.listConnectedApps(user.id),
    listOwnSessions(services, signedIn),
    storage.findSignInFacts(user.id, undefined),
    storage.listKnownDevices(user.id),
    storage.listTrustedDevices(user.id, clock.now()),
    storage.findPicture(user.id, pictureVersion),
    storage.findImportOrigin(user.id),
    listIdentities(services, user),
    findClaimFacts(services, user),
    listAttributes(services),
    storage.listRequestsOf(user.id),
    storage.listReviewItemsAbout(user.id),
  ]);
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
      attributes: definedValues(attributes, user.attributes),
      administrator_since: isoTime(user.adminSince),
      roles: rolesOf(user),
      password_breached_at: isoTime(user.breachedSince),
      expires_at: isoTime(user.expiresAt),
      created_at: isoTime(user.createdAt),
      updated_at: isoTime(user.updatedAt),
      imported_from: imported && {
        service: imported.source,
        id: imported.oldId,
        imported_at: isoTime(imported.importedAt),
      },
    },
    linked_accounts: identities.map(({ identity, upstream }) => ({
      issuer: identity.issuer,
      subject: identity.subject,
      provider: upstream?.label ?? null,
      email: identity.email,
      linked_at: isoTime(identity.linkedAt),
      last_used_at: isoTime(identity.lastUsedAt),
    })),
    second_factors: {
      authenticator: facts.authenticator !== undefined,
      recovery_codes_left: facts.recoveryCodes,
      passkeys: facts.passkeys.map(({ name, createdAt, lastUsedAt }) => ({
        name,
        created_at: isoTime(createdAt),
        last_used_at: isoTime(lastUsedAt),
      })),
      trusted_browsers: trusted.map(({ device, trustedUntil }) => ({ device, trusted_until: isoTime(trustedUntil) })),
      paused: facts.suspended.map(({ kind, name, createdAt }) => ({ kind, name, created_at: isoTime(createdAt) })),
    },
    connected_apps: apps.map(({ client, scopes, claims, grantedAt, lastUsedAt }) => ({
      client_id: client.id,
      name: client.name,
      scopes,
      claims: claimValues(receivedClaims(client, { scopes, claims }), claimFacts),
      granted_at: isoTime(grantedAt),
      last_used_at: isoTime(lastUsedAt),
    })),
    access_requests: requests.map((request) => ({
      client_id: request.clientId,
      name: request.application,
      status: statusOf(request, clock.now()),
      note: request.note,
      asked_at: isoTime(request.askedAt),
      decided_at: isoTime(request.decidedAt),
      expires_at: isoTime(request.expiresAt),
    })),
    // Who decided is somebody else's data.
    access_reviews: reviewed.map(({ review, application, item, finalOutcome }) => ({
      review,
      application: { id: item.clientId, name: application },
      name: item.name,
      email: item.email,
      reasons: item.reasons.map(reasonJson),
      last_used_at: isoTime(item.lastUsedAt),
      as_of: isoTime(item.asOf),
      decision: item.decision,
      decided_at: isoTime(item.decidedAt),
      outcome: finalOutcome,
    })),
    sessions: sessions.map(({ device, address, createdAt, lastSeenAt, amr, kept }) => ({
      device,
      address,
      started_at: isoTime(createdAt),
      last_seen_at: isoTime(lastSeenAt),
      methods: amr,
      kept,
    })),
    known_browsers: devices.map((lastSeenAt) => ({ last_signed_in_at: isoTime(lastSeenAt) })),
  };
}
