// WebP: one chunk of pixels, or an extended file with a header, a profile, and an image or the frames of an animation.
// Keeps these and drops metadata and unknown chunks.

import { type KeptParts, type Size, sizeProblem } from './picture-size.ts';
import { type RiffChunk, readChunks, writeChunk } from './riff.ts';

/** The flags of the extended header that describe what is kept; the others announce metadata. */
const flag = { profile: 0x20, alpha: 0x10, animation: 0x02 };

export function readWebp(bytes: Buffer): KeptParts {
  // Anything beyond the declared size is dropped.
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return 'not_a_picture';
  const [first, ...rest] = readChunks(bytes.subarray(12, end)) ?? [];
  if (first === undefined) return 'not_a_picture';
  const size = declaredSize(first);
  if (size === undefined) return 'not_a_picture';
  const problem = sizeProblem(size);
  if (problem !== undefined) return problem;
  if (first.type !== 'VP8X') return [file([first.whole])];

  const flags = first.data.readUInt8(0) & (flag.profile | flag.alpha | flag.animation);
  const content = flags & flag.animation ? keptAnimation(rest, size) : keptImage(rest, size);
  if (content === undefined) return 'not_a_picture';
  const header = writeChunk('VP8X', [Buffer.of(flags, 0, 0, 0), first.data.subarray(4)]);
  const profile = rest.find(({ type }) => type === 'ICCP');
  return [file([header, ...(profile === undefined ? [] : [profile.whole]), ...content])];
}

/** The pixels must have the size that the container declares, or the limits would only hold for the declaration. */
function keptImage(chunks: readonly RiffChunk[], size: Size): Buffer[] | undefined {
  const parts = chunks.filter(({ type }) => type === 'ALPH' || type === 'VP8 ' || type === 'VP8L');
  const [pixels, ...others] = parts.filter(({ type }) => type !== 'ALPH');
  if (pixels === undefined || others.length > 0) return undefined;
  const actual = declaredSize(pixels);
  if (actual?.width !== size.width || actual.height !== size.height) return undefined;
  return parts.map(({ whole }) => whole);
}

function keptAnimation(chunks: readonly RiffChunk[], canvas: Size): Buffer[] | undefined {
  const settings = chunks.find(({ type }) => type === 'ANIM');
  const frames = chunks.filter(({ type }) => type === 'ANMF');
  if (settings === undefined || frames.length === 0) return undefined;
  const kept = [settings.whole];
  for (const { data } of frames) {
    if (data.length < 16) return undefined;
    const size = { width: 1 + data.readUIntLE(6, 3), height: 1 + data.readUIntLE(9, 3) };
    const right = 2 * data.readUIntLE(0, 3) + size.width;
    const bottom = 2 * data.readUIntLE(3, 3) + size.height;
    if (right > canvas.width || bottom > canvas.height) return undefined;
    // A frame contains chunks of its own, which can hide metadata too.
    const image = keptImage(readChunks(data.subarray(16)) ?? [], size);
    if (image === undefined) return undefined;
    kept.push(writeChunk('ANMF', [data.subarray(0, 16), ...image]));
  }
  return kept;
}

/** The size in the extended header (VP8X), or in the header of lossy (VP8) or lossless (VP8L) pixels. */
function declaredSize({ type, data }: RiffChunk): Size | undefined {
  if (type === 'VP8X' && data.length === 10) {
    return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  }
  // The lowest bit is 0 for a key frame, which depends on no other frame and starts with this code.
  if (type === 'VP8 ' && data.length >= 10 && data.readUInt8(0) % 2 === 0 && data.readUIntBE(3, 3) === 0x9d012a) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type === 'VP8L' && data.length >= 5 && data.readUInt8(0) === 0x2f) {
    const bits = data.readUInt32LE(1);
    // The top three bits are the version, which is always 0.
    if (bits >>> 29 === 0) return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return undefined;
}

function file(chunks: readonly Buffer[]): Buffer {
  return writeChunk('RIFF', [Buffer.from('WEBP', 'latin1'), ...chunks]);
}
