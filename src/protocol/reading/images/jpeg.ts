// JPEG: segments of marker, length and data. A start-of-scan segment is followed by coded pixels up to the next marker.
// Keeps what a decoder needs, the color profile and the orientation.

import { exifOrientation, exifWithOrientation } from './exif.ts';
import { type KeptParts, sizeProblem } from './picture-size.ts';

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

/** A scan makes the decoder go over all pixels again, however few bytes it has. Encoders produce about ten. */
const scanLimit = 100;

export function readJpeg(bytes: Buffer): KeptParts {
  const kept = [bytes.subarray(0, 2)];
  let hasFrame = false;
  let hasOrientation = false;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) return 'not_a_picture';
    // Any number of fill bytes may come before a marker.
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    at += 1;
    // Anything after the end is dropped: phones append videos, depth maps and further pictures.
    if (marker === EOI) return scans > 0 ? [...kept, Buffer.of(0xff, EOI)] : 'not_a_picture';
    if (marker === undefined || at + 2 > bytes.length) return 'not_a_picture';
    const end = at + bytes.readUInt16BE(at);
    if (end < at + 2 || end > bytes.length) return 'not_a_picture';
    const data = bytes.subarray(at + 2, end);
    at = end;

    if (marker >= SOF0 && marker <= SOF2) {
      if (hasFrame || !isFrame(data)) return 'not_a_picture';
      const problem = sizeProblem({ width: data.readUInt16BE(3), height: data.readUInt16BE(1) });
      if (problem !== undefined) return problem;
      hasFrame = true;
      kept.push(segment(marker, data));
    } else if (marker === SOS) {
      if (!hasFrame) return 'not_a_picture';
      scans += 1;
      if (scans > scanLimit) return 'too_many_pixels';
      at = endOfScan(bytes, end);
      kept.push(segment(marker, data), bytes.subarray(end, at));
    } else if (marker === DHT || marker === DQT || marker === DRI) {
      kept.push(segment(marker, data));
    } else if (marker === APP1) {
      const orientation = hasOrientation ? undefined : exifOrientation(data);
      if (orientation === undefined) continue;
      hasOrientation = true;
      kept.push(segment(marker, exifWithOrientation(orientation)));
    } else if (marker >= APP0 && marker <= APP15) {
      const colors = colorData(marker, data);
      if (colors !== undefined) kept.push(segment(marker, colors));
    } else if (marker !== COM) {
      return 'not_a_picture';
    }
  }
}

/** Eight bits per sample, and one, three or four components: what every browser shows. */
function isFrame(data: Buffer): boolean {
  const components = data[5] ?? 0;
  return data[0] === 8 && [1, 3, 4].includes(components) && data.length === 6 + 3 * components;
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** In coded pixels, 0xff is followed by 0 or by a restart marker; any other marker ends the scan. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1];
    if (next === 0xff) at += 1;
    else if (next === 0 || (next !== undefined && next >= RST0 && next <= RST7)) at += 2;
    else return at;
  }
  return bytes.length;
}

/** The application segments that a decoder needs for correct colors. */
function colorData(marker: number, data: Buffer): Buffer | undefined {
  const startsWith = (text: string) => data.toString('latin1', 0, text.length) === text;
  if (marker === APP0 && startsWith('JFIF\0') && data.length >= 14) {
    // Without the thumbnail, which may still show what was cropped from the picture.
    return Buffer.concat([data.subarray(0, 12), Buffer.of(0, 0)]);
  }
  if (marker === APP2 && startsWith('ICC_PROFILE\0')) return data;
  if (marker === APP14 && startsWith('Adobe') && data.length >= 12) return data.subarray(0, 12);
  return undefined;
}
