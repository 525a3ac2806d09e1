// Which attributes a response has, which part of a list, and how a person is mapped.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorBody, ScimError } from '../../../src/protocol/scim/errors.ts';
import { listResponse, readPart } from '../../../src/protocol/scim/list.ts';
import { projected, readProjection, wants } from '../../../src/protocol/scim/projection.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import type { PersonChange } from '../../../src/protocol/scim/user-change.ts';
import { type MappedPerson, type MappingRules, mapped, personJson } from '../../../src/protocol/scim/user-mapping.ts';

describe('attributes', () => {
  const resource = {
    schemas: [urns.user],
    id: '1',
    userName: 'ada',
    emails: [{ value: 'a@b.c', type: 'work' }],
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    [urns.enterprise]: { department: 'X', division: 'Y' },
  };
  const cases: readonly (readonly [only: string | undefined, without: string | undefined, names: object])[] = [
    ['userName', undefined, { userName: 'ada' }],
    ['USERNAME, nothing', undefined, { userName: 'ada' }],
    [`${urns.user}:userName`, undefined, { userName: 'ada' }],
    ['emails.value', undefined, { emails: [{ value: 'a@b.c' }] }],
    ['name.givenName,name', undefined, { name: resource.name }],
    [`${urns.enterprise}:department`, undefined, { [urns.enterprise]: { department: 'X' } }],
    [urns.enterprise, undefined, { [urns.enterprise]: resource[urns.enterprise] }],
    [undefined, `userName,emails.type,name,${urns.enterprise}`, { emails: [{ value: 'a@b.c' }] }],
    [undefined, 'id,schemas,emails,userName,name', { [urns.enterprise]: resource[urns.enterprise] }],
  ];
  for (const [only, without, names] of cases) {
    test(`${only ?? ''} ${without ?? ''}`, () => {
      const projection = readProjection(only, without);
      assert.ok(!(projection instanceof ScimError));
      assert.deepEqual(projected(resource, projection), { schemas: [urns.user], id: '1', ...names });
    });
  }

  test('are all there without a list', () => {
    assert.deepEqual(projected(resource, {}), resource);
  });

  test('either those that are wanted or those that are not', () => {
    assert.ok(readProjection('id', 'name') instanceof ScimError);
    assert.ok(readProjection('x'.repeat(2001), undefined) instanceof ScimError);
  });

  test('members only if they are asked for, or always', () => {
    const rows = [
      [undefined, undefined, true, true],
      [undefined, undefined, false, false],
      ['members', undefined, false, true],
      ['members.value', undefined, false, true],
      ['displayName', undefined, true, false],
      [undefined, 'Members', true, false],
      [undefined, 'displayName', true, true],
    ] as const;
    for (const [only, without, otherwise, expected] of rows) {
      const projection = readProjection(only, without);
      assert.ok(!(projection instanceof ScimError));
      assert.equal(wants(projection, 'members', otherwise), expected);
    }
  });
});

test('parts of lists', () => {
  const cases: readonly (readonly [start: string | undefined, count: string | undefined, part: object])[] = [
    [undefined, undefined, { startIndex: 1, count: 100 }],
    ['5', '10', { startIndex: 5, count: 10 }],
    ['0', '0', { startIndex: 1, count: 0 }],
    ['-3', '-1', { startIndex: 1, count: 0 }],
    ['1', '100000', { startIndex: 1, count: 200 }],
  ];
  for (const [start, count, part] of cases) assert.deepEqual(readPart(start, count), part);
  for (const wrong of ['x', '', '1.5', '1e3', '99999999999']) assert.ok(readPart(wrong, '1') instanceof ScimError);
  assert.deepEqual(listResponse([{ id: '1' }], 7, { startIndex: 3 }), {
    schemas: [urns.list],
    totalResults: 7,
    startIndex: 3,
    itemsPerPage: 1,
    Resources: [{ id: '1' }],
  });
});

test('an error', () => {
  const error = new ScimError(409, 'uniqueness', 'Taken.');
  assert.deepEqual(errorBody(error), {
    schemas: [urns.error],
    status: '409',
    scimType: 'uniqueness',
    detail: 'Taken.',
  });
  assert.equal('scimType' in errorBody(new ScimError(404, undefined, 'x')), false);
});

