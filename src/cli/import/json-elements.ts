// Finds the objects in a JSON file of any size, without holding more than one of them: those of a list, of a list that
// is a member of an object, or one after the other, as lines of JSON are. It only looks for where each begins and ends.
// What is between them is checked; whether an object itself is valid is up to the caller, who parses it.

export interface Element {
  readonly text: string;
  /** Where it begins. */
  readonly line: number;
}

/** The file isn't what it should be, from this line on. */
export class InvalidFile extends Error {
  override name = 'InvalidFile';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** In bytes. Far more than any export has about one person. */
export const elementLimit = 1024 * 1024;
const depthLimit = 200;

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma, colon, lineFeed] = ['"', '\\', ',', ':', '\n'].map(code);
const [openBrace, closeBrace, openBracket, closeBracket] = ['{', '}', '[', ']'].map(code);

type State =
  | 'start'
  /** In the list: an object, and at first also its end. */
  | 'first_element'
  | 'element'
  | 'after_element'
  /** In the object around it. */
  | 'first_key'
  | 'key'
  | 'colon'
  | 'value'
  | 'after_value'
  | 'end';

export class ElementScanner {
  readonly #member: string | undefined;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #state: State = 'start';
  #line = 1;
  /** Of what is being captured or skipped: an object of the list, a key, or a value that is skipped. */
  #inside: 'element' | 'key' | 'skipped' | undefined;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #parts: Uint8Array[] = [];
  #size = 0;
  #startLine = 1;
  #key = '';
  #found = false;
  #lines = false;

  /** `member` names the list in an object; without it, an object is the first of several lines. */
  constructor(member: string | undefined) {
    this.#member = member;
  }

  /** Whether the list that was asked for is there. */
  get found(): boolean {
    return this.#found;
  }

  /** The objects that end in this part of the file. */
  push(chunk: Uint8Array): Element[] {
    const elements: Element[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#inside === undefined) at = this.#between(chunk, at);
      else at = this.#within(chunk, at, elements);
    }
    return elements;
  }

  finish(): void {
    const complete = this.#state === 'end' || (this.#lines && this.#inside === undefined);
    if (!complete) throw new InvalidFile(this.#line, 'the file ends too early');
  }

  /** One byte of what is around the objects. */
  #between(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte === lineFeed) this.#line++;
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) return at + 1;
    switch (this.#state) {
      case 'start':
        // A byte order mark.
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) return at + 1;
        if (byte === openBracket && this.#member === undefined) return this.#enterList(at);
        if (byte !== openBrace) throw this.#unexpected();
        if (this.#member !== undefined) return this.#go('first_key', at);
        this.#lines = true;
        this.#found = true;
        return this.#begin('element', at);
      case 'first_element':
      case 'element':
        if (byte === openBrace) return this.#begin('element', at);
        if (byte === closeBracket && this.#state === 'first_element') return this.#leaveList(at);
        throw this.#unexpected('an object');
      case 'after_element':
        if (this.#lines && byte === openBrace) return this.#begin('element', at);
        if (!this.#lines && byte === comma) return this.#go('element', at);
        if (!this.#lines && byte === closeBracket) return this.#leaveList(at);
        throw this.#unexpected(this.#lines ? 'an object' : 'a comma or ]');
      case 'first_key':
      case 'key':
        if (byte === closeBrace && this.#state === 'first_key') return this.#go('end', at);
        if (byte !== quote) throw this.#unexpected('a key');
        return this.#begin('key', at);
      case 'colon':
        if (byte !== colon) throw this.#unexpected('a colon');
        return this.#go('value', at);
      case 'value':
        if (this.#key !== this.#member) return this.#begin('skipped', at);
        if (byte !== openBracket) throw this.#unexpected(`a list in ${JSON.stringify(this.#member)}`);
        if (this.#found) throw new InvalidFile(this.#line, `${JSON.stringify(this.#member)} appears twice`);
        return this.#enterList(at);
      case 'after_value':
        if (byte === comma) return this.#go('key', at);
        if (byte === closeBrace) return this.#go('end', at);
        throw this.#unexpected('a comma or }');
      case 'end':
        throw this.#unexpected('the end of the file');
    }
  }

  /** As much as there is of an object, a key or a skipped value. */
  #within(chunk: Uint8Array, start: number, elements: Element[]): number {
    const kept = this.#inside !== 'skipped';
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === lineFeed) this.#line++;
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) {
          this.#inText = false;
          if (this.#depth === 0) return this.#complete(chunk, start, at + 1, elements);
        }
      } else if (byte === quote) this.#inText = true;
      else if (byte === openBrace || byte === openBracket) {
        if (++this.#depth > depthLimit) throw new InvalidFile(this.#line, `more than ${depthLimit} levels`);
      } else if (byte === closeBrace || byte === closeBracket) {
        // The end of the object around a number or a word.
        if (this.#depth === 0) return this.#complete(chunk, start, at, elements);
        if (--this.#depth === 0) return this.#complete(chunk, start, at + 1, elements);
      } else if (byte === comma && this.#depth === 0) return this.#complete(chunk, start, at, elements);
    }
    if (kept) this.#keep(chunk.slice(start));
    return chunk.length;
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > elementLimit) throw new InvalidFile(this.#startLine, 'an object of more than 1 MB');
    this.#parts.push(part);
  }

  #complete(chunk: Uint8Array, start: number, end: number, elements: Element[]): number {
    const inside = this.#inside;
    this.#inside = undefined;
    this.#go(inside === 'element' ? 'after_element' : inside === 'key' ? 'colon' : 'after_value', end);
    if (inside === 'skipped') return end;
    this.#keep(chunk.subarray(start, end));
    const text = this.#decode();
    if (inside === 'element') elements.push({ text, line: this.#startLine });
    else this.#key = keyOf(text) ?? '';
    return end;
  }

  #decode(): string {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new InvalidFile(this.#startLine, "the file isn't UTF-8 text");
    }
  }

  /** What begins here is read from this byte on. */
  #begin(inside: 'element' | 'key' | 'skipped', at: number): number {
    this.#inside = inside;
    this.#depth = 0;
    this.#startLine = this.#line;
    return at;
  }

  #enterList(at: number): number {
    this.#found = true;
    return this.#go('first_element', at);
  }

  #leaveList(at: number): number {
    return this.#go(this.#member === undefined ? 'end' : 'after_value', at);
  }

  #go(state: State, at: number): number {
    this.#state = state;
    return at + 1;
  }

  #unexpected(expected?: string): InvalidFile {
    const wanted = expected ?? (this.#member === undefined ? 'a list or objects' : 'an object');
    return new InvalidFile(this.#line, `expected ${wanted}`);
  }
}

function keyOf(text: string): string | undefined {
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
