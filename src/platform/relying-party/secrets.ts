// The secrets of a client as its file has them now, so that a rotation needs no restart.

import { readFileSync } from 'node:fs';
import { readSecrets, type SecretSource, type Secrets } from '../config-file/members.ts';

/** Milliseconds. */
const lookAgainAfter = 1000;

/** A file that can't be read leaves them as they were, and the environment doesn't change. */
export function currentSecrets({ file, secrets }: SecretSource, now = () => performance.now()): () => Secrets {
  let latest = secrets;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (file === undefined || now() - readAt < lookAgainAfter) return latest;
    readAt = now();
    try {
      const read = readSecrets(readFileSync(file, 'utf8'), 2);
      if (!('problem' in read)) latest = read;
    } catch {
      // Whoever replaces it may have removed it first.
    }
    return latest;
  };
}
