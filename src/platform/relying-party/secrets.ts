// The secret of an application as an operator gives it: a line, or two while it's rotated, newest first.

import { readFileSync } from 'node:fs';
import { isPlainText } from '../../protocol/reading/control-characters.ts';

/** At most two. */
export type Secrets = readonly [newest: string, ...older: string[]];

export interface SecretSource {
  /** Read again when it has changed; undefined for a secret from the environment, which stays. */
  readonly file: string | undefined;
  readonly secrets: Secrets;
}

/** What is wrong is the end of a sentence, and never repeats the text. */
export function readSecrets(text: string): Secrets | { readonly problem: string } {
  // Editors and `echo` end a file with a newline.
  const lines = text.replace(/[\r\n]+$/, '').split(/\r?\n/);
  const [newest = '', older, ...more] = lines;
  if (lines.every((line) => line.trim() === '')) return { problem: 'is empty' };
  if (more.length > 0 || lines.some((line) => line.trim() === '' || !isPlainText(line))) {
    return { problem: 'must contain a line of text, or two: the newest secret first' };
  }
  return older === undefined ? [newest] : [newest, older];
}

/** Milliseconds. */
const lookAgainAfter = 1000;

/** The secrets as they are now, so that a rotation needs no restart. A file that can't be read leaves them as they were. */
export function currentSecrets({ file, secrets }: SecretSource, now = () => performance.now()): () => Secrets {
  let latest = secrets;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (file === undefined || now() - readAt < lookAgainAfter) return latest;
    readAt = now();
    try {
      const read = readSecrets(readFileSync(file, 'utf8'));
      if (!('problem' in read)) latest = read;
    } catch {
      // Whoever replaces it may have removed it first.
    }
    return latest;
  };
}
