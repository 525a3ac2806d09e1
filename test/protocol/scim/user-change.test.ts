// What a directory says about a person, in the notations of RFC 7644, Entra ID and Okta.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../src/protocol/reading/strict-json.ts';
import { ScimError } from '../../../src/protocol/scim/errors.ts';
import { readPatch } from '../../../src/protocol/scim/patch.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import { type PersonChange, personChange, readPerson } from '../../../src/protocol/scim/user-change.ts';

function patched(...operations: readonly JsonObject[]): PersonChange | ScimError {
  const changes = readPatch({ schemas: [urns.patch], Operations: operations });
  return changes instanceof ScimError ? changes : personChange(changes);
}

const enterprise = urns.enterprise;
const cases: readonly (readonly [name: string, operations: readonly JsonObject[], change: object])[] = [
  ['replace with a path', [{ op: 'replace', path: 'displayName', value: 'Ada' }], { displayName: 'Ada' }],
  ['capitals', [{ op: 'Replace', path: 'DisplayName', value: 'Ada' }], { displayName: 'Ada' }],
  ['a URN in front', [{ op: 'add', path: `${urns.user}:name.givenName`, value: 'Ada' }], { givenName: 'Ada' }],
  ['active', [{ op: 'replace', path: 'active', value: false }], { active: false }],
  ['active as a text', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['active in a list', [{ op: 'Replace', path: 'active', value: [{ value: 'True' }] }], { active: true }],
  ['active without a path', [{ op: 'replace', value: { active: false } }], { active: false }],
  ['an empty path', [{ op: 'replace', path: '', value: { active: false } }], { active: false }],
  [
    'the last operation wins',
    [
      { op: 'add', path: 'locale', value: 'de' },
      { op: 'remove', path: 'locale' },
    ],
    { locale: null },
  ],
  ['userName', [{ op: 'replace', path: 'userName', value: ' ada@example.com ' }], { userName: 'ada@example.com' }],
  [
    'a list of one value',
    [{ op: 'Replace', path: 'userName', value: [{ $ref: null, value: 'ada@example.com' }] }],
    { userName: 'ada@example.com' },
  ],
  [
    'name as a whole',
    [{ op: 'replace', path: 'name', value: { givenName: 'A', familyName: 'L' } }],
    { givenName: 'A', familyName: 'L' },
  ],
  ['remove name', [{ op: 'remove', path: 'name' }], { givenName: null, familyName: null }],
  ['remove one part', [{ op: 'Remove', path: 'name.familyName' }], { familyName: null }],
  [
    'paths as members',
    [
      {
        op: 'Add',
        value: { 'name.givenName': 'A', 'emails[type eq "work"].value': 'a@b.c', [`${enterprise}:department`]: 'X' },
      },
    ],
    { givenName: 'A', email: 'a@b.c', attributes: { department: 'X' } },
  ],
  [
    'the address for work',
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b.c' }],
    { email: 'a@b.c' },
  ],
  [
    'the primary address',
    [{ op: 'replace', path: 'emails[primary eq true].value', value: 'a@b.c' }],
    { email: 'a@b.c' },
  ],
  ['another address', [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'a@b.c' }], {}],
  [
    'an address as an object',
    [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'a@b.c' } }],
    { email: 'a@b.c' },
  ],
  ['what an address is for', [{ op: 'replace', path: 'emails[type eq "work"].primary', value: true }], {}],
  [
    'the primary one of a list',
    [
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'x@b.c', type: 'work' },
          { value: 'a@b.c', primary: true },
        ],
      },
    ],
    { email: 'a@b.c' },
  ],
  [
    'the first of a list',
    [{ op: 'replace', path: 'emails', value: [{ value: 'a@b.c' }, { value: 'x@b.c' }] }],
    { email: 'a@b.c' },
  ],
  ['one more address', [{ op: 'add', path: 'emails', value: [{ value: 'x@b.c', type: 'home' }] }], {}],
  ['remove emails', [{ op: 'remove', path: 'emails' }], { email: null }],
  ['enterprise', [{ op: 'add', path: `${enterprise}:costCenter`, value: '7' }], { attributes: { cost_center: '7' } }],
  [
    'enterprise, removed',
    [{ op: 'remove', path: `${enterprise}:employeeNumber` }],
    { attributes: { employee_number: null } },
  ],
  [
    'enterprise as a whole',
    [{ op: 'add', path: enterprise, value: { division: 'D' } }],
    { attributes: { division: 'D' } },
  ],
  [
    'a manager',
    [{ op: 'add', path: `${enterprise}:manager`, value: { value: '42' } }],
    { attributes: { manager: '42' } },
  ],
  [
    "a manager's value",
    [{ op: 'add', path: `${enterprise}:manager.value`, value: '42' }],
    { attributes: { manager: '42' } },
  ],
  ['unknown members of enterprise', [{ op: 'add', path: `${enterprise}:shoeSize`, value: '42' }], {}],
  ['own attributes', [{ op: 'add', path: `${urns.own}:shoe_size`, value: 42 }], { attributes: { shoe_size: 42 } }],
  ['own attributes without a path', [{ op: 'add', value: { [urns.own]: { a: ['x'] } } }], { attributes: { a: ['x'] } }],
  ['password', [{ op: 'replace', path: 'password', value: 'secret' }], {}],
  ['roles', [{ op: 'add', path: 'roles', value: [{ value: 'administrator' }] }], {}],
  ['roles without a path', [{ op: 'add', value: { roles: ['administrator'], admin: true, password: 'x' } }], {}],
  ['id without a path', [{ op: 'replace', value: { id: 'other', meta: {}, active: true } }], { active: true }],
  ['addresses', [{ op: 'add', path: 'addresses[type eq "work"].locality', value: 'London' }], {}],
  ['__proto__', [{ op: 'add', value: JSON.parse('{"__proto__": {"active": false}}') }], {}],
];
for (const [name, operations, change] of cases) {
  test(name, () => assert.deepEqual(patched(...operations), { attributes: {}, ...change }));
}

