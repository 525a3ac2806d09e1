// Somebody between an application and the service who changes ID tokens on the way. The service's base URL is the proxy's
// address, so that applications and browsers know no other.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

const tamperings = {
  /** The claims as they were, signed by somebody who does not know the secret. */
  'a foreign signature': (token: string) => {
    const signed = token.slice(0, token.lastIndexOf('.'));
    return `${signed}.${createHmac('sha256', 'a key of their own').update(signed).digest('base64url')}`;
  },
  /** The claims as they were, under a header that says that nobody signed them. */
  'no signature': (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    // Optional, and impossible to check without an algorithm.
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
  /** Where requests go; set once the service behind is known. */
  target: string;
  tampering: Tampering | undefined;
  /** How many tokens have been changed. */
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
