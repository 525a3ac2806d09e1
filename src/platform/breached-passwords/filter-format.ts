// The file that says which passwords are known from breaches: a static tree of pages, whose leaves are Bloom filters of the
// SHA-1 hashes in one interval. Finding a hash takes two pages, however many hashes there are
// (docs/decisions/88-breached-passwords.md). This is its layout; filter-writer.ts and filter-file.ts write and read it.
//
//   header | leaves of group 0 | index of group 0 | leaves of group 1 | index of group 1 | … | roots
//
// An index holds the first hash of each leaf in its group, and the roots hold the first hash of each group.

import { crc32 } from 'node:zlib';

export const pageSize = 4096;
/** The size of a page without its checksum. */
export const contentSize = pageSize - 4;
export const hashSize = 20;
/** How many hashes an index or a root has room for, and so how many leaves are in a group. */
export const hashesPerIndex = Math.floor(contentSize / hashSize);

const bitsPerLeaf = contentSize * 8;
/** With this many bits set for each of this many hashes, a leaf takes 8 in 10 million other hashes for its own. */
export const bitsPerHash = 20;
export const hashesPerLeaf = 1120;

const version = 1;
const name = 'latchkey breached passwords';

/** The file can't be used. The message is a sentence for the operator, without the name of the file at its beginning. */
export class FilterUnusable extends Error {
  override name = 'FilterUnusable';
}

export interface FilterHeader {
  readonly hashes: number;
  readonly leaves: number;
  /** How often a listed password was seen at least. */
  readonly minCount: number;
  /** The false positive rate. */
  readonly falsePositives: number;
  /** A checksum over the checksums of all other pages, in hexadecimal. */
  readonly digest: string;
}

export interface FilterLayout {
  readonly groups: number;
  readonly firstRoot: number;
  readonly roots: number;
  readonly pages: number;
}

export function layoutOf({ leaves }: Pick<FilterHeader, 'leaves'>): FilterLayout {
  const groups = Math.ceil(leaves / hashesPerIndex);
  const roots = Math.ceil(groups / hashesPerIndex);
  const firstRoot = 1 + leaves + groups;
  return { groups, firstRoot, roots, pages: firstRoot + roots };
}

export function leafPage(leaf: number): number {
  return 1 + leaf + Math.floor(leaf / hashesPerIndex);
}

export function indexPage({ leaves }: Pick<FilterHeader, 'leaves'>, group: number): number {
  return 1 + Math.min((group + 1) * hashesPerIndex, leaves) + group;
}

/** Includes the page number, so that a page in the wrong place is detected. */
export function checksumOf(page: Buffer, number: number): number {
  return crc32(page.subarray(0, contentSize), number);
}

export function seal(page: Buffer, number: number): void {
  page.writeUInt32LE(checksumOf(page, number), contentSize);
}

export function isIntact(page: Buffer, number: number): boolean {
  return page.readUInt32LE(contentSize) === checksumOf(page, number);
}

/**
 * Which bits of its leaf stand for a hash. The hash's first bytes have chosen the leaf, so the others are the state of a
 * generator (xoshiro128**), of which each step makes two bits: a hash alone doesn't have enough for all.
 */
export function bitsOf(hash: Uint8Array, bits: Uint16Array): void {
  let a = wordAt(hash, 4);
  let b = wordAt(hash, 8);
  let c = wordAt(hash, 12);
  let d = wordAt(hash, 16);
  for (let at = 0; at < bitsPerHash; at += 2) {
    const scrambled = Math.imul(b, 5);
    const random = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    bits[at] = ((random >>> 16) * bitsPerLeaf) >>> 16;
    bits[at + 1] = ((random & 0xffff) * bitsPerLeaf) >>> 16;
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  const low = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  return (high << 16) | low;
}

/** The false positive rate of a leaf. */
export function falsePositivesOf(bitsSet: number): number {
  return (bitsSet / bitsPerLeaf) ** bitsPerHash;
}

/** Text, so that `head -n 2` shows what a file is. */
export function formatHeader(header: FilterHeader): Buffer {
  const page = Buffer.alloc(pageSize, '\n');
  const { hashes, leaves, minCount, falsePositives, digest } = header;
  const facts = { hashes, leaves, min_count: minCount, false_positives: falsePositives, digest };
  page.write(`${name} ${version}\n${JSON.stringify(facts)}\n`);
  seal(page, 0);
  return page;
}

const anotherKind = 'is not a file that "latchkey passwords build-filter" has written';

export function parseHeader(page: Buffer): FilterHeader {
  const [firstLine = '', secondLine = ''] = page.subarray(0, contentSize).toString('latin1').split('\n', 2);
  if (!firstLine.startsWith(`${name} `)) throw new FilterUnusable(anotherKind);
  if (firstLine !== `${name} ${version}`) {
    throw new FilterUnusable('was written by another version of Latchkey: build it again with this one');
  }
  if (page.length < pageSize) throw new FilterUnusable('is cut short: copy it or build it again');
  if (!isIntact(page, 0)) throw new FilterUnusable(alteredAt(0));
  const facts = JSON.parse(secondLine) as Record<string, unknown>;
  return {
    hashes: Number(facts.hashes),
    leaves: Number(facts.leaves),
    minCount: Number(facts.min_count),
    falsePositives: Number(facts.false_positives),
    digest: String(facts.digest),
  };
}

export function alteredAt(page: number): string {
  return `was altered or damaged, at byte ${page * pageSize}: copy it or build it again`;
}