describe('refused', () => {
  const refused: readonly (readonly [
    name: string,
    operation: JsonObject,
    scimType: string | undefined,
    status?: number,
  ])[] = [
    ['op', { op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    ['no value', { op: 'replace', path: 'active' }, 'invalidValue'],
    ['no path', { op: 'remove' }, 'noTarget'],
    ['no object', { op: 'replace', value: 'x' }, 'invalidValue'],
    ['path of another type', { op: 'replace', path: 5, value: 'x' }, 'invalidPath'],
    ['unknown attribute', { op: 'replace', path: 'shoeSize', value: 'x' }, 'invalidPath'],
    ['unknown schema', { op: 'replace', path: 'urn:example:User:x', value: 'x' }, 'invalidPath'],
    ['not a path', { op: 'replace', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    ['a path with or', { op: 'replace', path: 'emails[type eq "a" or type eq "b"].value', value: 'x' }, 'invalidPath'],
    ['a long path', { op: 'replace', path: `a${'.a'.repeat(600)}`, value: 'x' }, 'invalidPath'],
    ['a member of a text', { op: 'replace', path: 'displayName.x', value: 'x' }, 'invalidPath'],
    ['id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['groups', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    ['meta', { op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    ['active', { op: 'replace', path: 'active', value: 'no' }, 'invalidValue'],
    ['remove active', { op: 'remove', path: 'active' }, 'invalidValue'],
    ['remove userName', { op: 'remove', path: 'userName' }, 'invalidValue'],
    ['an empty userName', { op: 'replace', path: 'userName', value: ' ' }, 'invalidValue'],
    ['a number for a text', { op: 'replace', path: 'displayName', value: 5 }, 'invalidValue'],
    ['name', { op: 'replace', path: 'name', value: 'Ada' }, 'invalidValue'],
    ['emails', { op: 'replace', path: 'emails', value: ['a@b.c'] }, 'invalidValue'],
    ['an extension without names', { op: 'remove', path: enterprise }, 'invalidValue'],
  ];
  for (const [name, operation, scimType] of refused) {
    test(name, () => {
      const read = patched(operation);
      assert.ok(read instanceof ScimError);
      assert.deepEqual([read.status, read.scimType], [400, scimType]);
    });
  }

  test('1,001 operations', () => {
    const one = { op: 'replace', path: 'active', value: true };
    assert.ok(!(patched(...Array.from({ length: 1000 }, () => one)) instanceof ScimError));
    const read = patched(...Array.from({ length: 1001 }, () => one));
    assert.equal(read instanceof ScimError && read.status, 413);
  });

  test('a body without the schema of PATCH, or without operations', () => {
    for (const body of [{}, { schemas: [urns.user], Operations: [] }, { schemas: [urns.patch], Operations: [5] }]) {
      const read = readPatch(body);
      assert.equal(read instanceof ScimError && read.scimType, 'invalidSyntax');
    }
    const empty = readPatch({ schemas: [urns.patch], Operations: [] });
    assert.equal(empty instanceof ScimError && empty.detail, '"Operations" must have at least one operation.');
  });
});

test('a whole person', () => {
  const read = readPerson({
    schemas: [urns.user, enterprise],
    userName: 'ada@example.com',
    externalId: '7',
    password: 'secret',
    shoeSize: 5,
    name: { givenName: 'Ada', familyName: 'Lovelace', honorificPrefix: 'Lady' },
    emails: [{ value: 'ada@example.com', primary: true }],
    active: true,
    [enterprise]: { department: 'Engines', unknown: 'x' },
  });
  assert.deepEqual(read, {
    userName: 'ada@example.com',
    externalId: '7',
    givenName: 'Ada',
    familyName: 'Lovelace',
    email: 'ada@example.com',
    active: true,
    attributes: { department: 'Engines' },
  });
  assert.ok(readPerson({ userName: 'ada@example.com' }) instanceof ScimError);
});
