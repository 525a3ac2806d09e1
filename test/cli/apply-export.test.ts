// latchkey apply --export: a running service becomes a file that changes nothing there, and makes another one like it.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sections } from '../../src/cli/apply/sections.ts';
import { fileKeys } from '../../src/operations/apply/read-section.ts';
import { clientSection } from '../../src/operations/clients/client-section.ts';
import { upstreamSection } from '../../src/operations/upstreams/upstream-section.ts';
import { webhookSection } from '../../src/operations/webhooks/webhook-section.ts';
import { type BrandImage, brandImages } from '../../src/protocol/brand/brand.ts';
import { type SettingName, settingFields, settingNames } from '../../src/protocol/resources/settings.ts';
import { png } from '../harness/account.ts';
import { runCommand } from '../harness/command.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const image = `data:image/png;base64,${png.toString('base64')}`;
const [ada, bob] = ['ada@example.test', 'bob@example.test'];

/** Nothing has its default. A new key isn't here until somebody adds it, and then it has to survive the round trip. */
const application: Record<string, unknown> = {
  client_id: 'complete',
  name: 'Complete “app”',
  redirect_uris: ['https://b.example/cb', 'https://a.example/cb'],
  post_logout_redirect_uris: ['https://a.example/bye'],
  // A public client can't have one: the other application does.
  backchannel_logout_uri: null,
  scopes: ['openid', 'email'],
  public: true,
  access: 'listed',
  access_requests: 'on',
  allowed: { people: [ada, bob], groups: ['Crew', 'Staff'] },
  owners: { people: [ada], groups: ['Staff'] },
  allowed_until: { people: { [bob]: '2099-01-31T23:59:59.999Z' }, groups: { Crew: '2099-01-31T17:00:00.001Z' } },
  second_factor: 'required',
  upstream: 'enterprise',
  logo: image,
  client_uri: 'https://a.example',
  policy_uri: 'https://a.example/privacy',
  tos_uri: 'https://a.example/terms',
  launch_url: 'https://a.example/start',
  contact_email: 'dev@a.example',
  claims: [
    { claim: 'crew', source: 'has-group', group: 'Crew', label: 'In the crew', id_token: true },
    { claim: 'tier', source: 'value', value: 'a=b;c,d:"e"', label: null, id_token: false },
  ],
  revoked: true,
};
const groups = [
  { name: 'Crew', protected: false, members: [], members_until: {} },
  { name: 'Staff', protected: true, members: [ada, bob], members_until: { [ada]: '2099-02-28T23:59:59.999Z' } },
];
const settings: Record<SettingName | BrandImage, unknown> = {
  second_factor: 'administrators',
  session_hours: 12,
  kept_session_days: 20,
  kept_session_idle_days: 7,
  default_upstream: 'enterprise',
  email_codes: 'everyone',
  passwords: 'off',
  passwords_until: '2099-12-31',
  sign_up: 'domains',
  sign_up_domains: ['a.example', 'b.example'],
  default_groups: ['Crew'],
  scim_user_name: 'username',
  scim_verified_domains: ['a.example'],
  disable_inactive_after_days: 90,
  inactive_notice_days: 7,
  review_keep_days: 365,
  first_steps: 'hidden',
  service_name: 'Acme',
  accent: '#2457c5',
  support_url: 'mailto:help@a.example',
  terms_url: 'https://a.example/terms',
  privacy_url: 'https://a.example/privacy',
  sign_in_message: 'Hello — “there”',
  logo: image,
  logo_dark: image,
  favicon: image,
};
const least = {
  client_id: 'least',
  name: 'Least',
  redirect_uris: ['https://c.example/cb'],
  backchannel_logout_uri: 'https://c.example/logout',
};
const webhooks: Record<string, unknown>[] = [
  {
    id: 'audit',
    url: 'https://hooks.example/audit',
    description: 'Audit “log”',
    client_id: null,
    types: ['user.disabled', 'settings.changed'],
    disabled: true,
  },
  { id: 'own', url: 'https://a.example/hook', description: '', client_id: 'least', types: null, disabled: undefined },
];
/** Of a kind that has no discovery, so that nobody has to answer. */
const upstreams: Record<string, unknown>[] = [
  {
    name: 'enterprise',
    kind: 'github',
    issuer: 'https://github.a.example',
    client_id: 'theirs',
    label: 'Code',
    scopes: ['user:email'],
    creates_accounts: true,
    skip_approval: true,
    trusted_domains: ['a.example', '*'],
    allowed_domains: ['a.example'],
    routes_domains: true,
    trusted_amr: ['mfa'],
    trusted_acr: ['2', 'gold'],
    algorithm: null,
    icon: image,
    disabled: true,
    client_secret: { env: 'ENTERPRISE_SECRET' },
  },
  {
    name: 'github',
    kind: 'github',
    issuer: 'https://github.com',
    client_id: 'ours',
    label: 'github',
    scopes: ['read:user', 'user:email'],
    creates_accounts: false,
    skip_approval: false,
    trusted_domains: [],
    allowed_domains: [],
    routes_domains: false,
    trusted_amr: [],
    trusted_acr: [],
    algorithm: null,
    icon: null,
    disabled: undefined,
    client_secret: { env: 'GITHUB_SECRET' },
  },
];
const secrets = { ENTERPRISE_SECRET: 'first secret', GITHUB_SECRET: 'second secret' };
const applications = [application, least];
const attributes = [
  { name: 'cost_center', label: 'Cost center', kind: 'number', editable_by: 'administrator', values: null },
  { name: 'skills', label: 'Skills', kind: 'list', editable_by: 'person', values: ['chess', 'piano & organ'] },
];
const everything: Record<string, unknown> = { settings, groups, attributes, upstreams, applications, webhooks };

