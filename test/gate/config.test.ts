// The gate's file: what it can say, what applies without it, and that the schema says the same as the reader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type GateConfig, gateSchema, readGateConfig } from '../../src/gate/config-file.ts';
import type { ConfigSurroundings } from '../../src/platform/config-file/kinds.ts';

const secret = 'the-secret-of-the-wiki';
const files: Readonly<Record<string, string>> = {
  '/etc/latchkey/wiki-secret': `${secret}\n`,
  '/run/secrets/wiki': `${secret}\r\n`,
  '/etc/latchkey/empty': '\n',
  '/etc/latchkey/lines': 'one\ntwo\n',
  '/etc/latchkey/exposed': secret,
  '/etc/latchkey/a-key': 'r8Kq0mYI4iW5v3nR7cT1xLb8sK6dPfGhJoUaEyNtVwQ\n',
};
const surroundings: ConfigSurroundings = {
  folder: '/etc/latchkey',
  environment: { WIKI_SECRET: secret, EMPTY: '' },
  readFile(path) {
    const text = files[path];
    if (text !== undefined) return text;
    const [code, words] = path.endsWith('/etc/latchkey') ? ['EISDIR', 'illegal operation'] : ['ENOENT', 'no such file'];
    throw Object.assign(new Error(`${code}: ${words}, open '${path}'`), { code });
  },
  isExposed: (path) => path.endsWith('exposed'),
};

const application = { host: 'wiki.example', client_id: 'wiki', client_secret: { file: 'wiki-secret' } };
const least = { issuer: 'https://login.example', data_dir: 'data', key_file: 'key', applications: [application] };
const withApplication = (more: object) => ({ ...least, applications: [{ ...application, ...more }] });
const withRequirement = (more: object) =>
  withApplication({ require: [{ paths: ['/admin/*'], claim: 'role', values: ['admin'], ...more }] });
const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));

const matchesSchema = new Ajv2020({ strict: true }).compile(gateSchema);
const reading = (file: unknown) => readGateConfig(JSON.stringify(file), surroundings);

function config(file: unknown): GateConfig {
  const read = reading(file);
  assert.equal(read.kind, 'read', JSON.stringify(read));
  return read.kind === 'read' ? read.config : assert.fail();
}

function problems(file: unknown): readonly string[] {
  const read = reading(file);
  return read.kind === 'invalid' ? read.problems : [];
}

function warnings(file: unknown): readonly string[] {
  const read = reading(file);
  return read.kind === 'read' ? read.warnings : assert.fail(JSON.stringify(read));
}

test('what the file leaves out has a default', () => {
  assert.deepEqual(reading(least), {
    kind: 'read',
    warnings: [],
    config: {
      issuer: 'https://login.example',
      listen: { host: '127.0.0.1', port: 8460 },
      metrics: undefined,
      dataDir: '/etc/latchkey/data',
      keyFile: '/etc/latchkey/key',
      trustedProxies: ['127.0.0.1', '::1'],
      recheckSeconds: 30,
      graceSeconds: 60,
      sessionHours: 12,
      applications: [
        {
          host: 'wiki.example',
          clientId: 'wiki',
          clientSecret: secret,
          open: [],
          programs: [],
          headers: {
            'Remote-User': 'sub',
            'Remote-Email': 'email',
            'Remote-Name': 'name',
            'Remote-Groups': 'groups',
          },
          require: [],
        },
      ],
    },
  });
});

