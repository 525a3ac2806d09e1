// One writer of the embedded store for all workers: a thread of the primary process. Two writers would wait for each
// other's lock on the file, and each would commit half as much at a time. The primary passes batches and answers on as they
// are, over the channel that it has to each worker anyway.

import type { Worker } from 'node:cluster';
import { statSync } from 'node:fs';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { lostFileCheck } from '../../storage/sqlite/lost-file.ts';
import { defaultBusyTimeout } from '../../storage/sqlite/sqlite.ts';
import type { WriteBatch } from '../../storage/sqlite/write-batch.ts';
import type { WriteAnswers } from '../../storage/sqlite/writer.ts';
import {
  type StartWriter,
  startWriterThread,
  type WriterLoss,
  type WriterThread,
} from '../../storage/sqlite/writer-thread.ts';

/** The source of what the primary process writes. */
const primary = 0;

type ToWorker = WriteAnswers | { readonly lost: WriterLoss };

/** A worker's end. */
export const writerOfPrimary: StartWriter = (events) => {
  const take = (message: ToWorker) => {
    if ('ids' in message) events.answered(message);
    if ('lost' in message) {
      process.off('message', take);
      events.lost(message.lost);
    }
  };
  process.on('message', take);
  return {
    // If it cannot be sent, the primary is gone, and this process ends with it.
    send: (batch) => process.send?.(batch, undefined, undefined, () => {}),
    close: async () => void process.off('message', take),
  };
};

/** The primary's end. The thread starts with the first batch, so that a store that no worker uses stays closed. */
export function sharedWriter(file: string) {
  let thread: WriterThread | undefined;
  let requireFile = () => {};
  /** Whom the thread writes for, by the source of their batches: workers, and this process. */
  const answering = new Map<number, (message: ToWorker) => void>();

  const send = (worker: Worker) => (message: ToWorker) => {
    // A worker that has died meanwhile needs no answer.
    if (worker.isConnected()) worker.send(message, undefined, undefined, () => {});
  };

  const startThread = () => {
    requireFile = lostFileCheck(file, statSync(file));
    return startWriterThread(
      { file, busyTimeout: defaultBusyTimeout },
      {
        answered: (answers) => answering.get(answers.source)?.(answers),
        lost(loss) {
          thread = undefined;
          const all = [...answering.values()];
          answering.clear();
          for (const answer of all) answer({ lost: loss });
        },
      },
    );
  };

  /**
   * A worker that was started after the file was replaced reads the new file, and the thread would write to the old one.
   */
  const startedThread = () => {
    thread ??= startThread();
    requireFile();
    return thread;
  };

  return {
    /** Takes the batches of a worker from now on. */
    serve(worker: Worker) {
      /** The thread that the worker's batches are for, and which of its writers it takes it for. */
      let used: { thread: WriterThread; as: number } | undefined;
      worker.on('message', (message: WriteBatch | object | string) => {
        // Not everything that a worker says is for the writer.
        if (typeof message === 'string' || !('source' in message)) return;
        if (used?.as !== message.source) {
          try {
            used = { thread: startedThread(), as: message.source };
            answering.set(worker.id, send(worker));
          } catch (error) {
            return send(worker)({ lost: { opened: false, message: messageOf(error) } });
          }
        }
        // What was sent to a thread that has died since is lost with it, as the worker knows or is about to hear.
        if (used.thread === thread) thread.send({ ...message, source: worker.id });
      });
      // Not on exit, after which a last message may still arrive.
      worker.once('disconnect', () => {
        answering.delete(worker.id);
        used?.thread.forget(worker.id);
      });
    },

    /** For what the primary process writes itself. Workers are counted from 1. */
    forPrimary: ((events) => {
      const own = startedThread();
      answering.set(primary, (message) => ('lost' in message ? events.lost(message.lost) : events.answered(message)));
      return {
        send: (batch) => own.send({ ...batch, source: primary }),
        async close() {
          answering.delete(primary);
          own.forget(primary);
        },
      };
    }) satisfies StartWriter,

    /** To be called when all workers have ended. */
    async close() {
      await thread?.close();
    },
  };
}
