// A proxy between the application and the service that remembers every secret they exchange, and changes the ID token
// if a test asks for it.

import { request as ask, createServer, type IncomingMessage } from 'node:http';

export interface TokenProxy {
  /** Every code, verifier and token that passed through. */
  readonly secrets: Set<string>;
  /** Applied to each ID token on its way to the application. */
  changeIdToken: (idToken: string) => string;
  /** Called before an exchange reaches the service. */
  beforeExchange: () => void;
  stop(): Promise<void>;
}

export async function startTokenProxy(port: number, serviceUrl: string): Promise<TokenProxy> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await bytesOf(incoming);
      const isToken = incoming.url === '/oauth/token';
      if (isToken) proxy.beforeExchange();
      const { method = 'GET', url: path = '/', headers } = incoming;
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        ask(new URL(path, serviceUrl), { method, headers }, resolve).on('error', reject).end(body);
      });
      const received = await bytesOf(answer);
      const sent = isToken ? proxy.changed(body, received) : received;
      const length = { 'content-length': String(sent.length) };
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...(isToken ? length : {}) }).end(sent);
    })();
  });
  const proxy = {
    secrets: new Set<string>(),
    changeIdToken: (idToken: string) => idToken,
    beforeExchange: () => {},
    changed(form: Buffer, received: Buffer): Buffer {
      const sent = new URLSearchParams(form.toString());
      const tokens = JSON.parse(received.toString()) as Record<string, string>;
      if (tokens.id_token !== undefined) tokens.id_token = proxy.changeIdToken(tokens.id_token);
      const named = [sent.get('code'), sent.get('code_verifier'), sent.get('refresh_token')];
      // The signature of a token alone must not show up either.
      const parts = [tokens.access_token, tokens.id_token].flatMap((token) => [token, token?.split('.')[2]]);
      for (const secret of [...named, ...parts, tokens.refresh_token]) if (secret) proxy.secrets.add(secret);
      return Buffer.from(JSON.stringify(tokens));
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return proxy;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
