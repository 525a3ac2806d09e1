// Reads lists of hashes as they are published: a SHA-1 hash in hexadecimal, a colon and how often the password was seen, one
// per line and in ascending order. It reads byte by byte, in constant memory whatever the input is.

import { hashSize } from './filter-format.ts';

/** The message completes a sentence that starts with the name of the list. */
export class HashListError extends Error {
  override name = 'HashListError';
}

export interface HashListOptions {
  /** Passwords that were seen less often are left out. */
  readonly minCount: number;
  /** Called with each hash, in a buffer that's reused. */
  readonly take: (hash: Uint8Array) => void;
}

const lineFeed = 10;
const carriageReturn = 13;
const colon = 58;
const zero = 48;
const digitsOfHash = 2 * hashSize;
/** Those of the other list that is published, with NTLM hashes. */
const digitsOfNtlm = 32;
/** More than any real count, and still an exact number. */
const mostDigitsOfCount = 15;

const hexadecimal = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  hexadecimal[digit.charCodeAt(0)] = value;
  hexadecimal[digit.toUpperCase().charCodeAt(0)] = value;
}

type Expected = 'hash' | 'count' | 'line_end';

export class HashListReader {
  readonly #options: HashListOptions;
  #hash = new Uint8Array(hashSize);
  #previous = new Uint8Array(hashSize);
  #isFirst = true;
  #line = 1;
  #expected: Expected = 'hash';
  /** How many digits of the hash or of the count there are so far. */
  #digits = 0;
  /** How many digits of every hash the name of the file stands for. */
  #given = 0;
  #count = 0;

  constructor(options: HashListOptions) {
    this.#options = options;
  }

  /** The last hash, or zeros. */
  get last(): Uint8Array {
    return this.#previous;
  }

  /** From here on, the lines are those of a file whose hashes all begin with `prefix` and don't repeat it. */
  beginRange(prefix: string): void {
    for (const [at, digit] of [...prefix].entries()) setDigit(this.#hash, at, Number.parseInt(digit, 16));
    this.#given = prefix.length;
    this.#digits = prefix.length;
    this.#line = 1;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) {
      if (this.#expected === 'hash') at += this.#readDigits(chunk, at);
      const byte = chunk[at];
      if (byte === undefined) return;
      if (this.#expected === 'hash') this.#endHash(byte);
      else if (this.#expected === 'count') this.#readCount(byte);
      else if (byte === lineFeed) this.#nextLine();
      else throw this.#problem('has something after the count');
    }
  }

  /** The end of the input, or of one file of it. */
  end(): void {
    if (this.#expected === 'count' && this.#digits > 0) this.#endEntry();
    else if (this.#expected === 'hash' && this.#digits > this.#given) throw this.#problem('ends too early');
    else if (this.#expected === 'count') throw this.#problem('ends too early');
    this.#nextLine();
  }

  /** Returns how many there were. */
  #readDigits(chunk: Uint8Array, start: number): number {
    const hash = this.#hash;
    const first = this.#digits;
    const most = Math.min(digitsOfHash, first + chunk.length - start);
    let digits = first;
    for (; digits < most; digits++) {
      const value = hexadecimal[chunk[start + digits - first] ?? 0] ?? -1;
      if (value < 0) break;
      setDigit(hash, digits, value);
    }
    this.#digits = digits;
    return digits - first;
  }

  /** What comes after the digits. */
  #endHash(byte: number): void {
    const isEmpty = this.#digits === this.#given;
    if (byte === colon && this.#digits === digitsOfHash) {
      this.#expected = 'count';
      this.#digits = 0;
      this.#count = 0;
    } else if (isEmpty && byte === lineFeed) this.#nextLine();
    else if (isEmpty && byte === carriageReturn) this.#expected = 'line_end';
    else if (byte === colon && this.#given === 0 && this.#digits === digitsOfNtlm) {
      throw this.#problem('has a hash of 32 digits, as in the NTLM list: use the list of SHA-1 hashes');
    } else if (byte === lineFeed && this.#digits === digitsOfHash) throw this.#problem('has no count after the hash');
    else throw this.#problem(`doesn't begin with ${digitsOfHash - this.#given} hexadecimal digits and a colon`);
  }

  #readCount(byte: number): void {
    const value = byte - zero;
    if (value >= 0 && value <= 9 && this.#digits < mostDigitsOfCount) {
      this.#count = 10 * this.#count + value;
      this.#digits++;
    } else if (this.#digits > 0 && (byte === lineFeed || byte === carriageReturn)) {
      this.#endEntry();
      if (byte === lineFeed) this.#nextLine();
      else this.#expected = 'line_end';
    } else throw this.#problem('has no whole number after the colon');
  }

  #endEntry(): void {
    const order = compare(this.#previous, this.#hash);
    if (order > 0 && !this.#isFirst) throw this.#problem('is not in order: its hash is smaller than the one before');
    const isNew = order !== 0 || this.#isFirst;
    const hash = this.#hash;
    this.#hash = this.#previous;
    this.#previous = hash;
    // The prefix from the file's name isn't in the lines, so it's copied.
    for (let at = 0; at < Math.ceil(this.#given / 2); at++) this.#hash[at] = hash[at] ?? 0;
    this.#isFirst = false;
    if (isNew && this.#count >= this.#options.minCount) this.#options.take(hash);
  }

  #nextLine(): void {
    this.#line++;
    this.#expected = 'hash';
    this.#digits = this.#given;
  }

  #problem(text: string): HashListError {
    return new HashListError(`line ${this.#line} ${text}`);
  }
}

function setDigit(hash: Uint8Array, at: number, value: number): void {
  const byte = at >>> 1;
  hash[byte] = at % 2 === 0 ? value << 4 : ((hash[byte] ?? 0) & 0xf0) | value;
}

function compare(one: Uint8Array, other: Uint8Array): number {
  for (let at = 0; at < hashSize; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
