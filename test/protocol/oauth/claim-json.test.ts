// Claims as administrators write them: the JSON, the lines of the command line, and the references they become.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApplicationClaim } from '../../../src/protocol/oauth/application-claims.ts';
import { type ClaimJson, claimsJson, readClaims } from '../../../src/protocol/oauth/claim-json.ts';
import { claimLine, readClaimLine } from '../../../src/protocol/oauth/claim-lines.ts';
import { referClaims } from '../../../src/protocol/oauth/claim-references.ts';
import { readJson } from '../../../src/protocol/reading/strict-json.ts';

const plain = { label: null, id_token: false };
const pairs = [
  { group: 'Admins', value: 'admin' },
  { group: 'Staff', value: 'editor' },
];

/** Line, JSON as it can be given, JSON as it's shown. */
const sources: [string, object, object?][] = [
  [
    'groups=groups',
    { claim: 'groups', source: 'groups' },
    { claim: 'groups', source: 'groups', groups: null, ...plain },
  ],
  ['groups=groups:Staff,Admins', { claim: 'groups', source: 'groups', groups: ['Staff', 'Admins'] }],
  [
    'dept=attribute:department',
    { claim: 'dept', source: 'attribute', attribute: 'department' },
    { claim: 'dept', source: 'attribute', attribute: 'department', self_asserted: false, ...plain },
  ],
  ['tier=value:gold', { claim: 'tier', source: 'value', value: 'gold' }],
  ['admin=has-group:Admins', { claim: 'admin', source: 'has-group', group: 'Admins' }],
  [
    'role=if-group:Admins=admin;Staff=editor;else=viewer',
    { claim: 'role', source: 'if-group', map: pairs, else: 'viewer' },
  ],
  [
    'role=if-group:Admins=admin;Staff=editor',
    { claim: 'role', source: 'if-group', map: pairs },
    { claim: 'role', source: 'if-group', map: pairs, else: null, ...plain },
  ],
  ['roles=map-groups:Admins=admin;Staff=editor', { claim: 'roles', source: 'map-groups', map: pairs }],
];

