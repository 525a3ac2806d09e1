// Looks for commits that SQLite will drop when it opens a database after a crash. It reads the write-ahead log up to the first
// frame that isn't intact and ignores the rest without a word, which is right for a write that was cut off, and a loss if whole
// commits follow. The format: https://sqlite.org/fileformat2.html#walformat

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface WalDamage {
  /** The frame that can't be read, counted from 1; 0 for the header of the log, without which none can. */
  readonly frame: number;
  /** Complete commits after it. The last one may not have been acknowledged: a power cut can leave it like this. */
  readonly commitsAfter: number;
}

const headerSize = 32;
const frameHeaderSize = 24;
const magic = 0x377f0682;

type Sums = readonly [number, number];

/** Undefined if no commit is lost, as far as the log shows. A truncated log doesn't show it. */
export function findWalDamage(database: string): WalDamage | undefined {
  const damage = examine(`${database}-wal`);
  if (damage === undefined) return undefined;
  // Another process may be starting the log over at this moment. Damage stays where it is.
  const again = examine(`${database}-wal`);
  return again?.frame === damage.frame ? again : undefined;
}

function examine(file: string): WalDamage | undefined {
  let log: number;
  try {
    log = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    return damageIn(log, fstatSync(log).size);
  } finally {
    closeSync(log);
  }
}

function damageIn(log: number, size: number): WalDamage | undefined {
  if (size <= headerSize) return undefined;
  const header = Buffer.alloc(headerSize);
  readSync(log, header, 0, headerSize, 0);
  const bigEndian = header.readUInt32BE(0) === magic + 1;
  const sums = checksum(header.subarray(0, 24), [0, 0], bigEndian);
  if ((!bigEndian && header.readUInt32BE(0) !== magic) || !same(sums, sumsAt(header, 24))) {
    return { frame: 0, commitsAfter: 0 };
  }
  const frame = Buffer.alloc(frameHeaderSize + header.readUInt32BE(8));
  const frames = Math.floor((size - headerSize) / frame.length);
  let previous = sums;
  let damaged = 0;
  let commitsAfter = 0;
  for (let number = 1; number <= frames; number++) {
    readSync(log, frame, 0, frame.length, headerSize + (number - 1) * frame.length);
    // Every checksum builds on the one before it, so a frame behind a damaged one still shows that it's genuine.
    const stored = sumsAt(frame, 16);
    const intact = isOfThisLog(frame, header) && same(frameChecksum(frame, previous, bigEndian), stored);
    previous = stored;
    if (!intact && damaged === 0) damaged = number;
    // A frame that ends a transaction says how large the database is.
    if (intact && damaged > 0 && frame.readUInt32BE(4) !== 0) commitsAfter++;
  }
  return commitsAfter > 0 ? { frame: damaged, commitsAfter } : undefined;
}

/** Behind the frames of this log there may be those of an earlier one, with other salts. */
function isOfThisLog(frame: Buffer, header: Buffer): boolean {
  return frame.compare(header, 16, 24, 8, 16) === 0;
}

function frameChecksum(frame: Buffer, previous: Sums, bigEndian: boolean): Sums {
  const beginning = checksum(frame.subarray(0, 8), previous, bigEndian);
  return checksum(frame.subarray(frameHeaderSize), beginning, bigEndian);
}

function checksum(bytes: Buffer, [first, second]: Sums, bigEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [a, b] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, !bigEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, !bigEndian) + a) >>> 0;
  }
  return [a, b];
}

function sumsAt(bytes: Buffer, at: number): Sums {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function same(one: Sums, other: Sums): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
