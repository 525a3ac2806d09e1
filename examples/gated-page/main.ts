// A page without sign-in code, and the proxy in front of it that asks Latchkey's gate. In real life the page would be your wiki or your
// dashboard, and the proxy nginx, Caddy or Traefik.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageServer } from './page.ts';
import { gatedProxy } from './proxy.ts';

const { PAGE_URL = '', GATE_PORT = '', ISSUER = '', DEMO_APP_URL = '' } = process.env;

/** Only this machine can connect. Whoever reaches the page without the proxy can claim to be anyone. */
function listen(handler: RequestListener, port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(handler).listen(port, '127.0.0.1', () => resolve(server));
    server.on('error', (error) => {
      process.stderr.write(`gated page: ${error.message}\n`);
      process.exit(1);
    });
  });
}

const page = await listen(pageServer({ page: PAGE_URL, latchkey: ISSUER, demoApp: DEMO_APP_URL }), 0);
const { port } = page.address() as AddressInfo;
await listen(gatedProxy(Number(GATE_PORT), port), Number(new URL(PAGE_URL).port));
process.stdout.write(`ready at ${PAGE_URL}\n`);
