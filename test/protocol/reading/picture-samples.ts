// Real images, small enough to be built by hand: browsers show them.

import { crc32, deflateSync } from 'node:zlib';
import type { ImageType } from '../../../src/protocol/reading/image.ts';

export const place = 'taken at 52.5163 N 13.3777 E';
export const latin = (text: string) => Buffer.from(text, 'latin1');
export const bytesOf = (...parts: (Buffer | string | number)[]) =>
  Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : latin(coded(part)))));
const coded = (part: string | number) => (typeof part === 'number' ? String.fromCharCode(part) : part);
const number = (value: number, size: number, order: 'big' | 'little') => {
  const bytes = Buffer.alloc(size);
  if (order === 'big') bytes.writeUIntBE(value, 0, size);
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
};
export const big = (value: number, size = 4) => number(value, size, 'big');
const little = (value: number, size = 4) => number(value, size, 'little');

export const pngSignature = latin('\x89PNG\r\n\x1a\n');
export const pngChunk = (type: string, data: Buffer | string = '') => {
  const typed = bytesOf(type, data);
  return bytesOf(big(typed.length - 4), typed, big(crc32(typed)));
};
export const header = (width: number, height: number, kind = '\x08\x02\0\0\0') =>
  pngChunk('IHDR', bytesOf(big(width), big(height), kind));
const pixels = deflateSync(Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]));
export const idat = pngChunk('IDAT', pixels);
export const iend = pngChunk('IEND');
/** Two by two, for as long as the header says nothing else. */
export const png = (...chunks: Buffer[]) => bytesOf(pngSignature, ...chunks);
export const plainPng = png(header(2, 2), idat, iend);
export const animationControl = pngChunk('acTL', bytesOf(big(2), big(0)));
export const frameControl = (order: number, width = 2, height = 2, x = 0, y = 0) =>
  pngChunk('fcTL', bytesOf(...[order, width, height, x, y].map((value) => big(value)), '\0\x01\0\x0a\0\0'));
export const laterFrame = pngChunk('fdAT', bytesOf(big(2), pixels));
export const animatedPng = png(
  header(2, 2),
  animationControl,
  frameControl(0),
  idat,
  frameControl(1, 2, 2),
  laterFrame,
  iend,
);

