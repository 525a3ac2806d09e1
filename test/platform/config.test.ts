import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import {
  type Config,
  ConfigurationError,
  type Environment,
  proxyProblem,
  readConfig,
} from '../../src/platform/config.ts';

function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems;
  }
  return [];
}

const defaults: Config = {
  baseUrl: 'http://localhost:8455',
  host: '127.0.0.1',
  port: 8455,
  dataDir: resolve('data'),
  databaseUrl: undefined,
  keys: undefined,
  keysFile: resolve('data', 'keys'),
  trustProxy: [],
  webhookNetworks: [],
  upstreamNetworks: [],
  eventsDays: 90,
  backups: undefined,
  workers: 1,
  drainSeconds: 5,
  lastUsedHours: 1,
  logLevel: 'info',
  logFormat: 'auto',
  metrics: undefined,
  signUp: 'closed',
  docs: 'on',
  breachedPasswords: undefined,
  email: { kind: 'outbox' },
};

describe('valid configurations', () => {
  const cases: { name: string; environment: Environment; expected: Partial<Config> }[] = [
    { name: 'without variables the defaults apply', environment: {}, expected: {} },
    {
      name: 'an empty variable counts as not set',
      environment: {
        LATCHKEY_BASE_URL: '',
        LATCHKEY_HOST: '',
        LATCHKEY_PORT: '',
        LATCHKEY_DATA_DIR: '',
        LATCHKEY_KEYS: '',
        LATCHKEY_KEYS_FILE: '',
        LATCHKEY_TRUST_PROXY: '',
        LATCHKEY_EVENTS_DAYS: '',
        LATCHKEY_LOG_LEVEL: '',
        DATABASE_URL: '',
      },
      expected: {},
    },
    {
      name: 'the port comes from the base URL',
      environment: { LATCHKEY_BASE_URL: 'http://localhost:9000' },
      expected: { baseUrl: 'http://localhost:9000', port: 9000 },
    },
    {
      name: 'https without a port means 443',
      environment: { LATCHKEY_BASE_URL: 'https://login.example' },
      expected: { baseUrl: 'https://login.example', port: 443, email: { kind: 'none' } },
    },
    {
      name: 'mail goes to the server that is named',
      environment: { LATCHKEY_SMTP_URL: 'smtp://mail.example', LATCHKEY_MAIL_FROM: 'Latchkey <id@mail.example>' },
      expected: { email: { kind: 'smtp', url: 'smtp://mail.example', from: 'Latchkey <id@mail.example>' } },
    },
    { name: 'the documentation can be switched off', environment: { LATCHKEY_DOCS: 'off' }, expected: { docs: 'off' } },
    { name: 'sign-up can be opened', environment: { LATCHKEY_SIGN_UP: 'open' }, expected: { signUp: 'open' } },
    {
      name: 'http without a port means 80',
      environment: { LATCHKEY_BASE_URL: 'http://localhost' },
      expected: { baseUrl: 'http://localhost', port: 80 },
    },
    {
      name: 'a port of its own leaves the base URL alone',
      environment: { LATCHKEY_BASE_URL: 'https://login.example', LATCHKEY_PORT: '8080' },
      expected: { baseUrl: 'https://login.example', port: 8080, email: { kind: 'none' } },
    },
    { name: 'port 0 asks for a free one', environment: { LATCHKEY_PORT: '0' }, expected: { port: 0 } },
    { name: 'port 65535 is the highest', environment: { LATCHKEY_PORT: '65535' }, expected: { port: 65_535 } },
    {
      name: 'plain http on 127.0.0.1 is accepted',
      environment: { LATCHKEY_BASE_URL: 'http://127.0.0.1:8455' },
      expected: { baseUrl: 'http://127.0.0.1:8455' },
    },
    {
      name: 'plain http on [::1] is accepted',
      environment: { LATCHKEY_BASE_URL: 'http://[::1]:8455' },
      expected: { baseUrl: 'http://[::1]:8455' },
    },
    { name: 'the host is taken as it is', environment: { LATCHKEY_HOST: '0.0.0.0' }, expected: { host: '0.0.0.0' } },
    {
      name: 'the key file lies in the data directory',
      environment: { LATCHKEY_DATA_DIR: 'elsewhere' },
      expected: { dataDir: resolve('elsewhere'), keysFile: resolve('elsewhere', 'keys') },
    },
    {
      name: 'the key file may lie elsewhere',
      environment: { LATCHKEY_KEYS_FILE: 'my-keys' },
      expected: { keysFile: resolve('my-keys') },
    },
    {
      name: 'keys are taken from the environment',
      environment: { LATCHKEY_KEYS: 'yqw7E2Jr0dZs-Hk4LmVb_Xc9TfPgNuRoA1iQ5eDhWtM' },
      expected: { keys: ['yqw7E2Jr0dZs-Hk4LmVb_Xc9TfPgNuRoA1iQ5eDhWtM'] },
    },
    {
      name: 'proxies are a list of addresses and networks',
      environment: { LATCHKEY_TRUST_PROXY: '10.0.0.0/8, ::1,,192.0.2.1 ,fd00::/8' },
      expected: { trustProxy: ['10.0.0.0/8', '::1', '192.0.2.1', 'fd00::/8'] },
    },
    { name: 'events may be kept for one day', environment: { LATCHKEY_EVENTS_DAYS: '1' }, expected: { eventsDays: 1 } },
    {
      name: 'uses of grants may be noted once a day',
      environment: { LATCHKEY_LAST_USED_HOURS: '24' },
      expected: { lastUsedHours: 24 },
    },
    { name: 'a log level is taken', environment: { LATCHKEY_LOG_LEVEL: 'silent' }, expected: { logLevel: 'silent' } },
    { name: 'other variables are ignored', environment: { HOME: '/', PORT: '1' }, expected: {} },
  ];
  for (const c of cases) {
    test(c.name, () => {
      assert.deepEqual(readConfig(c.environment), { ...defaults, ...c.expected });
    });
  }
});

