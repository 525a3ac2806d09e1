// The gate and the bridge as servers: they listen, perhaps for metrics on another address, delete what has expired, and stop once
// the requests that have begun are answered.

import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE } from '../../protocol/durations.ts';
import type { ListenAddress } from '../config-file/rules.ts';
import { serveMetrics } from '../metrics/listener.ts';
import { measureProcess } from '../metrics/process-metrics.ts';
import type { MetricRegistry } from '../metrics/registry.ts';
import { createServer } from '../node-http.ts';

export interface Serving {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

interface ServingOptions {
  readonly listen: ListenAddress;
  readonly metrics: ListenAddress | undefined;
  readonly registry: MetricRegistry;
  readonly respond: RequestListener;
  readonly sweep: () => void;
  readonly sweepFailed: (error: unknown) => void;
  /** Closes files and connections: after the last response, or if the start fails. */
  readonly close: () => void;
}

/** Node refuses more with 431. What a proxy adds, and Latchkey's limit of a URL, fit into it. */
const headerLimit = 32 * 1024;
/** Milliseconds. Longer than proxies keep connections, so that they're the ones to close them. */
const keepAliveTimeout = 75_000;
const requestTimeout = 15_000;
const sweepEvery = 10 * MINUTE;

export async function serving(options: ServingOptions): Promise<Serving> {
  const { listen, respond, sweep, sweepFailed, close } = options;
  let isStopping = false;
  const server = createServer({ maxHeaderSize: headerLimit, keepAliveTimeout, requestTimeout }, (request, response) => {
    if (isStopping) response.shouldKeepAlive = false;
    respond(request, response);
  });
  // Some versions of Node leave out all but the first 2,000, and those that the proxy has set may be the last.
  server.maxHeadersCount = 0;
  const trySweep = () => {
    try {
      sweep();
    } catch (error) {
      sweepFailed(error);
    }
  };
  let stopMetrics = async () => {};
  let sweeping: NodeJS.Timeout | undefined;
  const end = async () => {
    clearInterval(sweeping);
    await stopMetrics();
    close();
  };
  try {
    trySweep();
    sweeping = setInterval(trySweep, sweepEvery).unref();
    if (options.metrics !== undefined) stopMetrics = await servedMetrics(options.metrics, options.registry);
    const { port } = await listening(server, listen);
    return {
      host: listen.host,
      port,
      async stop() {
        isStopping = true;
        const closed = new Promise((resolve) => server.close(resolve));
        // Connections of requests that are answered in the meantime become idle one after the other.
        const closing = setInterval(() => server.closeIdleConnections(), 50);
        await closed;
        clearInterval(closing);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Returns a function that stops it. */
async function servedMetrics(address: ListenAddress, registry: MetricRegistry): Promise<() => Promise<void>> {
  const listener = await serveMetrics(address, async () => registry.snapshot());
  const stopMeasuring = measureProcess(registry);
  return async () => {
    stopMeasuring();
    await listener.close();
  };
}

function listening(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
