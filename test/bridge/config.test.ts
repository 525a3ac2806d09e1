// The bridge's file: what it can say, what applies without it, and that the schema says the same as the reader. What it has in
// common with the gate's file is tested there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bridgeSchema, readBridgeConfig } from '../../src/bridge/config-file.ts';
import type { ConfigSurroundings } from '../../src/platform/config-file/kinds.ts';

const files: Readonly<Record<string, string>> = {
  '/etc/latchkey/vault-secret': 'newest\nolder\n',
  '/etc/latchkey/own-secret': 'own\r\n',
  '/etc/latchkey/three': 'a\nb\nc\n',
  '/etc/latchkey/gap': 'a\n\nb\n',
};
const surroundings: ConfigSurroundings = {
  folder: '/etc/latchkey',
  environment: {
    VAULT_SECRET: 'newest',
    OTHER_SECRET: 'other\nolder',
    UMLAUT: 'plain\nschlüssel',
    SPACE: 'two words',
    PLUS: 'a+b',
    PERCENT: 'a%b',
    OF_BASE64: 'a/b:c==',
  },
  readFile(path) {
    const content = files[path];
    if (content !== undefined) return content;
    throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
  },
  isExposed: () => false,
};

const callback = 'https://vault.example.com/ui/vault/auth/oidc/oidc/callback';
const application = { client_id: 'vault', client_secret: { env: 'VAULT_SECRET' }, redirect_uris: [callback] };
const least = {
  base_url: 'https://bridge.example.com',
  issuer: 'https://login.example.com',
  data_dir: '/var/lib/latchkey-bridge',
  key_file: 'bridge-key',
  applications: [application],
};
const withApplication = (more: object) => ({ ...least, applications: [{ ...application, ...more }] });

const matchesSchema = new Ajv2020({ strict: true }).compile(bridgeSchema);
const reading = (file: unknown) => readBridgeConfig(JSON.stringify(file), surroundings);

test('what the file leaves out has a default', () => {
  assert.ok(matchesSchema(least), JSON.stringify(matchesSchema.errors));
  assert.deepEqual(reading(least), {
    kind: 'read',
    warnings: [],
    config: {
      baseUrl: 'https://bridge.example.com',
      issuer: 'https://login.example.com',
      listen: { host: '127.0.0.1', port: 8465 },
      metrics: undefined,
      dataDir: '/var/lib/latchkey-bridge',
      keyFile: '/etc/latchkey/bridge-key',
      trustedProxies: ['127.0.0.1', '::1'],
      applications: [
        {
          clientId: 'vault',
          clientSecret: { secrets: ['newest'], file: undefined },
          applicationSecret: undefined,
          redirectUris: [callback],
          postLogoutRedirectUris: [],
          backchannelLogoutUri: undefined,
          claims: ['email', 'email_verified', 'name'],
          pkce: 'required',
          nonce: 'required',
          signing: 'RS256',
        },
      ],
    },
  });
});

test('everything can be said', () => {
  const file = {
    ...least,
    $schema: './bridge.schema.json',
    base_url: 'http://localhost:8465',
    listen: '[::1]:8465',
    metrics: '127.0.0.1:9466',
    trusted_proxies: ['10.0.0.0/8'],
    applications: [
      {
        client_id: 'vault',
        client_secret: { file: 'vault-secret' },
        application_secret: { file: 'own-secret' },
        redirect_uris: [callback, 'http://localhost:8250/oidc/callback'],
        post_logout_redirect_uris: ['https://vault.example.com/?signed=out'],
        backchannel_logout_uri: 'https://vault.example.com/logout',
        claims: ['groups', 'https://vault.example.com/role'],
        pkce: 'optional',
        nonce: 'required',
        signing: 'EdDSA',
      },
      {
        ...application,
        client_id: 'other',
        client_secret: { env: 'OTHER_SECRET' },
        backchannel_logout_uri: null,
        claims: [],
      },
    ],
  };
  assert.ok(matchesSchema(file), JSON.stringify(matchesSchema.errors));
  const read = reading(file);
  assert.ok(read.kind === 'read' && read.warnings.length === 0, JSON.stringify(read));
  const [vault, other] = read.config.applications;
  assert.deepEqual(vault, {
    clientId: 'vault',
    clientSecret: { secrets: ['newest', 'older'], file: '/etc/latchkey/vault-secret' },
    applicationSecret: { secrets: ['own'], file: '/etc/latchkey/own-secret' },
    redirectUris: [callback, 'http://localhost:8250/oidc/callback'],
    postLogoutRedirectUris: ['https://vault.example.com/?signed=out'],
    backchannelLogoutUri: 'https://vault.example.com/logout',
    claims: ['groups', 'https://vault.example.com/role'],
    pkce: 'optional',
    nonce: 'required',
    signing: 'EdDSA',
  });
  assert.deepEqual([other?.backchannelLogoutUri, other?.clientSecret.secrets], [undefined, ['other', 'older']]);
});

