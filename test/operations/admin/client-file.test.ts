import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sections } from '../../../src/cli/apply/sections.ts';
import type { Described } from '../../../src/operations/apply/file-section.ts';
import { readApplyFile } from '../../../src/operations/apply/read-section.ts';
import { clientFields } from '../../../src/protocol/resources/client.ts';
import { readFields } from '../../../src/protocol/resources/resource.ts';
import type { SettingsInput } from '../../../src/protocol/resources/settings.ts';
import { png } from '../../harness/account.ts';

const files: Record<string, Uint8Array> = {
  'logo.png': png,
  'logo.svg': Buffer.from('<svg/>'),
};
/** The groups as the file has them, and the settings as they're stored. */
function read(text: string) {
  const found = readApplyFile(sections, text, {
    imageAt: (path) => files[path] ?? 'the logo cannot be read: nothing',
    secretAt: () => ({ problem: 'no secrets' }),
  });
  if (found.kind === 'invalid') return found;
  const groups = found.file.get('groups')?.map(({ item }) => item);
  const clients: readonly Described<typeof clientFields>[] | undefined = found.file.get('applications');
  const settings: SettingsInput = found.file.get('settings')?.[0]?.given ?? {};
  return { kind: found.kind, clients, ...(groups && { groups }), settings };
}

const least = { client_id: 'photos', name: 'Photos', redirect_uris: ['https://photos.example/cb'] };
const fileOf = (...applications: unknown[]) => JSON.stringify({ applications });

function applicationOf(item: unknown) {
  const file = read(fileOf(item));
  assert.equal(file.kind, 'read', JSON.stringify(file));
  return file.kind === 'read' ? file.clients?.[0] : undefined;
}

test('the minimal application: all scopes, confidential, logo unchanged', () => {
  assert.deepEqual(applicationOf(least), {
    id: 'photos',
    given: {
      name: 'Photos',
      redirectUris: ['https://photos.example/cb'],
      postLogoutRedirectUris: [],
      scopes: ['openid', 'profile', 'email'],
      isPublic: false,
    },
    item: least,
  });
});

test('scopes are a set, and so are redirect URIs of both kinds', () => {
  const uris = ['https://a.example/', 'https://b.example/', 'https://a.example/'];
  const uriSets = { redirect_uris: uris, post_logout_redirect_uris: uris };
  const application = applicationOf({ ...least, scopes: ['email', 'openid', 'email'], ...uriSets });
  const { values } = readFields(clientFields, application?.given ?? {});
  assert.deepEqual(values.scopes, ['openid', 'email']);
  assert.deepEqual(values.redirectUris, uris.slice(0, 2));
  assert.deepEqual(values.postLogoutRedirectUris, uris.slice(0, 2));
});

test('a public application can have a private-use scheme', () => {
  assert.equal(applicationOf({ ...least, public: true, redirect_uris: ['com.example.app:/cb'] })?.given.isPublic, true);
});

test('a second factor can be required', () => {
  assert.equal(applicationOf({ ...least, second_factor: 'required' })?.given.secondFactor, 'required');
});

test('an application can be revoked but not restored', () => {
  assert.equal(applicationOf({ ...least, revoked: true })?.item.revoked, true);
  const file = read(fileOf({ ...least, revoked: false }));
  const problem = 'applications[0] ("photos"): "revoked" must be true, or left out';
  assert.deepEqual(file, { kind: 'invalid', problems: [problem] });
});

test('a file can have any of the sections', () => {
  const groups = [{ name: 'Staff' }];
  assert.deepEqual(read(JSON.stringify({ groups })), { kind: 'read', clients: undefined, groups, settings: {} });
  const settings = { session_hours: 9 };
  assert.deepEqual(read(JSON.stringify({ groups, settings })), {
    kind: 'read',
    clients: undefined,
    groups,
    settings,
  });
});

test('a logo is read from its path, and null removes it', () => {
  assert.deepEqual(applicationOf({ ...least, logo: 'logo.png' })?.given.logo, png);
  assert.equal(applicationOf({ ...least, logo: null })?.given.logo, null);
});

test('a file without applications is valid', () => {
  assert.deepEqual(read(fileOf()), { kind: 'read', clients: [], settings: {} });
});

