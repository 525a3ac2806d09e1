// Every table's columns, listed once. Row types, selects, inserts and transfers are derived from this list, and a test
// compares it with the tables that the migrations create.

import type { AttributeKind, AttributeValues } from '../protocol/account/attribute-values.ts';
import type { BrandImage } from '../protocol/brand/brand.ts';
import type { Actor } from '../protocol/event.ts';
import type { EventKind, TotalKind } from '../protocol/events/kinds.ts';
import { type ApplicationClaim, parseClaims } from '../protocol/oauth/application-claims.ts';
import { formatScopes, parseScopes } from '../protocol/oauth/scope.ts';
import type { ImageType } from '../protocol/reading/image.ts';
import type { ApiKeyValues } from '../protocol/resources/api-key.ts';
import type { ClientValues } from '../protocol/resources/client.ts';
import type { UpstreamValues } from '../protocol/resources/upstream.ts';
import type { UpstreamMetadata } from '../protocol/upstreams/metadata.ts';
import type { CodePurpose, LinkPurpose } from './link-records.ts';
import { bytes, coded, flag, integer, json, nullable, table, text, words } from './table.ts';
import { managed } from './users/outside-tables.ts';

export { accessRequests, clientAccess, clientOwners, groupMembers, groups } from './groups/group-tables.ts';
export { reviewApplications, reviewItems, reviews } from './reviews/review-tables.ts';
export type { Column, ColumnOf, RecordOf, SelectedRow, StoredRow, Table } from './table.ts';
export { deletedIdKeys, deletedIds, importedPeople, scimTokens } from './users/outside-tables.ts';
export { webhookDeliveries, webhookEndpoints, webhookSecrets } from './webhooks/webhook-tables.ts';

const scopes = () => coded(text(), { encode: formatScopes, decode: parseScopes });

export const users = table('users', 'u', ['id'], {
  id: text(),
  email: text(),
  email_key: text(),
  email_verified_at: nullable(integer()),
  name: text(),
  given_name: nullable(text()),
  family_name: nullable(text()),
  preferred_username: nullable(text()),
  picture: nullable(text()),
  locale: nullable(text()),
  password_hash: text(),
  admin_since: nullable(integer()),
  disabled_at: nullable(integer()),
  generation: integer(),
  created_at: integer(),
  updated_at: integer(),
  last_active_at: nullable(integer()),
  username_key: nullable(text()),
  review_since: nullable(integer()),
  last_sign_in_at: integer(),
  breached_since: nullable(integer()),
  attributes: json<AttributeValues>(),
  /** When access ends. Once that is written, the account is disabled since this very time. */
  expires_at: nullable(integer()),
  /** While a new account waits for approval, it's disabled. */
  pending_since: nullable(integer()),
  /** How many of the emails about the coming end were sent. */
  end_notices: integer(),
  /** Besides being an administrator (protocol/account/roles.ts). */
  roles: nullable(text()),
  ...managed,
  /** When a directory took over someone who was there before. */
  adopted_at: nullable(integer()),
  /** 1 with an active second factor. Triggers keep it so (026), whatever adds, suspends or removes one. */
  has_factor: integer(),
  session_generation: integer(),
  /** From when on inactivity counts at the earliest; null if that is `created_at`. */
  inactive_from: nullable(integer()),
  /** When the account is disabled unless it's used, as the person was told. Once it has been, the same as `disabled_at`. */
  inactive_end: nullable(integer()),
  /** Whether they own an application. Triggers keep it so (036), whatever changes owners and the members of groups. */
  is_owner: flag(),
  requests_told_at: integer(),
  /** When the person was imported without the second factor that they had. A trigger ends it with their first one here (039). */
  lost_factor_at: nullable(integer()),
});

export const attributes = table('attributes', 'at', ['name'], {
  name: text(),
  label: text(),
  kind: text<AttributeKind>(),
  editable_by: text<'administrator' | 'person'>(),
  /** Null allows all. */
  allowed_values: json<readonly string[] | null>(),
  created_at: integer(),
  updated_at: integer(),
  /** Until no person has a value any more. */
  deleted_at: nullable(integer()),
  /** The last person whose value was removed, in the order of their IDs. */
  cleared_to: text(),
});

