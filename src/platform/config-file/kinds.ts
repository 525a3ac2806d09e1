// What the files of the gate and the bridge are made of: kinds of values, and members of objects. Each says how it's read and
// how a JSON Schema describes it. The reader reports everything that is wrong at once, and never repeats a secret.

import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  readJson,
  unknownKeys,
  withoutByteOrderMark,
} from '../../protocol/reading/strict-json.ts';
import type { Environment } from '../config.ts';
import { plainPattern, textProblem } from './rules.ts';

/** What the file is read with. */
export interface ConfigSurroundings {
  /** Where relative paths count from. */
  readonly folder: string;
  readonly environment: Environment;
  /** Throws if it can't. */
  readonly readFile: (path: string) => string;
  /** Whether everyone on the machine can read the file. */
  readonly isExposed: (path: string) => boolean;
}

/** Collects what is wrong with the file. */
export class Reading {
  readonly surroundings: ConfigSurroundings;
  readonly problems: string[] = [];
  /** About what is allowed, but seldom meant. */
  readonly warnings: string[] = [];
  /** What only one application can have, and the place of each. */
  private readonly taken = new Map<string, string>();

  constructor(surroundings: ConfigSurroundings) {
    this.surroundings = surroundings;
  }

  /** A place is such as `applications[0].host`; the file itself is ''. */
  refuse(place: string, problem: string): undefined {
    this.problems.push(place === '' ? problem : `${place}: ${problem}`);
  }

  warn(place: string, text: string): void {
    this.warnings.push(`${place}: ${text}`);
  }

  /** Refuses what another application has already. */
  take(value: string, place: string): boolean {
    const other = this.taken.get(value);
    if (other === undefined) this.taken.set(value, place);
    else this.refuse(place, `${value} is taken by ${other}`);
    return other === undefined;
  }

  placeOf(value: string): string | undefined {
    return this.taken.get(value);
  }

  /** Undefined if reading fails, which is refused unless the code of the error is expected. */
  contentOf(place: string, path: string, expected: readonly string[]): string | undefined {
    try {
      return this.surroundings.readFile(path);
    } catch (error) {
      if (expected.includes(codeOf(error) ?? '')) return undefined;
      return this.refuse(place, `${path} can't be read: ${messageOf(error)}`);
    }
  }
}

export interface Kind<T> {
  readonly schema: object;
  /** Undefined for a value that was refused. */
  readonly read: (value: Json, place: string, reading: Reading) => T | undefined;
}

interface Member<T> extends Kind<T> {
  readonly isRequired: boolean;
  /** What a member that isn't there is read as. */
  readonly standard: Json | undefined;
}

interface About {
  readonly description: string;
  readonly examples?: readonly string[];
}

export const described = <T>(kind: Kind<T>, about: About): Kind<T> => ({
  ...kind,
  schema: { ...kind.schema, ...about },
});

export const required = <T>(kind: Kind<T>, about: About): Member<T> => ({
  ...described(kind, about),
  isRequired: true,
  standard: undefined,
});

export const optional = <T>(kind: Kind<T>, about: About): Member<T | undefined> => ({
  ...described(kind, about),
  isRequired: false,
  standard: undefined,
});

export const withStandard = <T>(kind: Kind<T>, standard: Json, about: About): Member<T> => ({
  read: kind.read,
  schema: { ...kind.schema, default: standard, ...about },
  isRequired: false,
  standard,
});

export function text(pattern = plainPattern, problemOf = textProblem): Kind<string> {
  return {
    schema: { type: 'string', pattern: pattern.source },
    read(value, place, reading) {
      if (typeof value !== 'string') return reading.refuse(place, 'must be a string');
      const problem = problemOf(value);
      return problem === undefined ? value : reading.refuse(place, problem);
    },
  };
}

export function choice<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    schema: { enum: words },
    read(value, place, reading) {
      const chosen = words.find((word) => word === value);
      return chosen ?? reading.refuse(place, `must be ${words.map((word) => JSON.stringify(word)).join(' or ')}`);
    },
  };
}