test('a byte order mark is accepted', () => {
  assert.deepEqual(read(`\ufeff${fileOf()}`), { kind: 'read', clients: [], settings: {} });
});

test('settings can be with applications or alone', () => {
  const settings = { second_factor: 'everyone', session_hours: 8 };
  assert.deepEqual(read(JSON.stringify({ applications: [], settings })), {
    kind: 'read',
    clients: [],
    settings,
  });
  assert.deepEqual(read(JSON.stringify({ settings })), {
    kind: 'read',
    clients: undefined,
    settings,
  });
});

test('a brand image is read from its path, and null removes it', () => {
  const file = read(JSON.stringify({ settings: { logo: 'logo.png', favicon: null } }));
  assert.equal(file.kind, 'read', JSON.stringify(file));
  const images = file.kind === 'read' ? file.settings : {};
  assert.deepEqual(images.logo, png);
  assert.equal(images.favicon, null);
  assert.equal('logo_dark' in images, false);
});

test('the pages of an application are URLs, or null for none', () => {
  const links = { client_uri: 'https://photos.example', launch_url: null, tos_uri: '' };
  const { values } = readFields(clientFields, applicationOf({ ...least, ...links })?.given ?? {});
  const { clientUri, launchUrl, tosUri, policyUri } = values;
  assert.deepEqual([clientUri, launchUrl, tosUri, policyUri], [links.client_uri, null, null, null]);
});

describe('a problem in the file', () => {
  for (const [text, fault] of [
    ['{"applications": [}', 'it is not valid JSON: a value is expected at line 1, column 19'],
    ['[]', 'it must be an object with the key "applications"'],
    ['null', 'it must be an object with the key "applications"'],
    ['{}', '"applications" must be a list of applications'],
    ['{"applications": {}}', '"applications" must be a list of applications'],
    [
      '{"applications": [], "users": []}',
      '"users" is not among the keys that are known: applications, attributes, groups, settings, upstreams, webhooks',
    ],
    ['{"applications": [], "groups": {}}', '"groups" must be a list of groups'],
    ['{"applications": [], "groups": [7]}', 'groups[0]: a group must be an object'],
    ['{"applications": [], "groups": [{"name": " "}]}', 'groups[0]: the name is empty'],
    ['{"applications": [], "groups": [{}]}', 'groups[0]: "name" must be a string'],
    ['{"applications": [], "groups": [{"name": "a"}, {"name": "A"}]}', 'groups[1]: the name "A" appears twice'],
    [
      '{"applications": [], "groups": [{"name": "a", "members": "b"}]}',
      'groups[0]: "members" must be a list of strings',
    ],
    ['{"settings": []}', '"settings" must be an object'],
    [
      '{"settings": {"second_factor": "nobody"}}',
      'settings: "second_factor" must be "optional" or "administrators" or "everyone"',
    ],
    ['{"settings": {"logo": 1}}', 'settings: "logo" must be the path of a picture, or null'],
    ['{"settings": {"logo": "nothing.png"}}', 'settings: the logo cannot be read: nothing'],
    [
      '{"settings": {"favicon": "logo.svg"}}',
      'settings: the favicon is not a PNG, JPEG or WebP image; SVG is not accepted, because it can contain scripts',
    ],
    ['{"settings": {"accent": "red"}}', 'settings: accent must be a color such as #2457c5, or empty for the default'],
    ['{"settings": {"session_hours": "8"}}', 'settings: "session_hours" must be a number'],
  ] as const) {
    test(text, () => assert.deepEqual(read(text), { kind: 'invalid', problems: [fault] }));
  }
});

