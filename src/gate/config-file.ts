// The gate's file: each member's rule, default and description stand here once. The reader reports everything that is wrong
// at once, and never repeats a secret; the schema is for editors, and finds all but what test/gate/config.test.ts lists.

import { resolve } from 'node:path';
import { isWideNetwork } from '../platform/config.ts';
import { keyListProblem } from '../platform/key-list.ts';
import { messageOf } from '../protocol/reading/caught-errors.ts';
import { isPlainText } from '../protocol/reading/control-characters.ts';
import { isJsonObject, readJson, withoutByteOrderMark } from '../protocol/reading/strict-json.ts';
import {
  type ConfigSurroundings,
  described,
  type Kind,
  list,
  members,
  optional,
  Reading,
  refuseUnknown,
  required,
  text,
  textAs,
  whole,
  withStandard,
} from './config-kinds.ts';
import {
  headerPattern,
  headerProblem,
  hostPattern,
  issuerProblem,
  listenPattern,
  listenProblem,
  originPattern,
  pathPattern,
  pathProblem,
  proxyPattern,
  readHost,
  readListenAddress,
  textProblem,
  trustedProxyProblem,
  variablePattern,
  variableProblem,
} from './config-rules.ts';

/** The identity headers of every application, and the claim that each has. */
export const standardHeaders: Readonly<Record<string, string>> = {
  'Remote-User': 'sub',
  'Remote-Email': 'email',
  'Remote-Name': 'name',
  'Remote-Groups': 'groups',
};

const path = described(text(pathPattern, pathProblem), {
  description: 'A path, or the beginning of paths with "*" at the end. Not percent-encoded.',
  examples: ['/healthz', '/assets/*'],
});

/** In lower case, with its port unless that's the scheme's own. */
const host = textAs(text(hostPattern, textProblem), (given, place, reading) => {
  const read = readHost(given);
  if ('problem' in read) return reading.refuse(place, read.problem);
  const other = reading.hosts.get(read.host);
  if (other !== undefined) return reading.refuse(place, `${read.host} is taken by ${other}`);
  reading.hosts.set(read.host, place);
  return read.host;
});

const listenAddress = textAs(
  text(listenPattern, textProblem),
  (given, place, reading) => readListenAddress(given) ?? reading.refuse(place, listenProblem),
);

/** Doesn't have to exist, and neither does the key file: the gate creates them. */
const folder = textAs(text(), (given, place, reading) => {
  const resolved = resolve(reading.surroundings.folder, given);
  const found = reading.contentOf(place, resolved, ['ENOENT', 'EISDIR']);
  return found === undefined ? resolved : reading.refuse(place, `${resolved} is a file`);
});

const keyFile = textAs(text(), (given, place, reading) => {
  const resolved = resolve(reading.surroundings.folder, given);
  const content = reading.contentOf(place, resolved, ['ENOENT']);
  const problem = content === undefined ? undefined : keyListProblem(content);
  return problem === undefined ? resolved : reading.refuse(place, `${resolved} ${problem}`);
});

const headers: Kind<Readonly<Record<string, string>>> = {
  schema: {
    type: 'object',
    propertyNames: { pattern: headerPattern.source },
    additionalProperties: text().schema,
  },
  read(value, place, reading) {
    if (!isJsonObject(value)) {
      return reading.refuse(place, 'must be an object with header names and the claim that each has');
    }
    const taken = new Set<string>();
    for (const [name, claim] of Object.entries(value)) {
      const shown = JSON.stringify(name);
      const key = name.toLowerCase();
      const problem = headerProblem(name) ?? (taken.has(key) ? 'is given twice' : undefined);
      if (problem !== undefined) reading.refuse(place, `${shown} ${problem}`);
      taken.add(key);
      if (typeof claim !== 'string' || textProblem(claim) !== undefined) {
        reading.refuse(place, `${shown} must have the name of a claim as its value`);
      }
    }
    const others = Object.entries(standardHeaders).filter(([name]) => !taken.has(name.toLowerCase()));
    return Object.fromEntries([...others, ...(Object.entries(value) as [string, string][])]);
  },
};

