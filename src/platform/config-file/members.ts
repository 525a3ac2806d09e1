// Members that the files of the gate and the bridge have in common: where to listen, what is kept where, and secrets.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { isPlainText } from '../../protocol/reading/control-characters.ts';
import { isJsonObject } from '../../protocol/reading/strict-json.ts';
import { isWideNetwork } from '../config.ts';
import { keyListProblem } from '../key-list.ts';
import {
  type Kind,
  list,
  optional,
  type Reading,
  refuseUnknown,
  required,
  text,
  textAs,
  withStandard,
} from './kinds.ts';
import {
  type ListenAddress,
  listenPattern,
  listenProblem,
  originPattern,
  originProblem,
  proxyPattern,
  readListenAddress,
  textProblem,
  trustedProxyProblem,
  variablePattern,
  variableProblem,
} from './rules.ts';

/** `example` is the URL in the sentence for what is none. */
export const origin = (what: string, example: string): Kind<string> =>
  text(originPattern, (given) => originProblem(given, what, example));

/** `port` is the standard one. */
export const listenAddress = (port: number): Kind<ListenAddress> =>
  textAs(
    text(listenPattern, textProblem),
    (given, place, reading) => readListenAddress(given) ?? reading.refuse(place, listenProblem(port)),
  );

/** What each of the files begins with. */
export const schemaMember = optional<unknown>(
  { schema: { type: 'string' }, read: () => undefined },
  { description: 'Where your editor finds this schema. Nothing else reads it.' },
);

export const issuerMember = required(origin("Latchkey's base URL", 'https://login.example.com'), {
  description: "Latchkey's base URL, without a path or a trailing slash. Plain http works only on loopback.",
  examples: ['https://login.example.com'],
});

/** `port` is that of the example, and `listen` the one in the sentence about what is no address. */
export const metricsMember = (port: number, listen: number) =>
  optional(listenAddress(listen), {
    description:
      'The IP address or host name, and the port, where Prometheus gets /metrics. Anyone who can reach it can.',
    examples: [`127.0.0.1:${port}`],
  });

export const trustedProxiesMember = (description: string) =>
  withStandard(list(text(proxyPattern, trustedProxyProblem), 'one'), ['127.0.0.1', '::1'], { description });

export function warnOfWideNetworks(trustedProxies: readonly string[], reading: Reading): void {
  const wide = trustedProxies.filter(isWideNetwork).join(', ');
  if (wide !== '') reading.warn('trusted_proxies', `${wide} lets people pose as your proxy; list it exactly`);
}

export function refuseSamePort(
  { listen, metrics }: { readonly listen?: ListenAddress; readonly metrics?: ListenAddress | undefined },
  reading: Reading,
): void {
  if (metrics !== undefined && metrics.port === listen?.port) {
    reading.refuse('metrics', 'must have another port than listen');
  }
}

/** Doesn't have to exist, and neither does the key file: both are created. */
export const folder = textAs(text(), (given, place, reading) => {
  const resolved = resolve(reading.surroundings.folder, given);
  const found = reading.contentOf(place, resolved, ['ENOENT', 'EISDIR']);
  return found === undefined ? resolved : reading.refuse(place, `${resolved} is a file`);
});

export const keyFile = textAs(text(), (given, place, reading) => {
  const resolved = resolve(reading.surroundings.folder, given);
  const content = reading.contentOf(place, resolved, ['ENOENT']);
  const problem = content === undefined ? undefined : keyListProblem(content);
  return problem === undefined ? resolved : reading.refuse(place, `${resolved} ${problem}`);
});

/** Newest first. */
export type Secrets = readonly [newest: string, ...older: string[]];

export interface SecretSource {
  readonly secrets: Secrets;
  /** Where to read it again. */
  readonly file: string | undefined;
}

const secretInFile = (most: 1 | 2) =>
  textAs(text(), (given, place, reading): SecretSource | undefined => {
    const { readFile, isExposed } = reading.surroundings;
    const file = resolve(reading.surroundings.folder, given);
    try {
      const content = readFile(file);
      if (isExposed(file)) reading.warn(place, `everyone on this machine can read ${file}. Run "chmod o= ${file}"`);
      const secrets = readSecrets(content, most);
      return 'problem' in secrets ? reading.refuse(place, `${file} ${secrets.problem}`) : { secrets, file };
    } catch (error) {
      return reading.refuse(place, `can't read the secret: ${messageOf(error)}`);
    }
  });

const secretInVariable = (most: 1 | 2) =>
  textAs(text(variablePattern, variableProblem), (name, place, reading): SecretSource | undefined => {
    // Many tools can only express "not set" as an empty variable.
    const content = reading.surroundings.environment[name] || undefined;
    if (content === undefined) return reading.refuse(place, `the variable ${name} isn't set`);
    const secrets = readSecrets(content, most);
    return 'problem' in secrets
      ? reading.refuse(place, `the variable ${name} ${secrets.problem}`)
      : { secrets, file: undefined };
  });

/** A problem is the end of a sentence, and doesn't quote the content. */
export function readSecrets(content: string, most: 1 | 2): Secrets | { readonly problem: string } {
  // Editors and `echo` end a file with a newline.
  const [newest = '', ...older] = content.replace(/[\r\n]+$/, '').split(/\r?\n/);
  const lines = [newest, ...older] as const;
  if (lines.every((line) => line.trim() === '')) return { problem: 'is empty' };
  const isValid = lines.length <= most && lines.every((line) => line.trim() !== '' && isPlainText(line));
  if (isValid) return lines;
  return {
    problem:
      most === 1
        ? 'must contain a single line of text'
        : 'must contain one or two lines of text, the newest secret first',
  };
}

/** Milliseconds. */
const lookAgainAfter = 1000;

/**
 * The secrets as they are now, so that a rotation needs no restart. A file that can't be read leaves them as they were, and the
 * environment doesn't change.
 */
export function currentSecrets({ file, secrets }: SecretSource, now = () => performance.now()): () => Secrets {
  let latest = secrets;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (file === undefined || now() - readAt < lookAgainAfter) return latest;
    readAt = now();
    try {
      const read = readSecrets(readFileSync(file, 'utf8'), 2);
      if (!('problem' in read)) latest = read;
    } catch {
      // A program that replaces it may have removed it first.
    }
    return latest;
  };
}

const only = (name: string, { schema }: Kind<SecretSource>, description: string) => ({
  required: [name],
  additionalProperties: false,
  properties: { [name]: { ...schema, description } },
});

export function secret(most: 1 | 2): Kind<SecretSource> {
  const inFile = secretInFile(most);
  const inVariable = secretInVariable(most);
  const what = most === 1 ? 'the secret' : 'the secret, or two in as many lines, newest first';
  return {
    schema: {
      type: 'object',
      oneOf: [
        only('file', inFile, `The path of a file with ${what}. Relative paths count from this file.`),
        only('env', inVariable, `The name of an environment variable with ${what}.`),
      ],
    },
    read(value, place, reading) {
      const rule = 'must be {"file": …} or {"env": …}';
      if (typeof value === 'string') {
        return reading.refuse(place, `${rule}. A secret in this file would be in every copy and backup of it`);
      }
      if (!isJsonObject(value)) return reading.refuse(place, rule);
      refuseUnknown(value, ['file', 'env'], place, reading);
      const { file, env } = value;
      if ((file === undefined) === (env === undefined)) return reading.refuse(place, `${rule}, with one of the two`);
      if (file !== undefined) return inFile.read(file, `${place}.file`, reading);
      return env === undefined ? undefined : inVariable.read(env, `${place}.env`, reading);
    },
  };
}
