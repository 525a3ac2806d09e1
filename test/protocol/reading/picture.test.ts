import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { type ImageProblem, type ImageType, pictureLimits, readPicture } from '../../../src/protocol/reading/image.ts';

// Real images, small enough to be built by hand: browsers show them.

const place = 'taken at 52.5163 N 13.3777 E';
const latin = (text: string) => Buffer.from(text, 'latin1');
const bytesOf = (...parts: (Buffer | string | number)[]) =>
  Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : latin(coded(part)))));
const coded = (part: string | number) => (typeof part === 'number' ? String.fromCharCode(part) : part);
const number = (value: number, size: number, order: 'big' | 'little') => {
  const bytes = Buffer.alloc(size);
  if (order === 'big') bytes.writeUIntBE(value, 0, size);
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
};
const big = (value: number, size = 4) => number(value, size, 'big');
const little = (value: number, size = 4) => number(value, size, 'little');

const pngSignature = latin('\x89PNG\r\n\x1a\n');
const pngChunk = (type: string, data: Buffer | string = '') => {
  const typed = bytesOf(type, data);
  return bytesOf(big(typed.length - 4), typed, big(crc32(typed)));
};
const header = (width: number, height: number, kind = '\x08\x02\0\0\0') =>
  pngChunk('IHDR', bytesOf(big(width), big(height), kind));
const pixels = deflateSync(Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]));
const idat = pngChunk('IDAT', pixels);
const iend = pngChunk('IEND');
/** Two by two, for as long as the header says nothing else. */
const png = (...chunks: Buffer[]) => bytesOf(pngSignature, ...chunks);
const plainPng = png(header(2, 2), idat, iend);
const animationControl = pngChunk('acTL', bytesOf(big(2), big(0)));
const frameControl = (order: number, width = 2, height = 2, x = 0, y = 0) =>
  pngChunk('fcTL', bytesOf(...[order, width, height, x, y].map((value) => big(value)), '\0\x01\0\x0a\0\0'));
const laterFrame = pngChunk('fdAT', bytesOf(big(2), pixels));
const animatedPng = png(header(2, 2), animationControl, frameControl(0), idat, frameControl(1, 2, 2), laterFrame, iend);

