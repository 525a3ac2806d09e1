// Reads the gate's file into a typed record, with the secrets that it names, and reports everything that is wrong with it at
// once. Problems never repeat a secret.

import { resolve } from 'node:path';
import { type Environment, isWideNetwork } from '../platform/config.ts';
import { keyListProblem } from '../platform/key-list.ts';
import { codeOf, messageOf } from '../protocol/reading/caught-errors.ts';
import { isPlainText } from '../protocol/reading/control-characters.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  readJson,
  unknownKeys,
  withoutByteOrderMark,
} from '../protocol/reading/strict-json.ts';
import type { GateApplication, GateConfig, ListenAddress, Requirement } from './config.ts';
import {
  headerProblem,
  issuerProblem,
  listenProblem,
  numberRules,
  pathProblem,
  readHost,
  readListenAddress,
  standardHeaders,
  standardListen,
  standardProxies,
  textProblem,
  trustedProxyProblem,
  variableProblem,
} from './config-rules.ts';

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

export type GateConfigReading =
  /** Warnings are about what is allowed, but seldom meant. */
  | { readonly kind: 'read'; readonly config: GateConfig; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export function readGateConfig(text: string, surroundings: ConfigSurroundings): GateConfigReading {
  const json = readJson(withoutByteOrderMark(text));
  if (json.kind === 'invalid') return { kind: 'invalid', problems: [`the file isn't valid JSON: ${json.problem}`] };
  if (!isJsonObject(json.value)) return { kind: 'invalid', problems: ['the file must contain a JSON object'] };
  const reader = new Reader(surroundings);
  const config = reader.read(json.value);
  const { problems, warnings } = reader;
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'read', config, warnings };
}

const fileMembers =
  '$schema issuer listen metrics data_dir key_file trusted_proxies recheck_seconds grace_seconds session_hours applications'.split(
    ' ',
  );
const applicationMembers = ['host', 'client_id', 'client_secret', 'open', 'programs', 'headers', 'require'];
const requirementMembers = ['paths', 'claim', 'values'];

type ProblemOf = (text: string) => string | undefined;

/** A place is such as `applications[0].host`, and ends with the name of the member that's read. */
class Reader {
  readonly problems: string[] = [];
  readonly warnings: string[] = [];
  /** The place of each host. */
  readonly #hosts = new Map<string, string>();
  readonly #surroundings: ConfigSurroundings;

  constructor(surroundings: ConfigSurroundings) {
    this.#surroundings = surroundings;
  }

