// Somebody between the service and PostgreSQL who loses answers: what was asked is carried out, and the connection breaks
// before the service hears of it.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  readonly port: number;
  /** How many answers were lost. */
  lost: number;
  /** Loses the answer to the next message that contains this text, and with `thenGone` everything after it as well. */
  loseAnswerTo(text: string, options?: { thenGone: boolean }): void;
  /** The next message that contains this text doesn't arrive, nor does anything after it. */
  loseQuestion(text: string): void;
  /** Goes on after `thenGone` or a lost question. */
  comeBack(): void;
  stop(): Promise<void>;
}

/** The message by which PostgreSQL says that it has finished what one of these asked for. */
const ready = 'Z';
const questions = ['the first', 'Q', 'S'];

/** Whether the server has TLS is asked before anything else, and answered with a single byte. */
const asksForTls = (chunk: Buffer) => chunk.length === 8 && chunk.readUInt32BE(4) === 80_877_103;

/** Several questions may be under way. Once all are answered and no other has come for this long, in milliseconds, that's all. */
const quietFor = 20;

/** Counts the messages of these types in what one side sends. The client's first message has no type. */
function messageCounter(types: readonly string[], isClient: boolean): (chunk: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let count = 0;
    for (;;) {
      const typeLength = isFirst ? 0 : 1;
      if (rest.length < typeLength + 4) return count;
      const length = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < length) return count;
      if (types.includes(isFirst ? 'the first' : rest.toString('latin1', 0, 1))) count++;
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}

export async function startLossyProxy(target: number): Promise<LossyProxy> {
  let wanted: string | undefined;
  let unwanted: string | undefined;
  let thenGone = false;
  let gone = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (gone) return client.destroy();
    const database = connect(target, '127.0.0.1');
    const questionsIn = messageCounter(questions, true);
    const answersIn = messageCounter([ready], false);
    let unanswered = 0;
    let isWithheld = false;
    let isAskingForTls = false;
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
    client.on('data', (chunk: Buffer) => {
      isAskingForTls = asksForTls(chunk);
      if (isAskingForTls) return database.write(chunk);
      clearTimeout(quiet);
      if (unwanted !== undefined && chunk.toString('latin1').includes(unwanted)) {
        unwanted = undefined;
        gone = true;
        for (const socket of sockets) socket.destroy();
        return;
      }
      unanswered += questionsIn(chunk);
      if (wanted !== undefined && chunk.toString('latin1').includes(wanted)) {
        wanted = undefined;
        isWithheld = true;
      }
      database.write(chunk);
    });
    database.on('data', (chunk: Buffer) => {
      if (isAskingForTls) return client.write(chunk);
      unanswered -= answersIn(chunk);
      if (!isWithheld) client.write(chunk);
      else if (unanswered === 0) quiet = setTimeout(lose, quietFor);
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
    loseQuestion(text) {
      unwanted = text;
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