export const clients = table('clients', 'c', ['id'], {
  id: text(),
  name: text(),
  is_public: flag(),
  redirect_uris: json<readonly string[]>(),
  scopes: scopes(),
  secret_digest: nullable(text()),
  secret_created_at: nullable(integer()),
  old_secret_digest: nullable(text()),
  old_secret_created_at: nullable(integer()),
  logo_version: nullable(text()),
  revoked_at: nullable(integer()),
  generation: integer(),
  created_at: integer(),
  updated_at: integer(),
  secret_used_at: nullable(integer()),
  old_secret_used_at: nullable(integer()),
  post_logout_redirect_uris: json<readonly string[]>(),
  second_factor: text<ClientValues['secondFactor']>(),
  access: text<ClientValues['access']>(),
  was_listed: integer(),
  client_uri: nullable(text()),
  policy_uri: nullable(text()),
  tos_uri: nullable(text()),
  launch_url: nullable(text()),
  upstream: nullable(text()),
  contact_email: nullable(text()),
  claims: coded(text(), {
    encode: (claims: readonly ApplicationClaim[]) => JSON.stringify(claims),
    decode: parseClaims,
  }),
  backchannel_logout_uri: nullable(text()),
  secret_states: nullable(text()),
  old_secret_states: nullable(text()),
  /** With the secret's digest in front. */
  secret_last_four: nullable(text()),
  old_secret_last_four: nullable(text()),
  access_requests: text<ClientValues['accessRequests']>(),
});

const image = { version: text(), content_type: text<ImageType>(), bytes: bytes() };
export const logos = table('logos', 'i', ['client_id'], { client_id: text(), ...image });
export const brandImages = table('brand_images', 'i', ['name'], { name: text<BrandImage>(), ...image });
export const pictures = table('pictures', 'i', ['user_id'], { user_id: text(), ...image });

export const consents = table('consents', 'k', ['user_id', 'client_id'], {
  user_id: text(),
  client_id: text(),
  client_generation: integer(),
  scopes: scopes(),
  granted_at: integer(),
  last_used_at: integer(),
  /** The keys of the application's claims that the person agreed to, with spaces between them; null for none. */
  claims: nullable(text()),
});

export const grants = table('grants', 'g', ['id'], {
  id: text(),
  user_id: text(),
  user_generation: integer(),
  client_id: text(),
  client_generation: integer(),
  scopes: scopes(),
  redirect_uri: text(),
  code_challenge: text(),
  nonce: nullable(text()),
  auth_time: integer(),
  amr: words(),
  code_digest: text(),
  code_expires_at: integer(),
  exchanged_at: nullable(integer()),
  refresh_digest: nullable(text()),
  expires_at: nullable(integer()),
  ended_at: nullable(integer()),
  last_used_at: nullable(integer()),
  delete_after: integer(),
  access_change: integer(),
  /** Copied from the consent; null for none, and without the scope that covers them. */
  claims: nullable(text()),
  /** The session that it comes from, for clients with back-channel logout alone. */
  session_id: nullable(text()),
  /** The service key that makes its `sid`; null for grants of 0.3.0. */
  sid_key: nullable(text()),
});

export const revokedTokens = table('revoked_tokens', 'r', ['token_id'], { token_id: text(), delete_after: integer() });

export const sessions = table('sessions', 's', ['digest'], {
  digest: text(),
  user_id: text(),
  user_generation: integer(),
  created_at: integer(),
  last_seen_at: integer(),
  auth_time: integer(),
  amr: words(),
  /** The authorization request that the user has just signed in for, or chosen this account for. */
  answered: nullable(text()),
  /** Browser and system ("Firefox on Linux"), and the IP address at sign-in. */
  device: nullable(text()),
  address: nullable(text()),
  /** When the user last proved who they are, which signing in does. */
  proven_at: integer(),
  /** Whether it outlasts the browser. */
  kept: flag(),
  /** Whether a trusted browser took the place of the second step. */
  trusted: flag(),
  /** Stays when the digest changes. Sessions of 0.3.0 have none. */
  id: nullable(text()),
});

export const knownDevices = table('known_devices', 'd', ['user_id', 'digest'], {
  user_id: text(),
  /** Of the browser's mark. */
  digest: text(),
  last_seen_at: integer(),
  trusted_until: nullable(integer()),
  /** Browser and system ("Firefox on Linux"). */
  device: nullable(text()),
});

export const links = table('links', 'l', ['digest'], {
  digest: text(),
  purpose: text<LinkPurpose | CodePurpose>(),
  user_id: nullable(text()),
  detail: text(),
  expires_at: integer(),
  email_key: nullable(text()),
});

/** Lets several people create an account, each with their own email address. */
export const signUpLinks = table('sign_up_links', 'sl', ['id'], {
  id: text(),
  digest: text(),
  uses: integer(),
  used: integer(),
  group_ids: json<readonly string[]>(),
  note: text(),
  /** The administrator who made it, or whose API key did; null for the command line. */
  created_by: nullable(text()),
  created_at: integer(),
  expires_at: integer(),
  revoked_at: nullable(integer()),
  /** The API key that made it. */
  created_by_key: nullable(text()),
});

