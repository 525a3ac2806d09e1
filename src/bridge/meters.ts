// What the bridge counts about itself, for Prometheus.

import type { MetricRegistry } from '../platform/metrics/registry.ts';

const endpoints = ['authorize', 'callback', 'code', 'refresh', 'userinfo', 'revoke', 'sign_out', 'logout'] as const;
export type Endpoint = (typeof endpoints)[number];

export type BridgeMeters = ReturnType<typeof bridgeMeters>;

export function bridgeMeters(registry: MetricRegistry, grants: () => number) {
  const requests = registry.counter(
    'latchkey_bridge_requests_total',
    'Requests of applications, browsers and Latchkey.',
    {
      endpoint: endpoints,
      result: ['succeeded', 'refused', 'unavailable', 'failed'],
    },
  );
  const failures = registry.counter(
    'latchkey_bridge_request_failures_total',
    'Requests to Latchkey that got no answer, or one that says nothing.',
    { reason: ['unreachable', 'invalid'] },
  );
  const secrets = registry.counter(
    'latchkey_bridge_wrong_secrets_total',
    'Requests with a wrong secret, and those refused after too many.',
  );
  const live = registry.gauge('latchkey_bridge_grants', 'Grants in the file, of all processes that share it.');
  registry.onCollect(() => live.set({}, grants()));
  return {
    answered(endpoint: Endpoint, status: number) {
      const result =
        status === 503 ? 'unavailable' : status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'succeeded';
      requests.add({ endpoint, result });
    },
    unanswered: (isInvalid: boolean) => failures.add({ reason: isInvalid ? 'invalid' : 'unreachable' }),
    wrongSecret: () => secrets.add({}),
  };
}