test('everything can be said', () => {
  const file = {
    $schema: './gate.schema.json',
    issuer: 'http://localhost:8455',
    listen: '[::1]:0',
    metrics: 'localhost:9465',
    data_dir: '/var/lib/gate',
    key_file: '../keys/gate',
    trusted_proxies: ['10.0.0.0/8', '::1', '2001:db8::/32'],
    recheck_seconds: 1,
    grace_seconds: 0,
    session_hours: 720,
    applications: [
      {
        host: 'Wiki.Example:8443',
        client_id: 'wiki',
        client_secret: { env: 'WIKI_SECRET' },
        open: ['/healthz', '/assets/*', '/Straße/Ä b*'],
        programs: ['/api/*', '/*'],
        headers: { 'remote-user': 'email', 'X-Forwarded-User': 'preferred_username', 'X-Role': 'urn:example:role' },
        require: [{ paths: ['/admin/*', '/'], claim: 'role', values: ['admin', 'Ä, b'] }],
      },
      { host: 'localhost:80', client_id: 'local', client_secret: { file: '/run/secrets/wiki' } },
    ],
  };
  assert.equal(matchesSchema(file), true, JSON.stringify(matchesSchema.errors));
  const { applications, ...rest } = config(file);
  assert.deepEqual(rest, {
    issuer: 'http://localhost:8455',
    listen: { host: '::1', port: 0 },
    metrics: { host: 'localhost', port: 9465 },
    dataDir: '/var/lib/gate',
    keyFile: '/etc/keys/gate',
    trustedProxies: ['10.0.0.0/8', '::1', '2001:db8::/32'],
    recheckSeconds: 1,
    graceSeconds: 0,
    sessionHours: 720,
  });
  assert.deepEqual(applications, [
    {
      host: 'wiki.example:8443',
      clientId: 'wiki',
      clientSecret: secret,
      open: ['/healthz', '/assets/*', '/Straße/Ä b*'],
      programs: ['/api/*', '/*'],
      headers: {
        'Remote-Email': 'email',
        'Remote-Name': 'name',
        'Remote-Groups': 'groups',
        'remote-user': 'email',
        'X-Forwarded-User': 'preferred_username',
        'X-Role': 'urn:example:role',
      },
      require: [{ paths: ['/admin/*', '/'], claim: 'role', values: ['admin', 'Ä, b'] }],
    },
    {
      host: 'localhost',
      clientId: 'local',
      clientSecret: secret,
      open: [],
      programs: [],
      headers: { 'Remote-User': 'sub', 'Remote-Email': 'email', 'Remote-Name': 'name', 'Remote-Groups': 'groups' },
      require: [],
    },
  ]);
});

