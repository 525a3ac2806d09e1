// What the gate counts about itself, for Prometheus.

import type { MetricRegistry } from '../platform/metrics/registry.ts';
import type { Answer } from '../platform/relying-party/issuer.ts';

const checkResults = ['signed_in', 'open', 'signed_out', 'forbidden', 'unavailable', 'refused', 'failed'] as const;

export type CheckResult = (typeof checkResults)[number];

/** What is looked up at a scrape. */
export interface SessionFigures {
  readonly sessions: number;
  /** In milliseconds. */
  readonly oldestAnswer: number;
}

export type GateMeters = ReturnType<typeof gateMeters>;

export function gateMeters(registry: MetricRegistry, figures: () => SessionFigures) {
  const checks = registry.counter('latchkey_gate_checks_total', 'Requests that the proxy asked about.', {
    result: checkResults,
  });
  const rechecks = registry.counter(
    'latchkey_gate_rechecks_total',
    'Rechecks of sessions, by what Latchkey has said.',
    {
      result: ['answered', 'refused', 'unanswered'],
    },
  );
  const failures = registry.counter(
    'latchkey_gate_request_failures_total',
    'Requests to Latchkey that got no answer, or one that says nothing.',
    { reason: ['unreachable', 'invalid'] },
  );
  const sessions = registry.gauge('latchkey_gate_sessions', 'Sessions in the file, of all processes that share it.');
  const oldest = registry.gauge(
    'latchkey_gate_oldest_recheck_seconds',
    'How long ago Latchkey was last asked about a session when it was let in, at most within the last minute.',
  );
  registry.onCollect(() => {
    const found = figures();
    sessions.set({}, found.sessions);
    oldest.set({}, found.oldestAnswer / 1000);
  });
  // Looked up once: every request is a check.
  const places = new Map(checkResults.map((result) => [result, checks.placeOf({ result })]));
  return {
    checked: (result: CheckResult) => checks.addAt(places.get(result) ?? Number.NaN),
    rechecked: (result: Answer<unknown>['kind']) => rechecks.add({ result }),
    unanswered: (isInvalid: boolean) => failures.add({ reason: isInvalid ? 'invalid' : 'unreachable' }),
  };
}
