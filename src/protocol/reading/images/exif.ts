// Exif metadata of a JPEG. Only the orientation is kept, because the picture would be shown rotated without it; the
// location, the camera and everything else is dropped.

const ORIENTATION = 0x0112;
const SHORT = 3;

/** The orientation that an Exif segment asks for, or undefined if the picture is upright. */
export function exifOrientation(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined;
  const tiff = segment.subarray(6);
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return undefined;
  const isLittleEndian = order === 'II*\0';
  const short = (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));

  const directory = long(4);
  if (directory < 8 || directory + 2 > tiff.length) return undefined;
  const entries = short(directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + 12 * entry;
    // Each entry has 12 bytes and is followed by another one, or by the 4-byte offset of the next directory.
    if (at + 16 > tiff.length) return undefined;
    if (short(at) !== ORIENTATION) continue;
    const isOneShort = short(at + 2) === SHORT && long(at + 4) === 1;
    const value = short(at + 8);
    return isOneShort && value > 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** An Exif segment with a single directory, whose only entry is the orientation. */
export function exifWithOrientation(orientation: number): Buffer {
  const text = `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`;
  return Buffer.from(text, 'latin1');
}
