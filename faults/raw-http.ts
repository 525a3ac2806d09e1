// HTTP byte by byte, because no library sends requests that are as wrong as these.

import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Everything that came back, which can be more than one response. */
  readonly all: string;
}

export type Exchange = RawAnswer | 'nothing' | 'timeout';

/** Sends bytes on a connection of its own, and waits until the service closes it. */
export function exchange(
  port: number,
  bytes: Buffer,
  options: { halfClose: boolean; seconds: number },
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: options.halfClose });
    const received: Buffer[] = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      socket.destroy();
    }, options.seconds * 1000);
    socket.on('connect', () => (options.halfClose ? socket.end(bytes) : socket.write(bytes)));
    socket.on('data', (chunk) => received.push(Buffer.from(chunk)));
    // The service may close the connection while it is being sent a body that is too large.
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(timedOut ? 'timeout' : parse(Buffer.concat(received).toString('utf8')));
    });
  });
}

function parse(all: string): Exchange {
  const response = all.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '');
  const end = response.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1];
  if (status === undefined || end < 0) return 'nothing';
  const lines = response.slice(0, end).split('\r\n').slice(1);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = response.slice(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? joined(rest) : rest;
  return { status: Number(status), headers, body, all };
}

/** The content of a chunked body. Every chunk of the service is text, and none of its lines looks like a length. */
const joined = (chunks: string) => chunks.replace(/\r\n$/, '').replace(/(^|\r\n)[0-9a-f]+\r\n/g, '');