export const mails = table('mails', 'm', ['id'], {
  id: text(),
  sealed: text(),
  created_at: integer(),
  attempts: integer(),
  next_attempt_at: integer(),
});

export const authenticators = table('authenticators', 'a', ['user_id'], {
  user_id: text(),
  sealed_secret: text(),
  /** The time step of the last code that was accepted. */
  last_step: integer(),
  created_at: integer(),
  suspended_at: nullable(integer()),
});

export const recoveryCodes = table('recovery_codes', 'rc', ['user_id', 'digest'], {
  user_id: text(),
  digest: text(),
  created_at: nullable(integer()),
  suspended_at: nullable(integer()),
});

export const passkeys = table('passkeys', 'p', ['id'], {
  id: text(),
  user_id: text(),
  public_key: text(),
  counter: integer(),
  transports: words(),
  name: text(),
  created_at: integer(),
  last_used_at: nullable(integer()),
  suspended_at: nullable(integer()),
});

/** The kind of a searchable record. */
export type SearchKind = 'person' | 'client';

/** Words to search for, or the one name that a record is sorted by. */
export type WordKind = SearchKind | `${SearchKind}_name`;

export const searchWords = table('search_words', 'w', ['kind', 'word', 'ref', 'source'], {
  kind: text<WordKind>(),
  word: bytes(),
  ref: text(),
  source: text(),
});

export const unsearchable = table('unsearchable', 'n', ['kind', 'ref'], { kind: text<SearchKind>(), ref: text() });

export const apiKeys = table('api_keys', 'ak', ['digest'], {
  digest: text(),
  id: text(),
  name: text(),
  permission: text<ApiKeyValues['permission']>(),
  created_by: nullable(text()),
  created_at: integer(),
  expires_at: nullable(integer()),
  last_used_at: nullable(integer()),
  roles: nullable(text()),
  last_four: nullable(text()),
});

export const hourlyTotals = table('hourly_totals', 't', ['hour', 'kind', 'client_id'], {
  hour: integer(),
  kind: text<TotalKind>(),
  client_id: text(),
  total: integer(),
});

export const events = table('events', 'e', ['id'], {
  id: text(),
  at: integer(),
  kind: text<EventKind>(),
  user_id: nullable(text()),
  client_id: nullable(text()),
  address: text(),
  request_id: text(),
  detail: text(),
  actor_kind: nullable(text<Actor['kind']>()),
  actor_id: nullable(text()),
  trace_id: nullable(text()),
});

export const signInFailures = table('sign_in_failures', 'f', ['counter', 'bucket'], {
  counter: text(),
  bucket: integer(),
  failures: integer(),
});

export const leases = table('leases', 'h', ['name'], { name: text(), holder: text(), expires_at: integer() });

export const spentTickets = table('spent_tickets', 'st', ['digest'], { digest: text(), expires_at: integer() });

export const serviceKeys = table('service_keys', 'sk', ['id'], {
  id: text(),
  first_used_at: integer(),
  retired_at: nullable(integer()),
});

export const instances = table('instances', 'it', ['id'], {
  id: text(),
  version: text(),
  base_url: text(),
  key_ids: words(),
  events_days: integer(),
  breaches_digest: nullable(text()),
  started_at: integer(),
  last_seen_at: integer(),
  clock_offset: nullable(integer()),
});

export const settings = table('settings', 'se', ['name'], { name: text(), value: text(), updated_at: integer() });

export const counters = table('counters', 'cn', ['name'], { name: text(), value: integer() });

export const serviceFacts = table('service_facts', 'sf', ['name'], { name: text(), value: text() });

export const upstreams = table('upstreams', 'up', ['name'], {
  name: text(),
  kind: text<UpstreamValues['kind']>(),
  issuer: text(),
  client_id: text(),
  sealed_secret: text(),
  scopes: words(),
  label: text(),
  allowed_domains: words(),
  trusted_domains: words(),
  routes_domains: flag(),
  creates_accounts: flag(),
  trusted_amr: words(),
  trusted_acr: words(),
  metadata: json<UpstreamMetadata>(),
  icon_version: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  disabled_at: nullable(integer()),
  skip_approval: flag(),
});

export const upstreamIcons = table('upstream_icons', 'i', ['upstream'], { upstream: text(), ...image });

export const identities = table('identities', 'id', ['issuer', 'subject'], {
  issuer: text(),
  subject: text(),
  user_id: text(),
  /** The latest from the identity provider. It's only shown, for people to recognize the identity. */
  email: nullable(text()),
  linked_at: integer(),
  last_used_at: nullable(integer()),
});
