// The gate's file as a JSON Schema, for editors and for readers. It has the same rules as the reader, except for those that a
// schema can't express: test/gate/config.test.ts lists them.

import {
  headerPattern,
  hostPattern,
  listenPattern,
  numberRules,
  originPattern,
  pathPattern,
  standardHeaders,
  standardListen,
  standardProxies,
  variablePattern,
} from './config-rules.ts';

/** Such as a claim's name: not empty, and without control characters. */
const plainText = { type: 'string', pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]+$` };

const path = {
  type: 'string',
  pattern: pathPattern.source,
  description: 'A path, or the beginning of paths with "*" at the end. Not percent-encoded.',
  examples: ['/healthz', '/assets/*'],
};

const whole = ({ standard, least, most }: (typeof numberRules)[keyof typeof numberRules], description: string) => ({
  type: 'integer',
  minimum: least,
  maximum: most,
  default: standard,
  description,
});

const requirement = {
  type: 'object',
  required: ['paths', 'claim', 'values'],
  additionalProperties: false,
  properties: {
    paths: { type: 'array', items: path, minItems: 1, description: '"/admin/*" covers "/admin", too.' },
    claim: { ...plainText, description: 'The claim that has to have one of the values.', examples: ['role', 'groups'] },
    values: {
      type: 'array',
      items: plainText,
      minItems: 1,
      description: 'One of them is enough. For a claim with a list, one of its entries has to be among them.',
    },
  },
};

const secret = {
  description: "The client's secret, in a file or in an environment variable. Never the secret itself.",
  type: 'object',
  oneOf: [
    {
      required: ['file'],
      additionalProperties: false,
      properties: {
        file: { ...plainText, description: 'The path of a file with the secret. Relative paths count from this file.' },
      },
    },
    {
      required: ['env'],
      additionalProperties: false,
      properties: {
        env: {
          type: 'string',
          pattern: variablePattern.source,
          description: 'The name of an environment variable with the secret.',
        },
      },
    },
  ],
};

const application = {
  type: 'object',
  required: ['host', 'client_id', 'client_secret'],
  additionalProperties: false,
  properties: {
    host: {
      type: 'string',
      pattern: hostPattern.source,
      description: "The application's host, with its port unless that's 443. No two applications have the same.",
      examples: ['wiki.example', 'localhost:8080'],
    },
    client_id: {
      ...plainText,
      description: 'The client that "latchkey client create --for gate" has registered. Redirect URI: /gate/callback.',
    },
    client_secret: secret,
    open: {
      type: 'array',
      items: path,
      default: [],
      description: "Paths that everyone can open without signing in. Never covers a path that's in require.",
    },
    programs: {
      type: 'array',
      items: path,
      default: [],
      description: "Paths that browsers don't show as pages: without a session they're answered with 401, not sign-in.",
    },
    headers: {
      type: 'object',
      propertyNames: { pattern: headerPattern.source },
      additionalProperties: plainText,
      default: standardHeaders,
      description:
        'Headers that tell the application who is signed in, each with its claim. Those of the default stay.',
    },
    require: {
      type: 'array',
      items: requirement,
      default: [],
      description: 'Paths for some people only. A path that several entries cover needs all of them.',
    },
  },
};

export const gateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Latchkey gate',
  description:
    'The file for "latchkey gate serve". "latchkey gate check-config" finds more than this schema can express.',
  type: 'object',
  required: ['issuer', 'data_dir', 'key_file', 'applications'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'Where your editor finds this schema. The gate ignores it.' },
    issuer: {
      type: 'string',
      pattern: originPattern.source,
      description: "Latchkey's base URL, without a path or a trailing slash. Plain http works only on loopback.",
      examples: ['https://login.example.com'],
    },
    listen: {
      type: 'string',
      pattern: listenPattern.source,
      default: standardListen,
      description: 'The IP address or host name, and the port, where your proxy reaches the gate.',
    },
    metrics: {
      type: 'string',
      pattern: listenPattern.source,
      description:
        'The IP address or host name, and the port, where Prometheus gets /metrics. Anyone who can reach it can.',
      examples: ['127.0.0.1:9465'],
    },
    data_dir: { ...plainText, description: 'The folder for sessions. Relative paths count from this file.' },
    key_file: {
      ...plainText,
      description:
        "The file with the key that sessions are sealed with. Created if it doesn't exist. A new key ends all sessions.",
    },
    trusted_proxies: {
      type: 'array',
      items: { type: 'string', pattern: String.raw`^[0-9A-Fa-f.:]+(?:/\d{1,3})?$` },
      minItems: 1,
      default: standardProxies,
      description: 'IP addresses and networks of your proxies. Requests from elsewhere are refused.',
    },
    recheck_seconds: whole(
      numberRules.recheck_seconds,
      'How long someone whose access has ended can still get in at most: how often Latchkey is asked for each session.',
    ),
    grace_seconds: whole(
      numberRules.grace_seconds,
      "How long after their last check people stay signed in while Latchkey doesn't answer.",
    ),
    session_hours: whole(numberRules.session_hours, 'How long a session lasts at most.'),
    applications: { type: 'array', items: application, minItems: 1, description: 'What is behind the gate.' },
  },
} as const;
