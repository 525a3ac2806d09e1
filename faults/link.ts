// A connection between two servers that can be cut without either of them noticing, as when a cable is pulled.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Link {
  readonly port: number;
  /** What is sent from now on doesn't arrive. */
  cut(): void;
  /** New connections work; those that were cut break. */
  mend(): void;
  stop(): Promise<void>;
}

export async function startLink(target: number): Promise<Link> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk) => isCut || other.write(chunk));
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
