// bcrypt of another service, in threads that are started when there is work and end when there is none. The queue of
// passwords limits how many there are.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ForeignHash } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { BcryptJob } from './bcrypt-thread.ts';

/** The computed hash and the expected one, which have the same length. */
export interface Comparison {
  readonly computed: Uint8Array;
  readonly expected: Uint8Array;
}

/** Milliseconds that a thread waits for more work. */
const patience = 30_000;
/** The length of version, cost and salt. */
const settingsLength = 29;

type Compute = (job: BcryptJob) => Promise<string>;

export function bcryptThreads(): Compute {
  /** With the timer that ends each of them. */
  const idle = new Map<Worker, NodeJS.Timeout>();

  function start(): Worker {
    const thread = new Worker(new URL('./bcrypt-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    // The pending computation also gets this error and rejects.
    thread.on('error', () => idle.delete(thread));
    return thread;
  }

  function take(): Worker {
    for (const [thread, timer] of idle) {
      clearTimeout(timer);
      idle.delete(thread);
      thread.ref();
      return thread;
    }
    return start();
  }

  function rest(thread: Worker): void {
    thread.unref();
    const end = () => {
      idle.delete(thread);
      void thread.terminate();
    };
    idle.set(thread, setTimeout(end, patience).unref());
  }

  return async (job) => {
    const thread = take();
    thread.postMessage(job);
    const [answer] = await once(thread, 'message');
    rest(thread);
    return answer;
  };
}

export async function compareBcrypt(
  password: Uint8Array,
  { text, prehashed }: Extract<ForeignHash, { algorithm: 'bcrypt' }>,
  compute: Compute,
): Promise<Comparison> {
  const message = prehashed ? createHash('sha256').update(password).digest('hex') : Buffer.from(password).toString();
  // Like the services that made these hashes, this ignores what comes after the first 72 bytes.
  const answer = await compute({ password: message, settings: text.slice(0, settingsLength) });
  return { computed: digestIn(answer), expected: digestIn(text) };
}

function digestIn(text: string): Uint8Array {
  return Buffer.from(text.slice(settingsLength));
}
