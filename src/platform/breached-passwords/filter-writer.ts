// Writes a filter from hashes in ascending order, one page after the other, in constant memory.

import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import {
  bitsOf,
  bitsPerHash,
  contentSize,
  type FilterHeader,
  falsePositivesOf,
  formatHeader,
  hashesPerIndex,
  hashesPerLeaf,
  hashSize,
  pageSize,
  seal,
} from './filter-format.ts';

const pagesPerWrite = 256;

export class FilterWriter {
  readonly #descriptor: number;
  readonly #minCount: number;
  readonly #leaf = Buffer.alloc(pageSize);
  readonly #index = Buffer.alloc(pageSize);
  /** The first hash of each group: 20 bytes for 228,480 hashes. */
  readonly #groups: Buffer[] = [];
  readonly #bits = new Uint16Array(bitsPerHash);
  readonly #unwritten = Buffer.alloc(pagesPerWrite * pageSize);
  readonly #digest = createHash('sha256');
  #unwrittenPages = 0;
  /** The next page; the header is written last. */
  #page = 1;
  #hashes = 0;
  #leaves = 0;
  #hashesInLeaf = 0;
  #bitsSet = 0;
  #falsePositives = 0;

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
    if (this.#hashesInLeaf === 0) this.#index.set(hash, (this.#leaves % hashesPerIndex) * hashSize);
    const bits = this.#bits;
    bitsOf(hash, bits);
    const leaf = this.#leaf;
    let wereSet = 0;
    for (let at = 0; at < bitsPerHash; at++) {
      const bit = bits[at] ?? 0;
      const byte = leaf[bit >>> 3] ?? 0;
      wereSet += (byte >>> (bit & 7)) & 1;
      leaf[bit >>> 3] = byte | (1 << (bit & 7));
    }
    this.#bitsSet += bitsPerHash - wereSet;
    this.#hashes++;
    if (++this.#hashesInLeaf === hashesPerLeaf) this.#endLeaf();
  }

  /** Writes the remaining pages and returns the header. The file isn't synced. */
  finish(): FilterHeader {
    if (this.#hashesInLeaf > 0) this.#endLeaf();
    if (this.#leaves % hashesPerIndex > 0) this.#endGroup();
    for (let first = 0; first < this.#groups.length; first += hashesPerIndex) {
      const root = Buffer.alloc(pageSize);
      for (const [at, hash] of this.#groups.slice(first, first + hashesPerIndex).entries()) {
        root.set(hash, at * hashSize);
      }
      this.#write(root);
    }
    this.#flush();
    const header = {
      hashes: this.#hashes,
      leaves: this.#leaves,
      minCount: this.#minCount,
      falsePositives: this.#falsePositives / Math.max(1, this.#leaves),
      digest: this.#digest.digest('hex'),
    };
    this.#writeAt(formatHeader(header), 0);
    return header;
  }

  #endLeaf(): void {
    this.#falsePositives += falsePositivesOf(this.#bitsSet);
    this.#write(this.#leaf);
    this.#hashesInLeaf = 0;
    this.#bitsSet = 0;
    if (++this.#leaves % hashesPerIndex === 0) this.#endGroup();
  }

  #endGroup(): void {
    this.#groups.push(Buffer.from(this.#index.subarray(0, hashSize)));
    this.#write(this.#index);
  }

  /** Returns the page's content and resets it. */
  #write(page: Buffer): void {
    seal(page, this.#page++);
    this.#digest.update(page.subarray(contentSize));
    page.copy(this.#unwritten, this.#unwrittenPages * pageSize);
    page.fill(0);
    if (++this.#unwrittenPages === pagesPerWrite) this.#flush();
  }

  #flush(): void {
    const bytes = this.#unwritten.subarray(0, this.#unwrittenPages * pageSize);
    this.#writeAt(bytes, (this.#page - this.#unwrittenPages) * pageSize);
    this.#unwrittenPages = 0;
  }

  #writeAt(bytes: Uint8Array, position: number): void {
    // On an almost full disk, a write can be partial.
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, position + done);
    }
  }
}
