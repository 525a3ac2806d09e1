// The members of a webhook message's data: what each is, and what an event says about it. Fields have OAuth names, because
// applications read them, too.

import { reviewDecisions } from '../admin/reviews.ts';
import { permissions } from '../admin/rights.ts';
import type { Actor, EventRecord } from '../event.ts';
import { type GrantEndReason, grantEndReasonOf, grantEndReasons, kindsOfEvents } from '../events/kinds.ts';

/** `count` is a whole number of at least 1, and `maker` who made a change. A list has all values that there are. */
type Form = 'text' | 'texts' | 'count' | 'flag' | 'maker' | readonly string[];

export interface Member<Value = unknown> {
  readonly is: Form;
  readonly isNullable?: true;
  readonly example: Value;
  readonly of: (event: EventRecord) => Value;
}

/** What each member means, in every type that has it. */
export const memberMeanings = {
  sub: 'The person: the `sub` of their ID tokens, and their `id` in the API. Null for a stranger, for a group, and when it is about everyone.',
  client_id: 'The application. Null when none was involved.',
  grant_id: 'The grant: in its ID tokens, the part of `sid` before the dot. Null for all of them.',
  reason: 'Why; see [Reasons](#reasons).',
  reasons: 'Every reason; see [Reasons](#reasons).',
  by: 'The administrator or the API key that did it. Null for the person themselves, the command line and the service.',
  changed: 'The names of what changed. The API has the values.',
  ip_address: 'Where the request came from.',
  method: 'How they signed in: `password`, `passkey`, `password_and_passkey` and so on.',
  grant_type: 'What was presented.',
  scopes: 'What was granted.',
  group: 'The name of the group. Null for a person.',
  before: 'The name that the group had.',
  token_id: 'The SCIM token, by its ID.',
  protected: 'Whether only administrators can change the group and its members.',
  key_id: 'The ID of the API key, not the key itself.',
  name: 'The name of the API key.',
  permission: 'What the API key can do.',
  roles: 'What the API key can do instead, if it has any.',
  source: 'The service that they came from; of a SCIM token, its directory.',
  count: 'How many people.',
  keys: 'How many keys were retired.',
  request_id: 'The ID of the request. The API has its details, and the note, which no message contains.',
  link_id: 'The ID of the sign-up link.',
  uses: 'How many accounts can be created with it.',
  webhook_id: 'The endpoint.',
  attribute: 'The name of the attribute.',
  upstream: 'The name of the identity provider.',
  review_id: 'The ID of the review.',
  review: 'The name of the review.',
  decision: 'What was decided: `keep` or `remove`.',
  items: 'How many items it was decided about.',
} as const;

export type MemberName = keyof typeof memberMeanings;

function member<Value>(is: Form, example: Value, of: Member<Value>['of']): Member<Value> {
  return { is, example, of };
}

/** A text of the event's detail. */
function told(name: string, example: string): Member<string> {
  return member('text', example, (event) => textIn(event, name));
}

function counted(name: string, example: number): Member<number> {
  return member('count', example, ({ detail }) => Number(detail?.[name] ?? 0));
}

/** Null where an event names none. */
export function orNull(given: Member<string>, example: string | null = given.example): Member<string | null> {
  return { ...given, isNullable: true, example, of: (event) => given.of(event) || null };
}

export function withExample<Value>(given: Member<Value>, example: Value): Member<Value> {
  return { ...given, example };
}

export const sub = member('text', '7q2m9rk4c1tbx8v5n3ywa6hdje', ({ userId = '' }) => userId);
export const client_id = member('text', 'shop', ({ clientId = '' }) => clientId);
export const ip_address = member('text', '203.0.113.24', ({ address }) => address);
export const by: Member<Actor | null> = {
  is: 'maker',
  isNullable: true,
  example: { kind: 'administrator', id: '2hv6c8jw4n9rk1txm5q7ybz3da' },
  of: ({ actor }) => (actor === undefined ? null : { kind: actor.kind, id: actor.id }),
};

/** Only storage knows which grants have ended, so no event says it. */
export const grant_id = told('', '4kx81znw0d7hqv3m5ybtj2ge9a');
export const grantEndReason = member<GrantEndReason>(grantEndReasons, 'person', grantEndReasonOf);
export const inactiveReason = { ...told('reason', 'inactive'), is: ['inactive'] };

export const method = told('method', 'password_and_passkey');
export const reason = told('reason', 'wrong_password');
export const authorizationReason = member('text', 'no_access', (event) => {
  if (event.kind === 'access_refused') return 'no_access';
  return event.kind === 'approvals_throttled' ? 'throttled' : textIn(event, 'reason');
});
export const disabledReason = { ...told('reason', 'gone'), is: ['administrator', 'gone'] };
export const grant_type = member<'authorization_code' | 'refresh_token'>(
  ['authorization_code', 'refresh_token'],
  'authorization_code',
  ({ kind }) => (kind === 'exchange_refused' ? 'authorization_code' : 'refresh_token'),
);
export const reasons = member<readonly string[]>('texts', ['replayed', 'ended'], (event) =>
  event.kind === 'exchange_refused' ? textsIn(event, 'reasons') : [textIn(event, 'reason')],
);
export const scopes = member<readonly string[]>('texts', ['openid', 'profile', 'email'], (event) =>
  textIn(event, 'scope').split(' '),
);

export const group = told('group', 'Sales');
export const before = told('before', 'Selling');
export const isProtected = member('flag', true, (event) => textIn(event, 'protected') === 'yes');
export const attribute = told('attribute', 'department');
export const webhook_id = told('webhook', '9d3wn7r1vq5xk8c2m4hbzj6tye');
export const review_id = told('review_id', '3kq9vx7m2tn1w6rbyhj5z8c4de');
export const review = told('review', 'Access in 2026');
export const decision = { ...told('decision', 'keep'), is: reviewDecisions };
export const items = counted('items', 12);
export const upstream = told('upstream', 'google');
export const key_id = told('key', '5tn8x2w7kq1vr4c9mhybj3z6de');
export const name = told('name', 'Nightly report');
export const permission = { ...told('permission', 'read'), is: permissions };
export const roles = member<readonly string[]>('texts', [], (event) => textsIn(event, 'roles'));
export const token_id = told('token', '2r7mc4xq9tn1w6vkbyhj5z3d8e');
export const source = told('source', 'keycloak');
export const request_id = told('request', '3dx9vq7m4c2tn1w6rbyhj5z8ke');
export const link_id = told('link', '8c2vq7m4xk9tn1w6rbyhj5z3de');
export const uses = counted('uses', 20);
export const count = counted('people', 500);
export const keys = counted('keys', 1);

/** The names of what has changed; the values can be read from the API. */
export function changed(...example: readonly string[]): Member<readonly string[]> {
  return member('texts', example, changedBy);
}

function changedBy(event: EventRecord): readonly string[] {
  const { updates } = kindsOfEvents[event.kind];
  const isPasswordEnded = event.kind === 'email_verified_by_code' && textsIn(event, 'ended').includes('password');
  if (updates === undefined || event.detail?.changed !== undefined) return textsIn(event, 'changed').map(nameInApi);
  return isPasswordEnded ? [updates, 'password'] : [updates];
}

/** Events have the names of the code. */
function nameInApi(changedOne: string): string {
  return changedOne === 'type' ? 'public' : changedOne.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function textIn({ detail }: EventRecord, name: string): string {
  const value = detail?.[name];
  return typeof value === 'string' ? value : '';
}

function textsIn({ detail }: EventRecord, name: string): readonly string[] {
  const value = detail?.[name];
  return typeof value === 'object' ? value : [];
}