const secretInFile = textAs(text(), (given, place, reading) => {
  const { readFile, isExposed } = reading.surroundings;
  const file = resolve(reading.surroundings.folder, given);
  try {
    const content = readFile(file);
    if (isExposed(file)) reading.warn(place, `everyone on this machine can read ${file}. Run "chmod o= ${file}"`);
    return secretLine(place, file, content, reading);
  } catch (error) {
    return reading.refuse(place, `can't read the secret: ${messageOf(error)}`);
  }
});

const secretInVariable = textAs(text(variablePattern, variableProblem), (name, place, reading) => {
  // Many tools can only express "not set" as an empty variable.
  const secret = reading.surroundings.environment[name] || undefined;
  if (secret === undefined) return reading.refuse(place, `the variable ${name} isn't set`);
  return secretLine(place, `the variable ${name}`, secret, reading);
});

function secretLine(place: string, source: string, content: string, reading: Reading): string | undefined {
  // Editors and `echo` end a file with a newline.
  const secret = content.replace(/[\r\n]+$/, '');
  if (secret.trim() === '') return reading.refuse(place, `${source} is empty`);
  return isPlainText(secret) ? secret : reading.refuse(place, `${source} must contain a single line of text`);
}

const only = (name: string, { schema }: Kind<string>, description: string) => ({
  required: [name],
  additionalProperties: false,
  properties: { [name]: { ...schema, description } },
});

const secret: Kind<string> = {
  schema: {
    type: 'object',
    oneOf: [
      only('file', secretInFile, 'The path of a file with the secret. Relative paths count from this file.'),
      only('env', secretInVariable, 'The name of an environment variable with the secret.'),
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
    if (file !== undefined) return secretInFile.read(file, `${place}.file`, reading);
    return env === undefined ? undefined : secretInVariable.read(env, `${place}.env`, reading);
  },
};

/** Limits these paths to people with one of the values in the claim. */
const requirement = members({
  paths: required(list(path, 'one'), { description: '"/admin/*" covers "/admin", too.' }),
  claim: required(text(), {
    description: 'The claim that has to have one of the values.',
    examples: ['role', 'groups'],
  }),
  values: required(list(text(), 'one'), {
    description: 'One of them is enough. For a claim with a list, one of its entries has to be among them.',
  }),
});

const application = members({
  host: required(host, {
    description: "The application's host, with its port unless that's 443. No two applications have the same.",
    examples: ['wiki.example', 'localhost:8080'],
  }),
  clientId: required(text(), {
    description: 'The client that "latchkey client create --for gate" has registered. Redirect URI: /gate/callback.',
  }),
  clientSecret: required(secret, {
    description: "The client's secret, in a file or in an environment variable. Never the secret itself.",
  }),
  open: withStandard(list(path), [], {
    description: "Paths that everyone can open without signing in. Never covers a path that's in require.",
  }),
  programs: withStandard(list(path), [], {
    description: "Paths that browsers don't show as pages: without a session they're answered with 401, not sign-in.",
  }),
  headers: withStandard(headers, standardHeaders, {
    description: 'Headers that tell the application who is signed in, each with its claim. Those of the default stay.',
  }),
  require: withStandard(list(requirement), [], {
    description: 'Paths for some people only. A path that several entries cover needs all of them.',
  }),
});

const wholeFile = members({
  $schema: optional<unknown>(
    { schema: { type: 'string' }, read: () => undefined },
    { description: 'Where your editor finds this schema. The gate ignores it.' },
  ),
  issuer: required(text(originPattern, issuerProblem), {
    description: "Latchkey's base URL, without a path or a trailing slash. Plain http works only on loopback.",
    examples: ['https://login.example.com'],
  }),
  listen: withStandard(listenAddress, '127.0.0.1:8460', {
    description: 'The IP address or host name, and the port, where your proxy reaches the gate.',
  }),
  metrics: optional(listenAddress, {
    description:
      'The IP address or host name, and the port, where Prometheus gets /metrics. Anyone who can reach it can.',
    examples: ['127.0.0.1:9465'],
  }),
  dataDir: required(folder, { description: 'The folder for sessions. Relative paths count from this file.' }),
  keyFile: required(keyFile, {
    description:
      "The file with the key that sessions are sealed with. Created if it doesn't exist. A new key ends all sessions.",
  }),
  trustedProxies: withStandard(list(text(proxyPattern, trustedProxyProblem), 'one'), ['127.0.0.1', '::1'], {
    description: 'IP addresses and networks of your proxies. Requests from elsewhere are refused.',
  }),
  recheckSeconds: withStandard(whole(1, 300), 30, {
    description:
      'How long someone whose access has ended can still get in at most: how often Latchkey is asked for each session.',
  }),
  graceSeconds: withStandard(whole(0, 3600), 60, {
    description: "How long after their last check people stay signed in while Latchkey doesn't answer.",
  }),
  sessionHours: withStandard(whole(1, 720), 12, { description: 'How long a session lasts at most.' }),
  applications: required(list(application, 'one'), { description: 'What is behind the gate.' }),
});

type ReadBy<K> = K extends Kind<infer T> ? T : never;
export type GateConfig = Omit<ReadBy<typeof wholeFile>, '$schema'>;
export type GateApplication = ReadBy<typeof application>;
export type Requirement = ReadBy<typeof requirement>;

export const gateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Latchkey gate',
  description:
    'The file for "latchkey gate serve". "latchkey gate check-config" finds more than this schema can express.',
  ...wholeFile.schema,
};

