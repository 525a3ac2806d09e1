// RIFF, the container of WebP: chunks of type, length and data, padded to an even length.

export interface RiffChunk {
  readonly type: string;
  readonly data: Buffer;
  /** With type, length and padding. */
  readonly whole: Buffer;
}

/** Undefined if a chunk reaches beyond the end. */
export function readChunks(bytes: Buffer): RiffChunk[] | undefined {
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

/** Adds no padding: the parts must have an even length together, as whole chunks have. */
export function writeChunk(type: string, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return Buffer.concat([head, ...parts]);
}
