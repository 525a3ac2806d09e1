// What webhooks say about events: one message or none for each kind, and nothing that an endpoint must not know.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventFacts, EventRecord } from '../../../src/protocol/event.ts';
import { eventKinds, grantEndReasonOf, grantEndReasons, kindsOfEvents } from '../../../src/protocol/events/kinds.ts';
import { grantEnded, messageAbout, webhookBody } from '../../../src/protocol/webhooks/messages.ts';
import { clientTypes, type WebhookMessage, webhookTypes } from '../../../src/protocol/webhooks/types.ts';

const actor = { kind: 'administrator', id: 'admin' } as const;
const by = actor;

function eventOf(facts: EventFacts, more: Partial<EventRecord> = {}): EventRecord {
  return { id: 'e1', at: 0, address: '192.0.2.7', requestId: 'r1', ...facts, ...more };
}

const about = { userId: 'u', clientId: 'c' };
const ip_address = '192.0.2.7';

const cases: readonly [EventFacts, WebhookMessage | undefined][] = [
  [
    { kind: 'signed_in', userId: 'u', detail: { method: 'passkey', device: 'Firefox' } },
    { type: 'sign_in.succeeded', data: { sub: 'u', client_id: null, method: 'passkey', ip_address } },
  ],
  [
    { kind: 'sign_in_failed', clientId: 'c', detail: { reason: 'unknown_person' } },
    { type: 'sign_in.refused', data: { sub: null, client_id: 'c', reason: 'unknown_person', ip_address } },
  ],
  [
    {
      kind: 'authorization_refused',
      detail: { reason: 'unknown_client', received: 'https://evil.example', requested_client: 'x' },
    },
    { type: 'authorization.refused', data: { sub: null, client_id: null, reason: 'unknown_client', ip_address } },
  ],
  [
    { kind: 'access_refused', ...about },
    { type: 'authorization.refused', data: { sub: 'u', client_id: 'c', reason: 'no_access', ip_address } },
  ],
  [
    { kind: 'exchange_refused', ...about, detail: { reasons: ['replayed', 'ended'], grant: 'g' } },
    {
      type: 'token.refused',
      data: {
        sub: 'u',
        client_id: 'c',
        grant_type: 'authorization_code',
        reasons: ['replayed', 'ended'],
        ip_address,
      },
    },
  ],
  [
    { kind: 'refresh_refused', clientId: 'c', detail: { reason: 'unknown' } },
    {
      type: 'token.refused',
      data: { sub: null, client_id: 'c', grant_type: 'refresh_token', reasons: ['unknown'], ip_address },
    },
  ],
  [
    { kind: 'client_authentication_failed', clientId: 'c', detail: { reason: 'wrong_secret' } },
    { type: 'client_authentication.refused', data: { client_id: 'c', reason: 'wrong_secret', ip_address } },
  ],
  [
    { kind: 'approved', ...about, detail: { grant: 'g', scope: 'openid email', consent: 'asked' } },
    { type: 'consent.given', data: { sub: 'u', client_id: 'c', scopes: ['openid', 'email'] } },
  ],
  [{ kind: 'approved', ...about, detail: { grant: 'g', scope: 'openid email', consent: 'remembered' } }, undefined],
  [{ kind: 'code_exchanged', ...about, detail: { grant: 'g' } }, undefined],
  [
    { kind: 'client_updated', clientId: 'c', detail: { changed: ['redirectUris', 'type', 'policy_uri'] } },
    { type: 'client.updated', data: { client_id: 'c', changed: ['redirect_uris', 'public', 'policy_uri'], by: null } },
  ],
  [
    { kind: 'access_allowed', clientId: 'c', detail: { group: 'Sales' } },
    { type: 'access.allowed', data: { client_id: 'c', sub: null, group: 'Sales', by: null } },
  ],
  [
    { kind: 'service_keys_retired', detail: { keys: 2 } },
    { type: 'service_keys.retired', data: { keys: 2, by: null } },
  ],
  [
    { kind: 'upstream_updated', detail: { upstream: 'google', changed: ['label', 'secret'] } },
    { type: 'upstream.updated', data: { upstream: 'google', changed: ['label', 'secret'], by: null } },
  ],
  [
    { kind: 'identity_linked', userId: 'u', detail: { upstream: 'google', label: 'Google' } },
    { type: 'identity.linked', data: { sub: 'u', upstream: 'google', by: null } },
  ],
  [{ kind: 'mail_delayed', detail: { reason: 'unknown' } }, undefined],
];

test('an event becomes one message or none', () => {
  for (const [facts, message] of cases) assert.deepEqual(messageAbout(eventOf(facts)), message, facts.kind);
});

test('a message names who made the change', () => {
  const event = eventOf({ kind: 'user_disabled', userId: 'u' }, { actor });
  assert.deepEqual(messageAbout(event), { type: 'user.disabled', data: { sub: 'u', reason: null, by } });
  const unused = eventOf({ kind: 'user_disabled', userId: 'u', detail: { reason: 'inactive' } });
  assert.deepEqual(messageAbout(unused), { type: 'user.disabled', data: { sub: 'u', reason: 'inactive', by: null } });
});

test('every type has an event that causes it, except the listed ones', () => {
  const caused = eventKinds.map((kind) => messageAbout(eventOf({ kind, detail: { consent: 'asked' } }))?.type);
  const needsNone = webhookTypes.filter((type) => !caused.includes(type));
  assert.deepEqual(needsNone, ['grant.ended', 'webhook.test']);
});

test('every reason for the end of a grant has an event that causes it', () => {
  const reasons = Object.values(kindsOfEvents).flatMap(({ ends = [] }) => ends);
  reasons.push(grantEndReasonOf({ kind: 'user_disabled', detail: { reason: 'inactive' } }));
  assert.deepEqual([...new Set(reasons)].sort(), [...grantEndReasons].sort());
});

test('an application endpoint gets the person, grant and reason, and no more', () => {
  assert.deepEqual(clientTypes, ['grant.ended']);
  const ended = grantEnded({ id: 'g', userId: 'u', clientId: 'c', reason: 'replay' });
  assert.deepEqual(JSON.parse(webhookBody(ended, Date.UTC(2026, 0, 2))), {
    type: 'grant.ended',
    timestamp: '2026-01-02T00:00:00.000Z',
    data: { grant_id: 'g', sub: 'u', client_id: 'c', reason: 'replay' },
  });
});