const twoLines = 'must contain one or two lines of text, the newest secret first';

/** `beyond` for what the schema can't express. */
const invalid: readonly (readonly [what: string, file: unknown, problem: string, beyond?: 'beyond'])[] = [
  ...['base_url', 'issuer', 'data_dir', 'key_file', 'applications'].map(
    (name) => [`no ${name}`, { ...least, [name]: undefined }, `${name}: is missing`] as const,
  ),
  ...['client_id', 'client_secret', 'redirect_uris'].map(
    (name) => [`no ${name}`, withApplication({ [name]: undefined }), `applications[0].${name}: is missing`] as const,
  ),
  [
    'a base URL with a path',
    { ...least, base_url: 'https://bridge.example.com/oidc' },
    'base_url: must be just an origin, without a path, query or trailing slash: https://bridge.example.com',
  ],
  [
    'a base URL that is none',
    { ...least, base_url: 'bridge' },
    "base_url: must be the bridge's own base URL, such as https://bridge.example.com",
  ],
  [
    "Latchkey's base URL",
    { ...least, base_url: least.issuer },
    "base_url: is Latchkey's: the bridge needs a host or a port of its own",
    'beyond',
  ],
  [
    'metrics at the port of the bridge',
    { ...least, metrics: '127.0.0.1:8465' },
    'metrics: must have another port than listen',
    'beyond',
  ],
  [
    'an address without a port',
    { ...least, listen: 'localhost' },
    'listen: must be an IP address or host name with a port, such as 127.0.0.1:8465 or [::1]:8465',
  ],
  [
    'two applications with one client ID',
    { ...least, applications: [application, application] },
    'applications[1].client_id: vault is taken by applications[0].client_id',
    'beyond',
  ],
  [
    'more than two secrets',
    withApplication({ client_secret: { file: 'three' } }),
    `applications[0].client_secret.file: /etc/latchkey/three ${twoLines}`,
    'beyond',
  ],
  [
    'an empty line between secrets',
    withApplication({ application_secret: { file: 'gap' } }),
    `applications[0].application_secret.file: /etc/latchkey/gap ${twoLines}`,
    'beyond',
  ],
  [
    "the client's secret as the application's",
    withApplication({ application_secret: { file: 'vault-secret' } }),
    'applications[0].application_secret: must differ from client_secret',
    'beyond',
  ],
  [
    'the secret itself',
    withApplication({ application_secret: 'own' }),
    'applications[0].application_secret: must be {"file": …} or {"env": …}. A secret in this file would be in every copy and backup of it',
  ],
  [
    'no redirect URI',
    withApplication({ redirect_uris: [] }),
    'applications[0].redirect_uris: must have at least one entry',
  ],
  [
    'a redirect URI with plain http',
    withApplication({ redirect_uris: [callback, 'http://vault.example.com/cb'] }),
    'applications[0].redirect_uris[1]: uses plain http, which is allowed only for localhost, 127.0.0.1 and [::1]',
  ],
  [
    'a redirect URI of an app',
    withApplication({ redirect_uris: ['com.example.app:/cb'] }),
    'applications[0].redirect_uris[0]: uses a private-use scheme, which only public clients may have',
  ],
  [
    'a redirect URI with a wildcard',
    withApplication({ redirect_uris: ['https://*.example.com/cb'] }),
    'applications[0].redirect_uris[0]: has a wildcard; register each address exactly',
  ],
  [
    'a redirect URI with a parameter of responses',
    withApplication({ redirect_uris: ['https://vault.example.com/?code=1'] }),
    'applications[0].redirect_uris[0]: has the parameter "code", which responses add themselves',
    'beyond',
  ],
  [
    'a post-logout redirect URI with a fragment',
    withApplication({ post_logout_redirect_uris: ['https://vault.example.com/#out'] }),
    'applications[0].post_logout_redirect_uris[0]: has a fragment (#…), which an answer cannot carry',
  ],
  [
    'a back-channel logout URI with plain http',
    withApplication({ backchannel_logout_uri: 'http://vault/logout' }),
    'applications[0].backchannel_logout_uri: uses plain http, which is allowed only for localhost, 127.0.0.1 and [::1]',
  ],
  [
    'a claim of the token itself',
    withApplication({ claims: ['groups', 'sub'] }),
    'applications[0].claims[1]: is in every token that needs it, and never from this list',
  ],
  ['an empty claim', withApplication({ claims: [''] }), 'applications[0].claims[0]: must not be empty'],
  [
    'another rule for PKCE',
    withApplication({ pkce: 'plain' }),
    'applications[0].pkce: must be "required" or "optional"',
  ],
  [
    'another algorithm',
    withApplication({ signing: 'HS256' }),
    'applications[0].signing: must be "RS256" or "ES256" or "EdDSA"',
  ],
  [
    'an unknown member',
    withApplication({ scopes: ['openid'] }),
    'applications[0]: "scopes" is not among the keys that are known: client_id, client_secret, application_secret, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, claims, pkce, nonce, signing',
  ],
];

