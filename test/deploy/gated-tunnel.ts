// A TLS connection to the proxy that sends what a test writes, byte by byte.

import { connect as connectTls } from 'node:tls';
import type { Gated } from './gated-place.ts';

export interface Tunnel {
  /** Everything so far. */
  received(): string;
  write(bytes: Uint8Array): void;
  readonly closed: Promise<unknown>;
  close(): void;
}

export async function connect(gated: Gated, lines: readonly string[], body = ''): Promise<Tunnel> {
  const { host, port } = new URL(gated.origin);
  const socket = connectTls({
    host: '127.0.0.1',
    port: Number(port),
    servername: 'localhost',
    rejectUnauthorized: false,
  });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  // What matters is what arrived before.
  socket.on('error', () => socket.destroy());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const [first = '', ...rest] = lines;
  socket.write(`${[first, `Host: ${host}`, ...rest].join('\r\n')}\r\n\r\n${body}`);
  return { received: () => text, write: (bytes) => void socket.write(bytes), closed, close: () => socket.destroy() };
}
