// Reads the file of `latchkey apply` from disk or standard input, and the images that it names.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SecretPlace, SecretReader } from '../../operations/admin/applied-resource.ts';
import { type Description, readApplyFile } from '../../operations/apply/apply-file.ts';
import type { Environment } from '../../platform/config.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed } from '../command.ts';

const inline = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/;

export async function readDescription(file: string, environment: Environment): Promise<Description> {
  const name = file === '-' ? 'standard input' : file;
  const folder = file === '-' ? '.' : dirname(file);
  const text = decode(name, await readSource(name, file));
  const secretAt: SecretReader = (place) => readSecret(folder, place, environment);
  const read = readApplyFile(text, (path) => readImage(folder, path), secretAt);
  if (read.kind === 'read') return read;
  const problems = read.problems.map((problem) => `  - ${problem}`).join('\n');
  throw new CommandFailed(`${name} has problems. Nothing was changed:\n${problems}`);
}

/** The image, which is a file or in the text itself, or why it can't be read. */
function readImage(folder: string, path: string): Uint8Array | string {
  if (path.startsWith('data:')) {
    const [, bytes] = inline.exec(path) ?? [];
    return bytes === undefined ? "the image isn't a data URL with an image in base64" : Buffer.from(bytes, 'base64');
  }
  try {
    return readFileSync(resolve(folder, path));
  } catch (error) {
    return `can't read the image: ${messageOf(error)}`;
  }
}

/** What is in the variable or the file, without the line break at its end. */
function readSecret(folder: string, place: SecretPlace, environment: Environment): ReturnType<SecretReader> {
  if ('env' in place) {
    const secret = environment[place.env];
    return secret === undefined ? { problem: `the variable ${place.env} isn't set` } : { secret: secret.trim() };
  }
  try {
    return { secret: readFileSync(resolve(folder, place.file), 'utf8').trim() };
  } catch (error) {
    return { problem: `can't read the secret: ${messageOf(error)}` };
  }
}

async function readSource(name: string, file: string): Promise<Uint8Array> {
  try {
    if (file !== '-') return readFileSync(file);
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new CommandFailed(`Can't read ${name}: ${messageOf(error)}.`);
  }
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailed(`${name} isn't UTF-8 text.`);
  }
}
