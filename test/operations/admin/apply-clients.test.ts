// The difference between the applications there are and those that a file describes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApplyServices, Change, Described } from '../../../src/operations/apply/file-section.ts';
import { planSteps } from '../../../src/operations/apply/plan-section.ts';
import { clientSection } from '../../../src/operations/clients/client-section.ts';
import { readLogo } from '../../../src/protocol/reading/logo.ts';
import type { clientFields } from '../../../src/protocol/resources/client.ts';
import type { Client } from '../../../src/storage/storage.ts';
import { redPixel } from '../../harness/account.ts';
import { aClient } from '../../storage/records.ts';

type DescribedClient = Described<typeof clientFields>;

/** Comparing applications needs no service. */
const planClients = (clients: readonly Client[], described: readonly DescribedClient[], prune: boolean) =>
  planSteps(clientSection, {} as ApplyServices, clients, described, prune ? [] : clients);

const versionOf = (bytes: Uint8Array) => {
  const logo = readLogo(bytes);
  return typeof logo === 'string' ? logo : logo.version;
};

const client = aClient({
  id: 'photos',
  name: 'Photos',
  redirectUris: ['https://a.example/', 'https://b.example/'],
  scopes: ['openid', 'email'],
  logoVersion: versionOf(redPixel(1)),
});
const { id, name, isPublic, redirectUris, postLogoutRedirectUris, scopes } = client;
const given: DescribedClient['given'] = { name, isPublic, redirectUris, postLogoutRedirectUris, scopes };
const described = (change: DescribedClient['given'] = {}, of = id): DescribedClient => ({
  id: of,
  given: { ...given, ...change },
  item: {},
});

describe('nothing changes', () => {
  for (const [what, change] of [
    ['when all is as described', {}],
    ['when redirect URIs come in another order', { redirectUris: redirectUris.toReversed() }],
    ['when the second factor is as it is', { secondFactor: 'optional' }],
    ['when the logo has the same bytes', { logo: redPixel(1) }],
  ] as const) {
    test(what, () => {
      const application = described(change);
      const expected = [{ kind: 'unchanged', id, described: application, item: client }];
      assert.deepEqual(planClients([client], [application], true), expected);
    });
  }

  test("when there's no logo and none is requested", () => {
    const plain = { ...client, logoVersion: null };
    assert.equal(planClients([plain], [described({ logo: null })], false)[0]?.kind, 'unchanged');
  });

  test('when a revoked application matches the file: it stays revoked', () => {
    assert.equal(planClients([{ ...client, revokedAt: 5 }], [described()], true)[0]?.kind, 'unchanged');
  });
});

describe('a difference', () => {
  const cases: [string, DescribedClient['given'], Change][] = [
    ['in the name', { name: 'Pictures' }, { name: 'name', from: 'Photos', to: 'Pictures' }],
    [
      'in the redirect URIs',
      { redirectUris: ['https://b.example/', 'https://c.example/'] },
      { name: 'redirect_uris', items: { added: ['https://c.example/'], removed: ['https://a.example/'] } },
    ],
    [
      'in the scopes',
      { scopes: ['openid', 'profile'] },
      { name: 'scopes', items: { added: ['profile'], removed: ['email'] } },
    ],
    ['in the type', { isPublic: true }, { name: 'public', from: false, to: true }],
    ['in the second factor', { secondFactor: 'required' }, { name: 'second_factor', from: 'optional', to: 'required' }],
    ['in the logo', { logo: redPixel(2) }, { name: 'logo', image: 'changed' }],
    ['by a logo that goes', { logo: null }, { name: 'logo', image: 'removed' }],
  ];
  for (const [what, change, expected] of cases) {
    test(what, () => {
      const application = described(change);
      const step = { kind: 'update', id, described: application, item: client, changes: [expected] };
      assert.deepEqual(planClients([client], [application], false), [step]);
    });
  }

  test('a new logo', () => {
    const [step] = planClients([{ ...client, logoVersion: null }], [described({ logo: redPixel(1) })], false);
    assert.deepEqual(step?.kind === 'update' && step.changes, [{ name: 'logo', image: 'added' }]);
  });
});

test('missing applications are created, and unlisted ones are left alone or deleted', () => {
  const application = described({}, 'mail');
  assert.deepEqual(planClients([client], [application], false), [
    { kind: 'create', id: 'mail', described: application },
    { kind: 'leave', id: 'photos', item: client },
  ]);
  assert.deepEqual(planClients([client], [application], true).at(-1), { kind: 'delete', id: 'photos', item: client });
});
