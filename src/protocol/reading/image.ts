// Detects the image formats that are safe to hand to a browser, by content and never by file name, and strips metadata
// from uploaded pictures. Pixels are never decoded, so an upload costs one pass over its bytes. What is kept of each
// format is decided in images/.

import { readJpeg } from './images/jpeg.ts';
import { type ImageProblem, type KeptParts, pictureLimits } from './images/picture-size.ts';
import { readPng } from './images/png.ts';
import { readWebp } from './images/webp.ts';

export { type ImageProblem, pictureLimits };

export const logoLimit = 512 * 1024;
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

const readers: Record<ImageType, (bytes: Buffer) => KeptParts> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

export type PictureReading =
  | { kind: 'picture'; contentType: ImageType; bytes: Uint8Array }
  | { kind: 'invalid'; problem: ImageProblem };

export function recogniseImage(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/** Why an unknown format is refused, as the end of a sentence. */
export function notAnImage(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('utf8');
  const isSvg = start.trimStart().startsWith('<') && /<svg\b/i.test(start);
  return `is not a PNG, JPEG or WebP image${isSvg ? '; SVG is not accepted, because it can contain scripts' : ''}`;
}

/** Returns a copy without metadata, which is never longer than the original. */
export function readPicture(bytes: Uint8Array): PictureReading {
  if (bytes.length === 0) return { kind: 'invalid', problem: 'not_a_picture' };
  if (bytes.length > pictureLimits.bytes) return { kind: 'invalid', problem: 'too_large' };
  const contentType = recogniseImage(bytes);
  if (contentType === undefined) return { kind: 'invalid', problem: 'not_a_picture' };
  const kept = readers[contentType](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (typeof kept === 'string') return { kind: 'invalid', problem: kept };
  return { kind: 'picture', contentType, bytes: new Uint8Array(Buffer.concat(kept)) };
}
