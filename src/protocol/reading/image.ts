// Recognises the image formats that a browser may be handed safely, by content and never by name, and makes pictures from
// strangers fit to be shown: what is declared is checked, and what tells more than the picture itself is taken out.
// Pixels are never decoded, so that no upload costs more than one walk over its bytes.

export const logoLimit = 512 * 1024;
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

export function recogniseImage(bytes: Uint8Array): ImageType | undefined {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (latin.startsWith('RIFF') && latin.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/** A few bytes can declare an image that fills the memory of whoever looks at it; hence the limits beside the bytes. */
export const pictureLimits = { bytes: 512 * 1024, pixels: 4096 * 4096, side: 8192 };

export type ImageProblem = 'not_a_picture' | 'too_large' | 'too_many_pixels';

export type PictureReading =
  | { kind: 'picture'; contentType: ImageType; bytes: Uint8Array }
  | { kind: 'invalid'; problem: ImageProblem };

/** The bytes given back are a copy without metadata, and never more than were given. */
export function readPicture(bytes: Uint8Array): PictureReading {
  if (bytes.length === 0) return { kind: 'invalid', problem: 'not_a_picture' };
  if (bytes.length > pictureLimits.bytes) return { kind: 'invalid', problem: 'too_large' };
  const contentType = recogniseImage(bytes);
  if (contentType === undefined) return { kind: 'invalid', problem: 'not_a_picture' };
  const kept = readers[contentType](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (typeof kept === 'string') return { kind: 'invalid', problem: kept };
  return { kind: 'picture', contentType, bytes: new Uint8Array(Buffer.concat(kept)) };
}

/** What stays of the file, in order. */
type Kept = Buffer[] | ImageProblem;

const readers: Record<ImageType, (bytes: Buffer) => Kept> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A JPEG of no height says that its height comes later: nothing bounds it. An image without pixels is no better. */
function sizeProblem({ width, height }: Size): ImageProblem | undefined {
  const { side, pixels } = pictureLimits;
  const fits = width > 0 && height > 0 && width <= side && height <= side && width * height <= pixels;
  return fits ? undefined : 'too_many_pixels';
}

// PNG: a signature, then chunks of length, type, data and checksum.

/** Chunks of any other kind are text, times, places and what programs keep for themselves; no decoder needs them. */
const pngChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
);

const pngDepths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

function readPng(bytes: Buffer): Kept {
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
    if (!pngChunks.has(type)) {
      // A small first letter is how the format marks what a decoder may pass over.
      if (/^[a-z][A-Za-z]{3}$/.test(type)) continue;
      return 'not_a_picture';
    }
    if (crc32(chunk.subarray(4, -4)) !== chunk.readUInt32BE(chunk.length - 4)) return 'not_a_picture';
    kept.push(chunk);

    if (size === undefined) {
      if (!isPngHeader(data)) return 'not_a_picture';
      size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
      const problem = sizeProblem(size);
      if (problem !== undefined) return problem;
    }
    if (type === 'fcTL') {
      if (data.length !== 26) return 'not_a_picture';
      const right = data.readUInt32BE(4) + data.readUInt32BE(12);
      const bottom = data.readUInt32BE(8) + data.readUInt32BE(16);
      if (right > size.width || bottom > size.height) return 'not_a_picture';
    }
    if (type === 'IDAT' && data.length > 0) hasData = true;
    // What follows the end is dropped: editors have left there what was cut away from the picture.
    if (type === 'IEND') return hasData && data.length === 0 ? kept : 'not_a_picture';
  }
  return 'not_a_picture';
}

function isPngHeader(data: Buffer): boolean {
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  if (data.length !== 13 || compression !== 0 || filter !== 0 || interlace > 1) return false;
  return pngDepths[colour]?.includes(depth) ?? false;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  return rest;
});

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

// JPEG: segments of marker, length and data; after the start of a scan its coded pixels, which go on to the next marker.

