// What the routes share: the services, and the few facts of the configuration that show in HTTP.

import type { Services } from '../operations/services.ts';
import type { MetricRegistry } from '../platform/metrics/registry.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Assets } from './assets.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface HttpContext {
  readonly services: Services;
  readonly metrics: MetricRegistry;
  /** Undefined when no OpenTelemetry SDK is loaded. */
  readonly tracing: Tracing | undefined;
  readonly lifecycle: Readonly<Lifecycle>;
  readonly baseUrl: string;
  /** Whether people reach the service over https; decides cookie names and HSTS. */
  readonly secure: boolean;
  readonly assets: Assets;
  /** Whether anyone may make an account. */
  readonly signUp: 'open' | 'closed';
  /** Whether the documentation is served. */
  readonly docs: 'on' | 'off';
}
