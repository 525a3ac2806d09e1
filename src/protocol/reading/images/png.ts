// PNG: a signature, then chunks of length, type, data and checksum. Keeps the chunks that a decoder needs.

import { type KeptParts, type Size, sizeProblem } from './picture-size.ts';

/** Every other chunk is text, a timestamp, a location or private to some program; no decoder needs it. */
const keptChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
);

/** The bit depths that each color type allows. */
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

export function readPng(bytes: Buffer): KeptParts {
  const kept = [bytes.subarray(0, 8)];
  let size: Size | undefined;
  let hasData = false;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return 'not_a_picture';
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, end - 4);
    const chunk = bytes.subarray(at, end);
    at = end;

    if ((type === 'IHDR') !== (size === undefined)) return 'not_a_picture';
    if (!keptChunks.has(type)) {
      // A lower-case first letter marks a chunk that a decoder may skip.
      if (/^[a-z][A-Za-z]{3}$/.test(type)) continue;
      return 'not_a_picture';
    }
    if (checksumOf(chunk) !== chunk.readUInt32BE(chunk.length - 4)) return 'not_a_picture';
    kept.push(chunk);

    if (size === undefined) {
      if (!isHeader(data)) return 'not_a_picture';
      size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
      const problem = sizeProblem(size);
      if (problem !== undefined) return problem;
    }
    if (type === 'fcTL' && !isFrameWithin(data, size)) return 'not_a_picture';
    if (type === 'IDAT' && data.length > 0) hasData = true;
    // Anything after the end is dropped: some editors leave cropped parts of the picture there.
    if (type === 'IEND') return hasData && data.length === 0 ? kept : 'not_a_picture';
  }
  return 'not_a_picture';
}

function isHeader(data: Buffer): boolean {
  const [depth = 0, color = 0, compression, filter, interlace = 0] = data.subarray(8);
  if (data.length !== 13 || compression !== 0 || filter !== 0 || interlace > 1) return false;
  return depths[color]?.includes(depth) ?? false;
}

/** Whether the frame control chunk of an animation stays within the picture. */
function isFrameWithin(data: Buffer, size: Size): boolean {
  if (data.length !== 26) return false;
  const right = data.readUInt32BE(4) + data.readUInt32BE(12);
  const bottom = data.readUInt32BE(8) + data.readUInt32BE(16);
  return right <= size.width && bottom <= size.height;
}

/** Without an import statement, which would load zlib with each start of the service: 5 ms and 2 MB. */
function checksumOf(chunk: Buffer): number {
  return process.getBuiltinModule('node:zlib').crc32(chunk.subarray(4, -4));
}
