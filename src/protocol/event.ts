// Events: which kinds there are, what a record of one holds, and how text from outside is made safe to record. An event
// never holds a secret. When one is recorded is up to operations.

import type { Authority } from './admin/rights.ts';
import type { LanguageTag } from './languages.ts';
import { replaceMisleading } from './reading/control-characters.ts';

export const eventKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'authorization_refused',
  'authorization_denied',
  'post_logout_redirect_refused',
  'access_refused',
  'approved',
  'approvals_throttled',
  'code_exchanged',
  'exchange_refused',
  'refresh_refused',
  'client_authentication_failed',
  'token_revoked',
  'revocation_refused',
  'app_removed',
  'grant_ended_by_replay',
  'id_token_claims_dropped',
  'claims_previewed',
  'administration_refused',
  'client_created',
  'client_updated',
  'client_secret_rotated',
  'client_secret_retired',
  'client_revoked',
  'client_restored',
  'client_deleted',
  'access_allowed',
  'access_disallowed',
  'access_expired',
  'group_created',
  'group_deleted',
  'group_renamed',
  'group_protection_changed',
  'group_member_added',
  'group_member_removed',
  'attribute_created',
  'attribute_updated',
  'attribute_deleted',
  'user_created',
  'people_imported',
  'user_password_set',
  'user_disabled',
  'user_expired',
  'user_enabled',
  'user_approved',
  'user_declined',
  'user_deleted',
  'user_invited',
  'invitation_resent',
  'invitation_withdrawn',
  'sign_up_link_created',
  'sign_up_link_revoked',
  'scim_token_created',
  'scim_token_ended',
  'user_edited',
  'user_email_verified',
  'user_made_administrator',
  'user_administrator_removed',
  'user_roles_changed',
  'user_recovery_link_made',
  'user_reset_sent',
  'set_up_link_made',
  'first_administrator_created',
  'api_key_created',
  'api_key_ended',
  'service_keys_retired',
  'settings_changed',
  'webhook_created',
  'webhook_updated',
  'webhook_enabled',
  'webhook_disabled',
  'webhook_secret_rotated',
  'webhook_secret_retired',
  'webhook_deleted',
  'backchannel_logout_waiting',
  'upstream_created',
  'upstream_updated',
  'upstream_refreshed',
  'upstream_enabled',
  'upstream_disabled',
  'upstream_deleted',
  'second_step_asked',
  'session_raised',
  'sign_up_requested',
  'signed_up',
  'email_code_requested',
  'email_verified_by_code',
  'account_claimed',
  'password_reset_requested',
  'password_reset',
  'password_changed',
  'password_removed',
  'password_found_in_breach',
  'profile_changed',
  'picture_changed',
  'email_change_requested',
  'email_changed',
  'sessions_ended',
  'device_trusted',
  'device_trust_ended',
  'authenticator_added',
  'authenticator_removed',
  'recovery_codes_replaced',
  'recovery_codes_removed',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'second_factors_removed',
  'identity_linked',
  'identity_unlinked',
  'factor_undone',
  'factor_kept',
  'account_reviewed',
  'data_downloaded',
  'list_downloaded',
  'account_deleted',
  'mail_delayed',
  'mail_given_up',
  'scim_refused',
  'events_suppressed',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** What is counted per hour. */
export type TotalKind = 'sign_in' | 'failure' | 'exchange' | 'refresh' | 'userinfo';

/**
 * Kinds that are counted as well. The count includes events that are not recorded because there are too many of them.
 */
export const countedAs: Partial<Record<EventKind, TotalKind>> = {
  signed_in: 'sign_in',
  code_exchanged: 'exchange',
  sign_in_failed: 'failure',
  authorization_refused: 'failure',
  post_logout_redirect_refused: 'failure',
  access_refused: 'failure',
  exchange_refused: 'failure',
  refresh_refused: 'failure',
  approvals_throttled: 'failure',
  client_authentication_failed: 'failure',
};

/** The kinds that are failures, for the filter. */
export const failureKinds: readonly EventKind[] = [
  ...eventKinds.filter((kind) => countedAs[kind] === 'failure'),
  'revocation_refused',
  'grant_ended_by_replay',
  'id_token_claims_dropped',
  'administration_refused',
  'scim_refused',
  'mail_delayed',
  'mail_given_up',
];

export type EventDetail = Readonly<Record<string, string | number | readonly string[]>>;

/** Who asks for something, and from where: a request to the service, or the command line. Events record it. */
export interface Requester {
  readonly address: string;
  readonly requestId: string;
  /** The W3C trace that the request belongs to, if it has one. */
  readonly traceId?: string | undefined;
  /** Browser and device ("Firefox on Linux"), if known. */
  readonly device?: string;
  /** The language of the page that it came from, if there is one. */
  readonly language?: LanguageTag;
  readonly actor?: Actor;
  /** What the actor may do; undefined for the command line and the service itself, which may do everything. */
  readonly authority?: Authority;
}

/** Who made a change to another user or a client. */
export interface Actor {
  readonly kind: 'administrator' | 'api_key' | 'scim_token';
  readonly id: string;
}

export interface EventFacts {
  readonly kind: EventKind;
  readonly userId?: string;
  readonly clientId?: string;
  readonly detail?: EventDetail;
}

export interface EventRecord extends EventFacts, Omit<Requester, 'device' | 'language' | 'authority'> {
  readonly id: string;
  readonly at: number;
  /** Isn't stored: whoever makes the change has less than admin access, so whether they may is asked again when it's written. */
  readonly limited?: true;
  /** Isn't stored, either: with the change, whoever makes it can sign in as the person. */
  readonly takesOver?: true;
}

/** The detail as the API and the command line print it, where the actor is a member called `by`. */
export function detailWithActor({ detail, actor }: EventRecord): EventDetail {
  return { ...detail, ...(actor && { by: `${actor.kind} ${actor.id}` }) };
}

/** The longest redirect URI: a refused one is shown in full next to the registered ones. */
const textLimit = 2000;

const clientIdForm = /^[a-z0-9_-]{1,40}$/;

/** A client ID from a request. Anything that doesn't look like one may be a misplaced secret, so it isn't recorded. */
export function quotedClientId(text: string): string {
  return clientIdForm.test(text) ? text : '(not of the form of a client id)';
}

/** Text from outside, shortened and without misleading characters, so that an event can hold it. */
export function quoted(text: string): string {
  const clean = replaceMisleading(text.toWellFormed(), () => '\ufffd');
  return clean.length > textLimit ? `${clean.slice(0, textLimit).toWellFormed()}…` : clean;
}
