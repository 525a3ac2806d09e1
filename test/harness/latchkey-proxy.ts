// What stands between a gate and Latchkey, whose base URL is the proxy's: it passes requests on, or is as slow, as broken or as
// dead as a test wants Latchkey to be.

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const behaviors = ['pass', 'slow', 'hang', 'drop', 'fail', 'page'] as const;
export type Behavior = (typeof behaviors)[number];

export interface LatchkeyProxy {
  readonly url: string;
  /** The service behind it. */
  target: string;
  /** What happens to requests of the gate: pages that people see are always passed on. */
  behavior: Behavior;
  /** Method and path of the gate's requests, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const slowness = 100;

export async function startLatchkeyProxy(): Promise<LatchkeyProxy> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '/', headers } = incoming;
    const isGate = headers['user-agent'] === 'Latchkey gate';
    if (isGate) asked.push(`${method} ${path}`);
    const pass = () => {
      const passed = request(new URL(path, proxy.target), { method, headers }, (answer) =>
        answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)),
      );
      passed.once('error', () => outgoing.destroy());
      incoming.pipe(passed);
    };
    const { behavior } = proxy;
    if (!isGate || behavior === 'pass') pass();
    else if (behavior === 'slow') setTimeout(pass, slowness);
    else if (behavior === 'drop') outgoing.destroy();
    else if (behavior === 'fail') outgoing.writeHead(503).end('{"error":"temporarily_unavailable"}');
    else if (behavior === 'page')
      outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Log in to the Wi-Fi</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: LatchkeyProxy = {
    url: `http://localhost:${port}`,
    target: '',
    behavior: 'pass',
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
