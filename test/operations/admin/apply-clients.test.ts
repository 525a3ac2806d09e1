// The difference between the applications there are and those that a file describes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Changes, planChanges } from '../../../src/operations/admin/apply/apply-clients.ts';
import type { DescribedClient } from '../../../src/operations/admin/apply/client-file.ts';
import { noClientLinks } from '../../../src/protocol/oauth/client-links.ts';
import type { Client, Logo } from '../../../src/storage/storage.ts';

const client: Client = {
  id: 'photos',
  name: 'Photos',
  isPublic: false,
  redirectUris: ['https://a.example/', 'https://b.example/'],
  postLogoutRedirectUris: [],
  scopes: ['openid', 'email'],
  access: 'everyone',
  secondFactor: 'optional',
  secrets: [],
  links: noClientLinks,
  upstream: null,
  logoVersion: 'v1',
  revokedAt: null,
  generation: 0,
  createdAt: 1,
  updatedAt: 1,
};
const { id, name, isPublic, redirectUris, postLogoutRedirectUris, scopes } = client;
const described: DescribedClient = {
  id,
  name,
  isPublic,
  redirectUris,
  postLogoutRedirectUris,
  scopes,
  secondFactor: undefined,
  logo: undefined,
};
const logo = (version: string): Logo => ({ version, contentType: 'image/png', bytes: new Uint8Array() });

describe('nothing changes', () => {
  for (const [what, change] of [
    ['when all is as described', {}],
    ['when redirect URIs come in another order', { redirectUris: redirectUris.toReversed() }],
    ['when the second factor is as it is', { secondFactor: 'optional' }],
    ['when the logo has the same bytes', { logo: logo('v1') }],
  ] as const) {
    test(what, () => {
      assert.deepEqual(planChanges([client], [{ ...described, ...change }], true), [{ kind: 'unchanged', id, client }]);
    });
  }

  test("when there's no logo and none is requested", () => {
    const plain = { ...client, logoVersion: null };
    assert.equal(planChanges([plain], [{ ...described, logo: null }], false)[0]?.kind, 'unchanged');
  });

  test('when a revoked application matches the file: it stays revoked', () => {
    assert.equal(planChanges([{ ...client, revokedAt: 5 }], [described], true)[0]?.kind, 'unchanged');
  });
});

describe('a difference', () => {
  const cases: [string, Partial<DescribedClient>, Changes][] = [
    ['in the name', { name: 'Pictures' }, { name: { from: 'Photos', to: 'Pictures' } }],
    [
      'in the redirect URIs',
      { redirectUris: ['https://b.example/', 'https://c.example/'] },
      { redirectUris: { added: ['https://c.example/'], removed: ['https://a.example/'] } },
    ],
    ['in the scopes', { scopes: ['openid', 'profile'] }, { scopes: { added: ['profile'], removed: ['email'] } }],
    ['in the type', { isPublic: true }, { isPublic: { from: false, to: true } }],
    ['in the second factor', { secondFactor: 'required' }, { secondFactor: { from: 'optional', to: 'required' } }],
    ['in the logo', { logo: logo('v2') }, { logo: 'changed' }],
    ['by a logo that goes', { logo: null }, { logo: 'removed' }],
  ];
  for (const [what, change, changes] of cases) {
    test(what, () => {
      const application = { ...described, ...change };
      const expected = [{ kind: 'update', id, described: application, client, changes }];
      assert.deepEqual(planChanges([client], [application], false), expected);
    });
  }

  test('a new logo', () => {
    const [step] = planChanges([{ ...client, logoVersion: null }], [{ ...described, logo: logo('v1') }], false);
    assert.deepEqual(step?.kind === 'update' && step.changes, { logo: 'added' });
  });
});

test('missing applications are created, and unlisted ones are left alone or deleted', () => {
  const application = { ...described, id: 'mail' };
  assert.deepEqual(planChanges([client], [application], false), [
    { kind: 'create', id: 'mail', described: application },
    { kind: 'leave', id: 'photos', client },
  ]);
  assert.deepEqual(planChanges([client], [application], true).at(-1), { kind: 'delete', id: 'photos', client });
});