const segment = (marker: number, data: Buffer | string) => {
  const content = bytesOf(data);
  return bytesOf(0xff, marker, big(content.length + 2, 2), content);
};
const soi = latin('\xff\xd8');
const eoi = latin('\xff\xd9');
const jfif = segment(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\0\0');
const quantisation = segment(0xdb, bytesOf(0, Buffer.alloc(64, 1)));
/** One component, eight bits. */
const frame = (width: number, height: number, marker = 0xc0) =>
  segment(marker, bytesOf(8, big(height, 2), big(width, 2), '\x01\x01\x11\0'));
/** One code each, a single bit: no difference, and no further coefficients. */
const huffman = segment(0xc4, bytesOf(0, 1, Buffer.alloc(15), 0, 0x10, 1, Buffer.alloc(15), 0));
const scan = bytesOf(segment(0xda, '\x01\x01\0\0\x3f\0'), 0x3f);
const jpeg = (...segments: Buffer[]) => bytesOf(soi, ...segments, eoi);
const shown = [quantisation, frame(8, 8), huffman, scan];
const plainJpeg = jpeg(jfif, ...shown);
const firstScan = bytesOf(segment(0xda, '\x01\x01\0\0\0\0'), 0x7f);
const secondScan = bytesOf(segment(0xda, '\x01\x01\0\x01\x3f\0'), 0x7f);

type Order = 'big' | 'little';
const exif = (order: Order, orientation: number, { type = 3, directory = 8 } = {}) => {
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
const onlyOrientation = (orientation: number) =>
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
const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01a profile');
const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\0');

const riffChunk = (type: string, data: Buffer | string) => {
  const content = bytesOf(data);
  return bytesOf(type, little(content.length), content, Buffer.alloc(content.length % 2));
};
const webp = (...chunks: Buffer[]) => riffChunk('RIFF', bytesOf('WEBP', ...chunks));
/** One colour: five codes of a single symbol, and no bits at all for the pixels. */
const lossless = (width: number, height: number) =>
  riffChunk('VP8L', bytesOf(0x2f, little(width - 1 + (height - 1) * 2 ** 14), '\x88\x88\x08'));
/** Nothing but zeros, which say that every option is off and every block is empty. */
const lossy = (width: number, height: number) =>
  riffChunk(
    'VP8 ',
    bytesOf(little(0x10 | (64 << 5), 3), '\x9d\x01\x2a', little(width, 2), little(height, 2), Buffer.alloc(80)),
  );
const extended = (flags: number, width: number, height: number) =>
  riffChunk('VP8X', bytesOf(flags, '\0\0\0', little(width - 1, 3), little(height - 1, 3)));
const webpAnimation = riffChunk('ANIM', '\0\0\0\0\0\0');
const webpFrame = (width: number, height: number, ...chunks: Buffer[]) =>
  riffChunk('ANMF', bytesOf(little(0, 6), little(width - 1, 3), little(height - 1, 3), little(100, 3), 0, ...chunks));
const webpProfile = riffChunk('ICCP', 'a profile');
const webpExif = riffChunk('EXIF', exif('little', 6));
const webpXmp = riffChunk('XMP ', `<x:xmpmeta>${place}</x:xmpmeta>`);
const animatedWebp = webp(
  extended(0x02, 4, 4),
  webpAnimation,
  webpFrame(4, 4, lossless(4, 4)),
  webpFrame(2, 2, lossless(2, 2)),
);

const plain: { name: string; bytes: Buffer; contentType: ImageType }[] = [
  { name: 'a PNG', bytes: plainPng, contentType: 'image/png' },
  { name: 'an animated PNG', bytes: animatedPng, contentType: 'image/png' },
  { name: 'a PNG in several pieces', bytes: inPieces(), contentType: 'image/png' },
  {
    name: 'a PNG with what its colours need',
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
  { name: 'a JPEG with a colour profile', bytes: jpeg(jfif, profile, adobe, ...shown), contentType: 'image/jpeg' },
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

/** Plain bytes: a Buffer and a Uint8Array of the same content are not deeply equal. */
const picture = (contentType: ImageType, bytes: Buffer) => ({
  kind: 'picture',
  contentType,
  bytes: new Uint8Array(bytes),
});

test('a picture may have 512 KiB and sixteen million pixels', () => {
  assert.equal(pictureLimits.bytes, 524_288);
  assert.equal(pictureLimits.pixels, 16_777_216);
});

describe('a picture without metadata stays as it is', () => {
  for (const c of plain) {
    test(c.name, () => assert.deepEqual(readPicture(c.bytes), picture(c.contentType, c.bytes)));
  }

  test('only the bytes of a view are looked at', () => {
    const whole = new Uint8Array(bytesOf('xx', plainPng, 'xx'));
    assert.deepEqual(readPicture(whole.subarray(2, -2)), picture('image/png', plainPng));
    assert.equal(readPicture(whole).kind, 'invalid');
  });

  test('what is given back is a copy', () => {
    const given = new Uint8Array(plainPng);
    const reading = readPicture(given);
    given.fill(0);
    assert.deepEqual(reading, picture('image/png', plainPng));
  });
});

describe('what tells more than the picture is taken out', () => {
  const text = pngChunk('tEXt', `Comment\0${place}`);
  const cases: { name: string; bytes: Buffer; contentType: ImageType; expected: Buffer }[] = [
    ...[
      { name: 'text', chunk: text },
      { name: 'compressed text', chunk: pngChunk('zTXt', bytesOf('Comment\0\0', deflateSync(latin(place)))) },
      { name: 'international text', chunk: pngChunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${place}`) },
      { name: 'Exif', chunk: pngChunk('eXIf', exif('big', 1).subarray(6)) },
      { name: 'the time', chunk: pngChunk('tIME', '\x07\xea\x01\x01\0\0\0') },
      { name: 'what a program keeps for itself', chunk: pngChunk('prVt', place) },
    ].flatMap(({ name, chunk }) => [
      {
        name: `PNG: ${name} before the pixels`,
        bytes: png(header(2, 2), chunk, idat, iend),
        contentType: 'image/png' as const,
        expected: plainPng,
      },
      {
        name: `PNG: ${name} after the pixels`,
        bytes: png(header(2, 2), idat, chunk, iend),
        contentType: 'image/png' as const,
        expected: plainPng,
      },
    ]),
    {
      name: 'PNG: what follows the end',
      bytes: bytesOf(plainPng, text, idat, iend, place),
      contentType: 'image/png',
      expected: plainPng,
    },
    {
      name: 'PNG: text in an animation',
      bytes: bytesOf(animatedPng.subarray(0, -iend.length), text, iend),
      contentType: 'image/png',
      expected: animatedPng,
    },
    ...Array.from({ length: 15 }, (_, index) => ({
      name: `JPEG: application segment ${index + 1}`,
      bytes: jpeg(jfif, segment(0xe1 + index, place), ...shown),
      contentType: 'image/jpeg' as const,
      expected: plainJpeg,
    })),
    {
      name: 'JPEG: Exif that turns nothing',
      bytes: jpeg(segment(0xe1, exif('big', 1)), jfif, ...shown),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'JPEG: XMP',
      bytes: jpeg(jfif, segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${place}`), ...shown),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'JPEG: a comment',
      bytes: jpeg(jfif, segment(0xfe, place), ...shown),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'JPEG: a comment between scans',
      bytes: jpeg(quantisation, frame(8, 8, 0xc2), huffman, firstScan, segment(0xfe, place), secondScan),
      contentType: 'image/jpeg',
      expected: jpeg(quantisation, frame(8, 8, 0xc2), huffman, firstScan, secondScan),
    },
    {
      name: 'JPEG: the preview in JFIF',
      bytes: jpeg(segment(0xe0, `JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01${place.slice(0, 3)}`), ...shown),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'JPEG: the preview beside JFIF',
      bytes: jpeg(jfif, segment(0xe0, `JFXX\0\x10${place}`), ...shown),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'JPEG: what follows the segment of Adobe',
      bytes: jpeg(segment(0xee, `Adobe\0\x64\0\0\0\0\0${place}`), ...shown),
      contentType: 'image/jpeg',
      expected: jpeg(adobe, ...shown),
    },
    {
      name: 'JPEG: a list of further pictures beside a colour profile',
      bytes: jpeg(profile, segment(0xe2, `MPF\0${place}`), ...shown),
      contentType: 'image/jpeg',
      expected: jpeg(profile, ...shown),
    },
    {
      name: 'JPEG: filling bytes before a marker',
      bytes: jpeg(latin('\xff\xff'), jfif, ...shown),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'JPEG: what follows the end',
      bytes: bytesOf(plainJpeg, plainJpeg, place),
      contentType: 'image/jpeg',
      expected: plainJpeg,
    },
    {
      name: 'WebP: Exif and XMP, and the flags that announce them',
      bytes: webp(extended(0x2c, 16, 16), webpProfile, lossy(16, 16), webpExif, webpXmp),
      contentType: 'image/webp',
      expected: webp(extended(0x20, 16, 16), webpProfile, lossy(16, 16)),
    },
    {
      name: 'WebP: Exif before the pixels',
      bytes: webp(extended(0x08, 3, 2), webpExif, lossless(3, 2)),
      contentType: 'image/webp',
      expected: webp(extended(0, 3, 2), lossless(3, 2)),
    },
    {
      name: 'WebP: Exif that no flag announces',
      bytes: webp(lossless(3, 2), webpExif),
      contentType: 'image/webp',
      expected: webp(lossless(3, 2)),
    },
    {
      name: 'WebP: a chunk of an unknown kind',
      bytes: webp(extended(0, 3, 2), riffChunk('NOTE', place), lossless(3, 2)),
      contentType: 'image/webp',
      expected: webp(extended(0, 3, 2), lossless(3, 2)),
    },
    {
      name: 'WebP: metadata in and beside the frames of an animation',
      bytes: webp(
        extended(0x0e, 4, 4),
        webpAnimation,
        webpFrame(4, 4, webpExif, lossless(4, 4)),
        webpXmp,
        webpFrame(2, 2, lossless(2, 2), webpXmp),
        webpExif,
      ),
      contentType: 'image/webp',
      expected: animatedWebp,
    },
    {
      name: 'WebP: what follows the end',
      bytes: bytesOf(webp(lossless(3, 2)), webpExif, place),
      contentType: 'image/webp',
      expected: webp(lossless(3, 2)),
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const reading = readPicture(c.bytes);
      assert.deepEqual(reading, picture(c.contentType, c.expected));
      assert.ok(reading.kind === 'picture' && !Buffer.from(reading.bytes).includes(place.slice(0, 3)));
    });
  }
});

describe('a photograph stays upright', () => {
  const cases: { name: string; data: Buffer | string; expected: number | undefined }[] = [
    ...(['big', 'little'] as const).flatMap((order) =>
      [2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
        name: `orientation ${orientation} in ${order}-endian Exif is kept`,
        data: exif(order, orientation),
        expected: orientation,
      })),
    ),
    { name: 'a directory further on is found', data: exif('little', 6, { directory: 20 }), expected: 6 },
    { name: 'the ordinary orientation needs no Exif', data: exif('little', 1), expected: undefined },
    { name: 'there is no orientation 0', data: exif('little', 0), expected: undefined },
    { name: 'there is no orientation 9', data: exif('big', 9), expected: undefined },
    { name: 'an orientation of another type is none', data: exif('big', 6, { type: 4 }), expected: undefined },
    { name: 'a directory in the header is none', data: exif('big', 6, { directory: 0 }), expected: undefined },
    {
      name: 'a directory outside the segment is none',
      data: exif('big', 6, { directory: 0xffffffff }),
      expected: undefined,
    },
    { name: 'Exif of neither order is none', data: exif('big', 6).fill('X', 6, 8), expected: undefined },
    { name: 'Exif by another name is none', data: exif('big', 6).fill('X', 0, 4), expected: undefined },
    { name: 'Exif without content is none', data: 'Exif\0\0', expected: undefined },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const kept = c.expected === undefined ? [] : [onlyOrientation(c.expected)];
      const expected = picture('image/jpeg', jpeg(jfif, ...kept, ...shown));
      assert.deepEqual(readPicture(jpeg(jfif, segment(0xe1, c.data), ...shown)), expected);
    });
  }

  test('the first of several orientations counts', () => {
    const segments = [segment(0xe1, exif('big', 6)), segment(0xe1, exif('big', 3))];
    assert.deepEqual(
      readPicture(jpeg(...segments, ...shown)),
      picture('image/jpeg', jpeg(onlyOrientation(6), ...shown)),
    );
  });

  test('Exif that is cut off at any length is left out or kept whole', () => {
    const whole = exif('little', 6);
    for (let length = 0; length < whole.length; length += 1) {
      const given = jpeg(segment(0xe1, whole.subarray(0, length)), ...shown);
      const reading = readPicture(given);
      assert.ok(reading.kind === 'picture' && reading.bytes.length <= given.length, `${length} bytes`);
      assert.ok(!Buffer.from(reading.bytes).includes(place.slice(0, 3)), `${length} bytes`);
    }
  });
});

