// A request as it is on the wire, for what a client library would refuse to send, or would change.

import { connect } from 'node:net';
import type { TestService } from './service.ts';

export interface RawRequest {
  /** Method and target. */
  readonly line: string;
  readonly host?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** The status is NaN without a response. */
export async function sendRaw(
  { url }: Pick<TestService, 'url'>,
  { line, host = 'localhost', headers = [], body = '' }: RawRequest,
): Promise<{ status: number; text: string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const lines = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', body];
  // Not ended: Node gives up on a request whose sender has.
  socket.write(Buffer.from(lines.join('\r\n'), 'latin1'));
  let text = '';
  for await (const chunk of socket) text += chunk;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}

/** Many requests without a body over one connection, none of which waits for the response before it. How often each status came. */
export async function sendPipelined({ url }: Pick<TestService, 'url'>, lines: readonly string[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  for (const line of lines.slice(0, -1)) socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.write(`${lines.at(-1)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const statuses = new Map<string, number>();
  let text = '';
  for await (const chunk of socket) text += chunk;
  for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return statuses;
}
