// The port for metrics has no login, so whoever reaches it must not be able to use the service up.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { type MetricsListener, serveMetrics } from '../../../src/platform/metrics/listener.ts';
import { MetricRegistry } from '../../../src/platform/metrics/registry.ts';
import { freePort } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';

const registry = new MetricRegistry();
const host = '127.0.0.1';
const question = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
let collected = 0;
let gate = Promise.resolve();
let port: number;
let url: string;
let listener: MetricsListener;

const collect = async () => {
  collected++;
  await gate;
  return registry.snapshot();
};

before(async () => {
  const name = Array.from({ length: 10_000 }, (_, index) => `a-rather-long-name-of-a-series-${index}`);
  registry.counter('latchkey_things_total', 'Things.', { name });
  port = await freePort();
  url = `http://${host}:${port}/metrics`;
  // Far longer than any answer takes, on whatever machine.
  listener = await serveMetrics({ host, port }, collect, 60_000);
});
after(() => listener.close());
beforeEach(() => {
  collected = 0;
});

interface Connection {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
}

function open(to = port): Connection {
  const connection: Connection = { socket: connect(to, host), received: '', isClosed: false };
  connection.socket
    .on('error', () => {})
    .on('close', () => {
      connection.isClosed = true;
    });
  return connection;
}

function read(connection: Connection): void {
  connection.socket.setEncoding('latin1').on('data', (chunk) => {
    connection.received += chunk;
  });
  connection.socket.resume();
}

test('a connection gets at most one response, even with pipelined requests', async () => {
  const connection = open();
  read(connection);
  connection.socket.write(question.repeat(1000));
  await until(() => connection.isClosed, 'the connection is closed');
  assert.ok((connection.received.match(/^HTTP\/1\.1 200/gm) ?? []).length <= 1);
  assert.equal(collected, 1);
});

test('concurrent scrapes share one response', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const connections = Array.from({ length: 15 }, () => open());
  for (const connection of connections) {
    read(connection);
    connection.socket.write(question);
  }
  await until(() => collected > 0, 'the first one is heard');
  // What was sent before this has arrived before it.
  assert.equal((await fetch(new URL('/other', url))).status, 404);
  resolve();
  await until(() => connections.every(({ isClosed }) => isClosed), 'all are answered');
  for (const { received } of connections) assert.match(received, /series-9999"\} 0\n/);
  assert.equal(collected, 1);
});

test('a slow client is disconnected, and the next one is served', async () => {
  const other = await freePort();
  const impatient = await serveMetrics({ host, port: other }, collect, 500);
  try {
    const connections = Array.from({ length: 20 }, () => open(other));
    for (const { socket } of connections.slice(10)) socket.write(question.slice(0, 20));
    await until(() => connections.every(({ isClosed }) => isClosed), 'all are closed');
    const isServed = () =>
      fetch(`http://${host}:${other}/metrics`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isServed, 'the next one is served');
  } finally {
    await impatient.close();
  }
});

test('stopping closes all connections', async () => {
  const waiting = open();
  await new Promise((resolve) => waiting.socket.once('connect', resolve));
  await listener.close();
  await until(() => waiting.isClosed, 'the connection is closed');
  await assert.rejects(fetch(url));
});
