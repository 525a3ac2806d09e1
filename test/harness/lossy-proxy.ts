// Somebody between the service and PostgreSQL who loses answers: what was asked is carried out, and the connection breaks
// before the service hears of it.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  readonly port: number;
  /** How many answers were lost. */
  lost: number;
  /** Loses the answer to the next message that contains this text, and with `thenGone` everything after it as well. */
  loseAnswerTo(text: string, options?: { thenGone: boolean }): void;
  /** Goes on after `thenGone`. */
  comeBack(): void;
  stop(): Promise<void>;
}

/** The message by which PostgreSQL says that it has finished, outside of a transaction or in one. */
const ready = /Z\0\0\0\x05[IT]$/;

/** Several messages may be under way. Once no answer has come for this long, in milliseconds, all are answered. */
const quietFor = 20;

export async function startLossyProxy(target: number): Promise<LossyProxy> {
  let wanted: string | undefined;
  let thenGone = false;
  let gone = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (gone) return client.destroy();
    const database = connect(target, '127.0.0.1');
    let withheld: string | undefined;
    let quiet: NodeJS.Timeout | undefined;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (wanted !== undefined && chunk.toString('latin1').includes(wanted)) {
        wanted = undefined;
        withheld = '';
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (withheld === undefined) return client.write(chunk);
      withheld += chunk.toString('latin1');
      clearTimeout(quiet);
      if (ready.test(withheld)) quiet = setTimeout(lose, quietFor);
    });
    const lose = () => {
      proxy.lost++;
      gone = thenGone;
      for (const socket of gone ? sockets : [client]) socket.destroy();
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: LossyProxy = {
    port: (server.address() as AddressInfo).port,
    lost: 0,
    loseAnswerTo(text, options = { thenGone: false }) {
      wanted = text;
      thenGone = options.thenGone;
    },
    comeBack() {
      gone = false;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