for (const [given, host] of [
  ['wiki.example:443', 'wiki.example'],
  ['wiki.example:80', 'wiki.example:80'],
  ['WIKI.example', 'wiki.example'],
  ['my_wiki', 'my_wiki'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['localhost:80', 'localhost'],
  ['localhost:443', 'localhost'],
  ['localhost:8080', 'localhost:8080'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]:80', '[::1]'],
  ['[2001:DB8::1]:8443', '[2001:db8::1]:8443'],
] as const) {
  test(`the host ${given} is ${host}`, () => {
    assert.equal(config(withApplication({ host: given })).applications[0]?.host, host);
    assert.ok(matchesSchema(withApplication({ host: given })));
  });
}

const hostRule =
  'applications[0].host: must be a host such as wiki.example or wiki.example:8443, without a scheme, path, wildcard or trailing dot';
const secretRule = 'applications[0].client_secret: must be {"file": …} or {"env": …}';
const listenRule = 'listen: must be an IP address or host name with a port, such as 127.0.0.1:8460 or [::1]:8460';
const headersRule = 'applications[0].headers';

/** What the schema can't express: these files match it, and the reader finds the problem. */
const beyondSchema: readonly (readonly [what: string, file: unknown, problem: string])[] = [
  ['a file instead of a folder', { ...least, data_dir: 'lines' }, 'data_dir: /etc/latchkey/lines is a file'],
  [
    'a folder instead of a key file',
    { ...least, key_file: '.' },
    "key_file: /etc/latchkey can't be read: EISDIR: illegal operation, open '/etc/latchkey'",
  ],
  [
    'a key file without a key',
    { ...least, key_file: 'lines' },
    'key_file: /etc/latchkey/lines must contain keys of at least 43 base64url characters, newest first, separated by commas or spaces',
  ],
  [
    'an issuer that the URL parser would change',
    { ...least, issuer: 'https://LOGIN.example' },
    'issuer: must be just an origin, without a path, query or trailing slash: https://login.example',
  ],
  [
    'an issuer without a host',
    { ...least, issuer: 'https://:80' },
    "issuer: must be Latchkey's base URL, such as https://login.example.com",
  ],
  ['a port that is too high', { ...least, listen: '127.0.0.1:65536' }, listenRule],
  [
    'metrics at the port of the gate',
    { ...least, metrics: '[::1]:8460' },
    'metrics: must have another port than listen',
  ],
  ['a host with a port that is too high', withApplication({ host: 'wiki.example:65536' }), hostRule],
  [
    'an IP address in another form',
    withApplication({ host: '127.1' }),
    'applications[0].host: must be written as browsers send it: 127.0.0.1',
  ],
  [
    'an IPv6 address in another form',
    withApplication({ host: '[0::1]' }),
    'applications[0].host: must be written as browsers send it: [::1]',
  ],
  ['an IPv6 address that is none', withApplication({ host: '[f:f:f:f:f:f:f:f:f]' }), hostRule],
  [
    'a host that two applications have',
    { ...least, applications: [application, { ...application, host: 'WIKI.example:443' }] },
    'applications[1].host: wiki.example is taken by applications[0].host',
  ],
  [
    "Latchkey's own host",
    withApplication({ host: 'login.example' }),
    "applications[0].host: login.example is Latchkey's own host, where people sign in",
  ],
  [
    'a proxy that is no IP address',
    { ...least, trusted_proxies: ['::1', '10.0.0.300'] },
    'trusted_proxies[1]: must be an IP address or network such as 10.0.0.0/8',
  ],
  [
    'a network that is too narrow',
    { ...least, trusted_proxies: ['10.0.0.0/33'] },
    'trusted_proxies[0]: must be an IP address or network such as 10.0.0.0/8',
  ],
  [
    'everyone as a proxy',
    { ...least, trusted_proxies: ['::/0'] },
    'trusted_proxies[0]: would let everyone claim to be your proxy; list your proxies',
  ],
  [
    'a header in two spellings',
    withApplication({ headers: { 'X-User': 'sub', 'x-user': 'name' } }),
    `${headersRule}: "x-user" is given twice`,
  ],
  ...[
    'Host',
    'cookie',
    'Set-Cookie',
    'Connection',
    'Location',
    'Content-Length',
    'content-security-policy',
    'Transfer-Encoding',
    'X-Forwarded-For',
    'X-FORWARDED-URI',
    'Authorization',
    'X-Gate-Location',
    'Forwarded',
    'Sec-Fetch-Mode',
    'X-Real-IP',
    'X-Accel-Redirect',
    'X-Original-URI',
    'Proxy-Authorization',
    'Upgrade',
    'TE',
    'Cache-Control',
    'WWW-Authenticate',
    'Origin',
    'If-Match',
    'Accept-Language',
    'Access-Control-Allow-Origin',
    'X-Forwarded-User-Agent',
  ].map(
    (name) =>
      [
        `the header ${name}`,
        withApplication({ headers: { [name]: 'sub' } }),
        `${headersRule}: "${name}" means something else in HTTP or to proxies`,
      ] as const,
  ),
  [
    'a file that is not there',
    withApplication({ client_secret: { file: 'nowhere' } }),
    "applications[0].client_secret.file: can't read the secret: ENOENT: no such file, open '/etc/latchkey/nowhere'",
  ],
  [
    'an empty file',
    withApplication({ client_secret: { file: 'empty' } }),
    'applications[0].client_secret.file: /etc/latchkey/empty is empty',
  ],
  [
    'a file with two lines',
    withApplication({ client_secret: { file: 'lines' } }),
    'applications[0].client_secret.file: /etc/latchkey/lines must contain a single line of text',
  ],
  [
    'a variable that is not set',
    withApplication({ client_secret: { env: 'OTHER' } }),
    "applications[0].client_secret.env: the variable OTHER isn't set",
  ],
  [
    'an empty variable',
    withApplication({ client_secret: { env: 'EMPTY' } }),
    "applications[0].client_secret.env: the variable EMPTY isn't set",
  ],
];

for (const [what, file, problem] of beyondSchema) {
  test(`a problem that the schema can't express: ${what}`, () => {
    assert.deepEqual(problems(file), [problem]);
    assert.equal(matchesSchema(file), true, JSON.stringify(matchesSchema.errors));
  });
}

const neverMatches = (shown: string) =>
  `applications[0].open[0]: has ${JSON.stringify(shown)}, so it would never match`;

const invalid: readonly (readonly [what: string, file: unknown, problem: string])[] = [
  ['no object', [least], 'the file must contain a JSON object'],
  ...['issuer', 'data_dir', 'key_file', 'applications'].map(
    (name) => [`without ${name}`, without(least, name), `${name}: is missing`] as const,
  ),
  ...['host', 'client_id', 'client_secret'].map(
    (name) =>
      [
        `an application without ${name}`,
        { ...least, applications: [without(application, name)] },
        `applications[0].${name}: is missing`,
      ] as const,
  ),
  ['no application', { ...least, applications: [] }, 'applications: must have at least one entry'],
  ['applications as an object', { ...least, applications: application }, 'applications: must be a list'],
  ['an application that is none', { ...least, applications: [application, 'x'] }, 'applications[1]: must be an object'],
  [
    'an unknown member',
    { ...least, issuers: 'x' },
    '"issuers" is not among the keys that are known: $schema, issuer, listen, metrics, data_dir, key_file, trusted_proxies, recheck_seconds, grace_seconds, session_hours, applications',
  ],
  [
    'a member that every object seems to have',
    withRequirement({ constructor: 'x' }),
    'applications[0].require[0]: "constructor" is not among the keys that are known: paths, claim, values',
  ],
  [
    'an unknown member of an application',
    withApplication({ hosts: 'x' }),
    'applications[0]: "hosts" is not among the keys that are known: host, client_id, client_secret, open, programs, headers, require',
  ],
  [
    'an issuer with plain http',
    { ...least, issuer: 'http://login.example' },
    'issuer: must use https; plain http works only on localhost, 127.0.0.1 and [::1]',
  ],
  [
    'an issuer that is no URL',
    { ...least, issuer: 'login.example' },
    "issuer: must be Latchkey's base URL, such as https://login.example.com",
  ],
  ['an issuer as a number', { ...least, issuer: 1 }, 'issuer: must be a string'],
  ...['https://login.example/', 'https://login.example/x', 'https://user@login.example', 'https://login.example?x'].map(
    (issuer) =>
      [
        `the issuer ${issuer}`,
        { ...least, issuer },
        'issuer: must be just an origin, without a path, query or trailing slash: https://login.example',
      ] as const,
  ),
  ...[
    '8460',
    ':8460',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:x',
    '::1:8460',
    'http://127.0.0.1:8460',
    '127.0.0.1:01',
  ].map((listen) => [`listening on ${listen}`, { ...least, listen }, listenRule] as const),
  ['listening on null', { ...least, listen: null }, 'listen: must be a string'],
  ['an empty folder', { ...least, data_dir: '' }, 'data_dir: must not be empty'],
  ['a path with a zero byte', { ...least, key_file: 'a\0b' }, 'key_file: must not have control characters'],
  [
    'a proxy by name',
    { ...least, trusted_proxies: ['proxy'] },
    'trusted_proxies[0]: must be an IP address or network such as 10.0.0.0/8',
  ],
  [
    'a proxy with a zone',
    { ...least, trusted_proxies: ['fe80::1%eth0'] },
    'trusted_proxies[0]: must be an IP address or network such as 10.0.0.0/8',
  ],
  ['no proxy', { ...least, trusted_proxies: [] }, 'trusted_proxies: must have at least one entry'],
  ['one proxy as a string', { ...least, trusted_proxies: '::1' }, 'trusted_proxies: must be a list'],
  ...(
    [
      ['recheck_seconds', [0, 301, 1.5, '30', null], 'from 1 to 300'],
      ['grace_seconds', [-1, 3601, 0.5, true], 'from 0 to 3600'],
      ['session_hours', [0, 721, [12]], 'from 1 to 720'],
    ] as const
  ).flatMap(([name, values, range]) =>
    values.map(
      (value) =>
        [
          `${name} of ${JSON.stringify(value)}`,
          { ...least, [name]: value },
          `${name}: must be a whole number ${range}`,
        ] as const,
    ),
  ),
  ...[
    'https://wiki.example',
    'wiki.example/',
    '*.example',
    'wiki.example.',
    '.example',
    'a..b',
    'wiki.example:0',
    'wiki.example:',
    'wiki.example:x',
    'user@wiki.example',
    'wiki example',
    'bücher.example',
    '::1',
    'a,b',
    'a;b',
  ].map((host) => [`the host ${host}`, withApplication({ host }), hostRule] as const),
  ['an empty host', withApplication({ host: '' }), 'applications[0].host: must not be empty'],
  ['an empty client ID', withApplication({ client_id: '' }), 'applications[0].client_id: must not be empty'],
  [
    'the secret itself',
    withApplication({ client_secret: secret }),
    `${secretRule}. A secret in this file would be in every copy and backup of it`,
  ],
  ['a secret as a number', withApplication({ client_secret: 1 }), secretRule],
  ['no place of the secret', withApplication({ client_secret: {} }), `${secretRule}, with one of the two`],
  [
    'two places of the secret',
    withApplication({ client_secret: { file: 'wiki-secret', env: 'WIKI_SECRET' } }),
    `${secretRule}, with one of the two`,
  ],
  [
    'an unknown place of the secret',
    withApplication({ client_secret: { file: 'wiki-secret', value: secret } }),
    'applications[0].client_secret: "value" is not among the keys that are known: file, env',
  ],
  [
    'an empty path of the secret',
    withApplication({ client_secret: { file: '' } }),
    'applications[0].client_secret.file: must not be empty',
  ],
  [
    'a variable with another name',
    withApplication({ client_secret: { env: 'WIKI-SECRET' } }),
    'applications[0].client_secret.env: must be the name of an environment variable',
  ],
  ['open as a string', withApplication({ open: '/healthz' }), 'applications[0].open: must be a list'],
  ['a path as a number', withApplication({ open: ['/', 1] }), 'applications[0].open[1]: must be a string'],
  ...['', 'healthz', '*', 'https://wiki.example/'].map(
    (path) =>
      [
        `the path ${JSON.stringify(path)}`,
        withApplication({ programs: [path] }),
        'applications[0].programs[0]: must be a path that begins with "/"',
      ] as const,
  ),
  ...['/*/x', '/a*b', '/**'].map(
    (path) =>
      [
        `the path ${path}`,
        withApplication({ open: [path] }),
        'applications[0].open[0]: can have "*" only at the end',
      ] as const,
  ),
  ...(
    [
      ['/a//b', '//'],
      ['//*', '//'],
      ['/.well-known/*', '/.'],
      ['/a/../b', '/.'],
      ['/a\\b', '\\'],
      ['/a;b', ';'],
      ['/a?b', '?'],
      ['/a#b', '#'],
    ] as const
  ).map(([path, sign]) => [`the path ${path}`, withApplication({ open: [path] }), neverMatches(sign)] as const),
  [
    'a path that is percent-encoded',
    withApplication({ open: ['/a%20b'] }),
    'applications[0].open[0]: has "%", so it would never match: write characters as they are, without percent-encoding',
  ],
  [
    'a path with a line break',
    withApplication({ open: ['/a\nb'] }),
    'applications[0].open[0]: has control characters, so it would never match',
  ],
  [
    'headers as a list',
    withApplication({ headers: [] }),
    `${headersRule}: must be an object with header names and the claim that each has`,
  ],
  ...['X_User', 'X User', '', '1', 'X-User:', 'X.User', 'Ä', 'X-User\r\nCookie', '__proto__'].map(
    (name) =>
      [
        `the header ${JSON.stringify(name)}`,
        withApplication({ headers: JSON.parse(`{${JSON.stringify(name)}: "sub"}`) }),
        `${headersRule}: ${JSON.stringify(name)} must be a header name of letters, digits and hyphens`,
      ] as const,
  ),
  ...['', 1, null, ['sub'], 'a\nb'].map(
    (claim) =>
      [
        `the claim ${JSON.stringify(claim)}`,
        withApplication({ headers: { 'X-User': claim } }),
        `${headersRule}: "X-User" must have the name of a claim as its value`,
      ] as const,
  ),
  [
    'a requirement that is none',
    withApplication({ require: ['role'] }),
    'applications[0].require[0]: must be an object',
  ],
  [
    'a requirement without paths',
    withRequirement({ paths: undefined }),
    'applications[0].require[0].paths: is missing',
  ],
  [
    'a requirement for no path',
    withRequirement({ paths: [] }),
    'applications[0].require[0].paths: must have at least one entry',
  ],
  [
    'a requirement for another path',
    withRequirement({ paths: ['/a', 'b'] }),
    'applications[0].require[0].paths[1]: must be a path that begins with "/"',
  ],
  [
    'a requirement without a claim',
    withRequirement({ claim: undefined }),
    'applications[0].require[0].claim: is missing',
  ],
  [
    'a requirement with an empty claim',
    withRequirement({ claim: '' }),
    'applications[0].require[0].claim: must not be empty',
  ],
  [
    'a requirement without values',
    withRequirement({ values: undefined }),
    'applications[0].require[0].values: is missing',
  ],
  [
    'a requirement that nobody meets',
    withRequirement({ values: [] }),
    'applications[0].require[0].values: must have at least one entry',
  ],
  [
    'a required number',
    withRequirement({ values: ['a', 1] }),
    'applications[0].require[0].values[1]: must be a string',
  ],
  ['a required nothing', withRequirement({ values: [''] }), 'applications[0].require[0].values[0]: must not be empty'],
];

for (const [what, file, problem] of invalid) {
  test(`a problem for reader and schema: ${what}`, () => {
    assert.deepEqual(problems(file), [problem]);
    // As the file says it: without what is undefined here.
    assert.equal(matchesSchema(JSON.parse(JSON.stringify(file))), false);
  });
}

test('every problem is reported at once, and none repeats a secret', () => {
  const { applications: _, ...rest } = least;
  const found = problems({
    ...rest,
    issuer: 'http://login.example',
    session_hours: 0,
    applications: [
      { ...application, client_secret: secret },
      { host: 'x/y', client_id: 'b', client_secret: { env: 'A', secret }, require: [{ paths: ['/'], claim: 'role' }] },
    ],
  });
  assert.deepEqual(
    found.map((problem) => problem.split(': ')[0]),
    [
      'issuer',
      'session_hours',
      'applications[0].client_secret',
      'applications[1].host',
      'applications[1].client_secret',
      'applications[1].client_secret.env',
      'applications[1].require[0].values',
    ],
  );
  assert.doesNotMatch(found.join('\n'), new RegExp(secret));
});

test('the text is read strictly: with a byte order mark, but without repeated keys', () => {
  assert.equal(readGateConfig(`\ufeff${JSON.stringify(least)}`, surroundings).kind, 'read');
  assert.deepEqual(readGateConfig('{"issuer": "a", "issuer": "b"}', surroundings), {
    kind: 'invalid',
    problems: [`the file isn't valid JSON: the key "issuer" is there a second time at line 1, column 17`],
  });
  assert.deepEqual(readGateConfig('{"issuer": }', surroundings), {
    kind: 'invalid',
    problems: ["the file isn't valid JSON: a value is expected at line 1, column 12"],
  });
});

for (const [what, file, expected] of [
  [
    'everything is open',
    withApplication({ open: ['/*'] }),
    'applications[0].open: "/*" opens everything to everyone, except for paths in require',
  ],
  ...['/admin/login', '/admin/x*', '/admin', '/admin/'].map(
    (path) =>
      [
        `${path} is covered by a requirement`,
        { ...least, applications: withRequirement({}).applications.map((each) => ({ ...each, open: [path] })) },
        `applications[0].open: "${path}" has no effect, because require[0] covers it`,
      ] as const,
  ),
  [
    'others can read the secret',
    withApplication({ client_secret: { file: 'exposed' } }),
    'applications[0].client_secret.file: everyone on this machine can read /etc/latchkey/exposed. Run "chmod o= /etc/latchkey/exposed"',
  ],
  [
    'a wide network is trusted',
    { ...least, trusted_proxies: ['::1', '10.0.0.0/7'] },
    'trusted_proxies: 10.0.0.0/7 lets people pose as your proxy; list it exactly',
  ],
  [
    'the grace is over before it begins',
    { ...least, grace_seconds: 30 },
    "grace_seconds: has no effect unless it's more than recheck_seconds (30)",
  ],
] as const) {
  test(`a warning: ${what}`, () => {
    assert.deepEqual(warnings(file), [expected]);
    assert.equal(matchesSchema(file), true, JSON.stringify(matchesSchema.errors));
  });
}

test("what is open beside a requirement isn't worth a warning", () => {
  const [first] = withRequirement({}).applications;
  const open = ['/administration', '/a*', '/admi'];
  assert.deepEqual(warnings({ ...least, applications: [{ ...first, open }] }), []);
});

test('the schema describes every member', () => {
  const undescribed: string[] = [];
  const visit = (place: string, schema: object) => {
    const { properties = {}, items, oneOf = [] } = schema as Record<string, object> & { oneOf?: object[] };
    for (const [name, member] of Object.entries(properties) as [string, object][]) {
      if (!('description' in member)) undescribed.push(`${place}.${name}`);
      visit(`${place}.${name}`, member);
    }
    if (items !== undefined) visit(`${place}[]`, items);
    for (const each of oneOf) visit(place, each);
  };
  visit('', gateSchema);
  assert.deepEqual(undescribed, []);
});