export const segment = (marker: number, data: Buffer | string) => {
  const content = bytesOf(data);
  return bytesOf(0xff, marker, big(content.length + 2, 2), content);
};
export const soi = latin('\xff\xd8');
export const eoi = latin('\xff\xd9');
export const jfif = segment(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\0\0');
export const quantisation = segment(0xdb, bytesOf(0, Buffer.alloc(64, 1)));
/** One component, eight bits. */
export const frame = (width: number, height: number, marker = 0xc0) =>
  segment(marker, bytesOf(8, big(height, 2), big(width, 2), '\x01\x01\x11\0'));
/** One code each, a single bit: no difference, and no further coefficients. */
export const huffman = segment(0xc4, bytesOf(0, 1, Buffer.alloc(15), 0, 0x10, 1, Buffer.alloc(15), 0));
export const scan = bytesOf(segment(0xda, '\x01\x01\0\0\x3f\0'), 0x3f);
export const jpeg = (...segments: Buffer[]) => bytesOf(soi, ...segments, eoi);
export const shown = [quantisation, frame(8, 8), huffman, scan];
export const plainJpeg = jpeg(jfif, ...shown);
export const firstScan = bytesOf(segment(0xda, '\x01\x01\0\0\0\0'), 0x7f);
export const secondScan = bytesOf(segment(0xda, '\x01\x01\0\x01\x3f\0'), 0x7f);

type Order = 'big' | 'little';
export const exif = (order: Order, orientation: number, { type = 3, directory = 8 } = {}) => {
  const short = (value: number) => number(value, 2, order);
  const long = (value: number) => number(value, 4, order);
  // A type of two bytes stands at the beginning of its four, in either order.
  const value = type === 3 ? bytesOf(short(orientation), short(0)) : long(orientation);
  return bytesOf(
    'Exif\0\0',
    order === 'big' ? 'MM\0*' : 'II*\0',
    long(directory),
    Buffer.alloc(Math.max(0, Math.min(directory, 64) - 8)),
    bytesOf(short(3), short(0x010f), short(2), long(place.length), long(100)),
    bytesOf(short(0x0112), short(type), long(1), value),
    bytesOf(short(0x8825), short(4), long(1), long(100), long(0)),
    place,
  );
};
export const onlyOrientation = (orientation: number) =>
  segment(
    0xe1,
    bytesOf(
      'Exif\0\0MM\0*',
      big(8),
      big(1, 2),
      big(0x0112, 2),
      big(3, 2),
      big(1),
      big(orientation, 2),
      big(0, 2),
      big(0),
    ),
  );
export const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01a profile');
export const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\0');

export const riffChunk = (type: string, data: Buffer | string) => {
  const content = bytesOf(data);
  return bytesOf(type, little(content.length), content, Buffer.alloc(content.length % 2));
};
export const webp = (...chunks: Buffer[]) => riffChunk('RIFF', bytesOf('WEBP', ...chunks));
/** One color: five codes of a single symbol, and no bits at all for the pixels. */
export const lossless = (width: number, height: number) =>
  riffChunk('VP8L', bytesOf(0x2f, little(width - 1 + (height - 1) * 2 ** 14), '\x88\x88\x08'));
/** Nothing but zeros, which say that every option is off and every block is empty. */
export const lossy = (width: number, height: number) =>
  riffChunk(
    'VP8 ',
    bytesOf(little(0x10 | (64 << 5), 3), '\x9d\x01\x2a', little(width, 2), little(height, 2), Buffer.alloc(80)),
  );
export const extended = (flags: number, width: number, height: number) =>
  riffChunk('VP8X', bytesOf(flags, '\0\0\0', little(width - 1, 3), little(height - 1, 3)));
export const webpAnimation = riffChunk('ANIM', '\0\0\0\0\0\0');
export const webpFrame = (width: number, height: number, ...chunks: Buffer[]) =>
  riffChunk('ANMF', bytesOf(little(0, 6), little(width - 1, 3), little(height - 1, 3), little(100, 3), 0, ...chunks));
export const webpProfile = riffChunk('ICCP', 'a profile');
export const webpExif = riffChunk('EXIF', exif('little', 6));
export const webpXmp = riffChunk('XMP ', `<x:xmpmeta>${place}</x:xmpmeta>`);
export const animatedWebp = webp(
  extended(0x02, 4, 4),
  webpAnimation,
  webpFrame(4, 4, lossless(4, 4)),
  webpFrame(2, 2, lossless(2, 2)),
);

export const plain: { name: string; bytes: Buffer; contentType: ImageType }[] = [
  { name: 'a PNG', bytes: plainPng, contentType: 'image/png' },
  { name: 'an animated PNG', bytes: animatedPng, contentType: 'image/png' },
  { name: 'a PNG in several pieces', bytes: inPieces(), contentType: 'image/png' },
  {
    name: 'a PNG with what its colors need',
    bytes: png(header(2, 2), pngChunk('sRGB', '\0'), pngChunk('gAMA', big(45455)), idat, iend),
    contentType: 'image/png',
  },
  { name: 'a JPEG', bytes: plainJpeg, contentType: 'image/jpeg' },
  { name: 'a JPEG without JFIF', bytes: jpeg(...shown), contentType: 'image/jpeg' },
  {
    name: 'a progressive JPEG',
    bytes: jpeg(jfif, quantisation, frame(8, 8, 0xc2), huffman, firstScan, huffman, secondScan),
    contentType: 'image/jpeg',
  },
  {
    name: 'a JPEG with restarts and stuffed bytes among its pixels',
    bytes: jpeg(...shown, latin('\xff\0\xff\xd0\x3f\xff\xd7\xff\0')),
    contentType: 'image/jpeg',
  },
  { name: 'a JPEG with a color profile', bytes: jpeg(jfif, profile, adobe, ...shown), contentType: 'image/jpeg' },
  { name: 'a lossless WebP', bytes: webp(lossless(3, 2)), contentType: 'image/webp' },
  { name: 'a lossy WebP', bytes: webp(lossy(16, 16)), contentType: 'image/webp' },
  {
    name: 'an extended WebP',
    bytes: webp(extended(0x20, 16, 16), webpProfile, lossy(16, 16)),
    contentType: 'image/webp',
  },
  { name: 'an animated WebP', bytes: animatedWebp, contentType: 'image/webp' },
];

function inPieces(): Buffer {
  return png(header(2, 2), pngChunk('IDAT', pixels.subarray(0, 3)), pngChunk('IDAT', pixels.subarray(3)), iend);
}
