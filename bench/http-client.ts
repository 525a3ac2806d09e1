// A minimal HTTP client: one request at a time on a kept-alive connection, so that the load generator measures the
// server and not itself.

import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export class Connection {
  readonly #port: number;
  #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#port = port;
    this.#socket = this.#connect();
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#received = Buffer.alloc(0);
      this.#waiting?.reject(new Error('the connection is gone'));
    });
    return socket;
  }

  request(text: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) this.#socket = this.#connect();
      this.#waiting = { resolve, reject };
      this.#socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const body = bodyIn(head, this.#received.subarray(end + 4));
    if (body === undefined) return;
    this.#received = Buffer.alloc(0);
    const { resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    resolve?.({ status: Number(head.slice(9, 12)), head, body });
  }
}

/** Undefined while some of it is missing. */
function bodyIn(head: string, rest: Buffer): string | undefined {
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return unchunked(rest.toString('latin1'));
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return rest.length < length ? undefined : rest.toString('latin1', 0, length);
}

function unchunked(text: string): string | undefined {
  let body = '';
  let start = 0;
  for (;;) {
    const lineEnd = text.indexOf('\r\n', start);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(start, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (text.length < next) return undefined;
    if (size === 0) return body;
    body += text.slice(lineEnd + 2, next - 2);
    start = next;
  }
}

export function getRequest(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines(headers)}\r\n`;
}

export function formRequest(path: string, parameters: Readonly<Record<string, string>>): string {
  const body = new URLSearchParams(parameters).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) };
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines(headers)}\r\n${body}`;
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