describe('a person', () => {
  const byEmail: MappingRules = { scim_user_name: 'email', scim_verified_domains: [] };
  const byUsername: MappingRules = { scim_user_name: 'username', scim_verified_domains: [] };
  const inDomain: MappingRules = { scim_user_name: 'email', scim_verified_domains: ['example.com'] };
  const ada: MappedPerson = {
    email: 'ada@example.com',
    preferredUsername: null,
    name: 'Ada Lovelace',
    givenName: 'Ada',
    familyName: 'Lovelace',
    locale: 'en',
    externalId: '7',
  };
  const nobody = { preferredUsername: null, givenName: null, familyName: null, locale: null, externalId: null };
  type Case = readonly [
    name: string,
    change: Omit<PersonChange, 'attributes'>,
    current: MappedPerson | undefined,
    rules: MappingRules,
    whole: boolean,
    result: MappedPerson | 'invalidValue',
  ];
  const email = 'ada@example.com';
  const cases: readonly Case[] = [
    ['only a userName', { userName: email }, undefined, byEmail, true, { ...nobody, email, name: email }],
    [
      'a name of parts',
      { userName: email, givenName: 'A', familyName: 'B' },
      undefined,
      byEmail,
      true,
      { ...nobody, email, name: 'A B', givenName: 'A', familyName: 'B' },
    ],
    [
      'displayName first',
      { userName: email, formatted: 'F', displayName: 'D' },
      undefined,
      byEmail,
      true,
      { ...nobody, email, name: 'D' },
    ],
    ['no userName', { displayName: 'D' }, undefined, byEmail, true, 'invalidValue'],
    ['a userName that is none', { userName: 'ada' }, undefined, byEmail, true, 'invalidValue'],
    ['an email address for a username', { userName: email }, undefined, byUsername, true, 'invalidValue'],
    ['a username without an address', { userName: 'ada' }, undefined, byUsername, true, 'invalidValue'],
    [
      'a username',
      { userName: 'ada', email },
      undefined,
      byUsername,
      true,
      { ...nobody, email, preferredUsername: 'ada', name: 'ada' },
    ],
    ['the address shown as userName', { userName: email.toUpperCase() }, ada, byUsername, false, ada],
    ['another domain', { userName: 'ada@example.net' }, undefined, inDomain, true, 'invalidValue'],
    [
      'another domain in emails',
      { userName: email, email: 'ada@example.net' },
      undefined,
      inDomain,
      true,
      'invalidValue',
    ],
    ['a subdomain', { userName: 'ada@x.example.com' }, undefined, inDomain, true, 'invalidValue'],
    [
      'an address that stays',
      { userName: 'ada@example.net' },
      { ...ada, email: 'ada@example.net' },
      inDomain,
      false,
      { ...ada, email: 'ada@example.net' },
    ],
    ['nothing', {}, ada, byEmail, false, ada],
    [
      'PUT removes what it leaves out',
      { userName: email, displayName: 'D' },
      ada,
      byEmail,
      true,
      { ...ada, name: 'D', givenName: null, familyName: null, locale: null },
    ],
    ['an address beside the userName', { email: 'other@example.com' }, ada, byEmail, false, ada],
    [
      'an address with usernames',
      { email: 'other@example.com' },
      ada,
      byUsername,
      false,
      { ...ada, email: 'other@example.com' },
    ],
    ['no address', { email: null }, ada, byUsername, false, 'invalidValue'],
    [
      'another family name',
      { familyName: 'King' },
      ada,
      byEmail,
      false,
      { ...ada, name: 'Ada King', familyName: 'King' },
    ],
    [
      'another family name beside a name of its own',
      { familyName: 'King' },
      { ...ada, name: 'The Countess' },
      byEmail,
      false,
      { ...ada, name: 'The Countess', familyName: 'King' },
    ],
    ['displayName removed', { displayName: null }, ada, byEmail, false, ada],
    ['a locale of Entra ID', { locale: 'de_AT' }, ada, byEmail, false, { ...ada, locale: 'de-AT' }],
    ['no locale', { locale: 'not a language' }, ada, byEmail, false, 'invalidValue'],
    ['a long name', { displayName: 'x'.repeat(101) }, ada, byEmail, false, 'invalidValue'],
    ['a long externalId', { externalId: 'x'.repeat(256) }, ada, byEmail, false, 'invalidValue'],
  ];
  for (const [name, change, current, rules, whole, result] of cases) {
    test(name, () => {
      const read = mapped({ ...change, attributes: {} }, current, rules, whole);
      assert.deepEqual(read instanceof ScimError ? read.scimType : read, result);
    });
  }

  test('in SCIM', () => {
    const times = { createdAt: 0, updatedAt: 1000 };
    const shown = {
      ...ada,
      ...times,
      managedBy: 'entra',
      id: 'a/b',
      active: true,
      groups: [{ id: 'g', name: 'Readers' }],
    };
    const attributes = { department: 'Engines', manager: '42', shoe_size: 38 };
    assert.deepEqual(personJson({ ...shown, attributes }, byEmail, 'https://x/scim/v2'), {
      schemas: [urns.user, urns.enterprise, urns.own],
      id: 'a/b',
      externalId: '7',
      userName: email,
      name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
      displayName: 'Ada Lovelace',
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      locale: 'en',
      groups: [{ value: 'g', $ref: 'https://x/scim/v2/Groups/g', display: 'Readers', type: 'direct' }],
      [urns.enterprise]: { department: 'Engines', manager: { value: '42' } },
      [urns.own]: attributes,
      meta: {
        resourceType: 'User',
        created: '1970-01-01T00:00:00.000Z',
        lastModified: '1970-01-01T00:00:01.000Z',
        location: 'https://x/scim/v2/Users/a%2Fb',
      },
    });
  });
});