describe('invalid configurations', () => {
  const cases: { name: string; environment: Environment; fault: RegExp }[] = [
    ...['login.example', 'ftp://login.example', 'https://', '/path', 'javascript:alert(1)'].map((url) => ({
      name: `the base URL ${url} is refused`,
      environment: { LATCHKEY_BASE_URL: url },
      fault: /^LATCHKEY_BASE_URL must be an absolute http or https URL/,
    })),
    ...['http://login.example', 'http://192.168.1.1', 'http://localhost.example'].map((url) => ({
      name: `the base URL ${url} is refused because it is plain http`,
      environment: { LATCHKEY_BASE_URL: url },
      fault: /^LATCHKEY_BASE_URL must use https/,
    })),
    ...[
      'https://login.example/',
      'https://login.example/auth',
      'https://login.example?x',
      'https://login.example#x',
      'https://user@login.example',
      'https://LOGIN.example',
      'https://login.example:443',
      ' https://login.example',
    ].map((url) => ({
      name: `the base URL "${url}" is refused because it is more than an origin`,
      environment: { LATCHKEY_BASE_URL: url },
      fault: /^LATCHKEY_BASE_URL must be just an origin.*: https:\/\/login\.example$/,
    })),
    ...['-1', '65536', '80.5', '1e3', '0x50', 'http', ' 80'].map((port) => ({
      name: `the port "${port}" is refused`,
      environment: { LATCHKEY_PORT: port },
      fault: /^LATCHKEY_PORT must be a whole number from 0 to 65535/,
    })),
    ...['0', '-1', '36501', 'forever'].map((days) => ({
      name: `keeping events for "${days}" days is refused`,
      environment: { LATCHKEY_EVENTS_DAYS: days },
      fault: /^LATCHKEY_EVENTS_DAYS must be a whole number from 1 to 36500/,
    })),
    ...['true', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0', '300.0.0.1'].map(
      (proxy) => ({
        name: `the proxy "${proxy}" is refused`,
        environment: { LATCHKEY_TRUST_PROXY: proxy },
        fault: /^LATCHKEY_TRUST_PROXY: ".*" is not an IP address or network/,
      }),
    ),
    ...['0.0.0.0/0', '::/0', '10.0.0.0/00'].map((everyone) => ({
      // It never started: the library that compares IP addresses takes none of these.
      name: `trusting everyone as a proxy, with "${everyone}", is refused`,
      environment: { LATCHKEY_TRUST_PROXY: `192.0.2.1, ${everyone}` },
      fault: /^LATCHKEY_TRUST_PROXY: "[\d.:]+\/0+" would let everyone choose their IP address; list your proxies$/,
    })),
    ...['verbose', 'INFO', '3'].map((level) => ({
      name: `the log level "${level}" is refused`,
      environment: { LATCHKEY_LOG_LEVEL: level },
      fault: /^LATCHKEY_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent$/,
    })),
    {
      name: 'a mail server with another scheme is refused, and its password not repeated',
      environment: { LATCHKEY_SMTP_URL: 'https://user:hidden@mail.example', LATCHKEY_MAIL_FROM: 'id@mail.example' },
      fault: /^LATCHKEY_SMTP_URL must look like (?!.*hidden)/,
    },
    {
      name: 'a mail server needs a sender',
      environment: { LATCHKEY_SMTP_URL: 'smtp://mail.example' },
      fault: /^LATCHKEY_MAIL_FROM is required when/,
    },
    {
      name: 'the sender must be an address',
      environment: { LATCHKEY_SMTP_URL: 'smtp://mail.example', LATCHKEY_MAIL_FROM: 'Latchkey' },
      fault: /^LATCHKEY_MAIL_FROM must be an email address such as/,
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const problems = faultsOf(c.environment);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] as string, c.fault);
    });
  }

  test('every problem is reported at once', () => {
    const environment = {
      LATCHKEY_BASE_URL: 'http://login.example/',
      LATCHKEY_PORT: 'x',
      LATCHKEY_EVENTS_DAYS: '0',
      LATCHKEY_TRUST_PROXY: 'a, 10.0.0.0/8, b',
      LATCHKEY_LOG_LEVEL: 'loud',
    };
    const expected = [
      /BASE_URL must use https/,
      /BASE_URL must be just an origin/,
      /_PORT/,
      /_EVENTS_DAYS/,
      /_TRUST_PROXY: "a"/,
      /_TRUST_PROXY: "b"/,
      /_LOG_LEVEL/,
    ];
    const problems = faultsOf(environment);
    assert.equal(problems.length, expected.length);
    for (const pattern of expected)
      assert.ok(
        problems.some((fault) => pattern.test(fault)),
        String(pattern),
      );
  });

  test('a trusted network that holds more than proxies is a problem', () => {
    const wide = ['0.0.0.0/1', '128.0.0.0/7', '::/1', '2000::/3', 'fc00::/6'];
    const exact = ['10.0.0.0/8', '192.0.2.1', '::1', 'fc00::/7', '2001:db8::/32'];
    assert.match(proxyProblem([...exact, ...wide]) ?? '', new RegExp(`^LATCHKEY_TRUST_PROXY: ${wide.join(', ')} lets`));
    assert.equal(proxyProblem(exact), undefined);
    assert.equal(proxyProblem([]), undefined);
  });

  test('the message lists every problem on its own line', () => {
    const error = new ConfigurationError(['first', 'second']);
    assert.equal(error.message, 'Invalid configuration:\n  - first\n  - second');
    assert.equal(error.name, 'ConfigurationError');
  });
});
