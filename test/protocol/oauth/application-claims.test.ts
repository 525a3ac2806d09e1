// Claims of an application: what they are for a person, and what someone agreed to.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ApplicationClaim,
  agreedClaims,
  type ClaimFacts,
  type ClaimSource,
  claimKey,
  claimValue,
  claimValues,
  coversClaims,
  idTokenClaims,
  keysOf,
  parseClaims,
  receivedClaims,
  shownClaims,
} from '../../../src/protocol/oauth/application-claims.ts';

const admins = { id: 'g1', name: 'Admins' };
const staff = { id: 'g2', name: 'Staff' };
const gone = { id: 'g3', name: 'Gone', deleted: true } as const;
const nobody: ClaimFacts = { groups: [], attributes: {} };
const grace: ClaimFacts = {
  groups: [admins, staff],
  attributes: { department: 'Sales', level: 5, vip: false, teams: ['b', 'a'] },
};
const many: ClaimFacts = {
  groups: Array.from({ length: 201 }, (_, index) => ({ id: `m${index}`, name: `Group ${index}` })),
  attributes: {},
};

const attribute = (name: string): ClaimSource => ({
  source: 'attribute',
  attribute: { name, since: 1 },
  selfAsserted: false,
});
const map = [
  { group: admins, value: 'admin' },
  { group: staff, value: 'editor' },
  { group: gone, value: 'ghost' },
];

function claim(source: ClaimSource, rest: Partial<ApplicationClaim> = {}): ApplicationClaim {
  return { claim: 'x', label: null, idToken: false, ...source, ...rest } as ApplicationClaim;
}

describe('the value of a claim', () => {
  const cases: [string, ClaimSource, ClaimFacts, unknown][] = [
    ['all groups', { source: 'groups', groups: null }, grace, ['Admins', 'Staff']],
    ['all of no groups', { source: 'groups', groups: null }, nobody, []],
    ['some groups', { source: 'groups', groups: [staff, gone] }, grace, ['Staff']],
    ['no more than 200 groups', { source: 'groups', groups: null }, many, many.groups.slice(0, 200).map((g) => g.name)],
    [
      'a listed group after the first 200',
      { source: 'groups', groups: [{ id: 'm200', name: '' }] },
      many,
      ['Group 200'],
    ],
    ['a text', attribute('department'), grace, 'Sales'],
    ['a number', attribute('level'), grace, 5],
    ['a boolean that is false', attribute('vip'), grace, false],
    ['a list in its own order', attribute('teams'), grace, ['b', 'a']],
    ['an attribute without a value', attribute('department'), nobody, undefined],
    ['an attribute that every object seems to have', attribute('constructor'), nobody, undefined],
    ['a fixed value', { source: 'value', value: 'gold' }, nobody, 'gold'],
    ['being in a group', { source: 'has-group', group: admins }, grace, true],
    ['not being in a group', { source: 'has-group', group: admins }, nobody, false],
    ['being in a deleted group', { source: 'has-group', group: gone }, grace, false],
    ['being in another group of that name', { source: 'has-group', group: { ...admins, id: 'g9' } }, grace, false],
    ['the first match', { source: 'if-group', map, else: 'viewer' }, grace, 'admin'],
    ['no match', { source: 'if-group', map, else: 'viewer' }, nobody, 'viewer'],
    ['no match and nothing else', { source: 'if-group', map, else: null }, nobody, undefined],
    ['every match', { source: 'map-groups', map }, grace, ['admin', 'editor']],
    ['every match once', { source: 'map-groups', map: map.map((each) => ({ ...each, value: 'a' })) }, grace, ['a']],
    ['no match of many', { source: 'map-groups', map }, nobody, []],
  ];
  for (const [name, source, facts, expected] of cases) {
    test(name, () => assert.deepEqual(claimValue(claim(source), facts), expected));
  }
});

test('values come in the order of the claims, without those that are left out', () => {
  const claims = [
    claim({ source: 'value', value: 'gold' }, { claim: 'tier' }),
    claim(attribute('nothing'), { claim: 'missing' }),
    claim({ source: 'has-group', group: admins }, { claim: 'constructor' }),
  ];
  assert.equal(JSON.stringify(claimValues(claims, grace)), '{"tier":"gold","constructor":true}');
});

