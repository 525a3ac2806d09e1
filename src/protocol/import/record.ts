// Reads the fields of an imported record by type, and collects problems and fields that weren't read.

import { isJsonObject, type Json, type JsonObject } from '../reading/strict-json.ts';

const noObject: JsonObject = {};

export class GivenRecord {
  readonly #object: JsonObject;
  /** What is wrong with the record, and with those that share its list. */
  readonly problems: string[];
  readonly #asked = new Set<string>();

  constructor(value: Json | undefined, problems: string[] = []) {
    if (value !== undefined && isJsonObject(value)) this.#object = value;
    else {
      this.#object = noObject;
      problems.push('is not an object');
    }
    this.problems = problems;
  }

  /** Undefined when it's missing, null or empty. */
  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string' && value.isWellFormed()) return value;
    return this.#wrong(key, 'must be text');
  }

  /** Also accepts numbers, as written. */
  id(key: string): string | undefined {
    const value = this.#take(key);
    return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : this.text(key);
  }

  flag(key: string): boolean | undefined {
    const value = this.#take(key);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#wrong(key, 'must be true or false');
  }

  /** Also accepts text, which is all that CSV has. */
  spelledFlag(key: string): boolean | undefined {
    const value = this.#take(key);
    const word = typeof value === 'string' ? value.toLowerCase() : value;
    if (word === undefined || word === '' || word === 'false' || word === 'no' || word === '0') return false;
    return word === 'true' || word === 'yes' || word === '1' ? true : this.flag(key);
  }

  /** Milliseconds since the epoch, from those or from a date in ISO 8601; in text or as a number. */
  time(key: string): number | undefined {
    const value = this.#take(key);
    if (value === undefined || value === '') return undefined;
    return timeOf(value) ?? this.#wrong(key, 'must be a time');
  }

  list(key: string): readonly Json[] {
    const value = this.#take(key);
    if (value === undefined || Array.isArray(value)) return value ?? [];
    this.#wrong(key, 'must be a list');
    return [];
  }

  object(key: string): JsonObject {
    const value = this.#take(key);
    if (value === undefined || isJsonObject(value)) return value ?? noObject;
    this.#wrong(key, 'must be an object');
    return noObject;
  }

  value(key: string): Json | undefined {
    return this.#take(key);
  }

  has(key: string): boolean {
    return this.#take(key) !== undefined;
  }

  /** What follows the prefix, and the whole key, of those that have it. */
  named(prefix: string): [name: string, key: string][] {
    const keys = Object.keys(this.#object).filter((key) => key.startsWith(prefix));
    return keys.map((key) => [key.slice(prefix.length), key]);
  }

  /** Marks fields that wouldn't be missed. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#asked.add(key);
  }

  /** The fields that weren't read and aren't empty. */
  left(prefix = ''): string[] {
    return Object.keys(this.#object)
      .filter((key) => !this.#asked.has(key) && says(this.#object[key]))
      .map((key) => `${prefix}${key}`);
  }

  #take(key: string): Json | undefined {
    this.#asked.add(key);
    return Object.hasOwn(this.#object, key) ? (this.#object[key] ?? undefined) : undefined;
  }

  #wrong(key: string, problem: string): undefined {
    this.problems.push(`${JSON.stringify(key)} ${problem}`);
    return undefined;
  }
}

/** Whether a value isn't empty. */
export function says(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Without a time zone, it's UTC. */
const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

export function timeOf(value: Json): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number') return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
  const [, date, clock = '00:00', zone = 'Z'] = (typeof number === 'string' && isoForm.exec(number)) || [];
  const time = Date.parse(`${date}T${clock}${zone}`);
  return Number.isNaN(time) ? undefined : time;
}
