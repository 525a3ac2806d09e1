// Starts the writer thread and speaks with it. What the driver needs of a writer is an interface, because a process may
// use the thread of another one.

import { Worker } from 'node:worker_threads';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import type { WriteBatch } from './write-batch.ts';
import type { FromWriter, ToWriter, WriteAnswers, WriterOptions } from './writer.ts';

export interface Writer {
  /** Batches are taken in the order in which they are sent. */
  send(batch: WriteBatch): void;
  /** To be called when every write is answered. */
  close(): Promise<void>;
}

export interface WriterEvents {
  answered(answers: WriteAnswers): void;
  /** The writer has ended, and its unanswered writes are lost. */
  lost(loss: WriterLoss): void;
}

export interface WriterLoss {
  /** It responds after committing, so if it had opened the file, some of its writes may be committed. */
  readonly opened: boolean;
  readonly message: string;
}

export type StartWriter = (events: WriterEvents) => Writer;

export interface WriterThread extends Writer {
  /** Nothing more will come from this source. */
  forget(source: number): void;
}

export function startWriterThread(workerData: WriterOptions, events: WriterEvents): WriterThread {
  const thread = new Worker(new URL('./writer.ts', import.meta.url), { workerData });
  const post = (message: ToWriter) => thread.postMessage(message);
  let opened = false;
  thread.on('message', (message: FromWriter) => {
    if (message === 'opened') opened = true;
    else events.answered(message);
  });
  thread.on('error', (error: Error) => events.lost({ opened, message: messageOf(error) }));
  return {
    send: post,
    forget: (source) => post({ forget: source }),
    async close() {
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      post('close');
      await ended;
    },
  };
}
