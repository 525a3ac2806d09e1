// Writes a filter from hashes in ascending order, one page after the other, in constant memory.

import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import {
  contentSize,
  type FilterHeader,
  formatHeader,
  pageSize,
  prefixesPerPage,
  prefixSize,
  seal,
} from './filter-format.ts';

const pagesPerWrite = 256;

export class FilterWriter {
  readonly #descriptor: number;
  readonly #minCount: number;
  readonly #unwritten = Buffer.alloc(pagesPerWrite * pageSize);
  readonly #digest = createHash('sha256');
  /** The page that is being filled; the header is written last. */
  #page = 1;
  /** Where it is among those that aren't written yet. */
  #start = 0;
  #hashes = 0;

  /** `descriptor` is that of an empty file. */
  constructor(descriptor: number, minCount: number) {
    this.#descriptor = descriptor;
    this.#minCount = minCount;
  }

  get hashes(): number {
    return this.#hashes;
  }

  /** Expects a hash that comes after all the others. */
  add(hash: Uint8Array): void {
    const at = this.#start + (this.#hashes % prefixesPerPage) * prefixSize;
    for (let byte = 0; byte < prefixSize; byte++) this.#unwritten[at + byte] = hash[byte] ?? 0;
    if (++this.#hashes % prefixesPerPage === 0) this.#endPage();
  }

  /** Writes the remaining pages and returns the header. The file isn't synced. */
  finish(): FilterHeader {
    const used = this.#hashes % prefixesPerPage;
    if (used > 0) {
      // The last prefix is repeated, so that every page is full and in order.
      const end = this.#start + used * prefixSize;
      const last = Buffer.from(this.#unwritten.subarray(end - prefixSize, end));
      this.#unwritten.fill(last, end, this.#start + prefixesPerPage * prefixSize);
      this.#endPage();
    }
    this.#flush();
    const header = { hashes: this.#hashes, minCount: this.#minCount, digest: this.#digest.digest('hex') };
    this.#writeAt(formatHeader(header), 0);
    return header;
  }

  #endPage(): void {
    const page = this.#unwritten.subarray(this.#start, this.#start + pageSize);
    seal(page, this.#page++);
    this.#digest.update(page.subarray(contentSize));
    this.#start += pageSize;
    if (this.#start === this.#unwritten.length) this.#flush();
  }

  #flush(): void {
    this.#writeAt(this.#unwritten.subarray(0, this.#start), this.#page * pageSize - this.#start);
    this.#start = 0;
  }

  #writeAt(bytes: Uint8Array, position: number): void {
    // On an almost full disk, a write can be partial.
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, position + done);
    }
  }
}
