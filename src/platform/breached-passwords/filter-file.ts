// Reads a filter that filter-writer.ts has written. Nothing of the file is kept in memory.

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  checkPage,
  contentSize,
  type FilterHeader,
  FilterUnusable,
  pageSize,
  pagesOf,
  parseHeader,
  prefixesPerPage,
  prefixSize,
} from './filter-format.ts';

const pagesPerRead = 256;
/** A file of up to 64 MB is checked completely when the service starts, and of a larger one this many pages. */
const completelyUpTo = 16_384;
const sampled = 256;

/** Identifies a file, to notice that it was replaced or overwritten. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly changedAt: number;
}

/** Enough for any hash among others. After that, each page halves what is left. */
const mostGuesses = 8;
const lastPlace = (prefixesPerPage - 1) * prefixSize;

export class FilterFile {
  readonly header: FilterHeader;
  readonly identity: FileIdentity;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, header: FilterHeader, identity: FileIdentity) {
    this.#handle = handle;
    this.header = header;
    this.identity = identity;
  }

  /** Throws FilterUnusable if the file is missing, incomplete or something else. */
  static async open(file: string): Promise<FilterFile> {
    const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
      throw new FilterUnusable(error.code === 'ENOENT' ? "doesn't exist" : `can't be opened (${error.code})`);
    });
    try {
      const identity = identityOf(await handle.stat());
      const header = parseHeader(await readAt(handle, 0, 1), file);
      const size = (1 + pagesOf(header)) * pageSize;
      if (identity.size < size) throw new FilterUnusable('is cut short: copy it or build it again');
      if (identity.size !== size) throw new FilterUnusable('is too long: copy it or build it again');
      return new FilterFile(handle, header, identity);
    } catch (error) {
      await handle.close();
      if (error instanceof FilterUnusable) throw error;
      throw new FilterUnusable(`can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }

  /**
   * Hashes are spread evenly, so a hash says about where it is: of a billion, two or three pages are read. In a file where
   * they aren't, or aren't in order, every page that is read still leaves fewer to look at.
   */
  async has(hash: Buffer): Promise<boolean> {
    let [first, last] = [1, pagesOf(this.header)];
    let [lowest, highest] = [0, 2 ** 48];
    for (let guesses = 0; first <= last; guesses++) {
      const share = guesses < mostGuesses ? (leadingNumber(hash, 0) - lowest) / Math.max(1, highest - lowest) : 0.5;
      const page = Math.max(first, Math.min(last, first + Math.floor(share * (last - first + 1))));
      const prefixes = await readAt(this.#handle, page, 1);
      checkPage(prefixes, page);
      const orderAt = (place: number) => prefixes.compare(hash, 0, prefixSize, place, place + prefixSize);
      if (orderAt(0) > 0) {
        last = page - 1;
        highest = leadingNumber(prefixes, 0);
      } else if (orderAt(lastPlace) < 0) {
        first = page + 1;
        lowest = leadingNumber(prefixes, lastPlace);
      } else {
        let found = false;
        for (let place = 0; place <= lastPlace; place += prefixSize) if (orderAt(place) === 0) found = true;
        return found;
      }
    }
    return false;
  }

  /** What can be checked without delaying startup. */
  async checkForStart(): Promise<void> {
    const pages = pagesOf(this.header);
    if (pages <= completelyUpTo) return this.checkCompletely();
    for (let at = 0; at < sampled; at++) {
      const page = 1 + Math.floor((at * pages) / sampled);
      checkPage(await readAt(this.#handle, page, 1), page);
    }
  }

  /** Reads the whole file. */
  async checkCompletely(): Promise<void> {
    const pages = pagesOf(this.header);
    const digest = createHash('sha256');
    for (let first = 1; first <= pages; first += pagesPerRead) {
      const count = Math.min(pagesPerRead, 1 + pages - first);
      const bytes = await readAt(this.#handle, first, count);
      for (let at = 0; at < count; at++) {
        const page = bytes.subarray(at * pageSize, (at + 1) * pageSize);
        checkPage(page, first + at);
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

/** What a hash begins with, as a number that is exact. */
function leadingNumber(bytes: Buffer, place: number): number {
  return bytes.readUIntBE(place, 6);
}