describe('what is refused', () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const cases: { name: string; bytes: Buffer; problem: ImageProblem }[] = [
    { name: 'nothing', bytes: latin(''), problem: 'not_a_picture' },
    {
      name: 'an SVG',
      bytes: latin('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      problem: 'not_a_picture',
    },
    { name: 'a GIF', bytes: latin('GIF89a\x01\0\x01\0\0\0\0;'), problem: 'not_a_picture' },
    { name: 'HTML', bytes: latin(html), problem: 'not_a_picture' },
    { name: 'HTML that begins like a PNG', bytes: bytesOf(pngSignature, html), problem: 'not_a_picture' },
    { name: 'HTML that begins like a JPEG', bytes: bytesOf(soi, 0xff, html), problem: 'not_a_picture' },
    { name: 'HTML that begins like a WebP', bytes: bytesOf('RIFF\x28\0\0\0WEBP', html), problem: 'not_a_picture' },
    { name: 'the signature of a PNG alone', bytes: pngSignature, problem: 'not_a_picture' },
    { name: 'the signature of a JPEG alone', bytes: latin('\xff\xd8\xff'), problem: 'not_a_picture' },
    { name: 'the signature of a WebP alone', bytes: webp(), problem: 'not_a_picture' },
    { name: 'more bytes than are allowed', bytes: padded(pictureLimits.bytes + 1), problem: 'too_large' },

    { name: 'PNG: no header', bytes: png(idat, iend), problem: 'not_a_picture' },
    {
      name: 'PNG: text before the header',
      bytes: png(pngChunk('tEXt'), header(2, 2), idat, iend),
      problem: 'not_a_picture',
    },
    { name: 'PNG: two headers', bytes: png(header(2, 2), header(2, 2), idat, iend), problem: 'not_a_picture' },
    { name: 'PNG: a short header', bytes: png(pngChunk('IHDR', big(2)), idat, iend), problem: 'not_a_picture' },
    { name: 'PNG: no such colours', bytes: png(header(2, 2, '\x08\x05\0\0\0'), idat, iend), problem: 'not_a_picture' },
    { name: 'PNG: no such depth', bytes: png(header(2, 2, '\x04\x02\0\0\0'), idat, iend), problem: 'not_a_picture' },
    {
      name: 'PNG: no such compression',
      bytes: png(header(2, 2, '\x08\x02\x01\0\0'), idat, iend),
      problem: 'not_a_picture',
    },
    {
      name: 'PNG: no such interlacing',
      bytes: png(header(2, 2, '\x08\x02\0\0\x02'), idat, iend),
      problem: 'not_a_picture',
    },
    { name: 'PNG: no pixels', bytes: png(header(2, 2), iend), problem: 'not_a_picture' },
    { name: 'PNG: empty pixels', bytes: png(header(2, 2), pngChunk('IDAT'), iend), problem: 'not_a_picture' },
    { name: 'PNG: no end', bytes: png(header(2, 2), idat), problem: 'not_a_picture' },
    {
      name: 'PNG: an end with content',
      bytes: png(header(2, 2), idat, pngChunk('IEND', place)),
      problem: 'not_a_picture',
    },
    {
      name: 'PNG: an unknown chunk that matters',
      bytes: png(header(2, 2), pngChunk('ABCD'), idat, iend),
      problem: 'not_a_picture',
    },
    {
      name: 'PNG: a chunk without a name',
      bytes: png(header(2, 2), pngChunk('\0\0\0\0'), idat, iend),
      problem: 'not_a_picture',
    },
    { name: 'PNG: a wrong checksum', bytes: changed(plainPng, 45), problem: 'not_a_picture' },
    { name: 'PNG: a length beyond the file', bytes: changed(plainPng, 33), problem: 'not_a_picture' },
    {
      name: 'PNG: a frame larger than the picture',
      bytes: png(
        header(2, 2),
        animationControl,
        frameControl(0),
        idat,
        frameControl(1, 65535, 65535),
        laterFrame,
        iend,
      ),
      problem: 'not_a_picture',
    },
    {
      name: 'PNG: a frame beside the picture',
      bytes: png(header(2, 2), animationControl, frameControl(0), idat, frameControl(1, 2, 2, 0, 1), laterFrame, iend),
      problem: 'not_a_picture',
    },
    { name: 'PNG: 65535 by 65535', bytes: png(header(65535, 65535), idat, iend), problem: 'too_many_pixels' },
    { name: 'PNG: too wide', bytes: png(header(8193, 1), idat, iend), problem: 'too_many_pixels' },
    { name: 'PNG: too high', bytes: png(header(1, 8193), idat, iend), problem: 'too_many_pixels' },
    { name: 'PNG: too many together', bytes: png(header(4096, 4097), idat, iend), problem: 'too_many_pixels' },
    { name: 'PNG: no width', bytes: png(header(0, 2), idat, iend), problem: 'too_many_pixels' },
    { name: 'PNG: no height', bytes: png(header(2, 0), idat, iend), problem: 'too_many_pixels' },

    { name: 'JPEG: nothing in it', bytes: jpeg(), problem: 'not_a_picture' },
    { name: 'JPEG: no frame', bytes: jpeg(quantisation, huffman, scan), problem: 'not_a_picture' },
    {
      name: 'JPEG: a frame after the scan',
      bytes: jpeg(quantisation, huffman, scan, frame(8, 8)),
      problem: 'not_a_picture',
    },
    { name: 'JPEG: two frames', bytes: jpeg(frame(8, 8), ...shown), problem: 'not_a_picture' },
    { name: 'JPEG: a short frame', bytes: jpeg(segment(0xc0, '\x08\0'), scan), problem: 'not_a_picture' },
    {
      name: 'JPEG: a frame of no component',
      bytes: jpeg(segment(0xc0, '\x08\0\x08\0\x08\0'), scan),
      problem: 'not_a_picture',
    },
    {
      name: 'JPEG: a lossless frame',
      bytes: jpeg(quantisation, frame(8, 8, 0xc3), huffman, scan),
      problem: 'not_a_picture',
    },
    { name: 'JPEG: no scan', bytes: jpeg(quantisation, frame(8, 8), huffman), problem: 'not_a_picture' },
    { name: 'JPEG: no end', bytes: bytesOf(soi, ...shown), problem: 'not_a_picture' },
    {
      name: 'JPEG: an end in a segment only',
      bytes: bytesOf(soi, ...shown, segment(0xfe, eoi)),
      problem: 'not_a_picture',
    },
    { name: 'JPEG: something between segments', bytes: jpeg(jfif, latin(html), ...shown), problem: 'not_a_picture' },
    { name: 'JPEG: another beginning', bytes: jpeg(jfif, soi, ...shown), problem: 'not_a_picture' },
    { name: 'JPEG: a length of nothing', bytes: jpeg(latin('\xff\xe1\0\0'), ...shown), problem: 'not_a_picture' },
    {
      name: 'JPEG: a length beyond the file',
      bytes: jpeg(latin('\xff\xe1\xff\xff'), ...shown),
      problem: 'not_a_picture',
    },
    {
      name: 'JPEG: nothing but filling bytes',
      bytes: bytesOf(soi, Buffer.alloc(100_000, 0xff)),
      problem: 'not_a_picture',
    },
    {
      name: 'JPEG: 65535 by 65535',
      bytes: jpeg(quantisation, frame(65535, 65535), huffman, scan),
      problem: 'too_many_pixels',
    },
    { name: 'JPEG: no width', bytes: jpeg(quantisation, frame(0, 8), huffman, scan), problem: 'too_many_pixels' },
    {
      name: 'JPEG: a height that comes later',
      bytes: jpeg(quantisation, frame(8, 0), huffman, scan),
      problem: 'too_many_pixels',
    },
    {
      name: 'JPEG: scan upon scan',
      bytes: jpeg(quantisation, frame(4096, 4096, 0xc2), huffman, ...Array<Buffer>(1000).fill(firstScan)),
      problem: 'too_many_pixels',
    },

    { name: 'WebP: no pixels', bytes: webp(extended(0, 3, 2)), problem: 'not_a_picture' },
    { name: 'WebP: something else first', bytes: webp(webpExif, lossless(3, 2)), problem: 'not_a_picture' },
    { name: 'WebP: a size of nothing', bytes: bytesOf('RIFF\0\0\0\0WEBP', lossless(3, 2)), problem: 'not_a_picture' },
    { name: 'WebP: a size beyond the file', bytes: webp(lossless(3, 2)).subarray(0, -2), problem: 'not_a_picture' },
    {
      name: 'WebP: a chunk beyond its container',
      bytes: webp(latin('VP8L\xff\xff\xff\xff')),
      problem: 'not_a_picture',
    },
    { name: 'WebP: half a chunk at the end', bytes: webp(lossless(3, 2), latin('EXIF')), problem: 'not_a_picture' },
    { name: 'WebP: lossless without its mark', bytes: webp(riffChunk('VP8L', place)), problem: 'not_a_picture' },
    { name: 'WebP: lossy without its mark', bytes: webp(riffChunk('VP8 ', place)), problem: 'not_a_picture' },
    { name: 'WebP: lossy that needs another frame', bytes: changed(webp(lossy(16, 16)), 20), problem: 'not_a_picture' },
    {
      name: 'WebP: a short extended header',
      bytes: webp(riffChunk('VP8X', '\0\0\0\0'), lossless(1, 1)),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: pixels of another size than declared',
      bytes: webp(extended(0, 3, 2), lossless(16384, 16384)),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: two images that are no animation',
      bytes: webp(extended(0, 3, 2), lossless(3, 2), lossless(3, 2)),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: an animation without frames',
      bytes: webp(extended(0x02, 4, 4), webpAnimation),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: an animation without its settings',
      bytes: webp(extended(0x02, 4, 4), webpFrame(4, 4, lossless(4, 4))),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: a frame larger than the picture',
      bytes: webp(extended(0x02, 4, 4), webpAnimation, webpFrame(8, 8, lossless(8, 8))),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: a frame with pixels of another size',
      bytes: webp(extended(0x02, 4, 4), webpAnimation, webpFrame(4, 4, lossless(16384, 16384))),
      problem: 'not_a_picture',
    },
    {
      name: 'WebP: an empty frame',
      bytes: webp(extended(0x02, 4, 4), webpAnimation, riffChunk('ANMF', '')),
      problem: 'not_a_picture',
    },
    { name: 'WebP: lossless and too many', bytes: webp(lossless(16384, 16384)), problem: 'too_many_pixels' },
    { name: 'WebP: lossy and too many', bytes: webp(lossy(16383, 16383)), problem: 'too_many_pixels' },
    { name: 'WebP: lossy of no width', bytes: webp(lossy(0, 16)), problem: 'too_many_pixels' },
    {
      name: 'WebP: extended and too many',
      bytes: webp(extended(0, 2 ** 24, 2 ** 24), lossless(3, 2)),
      problem: 'too_many_pixels',
    },
  ];
  for (const c of cases) {
    test(c.name, () => assert.deepEqual(readPicture(c.bytes), { kind: 'invalid', problem: c.problem }));
  }
});

