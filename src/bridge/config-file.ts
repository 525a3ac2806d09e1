// The bridge's file: each member's rule, default and description stand here once. The schema is for editors, and finds all
// but what test/bridge/config.test.ts lists.

import {
  type ConfigSurroundings,
  choice,
  list,
  members,
  optional,
  orNull,
  type ReadBy,
  type Reading,
  readConfigFile,
  required,
  text,
  textAs,
  withStandard,
} from '../platform/config-file/kinds.ts';
import {
  folder,
  issuerMember,
  keyFile,
  listenAddress,
  metricsMember,
  origin,
  refuseSamePort,
  schemaMember,
  secret,
  trustedProxiesMember,
  warnOfWideNetworks,
} from '../platform/config-file/members.ts';
import { plainPattern, textProblem } from '../platform/config-file/rules.ts';
import { newRedirectUriProblem, redirectUriProblem } from '../protocol/oauth/redirect-uri.ts';

const uriPattern = /^(?:https:\/\/|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/?]|$))[^\s#*]*$/i;

/** By the rules for the URIs of an application at Latchkey. */
const uri = text(uriPattern, (given) => redirectUriProblem(given, false) ?? newRedirectUriProblem(given));

const clientId = textAs(text(), (given, place, reading) => (reading.take(given, place) ? given : undefined));

/** What the bridge says itself in its tokens. */
const ownClaims = 'iss sub aud exp nbf iat jti nonce auth_time acr amr azp at_hash c_hash s_hash sid cnf events'.split(
  ' ',
);
const claim = text(new RegExp(`^(?!(?:${ownClaims.join('|')})$)${plainPattern.source.slice(1)}`), (given) =>
  ownClaims.includes(given) ? 'is in every token that needs it, and never from this list' : textProblem(given),
);

const application = members({
  clientId: required(clientId, {
    description: 'Its client ID at Latchkey, and here. Register it with "latchkey client create --for bridge".',
  }),
  clientSecret: required(secret(2), {
    description:
      "The client's secret at Latchkey, in a file or in an environment variable. Never the secret itself. While it's rotated, two lines: the newest first.",
  }),
  applicationSecret: optional(secret(2), {
    description:
      "Another secret, which the application presents here: it then doesn't know what signs Latchkey's tokens. Without it, it presents client_secret.",
  }),
  redirectUris: required(list(uri, 'one'), {
    description: 'Where people return to the application after signing in. Must match exactly.',
  }),
  postLogoutRedirectUris: withStandard(list(uri), [], {
    description: 'Where the application can send people after they sign out. Must match exactly.',
  }),
  backchannelLogoutUri: optional(orNull(uri), {
    description: "Where the bridge sends logout tokens when a session ends, signed with the bridge's key.",
  }),
  claims: withStandard(list(claim), ['email', 'email_verified', 'name'], {
    description: 'What its ID tokens say about people, if Latchkey tells the application. userinfo has all of it.',
  }),
  pkce: withStandard(choice('required', 'optional'), 'required', {
    description: "Whether every request needs a PKCE challenge. Optional for software that can't send one.",
  }),
  nonce: withStandard(choice('required', 'optional'), 'required', {
    description: 'Whether a request without a PKCE challenge needs a nonce.',
  }),
  signing: withStandard(choice('RS256', 'ES256', 'EdDSA'), 'RS256', {
    description: 'The algorithm that signs its ID tokens and logout tokens.',
  }),
});

const wholeFile = members({
  $schema: schemaMember,
  baseUrl: required(origin("the bridge's own base URL", 'https://bridge.example.com'), {
    description: "The bridge's own URL, which is the issuer for its applications. Without a path or a trailing slash.",
    examples: ['https://bridge.example.com'],
  }),
  issuer: issuerMember,
  listen: withStandard(listenAddress(8465), '127.0.0.1:8465', {
    description: 'The IP address or host name, and the port, where your proxy reaches the bridge.',
  }),
  metrics: metricsMember(9466, 8465),
  dataDir: required(folder, {
    description: 'The folder for grants and signing keys. Relative paths count from this file.',
  }),
  keyFile: required(keyFile, {
    description:
      "The file with the key that everything in data_dir is sealed with. Created if it doesn't exist. A new key ends all grants.",
  }),
  trustedProxies: trustedProxiesMember(
    "IP addresses and networks of your proxies. From others, X-Forwarded-For isn't believed.",
  ),
  applications: required(list(application, 'one'), { description: 'The applications that sign in over the bridge.' }),
});

export const bridgeSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Latchkey bridge',
  description:
    'The file for "latchkey bridge serve". "latchkey bridge check-config" finds more than this schema can express.',
  ...wholeFile.schema,
};

export type BridgeConfig = Omit<ReadBy<typeof wholeFile>, '$schema'>;
export type BridgeApplication = ReadBy<typeof application>;

export const readBridgeConfig = (content: string, surroundings: ConfigSurroundings) =>
  readConfigFile(wholeFile, { refuse: refuseConflicts, warn: warnOf }, content, surroundings);

function refuseConflicts(config: Partial<BridgeConfig>, reading: Reading): void {
  refuseSamePort(config, reading);
  if (config.baseUrl !== undefined && config.baseUrl === config.issuer) {
    reading.refuse('base_url', "is Latchkey's: the bridge needs a host or a port of its own");
  }
  for (const [index, { clientSecret, applicationSecret }] of (config.applications ?? []).entries()) {
    if (applicationSecret?.secrets.some((each) => clientSecret?.secrets.includes(each))) {
      reading.refuse(`applications[${index}].application_secret`, 'must differ from client_secret');
    }
  }
}

/** What libraries send in different ways in the header: some encode it, some don't. */
const ambiguousInBasic = /[^\x21-\x7e]|[%+]/;

function warnOf({ trustedProxies, applications }: BridgeConfig, reading: Reading): void {
  warnOfWideNetworks(trustedProxies, reading);
  for (const [index, { applicationSecret, pkce, nonce }] of applications.entries()) {
    if (applicationSecret?.secrets.some((secret) => ambiguousInBasic.test(secret))) {
      const problem = 'has characters that libraries encode in different ways for HTTP Basic';
      reading.warn(`applications[${index}].application_secret`, `${problem}. Use letters, digits and -._~`);
    }
    if (nonce === 'required') continue;
    const effect =
      pkce === 'optional'
        ? 'with neither PKCE nor a nonce, someone who steals a code can sign in to the application as its owner'
        : 'has no effect unless pkce is "optional"';
    reading.warn(`applications[${index}].nonce`, effect);
  }
}