describe('the six sources', () => {
  for (const [line, given, shown = { ...given, ...plain }] of sources) {
    test(line, () => {
      assert.deepEqual(readClaims([given]), { kind: 'read', claims: [shown] });
      assert.deepEqual(readClaims([shown]), { kind: 'read', claims: [shown] }, 'what is shown can be given');
      assert.deepEqual(readClaimLine(line), { kind: 'read', claim: shown });
      assert.equal(claimLine(shown as ClaimJson), line);
    });
  }

  test('a line says what people see, whether it is in the ID token, and who can write it', () => {
    const claim = {
      claim: 'x',
      source: 'attribute',
      attribute: 'a',
      self_asserted: true,
      label: 'L "1"',
      id_token: true,
    };
    assert.equal(claimLine(claim as ClaimJson), 'x=attribute:a (shown as "L \\"1\\"", in the ID token, self-asserted)');
  });

  test('claims that differ have different lines', () => {
    const different = [
      { source: 'groups', groups: ['A,B'] },
      { source: 'groups', groups: ['A', 'B'] },
      { source: 'groups', groups: ['A', 'B'], id_token: true },
      { source: 'value', value: 'A (in the ID token)' },
      { source: 'value', value: 'A', id_token: true },
      { source: 'if-group', map: [{ group: 'A', value: 'b;else=c' }] },
      { source: 'if-group', map: [{ group: 'A', value: 'b' }], else: 'c' },
      { source: 'if-group', map: [pairs[0], { group: 'else', value: 'c' }] },
      { source: 'if-group', map: [pairs[0]], else: 'c' },
      { source: 'if-group', map: [{ group: 'A=b', value: 'c' }] },
      { source: 'if-group', map: [{ group: 'A', value: 'b=c' }] },
    ];
    const lines = different.map((source) => {
      const reading = readClaims([{ claim: 'x', ...source }]);
      assert.equal(reading.kind, 'read');
      return reading.kind === 'read' && reading.claims[0] ? claimLine(reading.claims[0]) : '';
    });
    assert.equal(new Set(lines).size, different.length, lines.join('\n'));
  });

  test('every name that the pattern allows, and groups, roles and entitlements', () => {
    const names = [
      'a',
      'Z9_.:/-',
      `a${'b'.repeat(127)}`,
      'https://example.com/roles',
      'groups',
      'roles',
      'entitlements',
    ];
    for (const name of [...names, 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(readClaims([{ claim: name, source: 'value', value: 'x' }]).kind, 'read', name);
    }
  });
});

const value = (claim: unknown) => ({ claim, source: 'value', value: 'x' });
const reserved =
  'iss sub aud exp nbf iat jti nonce auth_time acr amr azp at_hash c_hash s_hash sid cnf scope client_id act may_act events ' +
  'typ token_type active email email_verified name given_name family_name middle_name nickname preferred_username profile ' +
  'picture website gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at';

describe('refused', () => {
  const named: [string, unknown, RegExp][] = [
    ...reserved.split(' ').flatMap((name): [string, unknown, RegExp][] => [
      [name, [value(name)], / is reserved/],
      [name.toUpperCase(), [value(name.toUpperCase())], / is reserved/],
    ]),
    ['in mixed case', [value('Email_Verified')], / is reserved/],
    ['no list', { claims: [] }, /^the claims must be a list$/],
    ['no object', ['role'], /^claim 1 must be an object$/],
    ['a list in a list', [[value('a')]], /^claim 1 must be an object$/],
    ['null', [null], /^claim 1 must be an object$/],
    ['no name', [{ source: 'groups' }], /^claim 1 needs a name, as "claim"$/],
    ['a number for a name', [value(5)], /^claim 1 needs a name/],
    ['an empty name', [value('')], /must begin with a letter/],
    ['a digit first', [value('1a')], /must begin with a letter/],
    ['__proto__', [value('__proto__')], /must begin with a letter/],
    ['a space', [value('a b')], /must begin with a letter/],
    ['a line break at the end', [value('role\n')], /must begin with a letter/],
    ['another script', [value('rоle')], /must begin with a letter/],
    ['129 characters', [value(`a${'b'.repeat(128)}`)], /is longer than 128 characters/],
    ['twice', [value('role'), value('role')], /^the claim "role" appears twice$/],
    ['twice in another case', [value('role'), value('Role')], /^the claim "Role" appears twice$/],
    ['21 claims', Array.from({ length: 21 }, (_, index) => value(`c${index}`)), /^there are more than 20 claims$/],
    [
      'no source',
      [{ claim: 'role' }],
      /needs a "source", which is one of: groups, attribute, value, has-group, if-group/,
    ],
    ['an inherited source', [{ claim: 'role', source: 'constructor' }], /needs a "source"/],
    [
      'an unknown member',
      [{ ...value('role'), lable: 'x' }],
      /has the member "lable", which the source value doesn't have/,
    ],
    ["another source's member", [{ ...value('role'), groups: null }], /has the member "groups"/],
    ['self_asserted elsewhere', [{ ...value('role'), self_asserted: true }], /has the member "self_asserted"/],
    ['an id_token of text', [{ ...value('role'), id_token: 'yes' }], /needs true or false as "id_token"/],
    ['a label of another type', [{ ...value('role'), label: 5 }], /has a "label" that must be a string, or null/],
    [
      'a long label',
      [{ ...value('role'), label: 'x'.repeat(101) }],
      /has a "label" that is longer than 100 characters/,
    ],
    ['an invisible label', [{ ...value('role'), label: '\u200b' }], /has a "label" that is empty/],
    ['a label with a line break', [{ ...value('role'), label: 'a\nb' }], /has a "label" that has control characters/],
    ['a number for a value', [{ ...value('role'), value: 5 }], /needs a text as "value"/],
    ['an object for a value', [{ ...value('role'), value: { a: 1 } }], /needs a text as "value"/],
    ['an empty value', [{ ...value('role'), value: '' }], /needs a text as "value"/],
    ['a long value', [{ ...value('role'), value: 'é'.repeat(513) }], /has a "value" of more than 1,024 bytes/],
    ['a zero byte', [{ ...value('role'), value: 'a\0b' }], /has control characters in "value"/],
    ['half a character', [{ ...value('role'), value: 'a\ud800' }], /has control characters in "value"/],
    ['no groups', [{ claim: 'g', source: 'groups', groups: [] }], /needs a list of names as "groups", or null/],
    ['a text for groups', [{ claim: 'g', source: 'groups', groups: 'Staff' }], /needs a list of names/],
    ['a group twice', [{ claim: 'g', source: 'groups', groups: ['A', 'A'] }], /names a group twice/],
    ['an endless group', [{ claim: 'g', source: 'groups', groups: ['x'.repeat(300)] }], /which can't be one/],
    [
      '101 groups',
      [{ claim: 'g', source: 'groups', groups: Array.from({ length: 101 }, (_, i) => `g${i}`) }],
      /more than 100/,
    ],
    ['no group', [{ claim: 'g', source: 'has-group' }], /needs the name of a group as "group"/],
    [
      'an attribute of another type',
      [{ claim: 'a', source: 'attribute', attribute: {} }],
      /needs the name of an attribute/,
    ],
    ['an endless attribute', [{ claim: 'a', source: 'attribute', attribute: 'x'.repeat(33) }], /which can't be one/],
    ['no map', [{ claim: 'r', source: 'map-groups' }], /needs a list of \{"group": NAME, "value": TEXT\} as "map"/],
    ['an empty map', [{ claim: 'r', source: 'if-group', map: [] }], /needs a list of/],
    [
      'a map of another shape',
      [{ claim: 'r', source: 'if-group', map: [{ group: 'A', value: 'a', x: 1 }] }],
      /needs a list of/,
    ],
    [
      'a nested value',
      [{ claim: 'r', source: 'if-group', map: [{ group: 'A', value: ['a'] }] }],
      /needs a text as "value"/,
    ],
    ['a group twice in a map', [{ claim: 'r', source: 'if-group', map: [pairs[0], pairs[0]] }], /names a group twice/],
    ['a number for else', [{ claim: 'r', source: 'if-group', map: pairs, else: 1 }], /needs a text as "else"/],
    [
      'more than 12 KB',
      Array.from({ length: 20 }, (_, index) => ({ ...value(`c${index}`), value: 'x'.repeat(1000) })),
      /^the claims are more than 12 KB of JSON$/,
    ],
  ];
  for (const [name, given, problem] of named) {
    test(name, () => {
      const reading = readClaims(given);
      assert.equal(reading.kind, 'invalid', JSON.stringify(reading));
      assert.match(reading.kind === 'invalid' ? (reading.problems[0] ?? '') : '', problem);
    });
  }

  test('a member called __proto__', () => {
    const json = readJson('[{"claim":"a","source":"value","value":"x","__proto__":{"id_token":true}}]');
    assert.equal(json.kind, 'read');
    const reading = readClaims(json.kind === 'read' && json.value);
    assert.deepEqual(reading.kind === 'invalid' && reading.problems, [
      'the claim "a" has the member "__proto__", which the source value doesn\'t have',
    ]);
  });

  test('every problem is named, and what is repeated from the input is short', () => {
    const reading = readClaims([value('sub'), { ...value('a'), ['x'.repeat(5000)]: 1 }]);
    assert.equal(reading.kind === 'invalid' && reading.problems.length, 2);
    for (const problem of reading.kind === 'invalid' ? reading.problems : []) assert.ok(problem.length < 200, problem);
  });

  const lines: [string, RegExp][] = [
    ['role', /must be CLAIM=SOURCE/],
    ['=groups', /must be CLAIM=SOURCE/],
    ['role=', /must be one of: groups, attribute,/],
    ['role=admin', /must be one of/],
    ['role=value', /must say which: value:…/],
    ['role=groups:', /must say which: groups:…/],
    ['role=attribute:', /must say which/],
    ['role=if-group:Admins', /must be if-group:GROUP=VALUE;GROUP=VALUE/],
    ['role=if-group:Admins=', /must be if-group:/],
    ['role=if-group:=x', /must be if-group:/],
    ['role=if-group:A=b;', /must be if-group:/],
    ['role=map-groups:A=b;;C=d', /must be map-groups:/],
    ['role=if-group:A=b;else=c;else=d', /has else more than once/],
  ];
  for (const [line, problem] of lines) {
    test(`--claim ${line}`, () => {
      const reading = readClaimLine(line);
      assert.equal(reading.kind, 'invalid');
      assert.match(reading.kind === 'invalid' ? reading.problem : '', problem);
    });
  }
});

test('a value in a line is everything behind the colon', () => {
  assert.deepEqual(readClaimLine('tier=value:a=b;c:d,e'), {
    kind: 'read',
    claim: { claim: 'tier', source: 'value', value: 'a=b;c:d,e', ...plain },
  });
});

describe('references', () => {
  const admins = { id: 'g1', name: 'Admins' };
  const subjects = {
    groups: new Map([
      ['admins', admins],
      ['staff', { id: 'g2', name: 'Staff' }],
    ]),
    attributes: new Map([
      ['department', { name: 'department', since: 5, editableBy: 'administrator' as const }],
      ['nickname', { name: 'nickname', since: 6, editableBy: 'person' as const }],
    ]),
  };
  const refer = (given: object[], current: readonly ApplicationClaim[] = []) => {
    const reading = readClaims(given);
    assert.equal(reading.kind, 'read');
    return referClaims(reading.kind === 'read' ? reading.claims : [], current, subjects);
  };

  test('names are found whatever their case, and shown as they are', () => {
    const { claims, problems } = refer([{ claim: 'a', source: 'has-group', group: 'ADMINS' }]);
    assert.deepEqual(problems, []);
    assert.deepEqual(claims, [{ claim: 'a', source: 'has-group', group: admins, label: null, idToken: false }]);
    assert.deepEqual(claimsJson(claims)[0], { claim: 'a', source: 'has-group', group: 'Admins', ...plain });
  });

  test('what is unknown is named, each once', () => {
    const nobody = { claim: 'a', source: 'has-group', group: 'Nobody' };
    const { problems } = refer([
      nobody,
      { ...nobody, claim: 'b' },
      { claim: 'c', source: 'attribute', attribute: 'valueof' },
    ]);
    assert.deepEqual(problems, ['there is no group "Nobody"', 'there is no attribute "valueof"']);
  });

  test('an attribute that people can edit needs self_asserted', () => {
    const claim = { claim: 'nick', source: 'attribute', attribute: 'nickname' };
    assert.deepEqual(refer([claim]).problems, [
      'the attribute nickname can be edited by people, so the claim nick must be self-asserted',
    ]);
    assert.deepEqual(refer([{ ...claim, self_asserted: true }]), {
      problems: [],
      claims: [
        {
          claim: 'nick',
          source: 'attribute',
          attribute: { name: 'nickname', since: 6 },
          selfAsserted: true,
          label: null,
          idToken: false,
        },
      ],
    });
  });

  test("a deleted group stays what it is, and a new one with its name isn't it", () => {
    const deleted = { id: 'g0', deleted: true as const, name: 'Admins' };
    const current: ApplicationClaim[] = [
      { claim: 'admin', source: 'has-group', group: deleted, label: null, idToken: false },
    ];
    const [shown] = claimsJson(current);
    assert.deepEqual(shown, { claim: 'admin', source: 'has-group', group: 'Admins (deleted)', ...plain });
    assert.deepEqual(refer([{ ...shown }], current), { claims: current, problems: [] });
    const relabeled = refer([{ ...shown, label: 'Administrator' }], current);
    assert.deepEqual(relabeled, { claims: [{ ...current[0], label: 'Administrator' }], problems: [] });
    const [renewed] = refer([{ ...shown, group: 'Admins' }], current).claims;
    assert.deepEqual(renewed?.source === 'has-group' && renewed.group, admins);
    assert.deepEqual(refer([{ ...shown }]).problems, ['there is no group "Admins (deleted)"']);
  });
});