describe('what is just allowed', () => {
  const cases = [
    { name: 'the largest square', bytes: png(header(4096, 4096), idat, iend) },
    { name: 'the longest side', bytes: png(header(8192, 2048), idat, iend) },
    { name: 'the most bytes', bytes: padded(pictureLimits.bytes) },
    {
      name: 'the most scans',
      bytes: jpeg(quantisation, frame(8, 8, 0xc2), huffman, ...Array<Buffer>(100).fill(firstScan)),
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(readPicture(c.bytes).kind, 'picture'));
});

function padded(length: number): Buffer {
  const bare = png(header(2, 2), idat, pngChunk('tEXt'), iend);
  return png(header(2, 2), idat, pngChunk('tEXt', Buffer.alloc(length - bare.length)), iend);
}

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

describe('a picture that is cut off is refused, wherever it is cut', () => {
  for (const c of plain) {
    test(c.name, () => {
      for (let length = 0; length < c.bytes.length; length += 1) {
        assert.equal(readPicture(c.bytes.subarray(0, length)).kind, 'invalid', `${length} bytes`);
      }
    });
  }
});

describe('no input is too strange', () => {
  /** The same numbers in every run: a failure can be repeated. */
  const numbers = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  };
  /** Whatever is accepted has become no longer, and has nothing left to take out. */
  const holds = (bytes: Buffer, name: string) => {
    const reading = readPicture(bytes);
    if (reading.kind === 'invalid') return false;
    assert.ok(reading.bytes.length <= bytes.length, name);
    assert.deepEqual(readPicture(reading.bytes), reading, name);
    return true;
  };
  const rich = [
    png(header(2, 2), pngChunk('tEXt', place), animationControl, frameControl(0), idat, iend),
    jpeg(jfif, segment(0xe1, exif('little', 6)), profile, adobe, segment(0xfe, place), ...shown),
    webp(extended(0x2c, 16, 16), webpProfile, lossy(16, 16), webpExif, webpXmp),
    webp(extended(0x0e, 4, 4), webpAnimation, webpFrame(4, 4, webpExif, lossless(4, 4)), webpXmp),
  ];

  test('2,000 times random bytes behind a true signature', () => {
    const next = numbers(1);
    const signatures = [latin(''), pngSignature, latin('\xff\xd8\xff'), latin('RIFF\x40\0\0\0WEBP')];
    for (let run = 0; run < 2000; run += 1) {
      const noise = Buffer.from(Array.from({ length: next(200) }, () => next(256)));
      holds(bytesOf(signatures[run % 4] ?? '', noise), `run ${run}`);
    }
  });

  test('2,000 times a picture with some bytes changed', () => {
    const next = numbers(2);
    let accepted = 0;
    for (let run = 0; run < 2000; run += 1) {
      const bytes = bytesOf(rich[run % rich.length] ?? '');
      for (let change = next(4); change >= 0; change -= 1) {
        bytes[next(bytes.length)] = [0, 1, 0x7f, 0x80, 0xff, next(256)][next(6)] ?? 0;
      }
      if (holds(bytes, `run ${run}`)) accepted += 1;
    }
    assert.ok(accepted > 100, 'a change that matters to nobody is accepted');
  });

  test('the time does not grow faster than the file', () => {
    const room = pictureLimits.bytes - 1024;
    const many = (piece: Buffer) => Buffer.alloc(room - (room % piece.length), piece);
    const cases = [
      png(header(2, 2), many(pngChunk('tEXt')), idat, iend),
      png(header(2, 2), idat, many(pngChunk('IDAT')), iend),
      jpeg(many(segment(0xfe, '')), ...shown),
      jpeg(many(segment(0xdd, '')), ...shown),
      jpeg(...shown, many(latin('\xff\0'))),
      jpeg(...shown, Buffer.alloc(room, 0xff)),
      webp(extended(0, 3, 2), lossless(3, 2), many(riffChunk('NOTE', ''))),
      webp(extended(0x02, 4, 4), webpAnimation, many(webpFrame(1, 1, lossless(1, 1)))),
    ];
    // Some milliseconds each; a walk that began again for every piece would take minutes.
    const began = performance.now();
    for (const bytes of cases) assert.equal(readPicture(bytes).kind, 'picture');
    assert.ok(performance.now() - began < 5000);
  });
});
