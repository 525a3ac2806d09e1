// What stands behind the gate in tests: programs without any sign-in, which say what reaches them.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a request was when it arrived. Names of headers are as they were sent. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly trailers: readonly string[];
  readonly bodySize: number;
}

export interface GuardedApplication {
  readonly server: Server;
  /** Every request so far, and every WebSocket that was opened. */
  readonly arrived: readonly Arrived[];
  stop(): Promise<void>;
}

/** Answers with what has arrived, as a page to browsers and as JSON otherwise. On a WebSocket, it says everything back. */
export async function startGuardedApplication(port: number): Promise<GuardedApplication> {
  const arrived: Arrived[] = [];
  const tunnels = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => {
    let bodySize = 0;
    request.on('data', (chunk) => {
      bodySize += chunk.length;
    });
    request.on('end', () => {
      const what = describe(request, bodySize);
      arrived.push(what);
      const isPage = request.headers.accept?.includes('text/html') ?? false;
      response.setHeader('Content-Type', isPage ? 'text/html; charset=utf-8' : 'application/json');
      response.end(isPage ? pageOf(what) : JSON.stringify(what));
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    arrived.push(describe(request, 0));
    tunnels.add(socket);
    echo(request, socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    server,
    arrived,
    async stop() {
      for (const tunnel of tunnels) tunnel.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function describe({ method = '', url = '', rawHeaders, rawTrailers }: IncomingMessage, bodySize: number): Arrived {
  const pairs = rawHeaders.flatMap((name, at): [string, string][] => {
    return at % 2 === 0 ? [[name, Buffer.from(rawHeaders[at + 1] ?? '', 'latin1').toString()]] : [];
  });
  return { method, url, headers: pairs, trailers: rawTrailers, bodySize };
}

function pageOf({ url, headers }: Arrived): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const lines = headers.map(([name, value]) => escaped(`${name}: ${value}`));
  return `<!doctype html><title>Wiki</title><h1>${escaped(url)}</h1><pre>${lines.join('\n')}</pre>`;
}

/** Answers every short text frame with an unmasked one, which is all that a browser needs to notice. */
function echo(request: IncomingMessage, socket: Duplex): void {
  const secret = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(secret).digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
  socket.on('error', () => socket.destroy());
  let left = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= 6) {
      const length = (left[1] ?? 0) & 0x7f;
      if (left.length < 6 + length) return;
      const mask = left.subarray(2, 6);
      const text = left.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
      if (((left[0] ?? 0) & 0x0f) === 8) return void socket.end();
      socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
      left = left.subarray(6 + length);
    }
  });
}

/** Answers every FastCGI request with its parameters as JSON, as a PHP script could. */
export async function startFastCgi(path: string): Promise<SocketServer> {
  const server = createSocketServer((socket) => {
    let left = Buffer.alloc(0);
    let parameters = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      left = Buffer.concat([left, chunk as Buffer]);
      while (left.length >= 8) {
        const [type, id] = [left[1], left.readUInt16BE(2)];
        const end = 8 + left.readUInt16BE(4);
        if (left.length < end + (left[6] ?? 0)) return;
        if (type === 4) parameters = Buffer.concat([parameters, left.subarray(8, end)]);
        // The end of the parameters comes as an empty record; the body is of no interest.
        if (type === 4 && end === 8) {
          const text = `Content-Type: application/json\r\n\r\n${JSON.stringify(parametersIn(parameters))}`;
          socket.end(Buffer.concat([record(6, id, text), record(6, id, ''), record(3, id, '\0'.repeat(8))]));
          return;
        }
        left = left.subarray(end + (left[6] ?? 0));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

function record(type: number, id: number, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.from([1, type, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16BE(id, 2);
  header.writeUInt16BE(content.length, 4);
  return Buffer.concat([header, content]);
}

function parametersIn(bytes: Buffer): Record<string, string> {
  let at = 0;
  const length = () => {
    const isLong = (bytes[at] ?? 0) >= 0x80;
    const value = isLong ? bytes.readUInt32BE(at) & 0x7fffffff : (bytes[at] ?? 0);
    at += isLong ? 4 : 1;
    return value;
  };
  const found: Record<string, string> = {};
  while (at < bytes.length) {
    const [name, value] = [length(), length()];
    found[bytes.toString('utf8', at, at + name)] = bytes.toString('utf8', at + name, at + name + value);
    at += name + value;
  }
  return found;
}
