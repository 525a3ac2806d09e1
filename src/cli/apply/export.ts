// `latchkey apply --export`: writes what there is as a file that would change nothing. Into a file, the images are files
// beside it; on standard output they're part of the text.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Services } from '../../operations/services.ts';
import { isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import type { Logo } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';
import { print, safeLines } from '../terminal/output.ts';
import { sections } from './sections.ts';

export async function exportTo(services: Services, file: string | undefined): Promise<void> {
  if (file === undefined || file === '-') return print(await exported(services, inText));
  const images: string[] = [];
  try {
    const text = await exported(services, (name, image) => {
      // The same on every system, and relative to the file.
      const path = `images/${name}${endingOf(image)}`;
      writeWhole(join(dirname(file), path), image.bytes);
      images.push(path);
      return path;
    });
    writeWhole(file, `${safeLines(text)}\n`);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CommandFailed(`Can't write ${file}: ${messageOf(error)}.`);
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

function endingOf({ contentType }: Logo): string {
  return `.${contentType.replace('image/', '').replace('jpeg', 'jpg')}`;
}

/** Nobody finds half a file, whatever happens meanwhile. */
function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
