// An uploaded picture keeps what it shows and loses everything else: location, comments, previews, later pictures.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { type ImageType, readPicture } from '../../../src/protocol/reading/image.ts';
import {
  adobe,
  animatedPng,
  animatedWebp,
  bytesOf,
  exif,
  extended,
  firstScan,
  frame,
  header,
  huffman,
  idat,
  iend,
  jfif,
  jpeg,
  latin,
  lossless,
  lossy,
  onlyOrientation,
  place,
  plain,
  plainJpeg,
  plainPng,
  png,
  pngChunk,
  profile,
  quantisation,
  riffChunk,
  secondScan,
  segment,
  shown,
  webp,
  webpAnimation,
  webpExif,
  webpFrame,
  webpProfile,
  webpXmp,
} from './picture-samples.ts';

/** Plain bytes: a Buffer and a Uint8Array of the same content are not deeply equal. */
const picture = (contentType: ImageType, bytes: Buffer) => ({
  kind: 'picture',
  contentType,
  bytes: new Uint8Array(bytes),
});

describe('a picture without metadata is unchanged', () => {
  for (const c of plain) {
    test(c.name, () => assert.deepEqual(readPicture(c.bytes), picture(c.contentType, c.bytes)));
  }

  test('only the bytes of a view are read', () => {
    const whole = new Uint8Array(bytesOf('xx', plainPng, 'xx'));
    assert.deepEqual(readPicture(whole.subarray(2, -2)), picture('image/png', plainPng));
    assert.equal(readPicture(whole).kind, 'invalid');
  });

  test('the result is a copy', () => {
    const given = new Uint8Array(plainPng);
    const reading = readPicture(given);
    given.fill(0);
    assert.deepEqual(reading, picture('image/png', plainPng));
  });
});

describe('metadata is removed', () => {
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
      name: 'JPEG: a list of further pictures beside a color profile',
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

  test('truncated Exif is removed or kept whole', () => {
    const whole = exif('little', 6);
    for (let length = 0; length < whole.length; length += 1) {
      const given = jpeg(segment(0xe1, whole.subarray(0, length)), ...shown);
      const reading = readPicture(given);
      assert.ok(reading.kind === 'picture' && reading.bytes.length <= given.length, `${length} bytes`);
      assert.ok(!Buffer.from(reading.bytes).includes(place.slice(0, 3)), `${length} bytes`);
    }
  });
});
