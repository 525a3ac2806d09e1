// A proxy between applications and the service that tampers with ID tokens. The service's base URL is the proxy's, so
// that applications and browsers know no other address.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

const tamperings = {
  /** The same claims, signed with another key. */
  'a foreign signature': (token: string) => {
    const signed = token.slice(0, token.lastIndexOf('.'));
    return `${signed}.${createHmac('sha256', 'a key of their own').update(signed).digest('base64url')}`;
  },
  /** The same claims, under a header that says they aren't signed. */
  'no signature': (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    // It is optional, and depends on the algorithm.
    delete claims.at_hash;
    return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`;
  },
};

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

export type Tampering = keyof typeof tamperings;

export interface TamperingProxy {
  readonly url: string;
  /** The service behind the proxy. */
  target: string;
  tampering: Tampering | undefined;
  /** How many tokens were changed. */
  tampered: number;
  stop(): Promise<void>;
}

export async function startTamperingProxy(): Promise<TamperingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request(new URL(path ?? '/', proxy.target), { method, headers }, (answer) => {
      const changes = path === '/oauth/token' && answer.statusCode === 200 && proxy.tampering !== undefined;
      if (changes) void change(answer, outgoing);
      else answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders));
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });

  async function change(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (proxy.tampering !== undefined) body.id_token = tamperings[proxy.tampering](body.id_token);
    proxy.tampered++;
    const text = JSON.stringify(body);
    outgoing.writeHead(200, { ...answer.headers, 'content-length': Buffer.byteLength(text) }).end(text);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const proxy: TamperingProxy = {
    url: `http://localhost:${address.port}`,
    target: '',
    tampering: undefined,
    tampered: 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