for (const [what, file, problem, beyond] of invalid) {
  test(`a problem: ${what}`, () => {
    const read = reading(file);
    assert.deepEqual(read.kind === 'invalid' && read.problems, [problem]);
    assert.equal(matchesSchema(JSON.parse(JSON.stringify(file))), beyond !== undefined);
  });
}

const unclear =
  'application_secret: has characters that libraries encode in different ways for HTTP Basic. Use letters, digits and -._~';

for (const [what, more, warning] of [
  [
    'neither PKCE nor a nonce',
    { pkce: 'optional', nonce: 'optional' },
    'nonce: with neither PKCE nor a nonce, someone who steals a code can sign in to the application as its owner',
  ],
  ['a nonce that nobody asks for', { nonce: 'optional' }, 'nonce: has no effect unless pkce is "optional"'],
  ['a secret that is not ASCII, in its second line', { application_secret: { env: 'UMLAUT' } }, unclear],
  ['a secret with a space', { application_secret: { env: 'SPACE' } }, unclear],
  ['a secret with a plus sign', { application_secret: { env: 'PLUS' } }, unclear],
  ['a secret with a percent sign', { application_secret: { env: 'PERCENT' } }, unclear],
] as const) {
  test(`a warning: ${what}`, () => {
    const read = reading(withApplication(more));
    assert.deepEqual(read.kind === 'read' && read.warnings, [`applications[0].${warning}`]);
  });
}

test('no warning for a secret that arrives, whether or not a library encodes it', () => {
  const read = reading(withApplication({ application_secret: { env: 'OF_BASE64' } }));
  assert.deepEqual(read.kind === 'read' && read.warnings, []);
});

test('every problem is reported at once, and none repeats a secret', () => {
  const read = reading({
    ...least,
    base_url: 'http://bridge.example.com',
    applications: [{ ...application, client_secret: 'hunter2', pkce: true, application_secret: { file: 'three' } }],
  });
  assert.ok(read.kind === 'invalid');
  assert.deepEqual(
    read.problems.map((problem) => problem.split(': ')[0]),
    ['base_url', 'applications[0].client_secret', 'applications[0].application_secret.file', 'applications[0].pkce'],
  );
  assert.doesNotMatch(read.problems.join('\n'), /hunter2/);
});
