// What a directory says about a group and its members.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, JsonObject } from '../../../src/protocol/reading/strict-json.ts';
import { ScimError } from '../../../src/protocol/scim/errors.ts';
import { groupChange, type MemberChange, memberEffect, readGroup } from '../../../src/protocol/scim/group-change.ts';
import { mappedGroup } from '../../../src/protocol/scim/group-mapping.ts';
import { readPatch } from '../../../src/protocol/scim/patch.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';

function patched(...operations: readonly JsonObject[]) {
  const changes = readPatch({ schemas: [urns.patch], Operations: operations });
  return changes instanceof ScimError ? changes : groupChange(changes);
}

const member = (value: string): Json => ({ value });
const cases: readonly (readonly [name: string, operations: readonly JsonObject[], change: object])[] = [
  [
    'Entra ID adds',
    [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'a' }] }],
    { members: [{ kind: 'add', ids: ['a'] }] },
  ],
  [
    'Entra ID removes',
    [{ op: 'Remove', path: 'members', value: [member('a')] }],
    { members: [{ kind: 'remove', ids: ['a'] }] },
  ],
  [
    'Okta removes',
    [
      { op: 'remove', path: 'members[value eq "a"]' },
      { op: 'add', path: 'members', value: [member('b'), member('c')] },
    ],
    {
      members: [
        { kind: 'remove', ids: ['a'] },
        { kind: 'add', ids: ['b', 'c'] },
      ],
    },
  ],
  ['Okta renames', [{ op: 'replace', value: { id: 'g', displayName: 'New' } }], { displayName: 'New', members: [] }],
  [
    'replace',
    [{ op: 'replace', path: 'members', value: [member('a')] }],
    { members: [{ kind: 'replace', ids: ['a'] }] },
  ],
  ['remove all', [{ op: 'remove', path: 'members' }], { members: [{ kind: 'replace', ids: [] }] }],
  ['a single one', [{ op: 'add', path: 'members', value: member('a') }], { members: [{ kind: 'add', ids: ['a'] }] }],
  ['externalId', [{ op: 'add', path: 'externalId', value: 'x' }], { externalId: 'x', members: [] }],
  ['remove externalId', [{ op: 'remove', path: 'externalId' }], { externalId: null, members: [] }],
];
for (const [name, operations, change] of cases) test(name, () => assert.deepEqual(patched(...operations), change));

describe('refused', () => {
  const refused: readonly (readonly [name: string, operation: JsonObject, scimType: string])[] = [
    ['no name', { op: 'remove', path: 'displayName' }, 'invalidValue'],
    ['an empty name', { op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
    ['id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['unknown', { op: 'replace', path: 'owners', value: 'x' }, 'invalidPath'],
    ['an extension', { op: 'replace', path: `${urns.own}:x`, value: 'x' }, 'invalidPath'],
    ['members by name', { op: 'remove', path: 'members[display eq "a"]' }, 'invalidPath'],
    ['a group in a group', { op: 'add', path: 'members', value: [{ value: 'g', type: 'Group' }] }, 'invalidValue'],
    ['a member without a value', { op: 'add', path: 'members', value: [{}] }, 'invalidValue'],
  ];
  for (const [name, operation, scimType] of refused) {
    test(name, () => {
      const read = patched(operation);
      assert.equal(read instanceof ScimError && read.scimType, scimType);
    });
  }

  test('5,001 members', () => {
    const some = (count: number) => ({
      op: 'add',
      path: 'members',
      value: Array.from({ length: count }, () => member('a')),
    });
    assert.ok(!(patched(some(5000)) instanceof ScimError));
    for (const read of [patched(some(5001)), patched(some(2500), some(2501))]) {
      assert.equal(read instanceof ScimError && read.status, 413);
    }
  });
});

test('a whole group', () => {
  const body = { schemas: [urns.group], displayName: 'Readers', externalId: 'x', members: [member('a')] };
  assert.deepEqual(readGroup(body), {
    displayName: 'Readers',
    externalId: 'x',
    members: [{ kind: 'replace', ids: ['a'] }],
  });
  assert.ok(readGroup({ displayName: 'Readers' }) instanceof ScimError);
});

describe('changes of members together', () => {
  type Written = readonly [kind: MemberChange['kind'], ids: string];
  const effects: readonly (readonly [changes: readonly Written[], replaces: boolean, add: string, remove: string])[] = [
    [[], false, '', ''],
    [
      [
        ['add', 'ab'],
        ['add', 'b'],
      ],
      false,
      'ab',
      '',
    ],
    [
      [
        ['add', 'ab'],
        ['remove', 'b'],
      ],
      false,
      'a',
      'b',
    ],
    [
      [
        ['remove', 'ab'],
        ['add', 'b'],
      ],
      false,
      'b',
      'a',
    ],
    [
      [
        ['add', 'a'],
        ['replace', 'b'],
      ],
      true,
      'b',
      '',
    ],
    [
      [
        ['remove', 'a'],
        ['replace', 'ab'],
        ['remove', 'b'],
        ['add', 'c'],
      ],
      true,
      'ac',
      'b',
    ],
    [
      [
        ['replace', 'a'],
        ['replace', ''],
      ],
      true,
      '',
      '',
    ],
  ];
  for (const [changes, replaces, add, remove] of effects) {
    test(changes.map((change) => change.join(' ')).join(', ') || 'none', () => {
      const effect = memberEffect(changes.map(([kind, ids]) => ({ kind, ids: [...ids] })));
      assert.deepEqual(effect, { replaces, add: new Set(add), remove: new Set(remove) });
    });
  }
});

test('what a change makes of a group', () => {
  const current = { name: 'Readers', externalId: 'x' };
  const members: MemberChange[] = [];
  assert.deepEqual(mappedGroup({ members }, current), current);
  assert.deepEqual(mappedGroup({ displayName: ' Writers\u202e ', externalId: null, members }, current), {
    name: 'Writers',
    externalId: null,
  });
  assert.deepEqual(mappedGroup({ displayName: 'Readers', members }, undefined), { name: 'Readers', externalId: null });
  const refused = [
    mappedGroup({ members }, undefined),
    mappedGroup({ displayName: '\u200b', members }, current),
    mappedGroup({ displayName: 'x'.repeat(101), members }, current),
    mappedGroup({ externalId: 'x'.repeat(256), members }, current),
    mappedGroup({ externalId: 'a\nb', members }, current),
  ];
  for (const error of refused) assert.equal(error instanceof ScimError && error.scimType, 'invalidValue');
});
