// Serves /metrics on a separate port, so that the public port never exposes them. There's no authentication: it listens on
// loopback unless configured otherwise, and serves only this path.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer } from '../node-http.ts';
import type { FamilyDescription, Snapshot } from './registry.ts';

/** More than any Prometheus needs; further connections are closed. */
const mostConnections = 20;
/** Milliseconds for a request and its response. A slow client is disconnected to make room for others. */
const defaultTimeout = 15_000;

export interface MetricsListener {
  close(): Promise<void>;
}

/**
 * Resolves when it listens. Concurrent scrapes share one response, and after it there's a pause as long as writing it took, so
 * at least half of the time is left for other requests.
 */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  collect: () => Promise<Snapshot>,
  connectionTimeout = defaultTimeout,
): Promise<MetricsListener> {
  let collecting: Promise<string> | undefined;
  let restUntil = 0;
  const write = async () => {
    const rest = restUntil - performance.now();
    if (rest > 0) await pause(rest);
    const snapshot = await collect();
    const begun = performance.now();
    const written = exposition(snapshot);
    const ended = performance.now();
    restUntil = ended + (ended - begun);
    return written;
  };
  const text = () => {
    collecting ??= write().finally(() => {
      collecting = undefined;
    });
    return collecting;
  };
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    request.resume();
    response.shouldKeepAlive = false;
    if (request.url?.split('?')[0] !== '/metrics') return refuse(response, 404);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, { Allow: 'GET, HEAD' });
    text().then(
      (body) => {
        response.writeHead(200, { 'Content-Type': expositionType, 'Cache-Control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
      () => refuse(response, 500),
    );
  });
  server.maxConnections = mostConnections;
  // One response per connection: pipelined requests would each hold a response in memory.
  server.maxRequestsPerSocket = 1;
  server.on('dropRequest', (_request, socket) => socket.destroy());
  server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), connectionTimeout);
    socket.once('close', () => clearTimeout(timer));
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Length': 0, ...headers }).end();
}

const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** In the Prometheus text format, version 0.0.4. */
export function exposition({ families, values }: Snapshot): string {
  const lines: string[] = [];
  for (const [index, family] of families.entries()) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    const own = values[index] ?? new Float64Array();
    if (family.type === 'histogram') writeHistogram(lines, family, own);
    else for (const [place, labels] of family.series.entries()) lines.push(line(family.name, labels, own[place] ?? 0));
  }
  return `${lines.join('\n')}\n`;
}

/** Buckets are kept one by one, and written with everything below them included. */
function writeHistogram(lines: string[], { name, series, bounds }: FamilyDescription, values: Float64Array): void {
  const slots = bounds.length + 2;
  for (const [index, labels] of series.entries()) {
    const start = index * slots;
    const and = labels === '' ? '' : `${labels},`;
    let count = 0;
    for (const [bucket, bound] of bounds.entries()) {
      count += values[start + bucket] ?? 0;
      lines.push(line(`${name}_bucket`, `${and}le="${bound}"`, count));
    }
    count += values[start + bounds.length] ?? 0;
    lines.push(line(`${name}_bucket`, `${and}le="+Inf"`, count));
    lines.push(line(`${name}_sum`, labels, values[start + bounds.length + 1] ?? 0));
    lines.push(line(`${name}_count`, labels, count));
  }
}

function line(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}