describe('what a person agrees to', () => {
  const base = claim({ source: 'if-group', map, else: null });
  const different: [string, ApplicationClaim][] = [
    ['name', { ...base, claim: 'y' }],
    ['id_token', { ...base, idToken: true }],
    ['else', claim({ source: 'if-group', map, else: 'viewer' })],
    ['map', claim({ source: 'if-group', map: map.slice(1), else: null })],
    ['order of the map', claim({ source: 'if-group', map: map.toReversed(), else: null })],
    ['source', claim({ source: 'map-groups', map })],
    ['value', claim({ source: 'value', value: 'a' })],
    ['another value', claim({ source: 'value', value: 'b' })],
    ['attribute', claim(attribute('a'))],
    ['another attribute', claim(attribute('b'))],
    [
      'a new attribute of the same name',
      claim({ ...attribute('a'), attribute: { name: 'a', since: 2 } } as ClaimSource),
    ],
    ['groups', claim({ source: 'groups', groups: null })],
    ['some groups', claim({ source: 'groups', groups: [admins] })],
    ['no groups', claim({ source: 'groups', groups: [] })],
    ['a group', claim({ source: 'has-group', group: admins })],
    ['another group', claim({ source: 'has-group', group: staff })],
  ];
  test('differs with the name, the source and whether it is in the ID token', () => {
    const keys = [base, ...different.map(([, each]) => each)].map(claimKey);
    assert.equal(new Set(keys).size, keys.length);
    for (const key of keys) assert.match(key, /^[^ =]+=[A-Za-z0-9_-]{16}$/);
  });
  const same: [string, ApplicationClaim, ApplicationClaim][] = [
    ['its label', base, { ...base, label: 'Role' }],
    [
      'the name of a group',
      claim({ source: 'has-group', group: admins }),
      claim({ source: 'has-group', group: { ...admins, name: 'x' } }),
    ],
    [
      'a deleted group',
      claim({ source: 'has-group', group: admins }),
      claim({ source: 'has-group', group: { ...admins, deleted: true } }),
    ],
    ['who enters it', claim(attribute('a')), claim({ ...attribute('a'), selfAsserted: true } as ClaimSource)],
  ];
  for (const [what, one, other] of same) {
    test(`doesn't change with ${what}`, () => assert.equal(claimKey(one), claimKey(other)));
  }
});

describe('what was agreed to', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((value) => claim({ source: 'value', value }, { claim: value })) as [
    ApplicationClaim,
    ApplicationClaim,
    ApplicationClaim,
  ];
  const cases: [string, ApplicationClaim[], ApplicationClaim[] | null, ApplicationClaim[], boolean][] = [
    ['nothing of nothing', [], null, [], true],
    ['nothing of something', [a], null, [], false],
    ['all', [a, b], [a, b], [a, b], true],
    ['all in another order', [a, b], [b, a], [a, b], true],
    ['more', [a], [a, b, c], [a], true],
    ['less', [a, b], [a], [a], false],
    ['something else', [a], [b], [], false],
    ['something of nothing', [], [b], [], true],
  ];
  for (const [name, claims, agreed, expected, covered] of cases) {
    test(name, () => {
      const keys = agreed && keysOf(agreed);
      assert.deepEqual(agreedClaims(claims, keys), expected);
      assert.equal(coversClaims(keys, claims), covered);
    });
  }
  test('counts only with the scope that covers it, on both sides', () => {
    const agreed = { scopes: ['openid', 'profile'], claims: keysOf([a]) } as const;
    const client = { scopes: ['openid', 'profile'], claims: [a, b] } as const;
    assert.deepEqual(receivedClaims(client, agreed), [a]);
    assert.deepEqual(receivedClaims({ ...client, scopes: ['openid'] }, agreed), []);
    assert.deepEqual(receivedClaims(client, { ...agreed, scopes: ['openid'] }), []);
  });
  test('no claims have no keys', () => assert.equal(keysOf([]), null));
});

describe('the claims in the ID token', () => {
  const sized = (bytes: number) => {
    const empty = Buffer.byteLength(JSON.stringify({ x: '' }));
    return claim({ source: 'value', value: 'é'.repeat((bytes - empty) / 2) }, { idToken: true });
  };
  test('are those that say so', () => {
    const claims = [
      claim({ source: 'value', value: 'a' }, { idToken: true }),
      claim({ source: 'value', value: 'b' }, { claim: 'y' }),
    ];
    assert.deepEqual(idTokenClaims(claims, nobody), { kind: 'fits', values: { x: 'a' }, json: '{"x":"a"}' });
  });
  test('are at most 4 KB of UTF-8', () => {
    assert.equal(idTokenClaims([sized(4096)], nobody).kind, 'fits');
    assert.deepEqual(idTokenClaims([sized(4098)], nobody), { kind: 'too_large', bytes: 4098 });
  });
  test('are all left out if together they are too large', () => {
    const small = claim({ source: 'value', value: 'a' }, { claim: 'y', idToken: true });
    assert.equal(idTokenClaims([sized(4096), small], nobody).kind, 'too_large');
    assert.equal(idTokenClaims([sized(4096), { ...small, idToken: false }], nobody).kind, 'fits');
  });
});

test('people see the label, that of the attribute, or the name, the value, and what they have entered themselves', () => {
  const own = claim({ ...attribute('department'), selfAsserted: true } as ClaimSource, { label: 'Department' });
  const labelOf = ({ name }: { name: string }) => (name === 'nothing' ? 'Nothing at all' : undefined);
  assert.deepEqual(shownClaims([own, claim(attribute('nothing')), claim(attribute('gone'))], grace, labelOf), [
    { label: 'Department', value: 'Sales', selfAsserted: true },
    { label: 'Nothing at all', value: undefined, selfAsserted: false },
    { label: 'x', value: undefined, selfAsserted: false },
  ]);
});

test('a text is read once, however many there are', () => {
  const text = (index: number) => JSON.stringify([claim({ source: 'value', value: String(index) })]);
  assert.equal(parseClaims(text(0)), parseClaims(text(0)));
  for (let index = 0; index < 1000; index++) assert.equal(keysOf(parseClaims(text(index)))?.length, 18);
  assert.deepEqual(parseClaims(text(0)), JSON.parse(text(0)));
  assert.deepEqual(parseClaims('[]'), []);
});