const SOF0 = 0xc0;
const SOF2 = 0xc2;
const DHT = 0xc4;
const RST0 = 0xd0;
const RST7 = 0xd7;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/** Each scan goes over all pixels again, however few bytes it has. Encoders make about ten. */
const jpegScans = 100;

function readJpeg(bytes: Buffer): Kept {
  const kept = [bytes.subarray(0, 2)];
  let isFramed = false;
  let isOriented = false;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) return 'not_a_picture';
    // A marker may be preceded by any number of filling bytes.
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    at += 1;
    // What follows the end is dropped: telephones append films, depths and further pictures.
    if (marker === EOI) return scans > 0 ? [...kept, Buffer.of(0xff, EOI)] : 'not_a_picture';
    if (marker === undefined || at + 2 > bytes.length) return 'not_a_picture';
    const end = at + bytes.readUInt16BE(at);
    if (end < at + 2 || end > bytes.length) return 'not_a_picture';
    const data = bytes.subarray(at + 2, end);
    at = end;

    if (marker >= SOF0 && marker <= SOF2) {
      if (isFramed || !isJpegFrame(data)) return 'not_a_picture';
      const problem = sizeProblem({ width: data.readUInt16BE(3), height: data.readUInt16BE(1) });
      if (problem !== undefined) return problem;
      isFramed = true;
      kept.push(jpegSegment(marker, data));
    } else if (marker === SOS) {
      if (!isFramed) return 'not_a_picture';
      scans += 1;
      if (scans > jpegScans) return 'too_many_pixels';
      at = endOfScan(bytes, end);
      kept.push(jpegSegment(marker, data), bytes.subarray(end, at));
    } else if (marker === DHT || marker === DQT || marker === DRI) {
      kept.push(jpegSegment(marker, data));
    } else if (marker === APP1) {
      const orientation = isOriented ? undefined : exifOrientation(data);
      if (orientation === undefined) continue;
      isOriented = true;
      kept.push(jpegSegment(marker, exifWith(orientation)));
    } else if (marker >= APP0 && marker <= APP15) {
      const needed = neededForColours(marker, data);
      if (needed !== undefined) kept.push(jpegSegment(marker, needed));
    } else if (marker !== COM) {
      return 'not_a_picture';
    }
  }
}

/** Other depths than eight bits, like the other kinds of frame, are nothing that every browser shows. */
function isJpegFrame(data: Buffer): boolean {
  const components = data[5] ?? 0;
  return data[0] === 8 && [1, 3, 4].includes(components) && data.length === 6 + 3 * components;
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1];
    if (next === 0xff) at += 1;
    else if (next === 0 || (next !== undefined && next >= RST0 && next <= RST7)) at += 2;
    else return at;
  }
  return bytes.length;
}

/** Without these a decoder guesses what the numbers of a pixel mean. */
function neededForColours(marker: number, data: Buffer): Buffer | undefined {
  const begins = (text: string) => data.toString('latin1', 0, text.length) === text;
  if (marker === APP0 && begins('JFIF\0') && data.length >= 14) {
    // Left out is the small preview, which may show what was cut away from the picture.
    return Buffer.concat([data.subarray(0, 12), Buffer.of(0, 0)]);
  }
  if (marker === APP2 && begins('ICC_PROFILE\0')) return data;
  if (marker === APP14 && begins('Adobe') && data.length >= 12) return data.subarray(0, 12);
  return undefined;
}