export type GateConfigReading =
  | { readonly kind: 'read'; readonly config: GateConfig; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export function readGateConfig(content: string, surroundings: ConfigSurroundings): GateConfigReading {
  const json = readJson(withoutByteOrderMark(content));
  if (json.kind === 'invalid') return { kind: 'invalid', problems: [`the file isn't valid JSON: ${json.problem}`] };
  if (!isJsonObject(json.value)) return { kind: 'invalid', problems: ['the file must contain a JSON object'] };
  const reading = new Reading(surroundings);
  const { $schema: _, ...config } = wholeFile.read(json.value, '', reading) as ReadBy<typeof wholeFile>;
  refuseConflicts(config, reading);
  const { problems, warnings } = reading;
  if (problems.length > 0) return { kind: 'invalid', problems };
  warnOf(config, reading);
  return { kind: 'read', config, warnings };
}

/** Members may be missing, if there are problems with them. */
function refuseConflicts({ issuer, listen, metrics }: Partial<GateConfig>, reading: Reading): void {
  if (metrics !== undefined && metrics.port === listen?.port) {
    reading.refuse('metrics', 'must have another port than listen');
  }
  const own = URL.parse(issuer ?? '')?.host ?? '';
  const taken = reading.hosts.get(own);
  if (taken !== undefined) reading.refuse(taken, `${own} is Latchkey's own host, where people sign in`);
}

function warnOf({ trustedProxies, recheckSeconds, graceSeconds, applications }: GateConfig, reading: Reading): void {
  const wide = trustedProxies.filter(isWideNetwork).join(', ');
  if (wide !== '') reading.warn('trusted_proxies', `${wide} lets people pose as your proxy; list it exactly`);
  if (graceSeconds > 0 && graceSeconds <= recheckSeconds) {
    reading.warn('grace_seconds', `has no effect unless it's more than recheck_seconds (${recheckSeconds})`);
  }
  for (const [index, { open, require }] of applications.entries()) {
    const place = `applications[${index}].open`;
    if (open.includes('/*')) reading.warn(place, '"/*" opens everything to everyone, except for paths in require');
    for (const path of open) {
      const covering = require.findIndex(({ paths }) => paths.some((each) => covers(each, path)));
      if (covering < 0) continue;
      reading.warn(place, `${JSON.stringify(path)} has no effect, because require[${covering}] covers it`);
    }
  }
}

/** Whether the first pattern matches all that the second one does. */
function covers(pattern: string, other: string): boolean {
  if (!pattern.endsWith('*')) return pattern === other;
  const start = pattern.slice(0, -1);
  return other.startsWith(start) || `${other}/` === start;
}
