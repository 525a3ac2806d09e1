// What is worth remembering. An event is a fact in the past tense with whom it concerns; it never holds a secret.

export const eventKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'authorization_refused',
  'authorization_denied',
  'approved',
  'code_exchanged',
  'exchange_refused',
  'refresh_refused',
  'client_authentication_failed',
  'token_revoked',
  'revocation_refused',
  'app_removed',
  'grant_ended_by_replay',
  'client_created',
  'client_updated',
  'client_secret_rotated',
  'client_secret_retired',
  'client_revoked',
  'client_restored',
  'client_deleted',
  'user_created',
  'user_password_set',
  'user_disabled',
  'user_enabled',
  'user_deleted',
  'user_invited',
  'user_made_administrator',
  'user_administrator_removed',
  'user_recovery_link_made',
  'user_reset_sent',
  'set_up_link_made',
  'first_administrator_created',
  'api_key_created',
  'api_key_ended',
  'second_step_asked',
  'sign_up_requested',
  'signed_up',
  'password_reset_requested',
  'password_reset',
  'password_changed',
  'profile_changed',
  'picture_changed',
  'email_change_requested',
  'email_changed',
  'sessions_ended',
  'authenticator_added',
  'authenticator_removed',
  'recovery_codes_replaced',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'second_factors_removed',
  'data_downloaded',
  'account_deleted',
  'mail_delayed',
  'mail_given_up',
  'events_suppressed',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** What is counted by the hour. */
export type TotalKind = 'sign_in' | 'failure' | 'exchange' | 'refresh' | 'userinfo';

/** Events that are counted as well, those included that a flood keeps from being written. */
export const countedAs: Partial<Record<EventKind, TotalKind>> = {
  signed_in: 'sign_in',
  code_exchanged: 'exchange',
  sign_in_failed: 'failure',
  authorization_refused: 'failure',
  exchange_refused: 'failure',
  refresh_refused: 'failure',
  client_authentication_failed: 'failure',
};

export type EventDetail = Readonly<Record<string, string | number | readonly string[]>>;

/** Where an event came from: a request of the service, or a command of the command line. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  /** The browser in words ("Firefox on Linux"), where there is one. */
  readonly device?: string;
  readonly actor?: Actor;
}

/** Who does something that concerns others. */
export interface Actor {
  readonly kind: 'administrator' | 'api_key';
  readonly id: string;
}

export interface EventFacts {
  readonly kind: EventKind;
  readonly userId?: string;
  readonly clientId?: string;
  readonly detail?: EventDetail;
}

export interface EventRecord extends EventFacts, Omit<Origin, 'device'> {
  readonly id: string;
  readonly at: number;
}

/** The detail as the API and the command line print it, where the actor is a member called `by`. */
export function detailWithActor({ detail, actor }: EventRecord): EventDetail {
  return { ...detail, ...(actor && { by: `${actor.kind} ${actor.id}` }) };
}

/** As long as a redirect URI may be: a refused one is shown whole beside the registered ones. */
const textLimit = 2000;

const clientIdForm = /^[a-z0-9_-]{1,40}$/;

/** A client id as somebody has sent it. What does not look like one may be a misplaced secret, and is not kept. */
export function quotedClientId(text: string): string {
  return clientIdForm.test(text) ? text : '(not of the form of a client id)';
}

/** What could fake a line of a log, or turn the text around it. */
const misleading = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from outside as it may stand in an event: bounded, and without characters that mislead. */
export function quoted(text: string): string {
  const clean = text.toWellFormed().replace(misleading, '\ufffd');
  return clean.length > textLimit ? `${clean.slice(0, textLimit).toWellFormed()}…` : clean;
}
