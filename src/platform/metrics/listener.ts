// Serves /metrics on a port of its own, so that the port that people reach never shows them. It has no login: it listens on
// loopback unless it's configured otherwise, and answers nothing but this one path.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { exposition, expositionType } from './exposition.ts';
import type { Snapshot } from './registry.ts';

/** More than any Prometheus needs; whoever opens more waits for nothing. */
const mostConnections = 20;
const requestTimeout = 10_000;

export interface MetricsListener {
  close(): Promise<void>;
}

/** Resolves when it listens. Whoever asks while an answer is being collected gets the same one. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  collect: () => Promise<Snapshot>,
): Promise<MetricsListener> {
  let collecting: Promise<string> | undefined;
  const text = () => {
    collecting ??= collect()
      .then(exposition)
      .finally(() => {
        collecting = undefined;
      });
    return collecting;
  };
  const server = createServer({ requestTimeout, maxHeaderSize: 8192 }, (request, response) => {
    request.resume();
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
  await listen(server, host, port);
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

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
