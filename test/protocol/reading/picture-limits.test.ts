// Files that are refused as pictures: damaged, too large, or more than they claim to be.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ImageProblem, pictureLimits, readPicture } from '../../../src/protocol/reading/image.ts';
import {
  adobe,
  animationControl,
  big,
  bytesOf,
  eoi,
  exif,
  extended,
  firstScan,
  frame,
  frameControl,
  header,
  huffman,
  idat,
  iend,
  jfif,
  jpeg,
  laterFrame,
  latin,
  lossless,
  lossy,
  place,
  plain,
  plainPng,
  png,
  pngChunk,
  pngSignature,
  profile,
  quantisation,
  riffChunk,
  scan,
  segment,
  shown,
  soi,
  webp,
  webpAnimation,
  webpExif,
  webpFrame,
  webpProfile,
  webpXmp,
} from './picture-samples.ts';

test('a picture can have 512 KB and sixteen million pixels', () => {
  assert.equal(pictureLimits.bytes, 524_288);
  assert.equal(pictureLimits.pixels, 16_777_216);
});

describe('refused pictures', () => {
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
    { name: 'PNG: no such colors', bytes: png(header(2, 2, '\x08\x05\0\0\0'), idat, iend), problem: 'not_a_picture' },
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

describe('pictures just within the limits', () => {
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

describe('a truncated picture is refused', () => {
  for (const c of plain) {
    test(c.name, () => {
      for (let length = 0; length < c.bytes.length; length += 1) {
        assert.equal(readPicture(c.bytes.subarray(0, length)).kind, 'invalid', `${length} bytes`);
      }
    });
  }
});

describe("random input doesn't throw", () => {
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

  test('2,000 times random bytes after a valid signature', () => {
    const next = numbers(1);
    const signatures = [latin(''), pngSignature, latin('\xff\xd8\xff'), latin('RIFF\x40\0\0\0WEBP')];
    for (let run = 0; run < 2000; run += 1) {
      const noise = Buffer.from(Array.from({ length: next(200) }, () => next(256)));
      holds(bytesOf(signatures[run % 4] ?? '', noise), `run ${run}`);
    }
  });

  test('2,000 times a picture with random changes', () => {
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
    const began = process.cpuUsage();
    for (const bytes of cases) assert.equal(readPicture(bytes).kind, 'picture');
    assert.ok(process.cpuUsage(began).user < 5_000_000);
  });
});
