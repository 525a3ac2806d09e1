// Parses JSON from people and clients. Unlike JSON.parse, it refuses a repeated key, which would silently win over the
// first one, and says at which line and column the text is invalid.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export type JsonReading = { kind: 'read'; value: Json } | { kind: 'invalid'; reason: InvalidReason; problem: string };

type InvalidReason = 'syntax' | 'repeated_key' | 'too_deep';

/** Far deeper than any real input. The parser is recursive, so something has to bound the stack. */
const depthLimit = 100;

const text = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export function readJson(source: string): JsonReading {
  const parser = new Parser(source);
  try {
    return { kind: 'read', value: parser.document() };
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    const { reason, message, at } = error;
    return { kind: 'invalid', reason, problem: `${message} at ${parser.place(at)}` };
  }
}

/** Some editors put a byte order mark at the start of a file. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text that a member is; undefined for an empty one. */
export function textIn(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(object, key) ? (object[key] ?? null) : null;
  return isJsonObject(value) ? value : undefined;
}

class InvalidJson extends Error {
  readonly reason: InvalidReason;
  readonly at: number;

  constructor(reason: InvalidReason, at: number, message: string) {
    super(message);
    this.reason = reason;
    this.at = at;
  }
}

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  document(): Json {
    const value = this.#value(0);
    if (this.#at < this.#source.length) throw this.#expected('the end');
    return value;
  }

  place(at: number): string {
    const before = this.#source.slice(0, at).split('\n');
    return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  }

  #value(depth: number): Json {
    if (depth > depthLimit) throw new InvalidJson('too_deep', this.#at, 'more levels than anybody needs');
    this.#skipSpace();
    const value = this.#object(depth) ?? this.#array(depth) ?? this.#scalar();
    this.#skipSpace();
    return value;
  }

  #object(depth: number): JsonObject | undefined {
    if (!this.#skip('{')) return undefined;
    const entries = new Map<string, Json>();
    if (this.#skip('}')) return {};
    do {
      this.#skipSpace();
      const at = this.#at;
      const token = this.#take(text);
      if (token === undefined) throw this.#expected('a key in double quotes');
      const key = JSON.parse(token) as string;
      if (entries.has(key)) {
        throw new InvalidJson('repeated_key', at, `the key ${token.slice(0, 60)} is there a second time`);
      }
      if (!this.#skip(':')) throw this.#expected('":"');
      entries.set(key, this.#value(depth + 1));
    } while (this.#skip(','));
    if (!this.#skip('}')) throw this.#expected('"," or "}"');
    return Object.fromEntries(entries);
  }

  #array(depth: number): Json[] | undefined {
    if (!this.#skip('[')) return undefined;
    const items: Json[] = [];
    if (this.#skip(']')) return items;
    do items.push(this.#value(depth + 1));
    while (this.#skip(','));
    if (!this.#skip(']')) throw this.#expected('"," or "]"');
    return items;
  }

  #scalar(): Json {
    const token = this.#take(text) ?? this.#take(literal);
    if (token === undefined) throw this.#expected('a value');
    return JSON.parse(token) as Json;
  }

  /** Skips white space, then the sign if it is next. */
  #skip(sign: string): boolean {
    this.#skipSpace();
    if (this.#source[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.#source.charCodeAt(this.#at))) this.#at++;
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    if (!token.test(this.#source)) return undefined;
    const found = this.#source.slice(this.#at, token.lastIndex);
    this.#at = token.lastIndex;
    return found;
  }

  #expected(what: string): InvalidJson {
    return new InvalidJson(
      'syntax',
      this.#at,
      this.#at < this.#source.length ? `${what} is expected` : `the text ends where ${what} is expected,`,
    );
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** A problem for each key that isn't known. */
export function unknownKeys(object: JsonObject, known: readonly string[]): string[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => `${JSON.stringify(key)} is not among the keys that are known: ${known.join(', ')}`);
}
