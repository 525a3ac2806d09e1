// latchkey upstream: identity providers from the command line, and in the file of latchkey apply.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listUpstreams } from '../../src/operations/upstreams/upstreams.ts';
import { runCommand } from '../harness/command.ts';
import { allowLoopbackUpstreams, type DiscoveryServer, newLinkedUser, startDiscovery } from '../harness/discovery.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { everythingIn } from '../harness/store.ts';

let service: TestService;
let provider: DiscoveryServer;
before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await startDiscovery();
});
after(async () => {
  await service.stop();
  await provider.stop();
});

async function run(args: readonly string[], input?: string, environment: Record<string, string> = {}) {
  const all = { LATCHKEY_DATA_DIR: service.dataDir, ...allowLoopbackUpstreams, ...environment };
  return runCommand([...args], all, input);
}

async function upstream(args: readonly string[], input?: string): Promise<string> {
  const { status, stdout, stderr } = await run(['upstream', ...args], input);
  assert.equal(status, 0, stderr);
  return stdout;
}

const json = async (args: readonly string[], input?: string) => JSON.parse(await upstream([...args, '--json'], input));

const oidc = () => ['--issuer', provider.issuer, '--client-id', 'ours', '--secret-stdin'];

test('an upstream is added, shown, changed, refreshed, disabled, enabled and deleted', async () => {
  assert.match(await upstream(['list']), /^No identity providers yet/);
  const rules = ['--trusted-domain', 'Example.com', '--trusted-domain', 'example.org', '--create-accounts'];
  const made = await upstream(['create', 'company', ...oidc(), '--label', 'Company', ...rules], 'hidden secret\n');
  assert.match(
    made,
    /^Added "Company"\. Register this callback URL .*:\n\n {2}http:\S+\/sign-in\/with\/company\/callback\n$/,
  );
  const shown = await json(['show', 'company']);
  assert.deepEqual(
    [shown.trusted_domains, shown.creates_accounts, shown.algorithm, shown.scopes, shown.people.linked],
    [['example.com', 'example.org'], true, null, ['openid', 'email', 'profile'], 0],
  );
  assert.deepEqual(shown.endpoints.algorithms, ['RS256']);
  assert.match(await upstream(['list']), new RegExp(`company +active +created +Company +${provider.issuer}`));
  const stored = (await everythingIn(service)).join('\n');
  assert.doesNotMatch(`${stored}${await upstream(['show', 'company'])}`, /hidden secret/);

  const file = join(service.dataDir, 'secret.txt');
  writeFileSync(file, 'another secret\n');
  const changed = await json([
    'update',
    'company',
    '--secret-file',
    file,
    '--no-trusted-domain',
    '--trusted-amr',
    'mfa',
    '--create-accounts',
    'no',
    '--algorithm',
    'HS256',
  ]);
  assert.deepEqual([changed.trusted_domains, changed.trusted_amr, changed.creates_accounts], [[], ['mfa'], false]);
  assert.deepEqual([changed.algorithm, changed.endpoints.algorithms], ['HS256', ['HS256']]);
  assert.equal((await json(['update', 'company', '--algorithm', 'announced'])).algorithm, null);

  const before = provider.announced;
  provider.announced = { ...before, token_endpoint: `${provider.issuer}/elsewhere` };
  const difference = `~ token_endpoint: ${provider.issuer}/token → ${provider.issuer}/elsewhere\n`;
  assert.equal(await upstream(['refresh', 'company', '--dry-run']), `${difference}\nDry run: nothing was changed.\n`);
  assert.equal((await json(['show', 'company'])).endpoints.token_endpoint, `${provider.issuer}/token`);
  assert.equal(await upstream(['refresh', 'company']), `${difference}\nThe new endpoints are in use.\n`);
  assert.equal(await upstream(['refresh', 'company']), 'Nothing has changed.\n');
  provider.announced = before;

  assert.match(await upstream(['disable', 'company']), /status +disabled/);
  assert.equal((await json(['enable', 'company'])).disabled_at, null);
  assert.equal(await upstream(['delete', 'company', '--yes']), 'Deleted the identity provider "Company".\n');
  assert.deepEqual(await json(['list']), []);
  const kinds = (await service.events()).map(({ kind }) => kind).filter((kind) => kind.startsWith('upstream'));
  assert.deepEqual(kinds, [
    'upstream_created',
    'upstream_updated',
    'upstream_updated',
    'upstream_refreshed',
    'upstream_disabled',
    'upstream_enabled',
    'upstream_deleted',
  ]);
});

