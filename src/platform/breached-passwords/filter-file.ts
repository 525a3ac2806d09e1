// Reads a filter that filter-writer.ts has written. Of the file, only the first hash of each group is kept in memory: 20
// bytes for 228,480 hashes.

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  alteredAt,
  bitsOf,
  bitsPerHash,
  contentSize,
  type FilterHeader,
  type FilterLayout,
  FilterUnusable,
  hashesPerIndex,
  hashSize,
  indexPage,
  isIntact,
  layoutOf,
  leafPage,
  pageSize,
  parseHeader,
} from './filter-format.ts';

const pagesPerRead = 256;
/** A file of up to 64 MiB is checked completely when the service starts, and of a larger one this many pages. */
const completelyUpTo = 16_384;
const sampled = 256;

/** Identifies a file, to notice that it was replaced or overwritten. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly changedAt: number;
}

export class FilterFile {
  readonly header: FilterHeader;
  readonly identity: FileIdentity;
  readonly #handle: FileHandle;
  readonly #layout: FilterLayout;
  /** The first hash of each group, one after the other. */
  readonly #groups: Buffer;

  private constructor(handle: FileHandle, header: FilterHeader, identity: FileIdentity, groups: Buffer) {
    this.#handle = handle;
    this.header = header;
    this.identity = identity;
    this.#layout = layoutOf(header);
    this.#groups = groups;
  }

  /** Throws FilterUnusable if the file is missing, incomplete or something else. */
  static async open(file: string): Promise<FilterFile> {
    const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
      throw new FilterUnusable(error.code === 'ENOENT' ? "doesn't exist" : `can't be opened (${error.code})`);
    });
    try {
      const identity = identityOf(await handle.stat());
      const header = parseHeader(await readAt(handle, 0, 1));
      const { firstRoot, roots, pages, groups } = layoutOf(header);
      if (identity.size < pages * pageSize) throw new FilterUnusable('is cut short: copy it or build it again');
      if (identity.size > pages * pageSize) throw new FilterUnusable('is too long: copy it or build it again');
      const hashes: Buffer[] = [];
      for (let page = firstRoot; page < firstRoot + roots; page++) hashes.push(await readIntact(handle, page));
      const contents = hashes.map((page) => page.subarray(0, hashesPerIndex * hashSize));
      return new FilterFile(handle, header, identity, Buffer.concat(contents).subarray(0, groups * hashSize));
    } catch (error) {
      await handle.close();
      if (error instanceof FilterUnusable) throw error;
      throw new FilterUnusable(`can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }

  /** Reads two pages and tests every bit, whether the hash is there or not. */
  async has(hash: Uint8Array): Promise<boolean> {
    const { leaves } = this.header;
    const group = lastNotAfter(this.#groups, this.#layout.groups, hash);
    const index = await readIntact(this.#handle, indexPage(this.header, group));
    const firstLeaf = group * hashesPerIndex;
    const inGroup = lastNotAfter(index, Math.min(hashesPerIndex, leaves - firstLeaf), hash);
    const leaf = await readIntact(this.#handle, leafPage(firstLeaf + inGroup));
    const bits = new Uint16Array(bitsPerHash);
    bitsOf(hash, bits);
    let allSet = 1;
    for (const bit of bits) allSet &= (leaf[bit >>> 3] ?? 0) >>> (bit & 7);
    return (allSet & 1) === 1;
  }

  /** What can be checked without delaying startup. */
  async checkForStart(): Promise<void> {
    const { pages } = this.#layout;
    if (pages <= completelyUpTo) return this.checkCompletely();
    for (let at = 0; at < sampled; at++) await readIntact(this.#handle, 1 + Math.floor((at * (pages - 1)) / sampled));
  }

  /** Reads the whole file. */
  async checkCompletely(): Promise<void> {
    const { pages } = this.#layout;
    const digest = createHash('sha256');
    for (let first = 1; first < pages; first += pagesPerRead) {
      const count = Math.min(pagesPerRead, pages - first);
      const bytes = await readAt(this.#handle, first, count);
      for (let at = 0; at < count; at++) {
        const page = bytes.subarray(at * pageSize, (at + 1) * pageSize);
        if (page.length < pageSize || !isIntact(page, first + at)) throw new FilterUnusable(alteredAt(first + at));
        digest.update(page.subarray(contentSize));
      }
    }
    // Every page may be intact but from another file.
    if (digest.digest('hex') !== this.header.digest) {
      throw new FilterUnusable('was put together from different files: copy it or build it again');
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

export function identityOf(stats: { dev: number; ino: number; size: number; mtimeMs: number }): FileIdentity {
  return { device: stats.dev, inode: stats.ino, size: stats.size, changedAt: stats.mtimeMs };
}

async function readIntact(handle: FileHandle, page: number): Promise<Buffer> {
  const bytes = await readAt(handle, page, 1);
  if (bytes.length < pageSize || !isIntact(bytes, page)) throw new FilterUnusable(alteredAt(page));
  return bytes;
}

async function readAt(handle: FileHandle, page: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count * pageSize);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, page * pageSize + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** The last of the sorted hashes that isn't greater than the given one; the first if all are. */
function lastNotAfter(hashes: Buffer, count: number, hash: Uint8Array): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const order = hashes.compare(hash, 0, hashSize, middle * hashSize, (middle + 1) * hashSize);
    if (order > 0) high = middle - 1;
    else low = middle;
  }
  return low;
}