/** How a picture is to be turned, when it is to be turned at all. */
function exifOrientation(data: Buffer): number | undefined {
  if (data.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined;
  const tiff = data.subarray(6);
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return undefined;
  const isLittle = order === 'II*\0';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));

  const directory = long(4);
  if (directory < 8 || directory + 2 > tiff.length) return undefined;
  const entries = short(directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + 12 * entry;
    // An entry is followed by another, or by the four bytes that point to the next directory.
    if (at + 16 > tiff.length) return undefined;
    if (short(at) !== 0x0112) continue;
    const isShort = short(at + 2) === 3 && long(at + 4) === 1;
    const value = short(at + 8);
    return isShort && value > 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** A directory with one entry, of the tag 0x0112, and no further directory. */
function exifWith(orientation: number): Buffer {
  const text = `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`;
  return Buffer.from(text, 'latin1');
}

// WebP: a RIFF of chunks of type, length and data, filled up to an even length.

interface RiffChunk {
  readonly type: string;
  readonly data: Buffer;
  readonly whole: Buffer;
}

const webpFlags = { profile: 0x20, alpha: 0x10, animation: 0x02 };

function readWebp(bytes: Buffer): Kept {
  // What lies outside the declared size is dropped.
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return 'not_a_picture';
  const [first, ...rest] = riffChunks(bytes.subarray(12, end)) ?? [];
  if (first === undefined) return 'not_a_picture';
  const size = webpSize(first);
  if (size === undefined) return 'not_a_picture';
  const problem = sizeProblem(size);
  if (problem !== undefined) return problem;
  if (first.type !== 'VP8X') return riff([first.whole]);

  const flags = first.data.readUInt8(0) & (webpFlags.profile | webpFlags.alpha | webpFlags.animation);
  const content = flags & webpFlags.animation ? webpAnimation(rest, size) : webpImage(rest, size);
  if (content === undefined) return 'not_a_picture';
  const head = riffChunk('VP8X', [Buffer.of(flags, 0, 0, 0), first.data.subarray(4)]);
  const profile = rest.find(({ type }) => type === 'ICCP');
  return riff([head, ...(profile === undefined ? [] : [profile.whole]), ...content]);
}

/** The pixels must have the size that was declared around them, or the limits would hold for the declaration only. */
function webpImage(chunks: readonly RiffChunk[], size: Size): Buffer[] | undefined {
  const parts = chunks.filter(({ type }) => type === 'ALPH' || type === 'VP8 ' || type === 'VP8L');
  const [pixels, ...others] = parts.filter(({ type }) => type !== 'ALPH');
  if (pixels === undefined || others.length > 0) return undefined;
  const actual = webpSize(pixels);
  if (actual?.width !== size.width || actual.height !== size.height) return undefined;
  return parts.map(({ whole }) => whole);
}

function webpAnimation(chunks: readonly RiffChunk[], canvas: Size): Buffer[] | undefined {
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
    // A frame is a container again, with room for what does not belong to the picture.
    const image = webpImage(riffChunks(data.subarray(16)) ?? [], size);
    if (image === undefined) return undefined;
    kept.push(riffChunk('ANMF', [data.subarray(0, 16), ...image]));
  }
  return kept;
}

function webpSize({ type, data }: RiffChunk): Size | undefined {
  if (type === 'VP8X' && data.length === 10) {
    return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  }
  // A frame that needs no other (the lowest bit), then the mark with which such a frame begins.
  if (type === 'VP8 ' && data.length >= 10 && data.readUInt8(0) % 2 === 0 && data.readUIntBE(3, 3) === 0x9d012a) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type === 'VP8L' && data.length >= 5 && data.readUInt8(0) === 0x2f) {
    const bits = data.readUInt32LE(1);
    // The highest three bits are the version, of which there is one.
    if (bits >>> 29 === 0) return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return undefined;
}

function riffChunks(bytes: Buffer): RiffChunk[] | undefined {
  const chunks: RiffChunk[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return undefined;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) return undefined;
    const data = bytes.subarray(at + 8, at + 8 + length);
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data, whole: bytes.subarray(at, end) });
    at = end;
  }
  return chunks;
}

/** The parts have an even length together, as all chunks have. */
function riffChunk(type: string, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return Buffer.concat([head, ...parts]);
}

function riff(chunks: readonly Buffer[]): Buffer[] {
  return [riffChunk('RIFF', [Buffer.from('WEBP', 'latin1'), ...chunks])];
}
