// A proxy between the gate and Latchkey that answers in its place, or changes what it answers. Latchkey's base URL is the
// proxy's, so that the gate knows no other address.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestService, type TestService } from '../harness/service.ts';

export type Json = Record<string, unknown>;

export interface InBetween {
  readonly service: TestService;
  /** Answers in Latchkey's place, unless it returns false. */
  answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  /** Changes the JSON that Latchkey has answered with, by path. */
  readonly change: Map<string, (body: Json) => unknown>;
  /** Paths of what the gate has asked for, in order. */
  readonly asked: string[];
  /** Nobody listens any more, until it's back. */
  away(): Promise<void>;
  back(): Promise<void>;
  /** Lets Latchkey answer again, unchanged. */
  reset(): void;
  stop(): Promise<void>;
}

export async function startInBetween(): Promise<InBetween> {
  let target = '';
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '/', headers } = incoming;
    between.asked.push(path);
    if (between.answer !== undefined && between.answer(incoming, outgoing) !== false) return;
    const passed = request(new URL(path, target), { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const change = answer.statusCode === 200 ? between.change.get(path) : undefined;
      const text = change === undefined ? body : JSON.stringify(change(JSON.parse(body.toString())));
      const { 'transfer-encoding': _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': Buffer.byteLength(text) }).end(text);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const service = await startTestService({ LATCHKEY_BASE_URL: `http://127.0.0.1:${port}` });
  target = service.url;
  const between: InBetween = {
    service,
    answer: undefined,
    change: new Map(),
    asked: [],
    away: close,
    back: () => listen(port),
    reset() {
      between.answer = undefined;
      between.change.clear();
      between.asked.length = 0;
    },
    async stop() {
      if (server.listening) await close();
      await service.stop();
    },
  };
  return between;
}