test('impossible requests fail with one sentence that says what to do', async () => {
  await upstream(['create', 'github', '--kind', 'github', '--client-id', 'ours', '--secret-stdin'], 'hidden');
  const cases: [string[], number, RegExp][] = [
    [['create', 'other', '--client-id', 'x', '--secret-stdin'], 1, /the issuer is needed/],
    [['create', 'No', ...oidc()], 1, /the name must be 1 to 40 lowercase letters/],
    [['create', 'other', '--issuer', 'https://10.0.0.1', ...oidc().slice(2)], 1, /LATCHKEY_UPSTREAM_NETWORKS/],
    [['create', 'other', '--issuer', `${provider.issuer}/x`, ...oidc().slice(2)], 1, /discovery/],
    [['create', 'other', ...oidc(), '--secret-file', 'x'], 2, /--secret-file and --secret-stdin can't be combined/],
    [['create', 'other', ...oidc().slice(0, -1)], 2, /--secret-file or --secret-stdin is required/],
    [['create', 'other', ...oidc().slice(0, -1), '--secret-file', '/nowhere'], 1, /can't read \/nowhere/],
    [['create', 'other', ...oidc(), '--algorithm', 'none'], 1, /the algorithm must be one of/],
    [['create', 'github', ...oidc()], 1, /already an identity provider "github"/],
    [['create', 'github2', '--kind', 'github', '--client-id', 'x', '--secret-stdin'], 1, /"github" has this issuer/],
    [['update', 'github'], 2, /nothing to change/],
    [['update', 'github', '--create-accounts', 'maybe'], 2, /--create-accounts must be yes or no/],
    [['update', 'github', '--trusted-domain', 'not a domain'], 1, /isn't a domain such as example.com/],
    [['show', 'nobody'], 1, /there is no identity provider "nobody"/],
    [['enable', 'github'], 1, /isn't disabled/],
  ];
  for (const [args, expected, problem] of cases) {
    const { status, stderr } = await run(['upstream', ...args], 'hidden');
    assert.equal(status, expected, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, problem);
  }
  const [github] = await listUpstreams(service.running.services);
  assert.ok(github);
  const { id, email } = await newLinkedUser(service, github);
  assert.match((await run(['user', 'show', id])).stdout, new RegExp(`identity +github sub-${id} \\(ada@elsewhere`));
  const unlink = ['user', 'unlink', id, '--upstream', 'github'];
  const sentence = `Unlinked an identity from ${email}, and signed them out everywhere.\n`;
  assert.equal((await run(unlink)).stdout, sentence);
  assert.match((await run(unlink)).stderr, /has no such identity at the identity provider "github"/);
  await upstream(['delete', 'github', '--yes']);
});

test('an apply file references secrets instead of containing them, and is idempotent', async () => {
  const described = {
    name: 'company',
    issuer: provider.issuer,
    client_id: 'ours',
    label: 'Company',
    client_secret: { file: 'secret.txt' },
    trusted_domains: ['example.com'],
  };
  const file = join(service.dataDir, 'latchkey.json');
  writeFileSync(join(service.dataDir, 'secret.txt'), 'from a file\n');
  const apply = async (upstreams: unknown, more: readonly string[] = [], environment = {}) => {
    writeFileSync(file, JSON.stringify({ upstreams }));
    return run(['apply', '-f', file, ...more], '', environment);
  };
  const made = await apply([described]);
  assert.match(made.stdout, /^\+ identity provider company\n {4}\+ kind: oidc\n[\s\S]*1 created/, made.stderr);
  assert.doesNotMatch(made.stdout, /from a file/);
  assert.match((await apply([described])).stdout, /^0 created, 0 changed, 0 deleted, 1 unchanged/);

  const other = { ...described, client_secret: { env: 'COMPANY_SECRET' }, label: 'The company', disabled: true };
  const changed = await apply([other], [], { COMPANY_SECRET: 'from the environment' });
  assert.deepEqual(changed.stdout.split('\n').slice(0, 4), [
    '~ identity provider company',
    '    ~ label: Company → The company',
    '    ~ disabled: false → true',
    '    ~ client_secret: the current one → another',
  ]);

  const problems: [object[], RegExp][] = [
    [[{ ...described, client_secret: 'oh no' }], /"client_secret" must be \{"env": NAME\} or \{"file": PATH\}/],
    [[{ ...described, client_secret: { env: 'NOT_SET' } }], /the variable NOT_SET isn't set/],
    [[{ ...described, issuer: 'https://other.example' }], /its issuer can't change/],
    [[described, { ...described, name: 'second' }], /"second" has the same issuer/],
    [
      [{ ...described, name: 'new', issuer: 'https://a.example', client_secret: undefined }],
      /where its "client_secret" is/,
    ],
    [[{ ...described, trusted_domain: [] }], /trusted_domain/],
    [[described, described], /\("company"\): the name appears twice/],
  ];
  const before = await service.rows('upstreams');
  for (const [upstreams, problem] of problems) {
    const { status, stderr } = await apply(upstreams);
    assert.equal(status, 1, stderr);
    assert.match(stderr, problem);
    assert.match(stderr, /Nothing was changed/);
    assert.doesNotMatch(stderr, /oh no/);
  }
  assert.deepEqual(await service.rows('upstreams'), before);
  assert.match(
    (await apply([], ['--prune', '--yes'])).stdout,
    /^- identity provider company\n\n0 created, 0 changed, 1 deleted/,
  );
});

test("doctor finds an upstream that's down, has moved, or whose secret can't be decrypted", async () => {
  const doctor = async (environment = {}) => {
    const { stdout } = await run(['doctor', '--json'], '', environment);
    const all = JSON.parse(stdout) as { state: string; about: string; text: string }[];
    return all.filter(({ about }) => about === 'identity providers').map(({ state, text }) => `${state}: ${text}`);
  };
  assert.deepEqual(await doctor(), []);
  await upstream(['create', 'company', ...oidc()], 'hidden');
  assert.deepEqual(await doctor(), ['ok: company: reachable, with the endpoints in use.']);
  await upstream(['update', 'company', '--allowed-domain', 'example.com', '--allowed-domain', 'example.org']);
  await upstream(['update', 'company', '--trusted-domain', 'example.org']);
  assert.match((await doctor()).join(), /^warning: company: allowed, but not trusted, .*: example\.com\. Trust it/);
  await upstream(['update', 'company', '--trusted-domain', '*']);
  const before = provider.announced;
  provider.announced = { ...before, jwks_uri: `${provider.issuer}/other` };
  assert.match((await doctor()).join(), /^warning: company announces other endpoints than those in use\. .*--dry-run/);
  provider.announced = {};
  const [unsealed, unreachable] = await doctor({ LATCHKEY_KEYS: randomBytes(32).toString('base64url') });
  assert.match(unsealed ?? '', /^problem: company: the keys can't open its secret/);
  assert.match(unreachable ?? '', /^problem: company: the discovery failed/);
  provider.announced = before;
});
