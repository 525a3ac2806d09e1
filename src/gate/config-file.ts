// The gate's file: each member's rule, default and description stand here once. The schema is for editors, and finds all but
// what test/gate/config.test.ts lists.

import {
  type ConfigSurroundings,
  described,
  type Kind,
  list,
  members,
  type ReadBy,
  type Reading,
  readConfigFile,
  required,
  text,
  textAs,
  whole,
  withStandard,
} from '../platform/config-file/kinds.ts';
import {
  folder,
  issuerMember,
  keyFile,
  listenAddress,
  metricsMember,
  refuseSamePort,
  schemaMember,
  secret,
  trustedProxiesMember,
  warnOfWideNetworks,
} from '../platform/config-file/members.ts';
import { textProblem } from '../platform/config-file/rules.ts';
import type { Registration } from '../platform/relying-party/issuer.ts';
import { isJsonObject } from '../protocol/reading/strict-json.ts';
import { headerPattern, headerProblem, hostPattern, pathPattern, pathProblem, readHost } from './config-rules.ts';

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
  return reading.take(read.host, place) ? read.host : undefined;
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

const oneSecret = secret(1);
const clientSecret: Kind<string> = {
  schema: oneSecret.schema,
  read: (value, place, reading) => oneSecret.read(value, place, reading)?.secrets[0],
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
  clientSecret: required(clientSecret, {
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
  $schema: schemaMember,
  issuer: issuerMember,
  listen: withStandard(listenAddress(8460), '127.0.0.1:8460', {
    description: 'The IP address or host name, and the port, where your proxy reaches the gate.',
  }),
  metrics: metricsMember(9465, 8460),
  dataDir: required(folder, { description: 'The folder for sessions. Relative paths count from this file.' }),
  keyFile: required(keyFile, {
    description:
      "The file with the key that sessions are sealed with. Created if it doesn't exist. A new key ends all sessions.",
  }),
  trustedProxies: trustedProxiesMember(
    'IP addresses and networks of your proxies. Requests from elsewhere are refused.',
  ),
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

export type GateConfig = Omit<ReadBy<typeof wholeFile>, '$schema'>;
export type GateApplication = ReadBy<typeof application>;
export type Requirement = ReadBy<typeof requirement>;

/** The client that an application behind the gate is at Latchkey. */
export function registrationOf({ clientId, clientSecret }: GateApplication): Registration {
  return { clientId, secrets: [clientSecret] };
}

export const gateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Latchkey gate',
  description:
    'The file for "latchkey gate serve". "latchkey gate check-config" finds more than this schema can express.',
  ...wholeFile.schema,
};

export const readGateConfig = (content: string, surroundings: ConfigSurroundings) =>
  readConfigFile(wholeFile, { refuse: refuseConflicts, warn: warnOf }, content, surroundings);

function refuseConflicts(config: Partial<GateConfig>, reading: Reading): void {
  refuseSamePort(config, reading);
  const own = URL.parse(config.issuer ?? '')?.host ?? '';
  const taken = reading.placeOf(own);
  if (taken !== undefined) reading.refuse(taken, `${own} is Latchkey's own host, where people sign in`);
}

function warnOf({ trustedProxies, recheckSeconds, graceSeconds, applications }: GateConfig, reading: Reading): void {
  warnOfWideNetworks(trustedProxies, reading);
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
