// Computes bcrypt, one hash at a time. It's JavaScript, which would block the event loop.

import { parentPort } from 'node:worker_threads';
import { hashSync } from 'bcryptjs';

/** `settings` is the beginning of a hash: version, cost and salt. */
export interface BcryptJob {
  readonly password: string;
  readonly settings: string;
}

const port = parentPort;
if (port === null) throw new Error('bcrypt runs in a worker thread');
port.on('message', ({ password, settings }: BcryptJob) => port.postMessage(hashSync(password, settings)));
