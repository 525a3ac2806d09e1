// What the routes share: the services, and the few facts of the configuration that show in HTTP.

import type { Services } from '../operations/services.ts';
import type { MetricRegistry } from '../platform/metrics/registry.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Assets } from './assets.ts';

export interface HttpContext {
  readonly services: Services;
  readonly metrics: MetricRegistry;
  /** Undefined when no OpenTelemetry SDK is loaded. */
  readonly tracing: Tracing | undefined;
  readonly lifecycle: Readonly<Lifecycle>;
  /** In the list of instances on this store. Several workers have the same. */
  readonly instanceId: string;
  readonly baseUrl: string;
  /** Whether people reach the service over https; decides cookie names and HSTS. */
  readonly secure: boolean;
  readonly assets: Assets;
  /** Whether the documentation is served. */
  readonly docs: 'on' | 'off';
}

/**
 * Where the service is between its start and its end. It listens before it's known to work, and for a while after it was
 * asked to stop, so that load balancers notice and send their requests elsewhere. Only "serving" counts as ready.
 */
export interface Lifecycle {
  phase: 'starting' | 'serving' | 'draining';
}
