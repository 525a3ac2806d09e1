// JSON as people write it in files: what is wrong is told with its place, and a key that is there twice is wrong. The
// language's own reader tells no place for most faults, and silently keeps the last of two equal keys.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export type JsonReading = { kind: 'read'; value: Json } | { kind: 'invalid'; problem: string };

/** Far deeper than any file that is meant; reading goes as deep as the text does. */
const depthLimit = 100;

const space = /[ \t\n\r]*/y;
const text = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export function readJson(source: string): JsonReading {
  // Some editors begin a file with a mark that is no part of it.
  const reader = new Reader(source.replace(/^\ufeff/, ''));
  try {
    return { kind: 'read', value: reader.whole() };
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    return { kind: 'invalid', problem: `${error.message} at ${reader.place(error.at)}` };
  }
}

class InvalidJson extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Json {
    const value = this.#value(0);
    if (this.#at < this.#source.length) throw this.#expected('the end');
    return value;
  }

  place(at: number): string {
    const before = this.#source.slice(0, at).split('\n');
    return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  }

  #value(depth: number): Json {
    if (depth > depthLimit) throw new InvalidJson(this.#at, 'more levels than anybody needs');
    this.#take(space);
    const value = this.#object(depth) ?? this.#array(depth) ?? this.#scalar();
    this.#take(space);
    return value;
  }

  #object(depth: number): JsonObject | undefined {
    if (!this.#skip('{')) return undefined;
    const entries = new Map<string, Json>();
    if (this.#skip('}')) return {};
    do {
      this.#take(space);
      const at = this.#at;
      const token = this.#take(text);
      if (token === undefined) throw this.#expected('a key in double quotes');
      const key = JSON.parse(token) as string;
      if (entries.has(key)) throw new InvalidJson(at, `the key ${token.slice(0, 60)} is there a second time`);
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

  /** A sign, with the space before it. */
  #skip(sign: string): boolean {
    this.#take(space);
    if (this.#source[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const [found] = token.exec(this.#source) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #expected(what: string): InvalidJson {
    return new InvalidJson(
      this.#at,
      this.#at < this.#source.length ? `${what} is expected` : `the text ends where ${what} is expected,`,
    );
  }
}
