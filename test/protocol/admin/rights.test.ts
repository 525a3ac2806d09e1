// Who may do what in administration.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Authority,
  describeRights,
  may,
  permissions,
  type Right,
  rights,
  roles,
} from '../../../src/protocol/admin/rights.ts';
import { allowedRoutes } from '../../harness/allowed-routes.ts';

const all = Object.keys(rights) as Right[];
const rightsOf = (authority: Authority) => all.filter((right) => may(authority, right));

test('the command line and an administrator may do everything', () => {
  for (const right of all) assert.ok(may(undefined, right), right);
  assert.deepEqual(rightsOf({ roles: ['administrator'] }), all);
});

describe('a role', () => {
  const people: Right[] = [
    'people.read',
    'people.change',
    'groups.read',
    'groups.change',
    'sign_up.read',
    'sign_up.change',
  ];
  const applications: Right[] = [
    'applications.read',
    'applications.change',
    'applications.owned',
    'access.change',
    'owners.change',
    'access_requests.read',
    'access_requests.change',
    'webhooks.read',
    'webhooks.change',
  ];
  for (const [held, expected] of [
    [[], []],
    [['people'], ['events.read', ...people]],
    [['applications'], ['events.read', ...applications]],
    [
      ['applications', 'people'],
      ['events.read', ...people, ...applications, 'applications.preview', 'applications.people', 'access.read'],
    ],
    // The note of a request is for those who decide about it.
    [
      ['auditor'],
      [
        'applications.people',
        'applications.owned',
        ...all.filter((right) => right.endsWith('.read') && right !== 'access_requests.read'),
      ],
    ],
  ] as const) {
    test(held.join(' and ') || 'none', () => {
      assert.deepEqual(new Set(rightsOf({ roles: held })), new Set<Right>(expected));
    });
  }
});

describe('a permission of a key', () => {
  const changes = all.filter((right) => right.endsWith('.change'));
  for (const [permission, expected] of [
    ['read', []],
    [
      'write',
      [
        'people',
        'groups',
        'sign_up',
        'applications',
        'access',
        'owners',
        'access_requests',
        'attributes',
        'webhooks',
        'service_webhooks',
      ],
    ],
    [
      'administrator',
      [
        'people',
        'groups',
        'sign_up',
        'applications',
        'access',
        'owners',
        'access_requests',
        'reviews',
        'attributes',
        'webhooks',
        'service_webhooks',
        'settings',
        'upstreams',
        'scim_tokens',
        'roles',
      ],
    ],
  ] as const) {
    test(`${permission} changes ${expected.join(', ') || 'nothing'}`, () => {
      const changed = changes.filter((right) => may({ permission }, right));
      assert.deepEqual(new Set(changed), new Set(expected.map((area) => `${area}.change`)));
    });
  }

  test('each reads everything but keys, and only administrator reads SCIM tokens', () => {
    for (const permission of permissions) {
      const unread = all.filter((right) => right.endsWith('.read') && !may({ permission }, right));
      assert.deepEqual(
        unread,
        permission === 'administrator' ? ['api_keys.read'] : ['api_keys.read', 'scim_tokens.read'],
      );
    }
  });

  test('none of them is for keys themselves', () => {
    for (const right of ['api_keys.read', 'api_keys.change'] as const) {
      assert.equal(may({ permission: 'administrator' }, right), false);
      assert.equal(may({ roles: ['auditor', 'administrator'], isKey: true }, right), false);
    }
  });
});

test('help says what the table says', () => {
  assert.equal(describeRights({ roles: ['administrator'] }), 'everything');
  assert.equal(
    describeRights({ roles: ['people'] }),
    "changes people without a role, groups that aren't protected, sign-up links and approvals; reads events",
  );
  assert.equal(
    describeRights({ roles: ['applications'] }),
    "changes applications, applications' own webhooks, requests for access; reads events",
  );
  assert.match(
    describeRights({ roles: ['auditor'] }),
    /^reads people, groups, .*API keys, SCIM tokens, reviews of access$/,
  );
  assert.match(describeRights({ roles: ['auditor'], isKey: true }), /other webhooks, SCIM tokens, reviews of access$/);
  assert.match(
    describeRights({ permission: 'write' }),
    /; reads events, settings, identity providers, reviews of access$/,
  );
  assert.match(
    describeRights({ permission: 'administrator' }),
    /SCIM tokens, roles, requests for access, reviews of access; reads events$/,
  );
});

describe('a right belongs to exactly those who are listed for its routes', () => {
  const roleSets = Array.from({ length: 2 ** roles.length }, (_, chosen) =>
    roles.filter((_, index) => Math.floor(chosen / 2 ** index) % 2 === 1),
  );
  const authorities: readonly Authority[] = [
    ...roleSets.map((held) => ({ roles: held })),
    ...roleSets.map((held) => ({ roles: held, isKey: true }) as const),
    ...permissions.map((permission) => ({ permission })),
  ];
  const listed = new Map(allowedRoutes.map(({ right, allows }) => [right, allows]));
  for (const right of all) {
    // No route needs these two: operations ask for them, about an endpoint.
    if (right.startsWith('service_webhooks.')) continue;
    test(right, () => {
      const allows = listed.get(right) ?? assert.fail('no route needs it');
      const differing = authorities.filter((authority) => may(authority, right) !== allows(authority));
      assert.deepEqual(differing, []);
    });
  }
});
