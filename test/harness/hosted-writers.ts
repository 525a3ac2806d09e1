// One thread that the embedded stores of one command after another write in. Starting a thread takes longer than most
// commands, so the process that runs them (command-process.ts) starts one for all. To a store it looks like a thread of its
// own: the writer's module runs anew for each, with its data and a port to whoever started it.

import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread, MessageChannel, type MessagePort, type WorkerOptions } from 'node:worker_threads';

interface WriterStart {
  readonly url: string;
  readonly workerData: unknown;
  readonly port: MessagePort;
}

/** As Node has it, whatever takes its place. */
const { Worker: OwnThread } = threads;
const writerModule = new URL('../../src/storage/sqlite/writer.ts', import.meta.url).href;

/** From now on, whoever starts the writer's thread gets one that is there already, unless another store writes in it. */
export function hostWriters(): void {
  let host: threads.Worker | undefined;
  let current: HostedWriter | undefined;
  threads.Worker = new Proxy(OwnThread, {
    construct(_, [file, options]: [URL | string, WorkerOptions]) {
      const url = String(file);
      if (url !== writerModule || current !== undefined) return new OwnThread(file, options);
      host ??= startHost((error) => {
        host = undefined;
        current?.emit('error', error);
      });
      current = new HostedWriter(host, url, options);
      current.once('exit', () => {
        current = undefined;
      });
      return current;
    },
  });
  syncBuiltinESMExports();
}

function startHost(onDeath: (error: Error) => void): threads.Worker {
  const host = new OwnThread(new URL(import.meta.url));
  host.once('error', onDeath);
  // While no store writes, it keeps no command alive.
  host.unref();
  return host;
}

/** What a store uses of a Worker. */
class HostedWriter extends EventEmitter {
  readonly #port: MessagePort;

  constructor(host: threads.Worker, url: string, { workerData }: WorkerOptions) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit(message instanceof Error ? 'error' : 'message', message));
    port1.once('close', () => this.emit('exit'));
    host.postMessage({ url, workerData, port: port2 } satisfies WriterStart, [port2]);
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }
}

if (!isMainThread) {
  let writers = 0;
  threads.parentPort?.on('message', async ({ url, workerData, port }: WriterStart) => {
    Object.assign(threads, { parentPort: port, workerData });
    syncBuiltinESMExports();
    try {
      await import(`${url}?${++writers}`);
    } catch (error) {
      port.postMessage(error);
      port.close();
    }
  });
}