describe('a problem in an application', () => {
  const known =
    'client_id, name, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, scopes, access, access_requests, public, second_factor, upstream, logo, client_uri, policy_uri, tos_uri, launch_url, contact_email, claims, allowed, allowed_until, owners, revoked';
  const rule = 'a-z 0-9 _ - alone, at most 40 of them, beginning with a letter or digit';
  for (const [name, change, fault] of [
    ['an unknown key', { secret: 'x' }, `"secret" is not among the keys that are known: ${known}`],
    ['another access', { access: 'some' }, '"access" must be "everyone" or "listed"'],
    ['a list that is invalid', { allowed: [] }, '"allowed" must be an object with the keys "people" and "groups"'],
    ['people who are no list', { allowed: { people: 'a' } }, '"people" in "allowed" must be a list of strings'],
    ['another list', { allowed: { roles: [] } }, '"roles" is not among the keys that are known: people, groups'],
    ['a name that is missing', { name: undefined }, '"name" is missing'],
    ['a name that is not text', { name: 7 }, '"name" must be a string'],
    ['an empty name', { name: ' ' }, 'the name is empty'],
    ['redirect URIs that are missing', { redirect_uris: undefined }, '"redirect_uris" is missing'],
    [
      'one redirect URI without a list',
      { redirect_uris: 'https://a.example/' },
      '"redirect_uris" must be a list of strings',
    ],
    ['a redirect URI that is not text', { redirect_uris: [1] }, '"redirect_uris" must be a list of strings'],
    ['no redirect URI', { redirect_uris: [] }, 'at least one redirect URI is needed'],
    [
      'too many redirect URIs',
      { redirect_uris: Array.from({ length: 51 }, (_, index) => `https://a.example/${index}`) },
      'there are more than 50 redirect URIs',
    ],
    ['a redirect URI that is invalid', { redirect_uris: ['/cb'] }, 'the redirect URI "/cb" is not an absolute URI'],
    [
      'a private-use scheme without "public"',
      { redirect_uris: ['com.example.app:/cb'] },
      'the redirect URI "com.example.app:/cb" uses a private-use scheme, which only public clients may have',
    ],
    ['scopes that are a text', { scopes: 'openid' }, '"scopes" must be a list of strings'],
    ['no scope', { scopes: [] }, 'the scope is empty'],
    ['an unknown scope', { scopes: ['openid', 'phone'] }, 'the scope must be among: openid profile email'],
    ['two scopes in one', { scopes: ['openid email'] }, 'the scope must be among: openid profile email'],
    ['"public" that is a text', { public: 'no' }, '"public" must be true or false'],
    ['a missing logo', { logo: 'nothing.png' }, 'the logo cannot be read: nothing'],
    [
      'a logo that is no picture',
      { logo: 'logo.svg' },
      'the logo is not a PNG, JPEG or WebP image; SVG is not accepted, because it can contain scripts',
    ],
    ['a home page that is not text', { client_uri: 1 }, '"client_uri" must be a string, or null'],
    [
      'a launch URL that is a script',
      { launch_url: 'javascript:alert(1)' },
      'the launch_url "javascript:alert(1)" must begin with https:',
    ],
    ['a logo that is not a path', { logo: true }, '"logo" must be the path of a picture, or null'],
    ['a client_id that is invalid', { client_id: 'My App' }, `"My App" is not a client id: ${rule}`],
  ] as const) {
    test(name, () => {
      const id = 'client_id' in change ? change.client_id : 'photos';
      const problems = [`applications[0] ("${id}"): ${fault}`];
      assert.deepEqual(read(fileOf({ ...least, ...change })), { kind: 'invalid', problems });
    });
  }

  test('a missing client_id is reported by its place in the list', () => {
    const problems = ['applications[1]: "client_id" is missing'];
    assert.deepEqual(read(fileOf(least, { ...least, client_id: undefined })), { kind: 'invalid', problems });
  });

  test("one that isn't an object", () => {
    const problems = ['applications[0]: an application must be an object'];
    assert.deepEqual(read(fileOf('photos')), { kind: 'invalid', problems });
  });

  test('a duplicate client_id', () => {
    const problems = ['applications[2] ("photos"): the client_id appears twice'];
    assert.deepEqual(read(fileOf(least, { ...least, client_id: 'mail' }, least)), { kind: 'invalid', problems });
  });
});

test('every problem is reported at once', () => {
  const text = JSON.stringify({
    version: 1,
    applications: [
      { ...least, name: '', redirect_uris: ['/a', '/b'], scopes: [] },
      { ...least, public: 1, logo: 'logo.svg' },
    ],
  });
  const file = read(text);
  assert.equal(file.kind === 'invalid' && file.problems.length, 8, JSON.stringify(file));
});
