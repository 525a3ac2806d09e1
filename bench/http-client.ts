// A minimal HTTP client: one request at a time on a kept-alive connection, so that the load generator measures the
// server and not itself.

import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const fail = () => this.#waiting?.reject(new Error('the connection is gone'));
    this.#socket.on('error', fail);
    this.#socket.on('close', fail);
  }

  request(text: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
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
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.toString('latin1', end + 4, end + 4 + length);
    this.#received = Buffer.alloc(0);
    const { resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    resolve?.({ status: Number(head.slice(9, 12)), head, body });
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
