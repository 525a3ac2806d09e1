// Filters: what is supported, in every spelling, and what is refused.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ScimError } from '../../../src/protocol/scim/errors.ts';
import { type Comparison, combined, readFilter } from '../../../src/protocol/scim/filter.ts';

const long = 'x'.repeat(2000);
const cases: readonly (readonly [text: string, read: readonly Comparison[]])[] = [
  ['userName eq "ada@example.com"', [{ attribute: 'userName', operator: 'eq', value: 'ada@example.com' }]],
  ['USERNAME EQ "Ada"', [{ attribute: 'userName', operator: 'eq', value: 'Ada' }]],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"',
    [{ attribute: 'userName', operator: 'eq', value: 'ada' }],
  ],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value eq "a@b.c"',
    [{ attribute: 'emails.value', operator: 'eq', value: 'a@b.c' }],
  ],
  ['externalId eq "a \\"b\\" \\u0041"', [{ attribute: 'externalId', operator: 'eq', value: 'a "b" A' }]],
  ['id sw "01"', [{ attribute: 'id', operator: 'sw', value: '01' }]],
  ['externalId pr', [{ attribute: 'externalId', operator: 'pr' }]],
  ['active eq true', [{ attribute: 'active', operator: 'eq', value: true }]],
  ['active eq "False"', [{ attribute: 'active', operator: 'eq', value: false }]],
  ['active pr', [{ attribute: 'active', operator: 'pr' }]],
  ['emails.value sw "ada@"', [{ attribute: 'emails.value', operator: 'sw', value: 'ada@' }]],
  ['emails[type eq "work"].value eq "a@b.c"', [{ attribute: 'emails.value', operator: 'eq', value: 'a@b.c' }]],
  ['Emails[ Type Eq "work" ].Value eq "a@b.c"', [{ attribute: 'emails.value', operator: 'eq', value: 'a@b.c' }]],
  [
    '  displayName sw "A" AND active eq True and id pr ',
    [
      { attribute: 'displayName', operator: 'sw', value: 'A' },
      { attribute: 'active', operator: 'eq', value: true },
      { attribute: 'id', operator: 'pr' },
    ],
  ],
  [
    'displayName eq "x and active eq true"',
    [{ attribute: 'displayName', operator: 'eq', value: 'x and active eq true' }],
  ],
];
for (const [text, read] of cases) test(text, () => assert.deepEqual(readFilter(text), read));

describe('invalidFilter', () => {
  const refused = [
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq ada',
    "userName eq 'ada'",
    'userName eq "ada',
    'userName eq "ada"x',
    'userName eq null',
    'userName eq 5',
    'userName eq true',
    'userName eq "\\x"',
    'userName eq "\\U0041"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'userName ne "ada"',
    'userName co "ada"',
    'userName gt "ada"',
    'not (userName eq "ada")',
    '(userName eq "ada")',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" and',
    'and userName eq "a"',
    'userName eq "a" userName eq "b"',
    'userName eq "a"and active eq true',
    'password eq "secret"',
    'password pr',
    'roles pr',
    'title eq "x"',
    'emails eq "a@b.c"',
    'emails[type eq "home"].value eq "a@b.c"',
    'emails[type eq "work"] pr',
    'emails[type eq "work" and value eq "a@b.c"]',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
    'urn:example:User:userName eq "x"',
    'active sw true',
    'active eq "yes"',
    'userName eq "a"; DROP TABLE users; --',
    '__proto__ pr',
    'constructor pr',
    `userName eq "${long}"`,
    Array.from({ length: 11 }, () => 'id pr').join(' and '),
    '('.repeat(1000),
  ];
  for (const text of refused) {
    test(text.slice(0, 60) || '(empty)', () => {
      const read = readFilter(text);
      assert.ok(read instanceof ScimError);
      assert.deepEqual([read.status, read.scimType], [400, 'invalidFilter']);
    });
  }

  test('attributes that the resource does not have', () => {
    assert.ok(readFilter('userName eq "x"', ['id', 'displayName']) instanceof ScimError);
  });
});

describe('comparisons of the same attribute', () => {
  const rows: readonly (readonly [text: string, wanted: object | undefined])[] = [
    ['userName eq "A" and userName eq "a"', { eq: 'a' }],
    ['userName eq "a" and userName eq "b"', undefined],
    ['userName sw "a" and userName sw "AB"', { sw: 'ab' }],
    ['userName sw "ab" and userName sw "a"', { sw: 'ab' }],
    ['userName sw "a" and userName sw "b"', undefined],
    ['userName sw "a" and userName eq "b" and userName pr', { sw: 'a', eq: 'b', pr: true }],
  ];
  for (const [text, wanted] of rows) {
    test(text, () => {
      const read = readFilter(text);
      assert.ok(!(read instanceof ScimError));
      const all = combined(read, (_attribute, value) => value.toLowerCase());
      assert.deepEqual(all?.get('userName'), wanted);
    });
  }
});
