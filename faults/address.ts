// An address in front of a server: it can be moved to another one, and it can hang, which neither side notices.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Address {
  readonly port: number;
  /** For new connections. */
  leadTo(port: number): void;
  /** From now on, connections are accepted, and nothing arrives. */
  hang(): void;
  /** What was sent meanwhile arrives. */
  goOn(): void;
  stop(): Promise<void>;
}

type Pair = readonly [client: Socket, server: Socket];

export async function startAddress(first: number): Promise<Address> {
  let target = first;
  let hangs = false;
  const pairs = new Set<Pair>();
  const join = ([client, server]: Pair) => void client.pipe(server).pipe(client);
  const server = createServer((client) => {
    const pair: Pair = [client, connect(target, '127.0.0.1')];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (!hangs) join(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
    },
    hang() {
      hangs = true;
      for (const pair of pairs) for (const socket of pair) socket.unpipe();
    },
    goOn() {
      hangs = false;
      for (const pair of pairs) join(pair);
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await closed;
    },
  };
}
