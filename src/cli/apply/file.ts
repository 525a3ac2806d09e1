// Reads the file of `latchkey apply` from disk or standard input, with the images that it names, and for --export writes what
// there is as a file that would change nothing. Its images are files beside it; on standard output they're part of the text.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Description, SecretPlace, SecretReader } from '../../operations/apply/file-section.ts';
import { readApplyFile } from '../../operations/apply/read-section.ts';
import type { Services } from '../../operations/services.ts';
import type { Environment } from '../../platform/config.ts';
import { isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { CommandFailed } from '../command.ts';
import { print, safeLines } from '../terminal/output.ts';
import { sections } from './sections.ts';

const inline = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/;

export async function readDescription(file: string, environment: Environment): Promise<Description> {
  const name = file === '-' ? 'standard input' : file;
  const folder = file === '-' ? '.' : dirname(file);
  const text = decode(name, await readSource(name, file));
  const secretAt: SecretReader = (place) => readSecret(folder, place, environment);
  const read = readApplyFile(sections, text, { imageAt: (path) => readImage(folder, path), secretAt });
  if (read.kind === 'read') return read.file;
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
    const file = resolve(folder, path);
    // A device or a pipe may never end.
    return statSync(file).isFile() ? readFileSync(file) : "can't read the image: it isn't a regular file";
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
    return file === '-' ? await buffer(process.stdin) : readFileSync(file);
  } catch (error) {
    throw new CommandFailed(`can't read ${name}: ${messageOf(error)}.`);
  }
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailed(`${name} isn't UTF-8 text.`);
  }
}

export async function exportTo(services: Services, file: string | undefined): Promise<void> {
  if (file === undefined || file === '-') return print(await exported(services, inText));
  const images: string[] = [];
  try {
    const text = await exported(services, (name, image) => {
      // The same on every system, and relative to the file.
      const path = `images/${name}.${image.contentType.replace('image/', '').replace('jpeg', 'jpg')}`;
      writeWhole(join(dirname(file), path), image.bytes);
      images.push(path);
      return path;
    });
    writeWhole(file, `${safeLines(text)}\n`);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CommandFailed(`can't write ${file}: ${messageOf(error)}.`);
  }
  const count = images.length === 1 ? '1 image' : `${images.length} images`;
  print(`Wrote ${file}${images.length === 0 ? '' : ` and ${count} beside it`}.`);
}

async function exported(services: Services, writeImage: ImageWriter): Promise<string> {
  const file: Record<string, unknown> = {};
  for (const section of sections) file[section.name] = await section.export(services, writeImage);
  return JSON.stringify(file, null, 2);
}

const inText: ImageWriter = (_name, { contentType, bytes }) =>
  `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;

/** Renamed when it is complete, so that a partial file never has its name. */
function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
