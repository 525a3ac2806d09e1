// Roles as they're stored, given and carried by an invitation.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  gainsRole,
  hasRole,
  holderOf,
  invitedRoles,
  keepsGivenRights,
  readRoles,
  rolesInLink,
  rolesOf,
  storedRoles,
} from '../../../src/protocol/account/roles.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';

describe('roles of a person', () => {
  const cases: readonly (readonly [Role[], number | null, string | null])[] = [
    [[], null, null],
    [['administrator'], 7, null],
    [['people'], null, 'people'],
    [['applications', 'auditor', 'people'], null, 'applications auditor people'],
    [['administrator', 'auditor'], 7, 'auditor'],
  ];
  for (const [roles, adminSince, stored] of cases) {
    test(roles.join(', ') || 'none', () => {
      assert.deepEqual(holderOf(roles, 7), { adminSince, roles: stored, isOwner: false });
      assert.equal(storedRoles([...roles, ...roles].reverse()), stored);
      assert.deepEqual(rolesOf({ adminSince, roles: stored }), roles);
      assert.equal(hasRole({ adminSince, roles: stored, isOwner: false }), roles.length > 0);
      assert.deepEqual(invitedRoles(rolesInLink(roles)), roles);
      assert.deepEqual(readRoles([...roles, ...roles].reverse()), roles);
    });
  }

  test('a name from a later version is no role, but keeps the person from being like everyone else', () => {
    assert.deepEqual(rolesOf({ adminSince: null, roles: 'gardener people' }), ['people']);
    assert.equal(hasRole({ adminSince: null, roles: 'gardener', isOwner: false }), true);
  });

  test('an owner of an application counts as someone with a role, and has none', () => {
    const owner = { adminSince: null, roles: null, isOwner: true };
    assert.equal(hasRole(owner), true);
    assert.deepEqual(rolesOf(owner), []);
  });

  test('names that are none are not read', () => {
    for (const name of ['none', 'admin', 'People', '', 'people auditor', '__proto__']) {
      assert.equal(readRoles(['people', name]), undefined, name);
    }
  });
});

test('gaining a role is having one that was not held', () => {
  const cases: readonly (readonly [Role[], Role[], boolean])[] = [
    [[], [], false],
    [[], ['auditor'], true],
    [['auditor'], [], false],
    [['auditor'], ['people'], true],
    [['auditor', 'people'], ['people'], false],
    [['people'], ['administrator', 'people'], true],
  ];
  for (const [held, next, gains] of cases) assert.equal(gainsRole(held, next), gains, `${held} to ${next}`);
});

test('what someone made for others stands on what they still have', () => {
  const cases: readonly (readonly [Role[], Role[], boolean])[] = [
    [['administrator'], ['administrator', 'auditor'], true],
    [['people'], ['applications', 'people'], true],
    [['administrator', 'people'], ['people'], false],
    [['people'], ['administrator', 'people'], false],
    [['people'], ['auditor'], false],
    [['auditor'], ['people'], false],
    [['applications'], ['applications', 'auditor'], false],
    [['people'], [], false],
  ];
  for (const [held, next, keeps] of cases) assert.equal(keepsGivenRights(held, next), keeps, `${held} to ${next}`);
});