  /** What it returns is of no use if there are problems. */
  read(file: JsonObject): GateConfig {
    this.problems.push(...unknownKeys(file, fileMembers));
    const config: GateConfig = {
      issuer: this.#text(file, 'issuer', issuerProblem),
      listen: this.#address(file, 'listen', standardListen) ?? { host: '', port: 0 },
      metrics: this.#address(file, 'metrics'),
      dataDir: this.#dataDir(file),
      keyFile: this.#keyFile(file),
      trustedProxies: Object.hasOwn(file, 'trusted_proxies')
        ? this.#texts(file, 'trusted_proxies', trustedProxyProblem, 'one')
        : standardProxies,
      recheckSeconds: this.#number(file, 'recheck_seconds'),
      graceSeconds: this.#number(file, 'grace_seconds'),
      sessionHours: this.#number(file, 'session_hours'),
      applications: this.#objects(file, 'applications', applicationMembers, 'one').map(([place, item]) =>
        this.#application(place, item),
      ),
    };
    if (config.metrics?.port === config.listen.port) this.#add('metrics', 'must have another port than listen');
    const own = URL.parse(config.issuer)?.host ?? '';
    const taken = this.#hosts.get(own);
    if (taken !== undefined) this.#add(taken, `${own} is Latchkey's own host, where people sign in`);
    this.#warn(config);
    return config;
  }

  #application(place: string, item: JsonObject): GateApplication {
    return {
      host: this.#host(item, `${place}.host`),
      clientId: this.#text(item, `${place}.client_id`, textProblem),
      clientSecret: this.#secret(item, `${place}.client_secret`),
      open: this.#texts(item, `${place}.open`, pathProblem),
      programs: this.#texts(item, `${place}.programs`, pathProblem),
      headers: this.#headers(item, `${place}.headers`),
      require: this.#objects(item, `${place}.require`, requirementMembers).map(
        ([inside, requirement]): Requirement => ({
          paths: this.#texts(requirement, `${inside}.paths`, pathProblem, 'one'),
          claim: this.#text(requirement, `${inside}.claim`, textProblem),
          values: this.#texts(requirement, `${inside}.values`, textProblem, 'one'),
        }),
      ),
    };
  }

  #host(application: JsonObject, place: string): string {
    const text = this.#text(application, place);
    if (text === '') return '';
    const read = readHost(text);
    if ('problem' in read) return this.#add(place, read.problem);
    const { host } = read;
    const other = this.#hosts.get(host);
    if (other !== undefined) return this.#add(place, `${host} is taken by ${other}`);
    this.#hosts.set(host, place);
    return host;
  }

  #address(file: JsonObject, place: string, standard = ''): ListenAddress | undefined {
    const text = Object.hasOwn(file, place) ? this.#text(file, place) : standard;
    const address = readListenAddress(text);
    if (address === undefined && text !== '') this.#add(place, listenProblem);
    return address;
  }

  #path(file: JsonObject, place: string): string {
    return resolve(this.#surroundings.folder, this.#text(file, place, textProblem));
  }

  /** Doesn't have to exist, and neither does the key file: the gate creates them. */
  #dataDir(file: JsonObject): string {
    const path = this.#path(file, 'data_dir');
    const found = this.#contentOf('data_dir', path, ['ENOENT', 'EISDIR']);
    return found === undefined ? path : this.#add('data_dir', `${path} is a file`);
  }

  #keyFile(file: JsonObject): string {
    const path = this.#path(file, 'key_file');
    // It's the folder itself if there's no name, which is said already.
    const text = path === this.#surroundings.folder ? undefined : this.#contentOf('key_file', path, ['ENOENT']);
    const problem = text === undefined ? undefined : keyListProblem(text);
    return problem === undefined ? path : this.#add('key_file', `${path} ${problem}`);
  }

  #contentOf(place: string, path: string, expected: readonly string[]): string | undefined {
    try {
      return this.#surroundings.readFile(path);
    } catch (error) {
      if (!expected.includes(codeOf(error) ?? '')) this.#add(place, `${path} can't be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  #number(file: JsonObject, name: keyof typeof numberRules): number {
    const { standard, least, most } = numberRules[name];
    const value = memberAt(file, name);
    if (value === undefined) return standard;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.#add(name, `must be a whole number from ${least} to ${most}`);
    return standard;
  }

  #headers(application: JsonObject, place: string): Readonly<Record<string, string>> {
    const value = memberAt(application, place);
    if (value === undefined) return standardHeaders;
    if (!isJsonObject(value)) {
      this.#add(place, 'must be an object with header names and the claim that each has');
      return standardHeaders;
    }
    const taken = new Set<string>();
    const given = Object.entries(value).map(([name, claim]): [string, string] => {
      const shown = JSON.stringify(name);
      const key = name.toLowerCase();
      const problem = headerProblem(name) ?? (taken.has(key) ? 'is given twice' : undefined);
      if (problem !== undefined) this.#add(place, `${shown} ${problem}`);
      taken.add(key);
      if (typeof claim === 'string' && textProblem(claim) === undefined) return [name, claim];
      return [name, this.#add(place, `${shown} must have the name of a claim as its value`)];
    });
    const others = Object.entries(standardHeaders).filter(([name]) => !taken.has(name.toLowerCase()));
    return Object.fromEntries([...others, ...given]);
  }

  #secret(application: JsonObject, place: string): string {
    const value = memberAt(application, place);
    if (value === undefined) return this.#add(place, 'is missing');
    const rule = 'must be {"file": …} or {"env": …}';
    if (typeof value === 'string') {
      return this.#add(place, `${rule}. A secret in this file would be in every copy and backup of it`);
    }
    if (!isJsonObject(value)) return this.#add(place, rule);
    this.#refuseUnknown(value, place, ['file', 'env']);
    const isInFile = Object.hasOwn(value, 'file');
    if (isInFile === Object.hasOwn(value, 'env')) return this.#add(place, `${rule}, with one of the two`);
    return isInFile ? this.#secretInFile(value, `${place}.file`) : this.#secretInVariable(value, `${place}.env`);
  }

  #secretInVariable(value: JsonObject, place: string): string {
    const name = this.#text(value, place, variableProblem);
    if (name === '') return '';
    // Many tools can only express "not set" as an empty variable.
    const secret = this.#surroundings.environment[name] || undefined;
    if (secret === undefined) return this.#add(place, `the variable ${name} isn't set`);
    return this.#line(place, `the variable ${name}`, secret);
  }

  #secretInFile(value: JsonObject, place: string): string {
    const given = this.#text(value, place, textProblem);
    if (given === '') return '';
    const { folder, readFile, isExposed } = this.#surroundings;
    const file = resolve(folder, given);
    let text: string;
    try {
      text = readFile(file);
      if (isExposed(file)) {
        this.warnings.push(`${place}: everyone on this machine can read ${file}. Run "chmod o= ${file}"`);
      }
    } catch (error) {
      return this.#add(place, `can't read the secret: ${messageOf(error)}`);
    }
    return this.#line(place, file, text);
  }

  #line(place: string, source: string, text: string): string {
    // Editors and `echo` end a file with a newline.
    const secret = text.replace(/[\r\n]+$/, '');
    if (secret.trim() === '') return this.#add(place, `${source} is empty`);
    return isPlainText(secret) ? secret : this.#add(place, `${source} must contain a single line of text`);
  }

  /** A member that has to be there. */
  #text(object: JsonObject, place: string, problemOf: ProblemOf = textProblem): string {
    const value = memberAt(object, place);
    if (value === undefined) return this.#add(place, 'is missing');
    return this.#checked(value, place, problemOf);
  }

  /** A list that can be left out unless it needs at least one entry. */
  #texts(object: JsonObject, place: string, problemOf: ProblemOf, least?: 'one'): string[] {
    return this.#list(object, place, least).map((value, index) =>
      this.#checked(value, `${place}[${index}]`, problemOf),
    );
  }

  #checked(value: Json, place: string, problemOf: ProblemOf): string {
    if (typeof value !== 'string') return this.#add(place, 'must be a string');
    const problem = problemOf(value);
    return problem === undefined ? value : this.#add(place, problem);
  }

  #objects(object: JsonObject, place: string, known: readonly string[], least?: 'one'): [string, JsonObject][] {
    return this.#list(object, place, least).flatMap((value, index): [string, JsonObject][] => {
      const inside = `${place}[${index}]`;
      if (!isJsonObject(value)) this.#add(inside, 'must be an object');
      if (!isJsonObject(value)) return [];
      this.#refuseUnknown(value, inside, known);
      return [[inside, value]];
    });
  }

  #list(object: JsonObject, place: string, least?: 'one'): readonly Json[] {
    const value = memberAt(object, place);
    if (value === undefined && least !== undefined) this.#add(place, 'is missing');
    if (value === undefined) return [];
    if (!Array.isArray(value)) this.#add(place, 'must be a list');
    else if (value.length === 0 && least !== undefined) this.#add(place, `must have at least ${least} entry`);
    return Array.isArray(value) ? value : [];
  }

  #refuseUnknown(object: JsonObject, place: string, known: readonly string[]): void {
    for (const problem of unknownKeys(object, known)) this.#add(place, problem);
  }

  #warn({ trustedProxies, recheckSeconds, graceSeconds, applications }: GateConfig): void {
    const warn = (place: string, text: string) => this.warnings.push(`${place}: ${text}`);
    const wide = trustedProxies.filter(isWideNetwork);
    if (wide.length > 0) warn('trusted_proxies', `${wide.join(', ')} lets people pose as your proxy; list it exactly`);
    if (graceSeconds > 0 && graceSeconds <= recheckSeconds) {
      warn('grace_seconds', `has no effect unless it's more than recheck_seconds (${recheckSeconds})`);
    }
    for (const [index, { open, require }] of applications.entries()) {
      const place = `applications[${index}].open`;
      if (open.includes('/*')) warn(place, '"/*" opens everything to everyone, except for paths in require');
      for (const path of open) {
        const covering = require.findIndex(({ paths }) => paths.some((each) => covers(each, path)));
        if (covering >= 0) warn(place, `${JSON.stringify(path)} has no effect, because require[${covering}] covers it`);
      }
    }
  }

  #add(place: string, problem: string): '' {
    this.problems.push(`${place}: ${problem}`);
    return '';
  }
}

/** Whether the first pattern matches all that the second one does. */
function covers(pattern: string, other: string): boolean {
  if (!pattern.endsWith('*')) return pattern === other;
  const start = pattern.slice(0, -1);
  return other.startsWith(start) || `${other}/` === start;
}

function memberAt(object: JsonObject, place: string): Json | undefined {
  const [name = ''] = /[^.]*$/.exec(place) ?? [];
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
