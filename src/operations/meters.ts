// What operations count for metrics. Every label has a closed set of values, so that no request can add a series.

import type { MetricRegistry } from '../platform/metrics/registry.ts';
import { tokenRefusals } from '../protocol/oauth/token-refusals.ts';
import { includes } from '../protocol/reading/includes.ts';
import { signInMethods } from '../protocol/sign-in/factors.ts';
import { signInRefusals } from '../protocol/sign-in/outcomes.ts';
import { throttleLimits } from '../protocol/sign-in/throttle-rules.ts';

/** What ends access, by the events that record it. Revoking a token is told apart by the token. */
export const revocationCauses = [
  'refresh_token_revoked',
  'access_token_revoked',
  'app_removed',
  'grant_ended_by_replay',
  'client_revoked',
  'client_deleted',
  'user_disabled',
  'user_expired',
  'user_deleted',
  'account_deleted',
] as const;

export type RevocationCause = (typeof revocationCauses)[number];

export function isRevocationCause(text: string): text is RevocationCause {
  return includes(revocationCauses, text);
}

export type Meters = ReturnType<typeof operationMeters>;

export function operationMeters(registry: MetricRegistry) {
  return {
    signIns: registry.counterOf(
      'latchkey_sign_ins_total',
      'Sign-ins. The reason is how the person signed in, or why they were refused.',
      [
        ...signInMethods.map((reason) => ({ result: 'signed_in', reason }) as const),
        ...signInRefusals.map((reason) => ({ result: 'refused', reason }) as const),
      ],
    ),
    secondSteps: registry.counter(
      'latchkey_second_steps_total',
      'Second steps that were asked for, and how they ended.',
      {
        result: ['asked', 'code', 'passkey', 'recovery_code', 'refused', 'throttled'],
      },
    ),
    hashesReplaced: registry.counter(
      'latchkey_foreign_hashes_replaced_total',
      'Password hashes of another service that a sign-in has replaced.',
    ),
    tokensIssued: registry.counter('latchkey_tokens_issued_total', 'Codes that were exchanged for tokens.'),
    tokensRefreshed: registry.counter('latchkey_tokens_refreshed_total', 'Access tokens issued for refresh tokens.'),
    tokensRefused: registry.counter(
      'latchkey_token_requests_refused_total',
      'Token requests that were refused, and why.',
      {
        grant_type: ['authorization_code', 'refresh_token', 'unknown'],
        reason: tokenRefusals,
      },
    ),
    revocations: registry.counter('latchkey_revocations_total', 'Access that was ended, and by what.', {
      cause: revocationCauses,
    }),
    revocationsRefused: registry.counter(
      'latchkey_revocations_refused_total',
      'Revocation requests that were refused.',
      {
        reason: ['client_id_missing', 'token_missing', 'malformed', 'client_refused'],
      },
    ),
    throttled: registry.counter('latchkey_throttled_total', 'Attempts that were refused because of a limit.', {
      limit: throttleLimits,
    }),
    emailsQueued: registry.counter('latchkey_emails_queued_total', 'Emails and requests for emails that were queued.'),
    emailsSent: registry.counter('latchkey_emails_sent_total', 'Emails that the mail server accepted.'),
    emailsFailed: registry.counter('latchkey_emails_failed_total', 'Attempts to send an email that failed.', {
      result: ['delayed', 'given_up'],
    }),
    emailsWaiting: registry.maximum('latchkey_emails_waiting', 'Emails in the store that have not been sent.'),
    oldestEmail: registry.maximum(
      'latchkey_email_oldest_seconds',
      'For how long the oldest email has been waiting; 0 if none is.',
    ),
    webhookDeliveries: registry.counter(
      'latchkey_webhook_deliveries_total',
      'Attempts to deliver a webhook message, or one of back-channel logout.',
      {
        result: ['delivered', 'postponed', 'given_up', 'gone'],
      },
    ),
    webhookDurations: registry.histogram(
      'latchkey_webhook_delivery_duration_seconds',
      'How long an endpoint took to answer a webhook message.',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    instances: registry.maximum(
      'latchkey_instances',
      'Instances that run on this store, and those of them with other settings or keys than the others.',
      { state: ['live', 'mismatched'] },
    ),
    clockOffset: registry.maximum(
      'latchkey_clock_offset_seconds',
      "By how much this instance's clock is ahead of the store's; and the store's of what most instances agree on, if it's the one that is off.",
      { clock: ['instance', 'store'] },
    ),
    webhooksWaiting: registry.maximum(
      'latchkey_webhook_messages_waiting',
      'Messages in the store that wait for enabled webhook endpoints, counted up to 100,000.',
    ),
    webhooksFailing: registry.maximum(
      'latchkey_webhook_endpoints_failing',
      'Enabled webhook endpoints that have failed at least three times in a row.',
    ),
    backupAge: registry.maximum(
      'latchkey_backup_age_seconds',
      'How old the newest scheduled backup is, or since when there should be one; 0 without a schedule.',
    ),
    backupSize: registry.maximum(
      'latchkey_backup_size_bytes',
      'How large the newest scheduled backup is; 0 without one.',
    ),
    eventServers: registry.maximum(
      'latchkey_storage_event_servers',
      'Servers that events are on, apart from the database itself.',
      { state: ['reachable', 'unreachable'] },
    ),
    undecidedTransactions: registry.maximum(
      'latchkey_storage_undecided_transactions',
      'Transactions over several of these servers that were interrupted and have waited for a decision for more than 5 seconds.',
    ),
    sweepRounds: registry.counter('latchkey_sweep_rounds_total', 'Rounds of deleting what has expired.', {
      result: ['swept', 'elsewhere', 'paused', 'failed'],
    }),
    sweptRows: registry.counter(
      'latchkey_sweep_deleted_rows_total',
      'Rows that were deleted because they had expired.',
    ),
    sweepPaused: registry.maximum('latchkey_sweep_paused', '1 while nothing is deleted because the clock looks wrong.'),
    sweptAt: registry.maximum(
      'latchkey_sweep_last_success_timestamp_seconds',
      'When this instance last completed a round, in Unix time; 0 if another one does it.',
    ),
  };
}