/** null says that there is none, as leaving it out does. */
export const orNull = <T>(kind: Kind<T>): Kind<T> => ({
  schema: { oneOf: [kind.schema, { type: 'null' }] },
  read: (value, place, reading) => (value === null ? undefined : kind.read(value, place, reading)),
});

/** A text that stands for something else. */
export function textAs<T>(
  kind: Kind<string>,
  readText: (text: string, place: string, reading: Reading) => T | undefined,
): Kind<T> {
  return {
    schema: kind.schema,
    read(value, place, reading) {
      const given = kind.read(value, place, reading);
      return given === undefined ? undefined : readText(given, place, reading);
    },
  };
}

export function whole(least: number, most: number): Kind<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    read(value, place, reading) {
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
      return reading.refuse(place, `must be a whole number from ${least} to ${most}`);
    },
  };
}

export function list<T>(kind: Kind<T>, least?: 'one'): Kind<readonly T[]> {
  return {
    schema: { type: 'array', items: kind.schema, ...(least && { minItems: 1 }) },
    read(value, place, reading) {
      if (!Array.isArray(value)) return reading.refuse(place, 'must be a list');
      if (value.length === 0 && least !== undefined) reading.refuse(place, `must have at least ${least} entry`);
      const read = value.map((item: Json, index) => kind.read(item, `${place}[${index}]`, reading));
      return read.filter((item) => item !== undefined);
    },
  };
}

type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Member<infer T> ? T : never;
};

/** The file's names are those of the table with underscores. What is read is of no use if there are problems. */
export function members<Table extends Readonly<Record<string, Member<unknown>>>>(table: Table): Kind<ValuesOf<Table>> {
  const entries = Object.entries(table).map(([key, member]) => ({
    key,
    name: key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    member,
  }));
  const names = entries.map(({ name }) => name);
  return {
    schema: {
      type: 'object',
      required: entries.filter(({ member }) => member.isRequired).map(({ name }) => name),
      additionalProperties: false,
      properties: Object.fromEntries(entries.map(({ name, member }) => [name, member.schema])),
    },
    read(value, place, reading) {
      if (!isJsonObject(value)) return reading.refuse(place, 'must be an object');
      refuseUnknown(value, names, place, reading);
      const values = entries.map(({ key, name, member }) => {
        const inside = place === '' ? name : `${place}.${name}`;
        const given = Object.hasOwn(value, name) ? value[name] : member.standard;
        if (given === undefined && member.isRequired) reading.refuse(inside, 'is missing');
        return [key, given === undefined ? undefined : member.read(given, inside, reading)];
      });
      return Object.fromEntries(values) as ValuesOf<Table>;
    },
  };
}

export function refuseUnknown(object: JsonObject, known: readonly string[], place: string, reading: Reading): void {
  for (const problem of unknownKeys(object, known)) reading.refuse(place, problem);
}

export type ReadBy<K> = K extends Kind<infer T> ? T : never;

export type ConfigReading<Config> =
  | { readonly kind: 'read'; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

interface Rules<Config> {
  /** What doesn't go together. Members may be missing, if there are problems with them. */
  readonly refuse: (config: Partial<Config>, reading: Reading) => void;
  readonly warn: (config: Config, reading: Reading) => void;
}

export function readConfigFile<Config extends object>(
  kind: Kind<Config>,
  { refuse, warn }: Rules<Config>,
  content: string,
  surroundings: ConfigSurroundings,
): ConfigReading<Omit<Config, '$schema'>> {
  const json = readJson(withoutByteOrderMark(content));
  if (json.kind === 'invalid') return { kind: 'invalid', problems: [`the file isn't valid JSON: ${json.problem}`] };
  if (!isJsonObject(json.value)) return { kind: 'invalid', problems: ['the file must contain a JSON object'] };
  const reading = new Reading(surroundings);
  const read = kind.read(json.value, '', reading);
  if (read !== undefined) refuse(read, reading);
  const { problems, warnings } = reading;
  if (read === undefined || problems.length > 0) return { kind: 'invalid', problems };
  warn(read, reading);
  const { $schema: _, ...config } = read as Config & { $schema?: unknown };
  return { kind: 'read', config, warnings };
}