let folder: string;
const services: TestService[] = [];
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-export-'));
});
after(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await removeSharedPostgres();
  rmSync(folder, { recursive: true, force: true });
});

/** A service with two people, and the command line on the same store. */
async function store(database?: string) {
  const databaseUrl = database === undefined ? {} : { DATABASE_URL: database };
  const service = await startTestService(databaseUrl);
  services.push(service);
  for (const email of [ada, bob]) await service.newUser({ email });
  const environment = { LATCHKEY_DATA_DIR: service.dataDir, ...databaseUrl, ...secrets };
  const apply = async (args: readonly string[], input?: string) => {
    const result = await runCommand(['apply', ...args], environment, input);
    assert.equal(result.status, 0, result.stderr);
    return result.stdout;
  };
  return { service, apply };
}

for (const engine of ['embedded', 'postgres'] as const) {
  test(`every setting survives export and apply: ${engine}`, async () => {
    const database = engine === 'embedded' ? undefined : await (await sharedPostgres()).newDatabase();
    const another = engine === 'embedded' ? undefined : await (await sharedPostgres()).newDatabase();
    const [source, target] = await Promise.all([store(database), store(another)]);
    await source.apply(['-f', '-'], JSON.stringify(everything));
    const text = await source.apply(['--export']);
    const exported = JSON.parse(text);

    assert.deepEqual(Object.keys(exported).toSorted(), sections.map(({ name }) => name).toSorted());
    const [complete, other] = exported.applications;
    assert.deepEqual(complete, application);
    for (const key of fileKeys(clientSection)) {
      if (key === 'revoked') assert.equal(key in other, false, 'a file restores nothing');
      else assert.notDeepEqual(complete[key], other[key], `${key} is exported, and isn't its default`);
    }
    assert.deepEqual(exported.groups, groups);
    for (const webhook of webhooks) assert.deepEqual(Object.keys(webhook), fileKeys(webhookSection));
    assert.deepEqual(exported.webhooks, JSON.parse(JSON.stringify(webhooks)));
    for (const each of upstreams) assert.deepEqual(Object.keys(each).toSorted(), fileKeys(upstreamSection).toSorted());
    const withoutSecret = ({ client_secret: _, ...rest }: (typeof upstreams)[number]) => rest;
    assert.deepEqual(exported.upstreams, JSON.parse(JSON.stringify(upstreams.map(withoutSecret))));
    assert.deepEqual(exported.settings, settings);
    for (const name of settingNames) assert.notEqual(exported.settings[name], settingFields[name].initial);
    for (const name of brandImages) assert.equal(exported.settings[name], image);
    assert.doesNotMatch(text, /secret|digest|whsec/i);

    const before = await source.service.rows('events');
    const again = await source.apply(['-f', '-', '--prune'], text);
    const lists = [groups, attributes, upstreams, webhooks, applications].reduce(
      (count, { length }) => count + length,
      0,
    );
    const count = settingNames.length + lists;
    assert.equal(again, `0 created, 0 changed, 0 deleted, ${count} unchanged.\n`);
    assert.deepEqual(await source.service.rows('events'), before);

    const made = await target.apply(['-f', '-'], JSON.stringify({ ...exported, upstreams }));
    assert.match(
      made,
      /client_id {6}least\n {2}client_secret {2}lk_secret_/,
      'a new application has a secret of its own',
    );
    assert.match(made, /webhook {2}audit\n {2}secret {3}whsec_/, 'and so has a new webhook');
    assert.equal(await target.apply(['--export']), text);
  });
}

test('with -f, images are files next to it', async () => {
  const { apply } = await store();
  await apply(['-f', '-'], JSON.stringify(everything));
  const file = join(folder, 'latchkey.json');
  writeFileSync(file, 'the export of another day');
  assert.equal(await apply(['--export', '-f', file]), `Wrote ${file} and 5 images beside it.\n`);
  const { settings: described, applications, upstreams: providers } = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(providers[0].icon, 'images/upstreams/enterprise.png');
  assert.equal(described.logo_dark, 'images/brand/logo_dark.png');
  assert.equal(applications[0].logo, 'images/applications/complete.png');
  assert.deepEqual(readFileSync(join(folder, applications[0].logo)), png);
  assert.deepEqual(readdirSync(folder).toSorted(), ['images', 'latchkey.json'], 'nothing unfinished');
  assert.match(
    await apply(['-f', file, '--dry-run', '--prune']),
    /^Dry run: nothing was changed\. 0 to create, 0 to change/,
  );
});

test('--export with a bad path or with apply options fails with one sentence', async () => {
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'another') };
  await runCommand(['setup-link'], environment);
  const blocked = join(folder, 'blocked');
  mkdirSync(blocked);
  const failed = await runCommand(['apply', '--export', '-f', blocked], environment);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /latchkey: can't write \S+blocked: E.+\n$/);
  const refused = await runCommand(['apply', '--export', '--dry-run'], environment);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /^latchkey: --export can only be combined with -f/);
});

test('the help names every key of an application, a group and an upstream', async () => {
  const { stdout } = await runCommand(['apply', '--help'], {});
  const keys = [...fileKeys(clientSection), ...fileKeys(upstreamSection), 'protected', 'members', 'members_until'];
  assert.deepEqual(
    keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(stdout)),
    [],
  );
});
