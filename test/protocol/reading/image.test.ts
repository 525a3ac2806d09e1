import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logoLimit, recogniseImage } from '../../../src/protocol/reading/image.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';

test('a logo can have 512 KB', () => assert.equal(logoLimit, 524_288));

describe("detecting an image's type from its content", () => {
  const cases = [
    { name: 'a PNG is recognised', bytes: latin(png), expected: 'image/png' },
    { name: 'a JPEG with JFIF is recognised', bytes: latin('\xff\xd8\xff\xe0\0\x10JFIF'), expected: 'image/jpeg' },
    { name: 'a JPEG with Exif is recognised', bytes: latin('\xff\xd8\xff\xe1\0\x10Exif'), expected: 'image/jpeg' },
    { name: 'a WebP is recognised', bytes: latin('RIFF\x24\0\0\0WEBPVP8 '), expected: 'image/webp' },
    {
      name: 'an SVG is refused',
      bytes: latin('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      expected: undefined,
    },
    {
      name: 'an SVG with an XML declaration is refused',
      bytes: latin('<?xml version="1.0"?><svg/>'),
      expected: undefined,
    },
    { name: 'a GIF is refused', bytes: latin('GIF89a\x01\0\x01\0'), expected: undefined },
    { name: 'HTML is refused', bytes: latin('<!doctype html><script>alert(1)</script>'), expected: undefined },
    { name: 'a PDF is refused', bytes: latin('%PDF-1.7'), expected: undefined },
    { name: 'a BMP is refused', bytes: latin('BM\x3a\0\0\0'), expected: undefined },
    { name: 'a WAV in a RIFF container is refused', bytes: latin('RIFF\x24\0\0\0WAVEfmt '), expected: undefined },
    { name: 'WEBP in another container is refused', bytes: latin('XIFF\x24\0\0\0WEBPVP8 '), expected: undefined },
    { name: 'a PNG that does not begin at once is refused', bytes: latin(` ${png}`), expected: undefined },
    {
      name: 'a PNG with its line ends changed is refused',
      bytes: latin('\x89PNG\n\x1a\n\0\0\0\rIHDR'),
      expected: undefined,
    },
    { name: 'no bytes are refused', bytes: latin(''), expected: undefined },
    { name: 'a cut-off PNG signature is refused', bytes: latin(png.slice(0, 7)), expected: undefined },
    { name: 'a cut-off JPEG signature is refused', bytes: latin('\xff\xd8'), expected: undefined },
    { name: 'a cut-off WebP signature is refused', bytes: latin('RIFF\x24\0\0\0WEB'), expected: undefined },
    { name: 'text that spells PNG is refused', bytes: latin('PNG'), expected: undefined },
  ];
  for (const c of cases) test(c.name, () => assert.equal(recogniseImage(c.bytes), c.expected));

  test('only the bytes of a view are read', () => {
    const whole = new Uint8Array(latin(`xx${png}`));
    assert.equal(recogniseImage(whole.subarray(2)), 'image/png');
    assert.equal(recogniseImage(whole.subarray(2, 9)), undefined);
    assert.equal(recogniseImage(whole), undefined);
  });
});
