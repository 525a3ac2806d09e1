// What is taken over of the people in each service's export, and what is named because it isn't.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { ImportedPerson } from '../../../src/protocol/import/person.ts';
import { readAuth0Hash } from '../../../src/protocol/import/sources/auth0.ts';
import { firebaseRow } from '../../../src/protocol/import/sources/firebase.ts';
import { type ImportSource, readPerson, type SourceOptions } from '../../../src/protocol/import/sources.ts';
import type { Json } from '../../../src/protocol/reading/strict-json.ts';

const now = Date.UTC(2026, 0, 1);
const DAY = 24 * 3600 * 1000;
const folder = new URL('../../fixtures/import/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const jsonOf = (name: string): Json => JSON.parse(textOf(name));
const linesOf = (name: string): Json[] =>
  textOf(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const usersIn = (name: string) => (jsonOf(name) as { users: Json[] }).users;

const firebase = {
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
};
const optionsFor = (from: ImportSource, more: Partial<SourceOptions> = {}): SourceOptions => {
  return { from, keepIds: true, dropRefusedHashes: false, now, firebase, ...more };
};

const created = 1718000000000;
const ada: Omit<ImportedPerson, 'oldId' | 'id' | 'passwordHash'> = {
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada Lovelace',
  givenName: 'Ada',
  familyName: 'Lovelace',
  username: 'ada',
  picture: 'https://pictures.example/ada.png',
  locale: 'de',
  createdAt: created,
  disabled: false,
  expiresAt: null,
  attributes: {},
  authenticator: null,
  lostFactor: false,
  groups: [],
  identities: [],
};
const bcrypt = /^foreign:\$2[aby]\$05\$/;

interface Expected {
  readonly from: ImportSource;
  readonly record: Json | undefined;
  readonly person: Partial<ImportedPerson>;
  readonly hash: RegExp | '';
  readonly left?: readonly string[];
}

const [keycloakAda, keycloakGrace] = usersIn('keycloak/shop-users-0.json');
const [keycloakAlan, keycloakKatherine] = usersIn('keycloak/shop-users-1.json');
const [auth0Ada, auth0Grace, auth0Katherine] = linesOf('auth0-users.json');
const auth0Hashes = new Map(
  linesOf('auth0-password-hashes.json').map((line) => Object.values(readAuth0Hash(line) ?? {})) as [string, string][],
);
const [logtoAda, logtoKatherine] = jsonOf('logto-users.json') as Json[];
const [, djangoAda, djangoKatherine] = jsonOf('django-users.json') as Json[];

const people: Record<string, Expected> = {
  'Keycloak, with everything': {
    from: 'keycloak',
    record: keycloakAda,
    person: {
      ...ada,
      oldId: '6d5a0a3c-1e7b-4f0f-9a51-0d1cf3a0c001',
      id: '6d5a0a3c-1e7b-4f0f-9a51-0d1cf3a0c001',
      groups: ['customers'],
    },
    hash: /^foreign:\$argon2id\$v=19\$m=7168,t=5,p=1\$/,
    left: ['attributes.department'],
  },
  'Keycloak, where email addresses are usernames': {
    from: 'keycloak',
    record: keycloakGrace,
    person: {
      name: 'Grace Hopper',
      username: null,
      emailVerified: true,
      authenticator: { secret: Buffer.from('R2hJ5kqLm3Ty7Uv9wXz2'), createdAt: 1718000000001 },
    },
    hash: /^foreign:\$pbkdf2-sha256\$i=27500\$/,
    left: ['realmRoles'],
  },
  'Keycloak, disabled and without a name': {
    from: 'keycloak',
    record: keycloakAlan,
    person: { name: 'alan', givenName: null, disabled: true, emailVerified: false },
    hash: /^foreign:\$pbkdf2-sha512\$i=21000\$/,
    left: ['requiredActions (UPDATE_PASSWORD)'],
  },
  'Keycloak, from Google': {
    from: 'keycloak',
    record: keycloakKatherine,
    person: { name: 'Katherine Johnson' },
    hash: '',
    left: ['federatedIdentities (google)'],
  },
  'Auth0, with a hash from its support': {
    from: 'auth0',
    record: auth0Ada,
    person: {
      ...ada,
      oldId: 'auth0|5dea9f9c82dd7c0e76e4ec93',
      id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
      picture: 'https://s.gravatar.com/avatar/0d1c.png',
      locale: 'en-GB',
      createdAt: Date.UTC(2024, 5, 10, 8, 13, 20),
    },
    hash: bcrypt,
    left: ['app_metadata', 'last_login', 'last_ip', 'logins_count'],
  },
  'Auth0, named by the email address': {
    from: 'auth0',
    record: auth0Grace,
    person: { id: 'auth0|euclid', name: 'grace', emailVerified: false, picture: null },
    hash: bcrypt,
  },
  'Auth0, from Google and blocked': {
    from: 'auth0',
    record: auth0Katherine,
    person: { id: 'google-oauth2|110169484474386276334', disabled: true },
    hash: '',
    left: ['identities (google-oauth2)'],
  },
  "Auth0's support alone, with an identifier in place of an email": {
    from: 'auth0',
    record: linesOf('auth0-password-hashes.json')[1],
    person: { id: 'auth0|euclid', email: 'grace@example.com', emailVerified: false, name: 'grace' },
    hash: bcrypt,
  },
  "Auth0's own import": {
    from: 'auth0',
    record: (jsonOf('auth0-import.json') as Json[])[0],
    person: { id: '1', name: 'Ada Lovelace' },
    hash: /^foreign:\$sha256\$/,
  },
  'Firebase, as JSON': {
    from: 'firebase',
    record: usersIn('firebase-accounts.json')[0],
    person: {
      ...ada,
      oldId: 'Zq1VtYc7qpQ2aBfyT6Wq4mNn0Kx1',
      id: 'Zq1VtYc7qpQ2aBfyT6Wq4mNn0Kx1',
      name: 'Lovelace, Ada',
      givenName: null,
      familyName: null,
      username: null,
      locale: null,
    },
    hash: /^foreign:\$scrypt-firebase\$ln=14,r=8,p=1\$/,
    left: ['lastSignedInAt', 'customAttributes'],
  },
  'Firebase, a line of CSV': {
    from: 'firebase',
    record: firebaseRow(
      ['b2', 'katherine@example.com', 'true', '', '', 'Katherine "Kate" Johnson', '', '1101', 'katherine@example.com']
        .concat(Array(14).fill(''))
        .concat(String(created), '1735689600000', '+15555550100', 'true', '', ''),
    ),
    person: { name: 'Katherine "Kate" Johnson', createdAt: created, disabled: true, emailVerified: true },
    hash: '',
    left: ['providerUserInfo (google.com)', 'lastSignedInAt', 'phoneNumber'],
  },
  'Clerk, an object of its API': {
    from: 'clerk',
    record: (jsonOf('clerk-users.json') as Json[])[0],
    person: {
      ...ada,
      oldId: 'user_2YDryYFVMM1W1plDDKz7Gzf4we6',
      id: 'user_2YDryYFVMM1W1plDDKz7Gzf4we6',
      picture: null,
      locale: null,
    },
    hash: bcrypt,
    left: ['other email addresses', 'external_accounts (oauth_google)', 'public_metadata'],
  },
  'Clerk, a line of CSV': {
    from: 'clerk',
    record: {
      id: 'user_1',
      first_name: 'Grace',
      last_name: '',
      primary_email_address: 'grace@example.com',
      verified_email_addresses: 'a@example.com|grace@example.com',
      totp_secret: 'JBSWY3DPEHPK3PXP',
      password_digest: '',
    },
    person: {
      email: 'grace@example.com',
      emailVerified: true,
      name: 'Grace',
      familyName: null,
      authenticator: { secret: Buffer.from('Hello!\xde\xad\xbe\xef', 'latin1'), createdAt: now - 8 * DAY },
    },
    hash: '',
    left: ['other email addresses'],
  },
  'Logto, of its API': {
    from: 'logto',
    record: logtoAda,
    person: { ...ada, oldId: 'iHXPuSb9eMzt', id: 'iHXPuSb9eMzt', locale: 'de-DE' },
    hash: /^foreign:\$argon2i\$v=19\$m=4096,t=2,p=1\$/,
    left: ['identities (facebook)', 'profile.zoneinfo', 'customData', 'lastSignInAt'],
  },
  'Logto, suspended': {
    from: 'logto',
    record: logtoKatherine,
    person: { disabled: true, name: 'katherine', createdAt: created },
    hash: '',
    left: ['primaryPhone'],
  },
  'Logto, a row of its database': {
    from: 'logto',
    record: {
      id: 'x1',
      primary_email: 'ada@example.com',
      created_at: '2024-06-10 06:13:20+00:00',
      password_encrypted: `$2b$05$${'a'.repeat(53)}`,
      password_encryption_method: 'Bcrypt',
      is_suspended: false,
    },
    person: { email: 'ada@example.com', createdAt: created },
    hash: bcrypt,
  },
  Django: {
    from: 'django',
    record: djangoAda,
    person: { ...ada, oldId: '1', id: '1', emailVerified: false, picture: null, locale: null },
    hash: /^foreign:\$pbkdf2-sha256\$i=1200000\$/,
    left: ['last_login', 'is_superuser', 'is_staff', 'groups'],
  },
  'Django, without a password, and with a username that is invalid here': {
    from: 'django',
    record: djangoKatherine,
    person: { disabled: true, username: null, createdAt: created + 123 },
    hash: '',
    left: ['username (not allowed here)'],
  },
  'our own': {
    from: 'csv',
    record: {
      id: '17',
      email: 'ada@example.com',
      email_verified: 'TRUE',
      name: 'Ada',
      disabled: '0',
      created_at: '2024-06-10',
    },
    person: { id: '17', name: 'Ada', emailVerified: true, disabled: false, createdAt: Date.UTC(2024, 5, 10) },
    hash: '',
  },
  'our own, without an id': {
    from: 'csv',
    record: { email: 'Ada@Example.com' },
    person: { oldId: 'ada@example.com', id: undefined, name: 'Ada' },
    hash: '',
  },
};

describe('people are imported from', () => {
  for (const [name, { from, record, person: expected, hash, left = [] }] of Object.entries(people)) {
    test(name, () => {
      const reading = readPerson(record ?? null, optionsFor(from, { hashOf: (id) => auth0Hashes.get(id) }));
      assert.equal(reading.kind, 'person', JSON.stringify(reading));
      assert.ok(reading.kind === 'person');
      const { passwordHash, ...person } = reading.person;
      assert.deepEqual({ ...person, ...expected }, person);
      if (hash === '') assert.equal(passwordHash, '');
      else assert.match(passwordHash, hash);
      assert.deepEqual(reading.left, left);
    });
  }
});

describe('records that are refused', () => {
  const problems: [ImportSource, Json, RegExp][] = [
    ['keycloak', null, /not an object/],
    ['keycloak', { id: 'x', username: 'x' }, /no email address/],
    ['keycloak', { email: 'a@b.example' }, /has no id/],
    ['keycloak', { id: 'a b', email: 'a@b.example' }, /can't keep the id "a b"/],
    ['keycloak', { id: '..', email: 'a@b.example' }, /can't keep the id "\.\.", which no URL can hold/],
    ['keycloak', { id: 'x', email: 'not one' }, /"not one" is not an email address/],
    ['keycloak', { id: 'x', email: 7 }, /"email" must be text/],
    ['keycloak', { id: 'x', email: 'a@b.example', lastName: 'a\nb' }, /the family name "a\\nb" has control characters/],
    ['csv', { id: 'x', email: 'a@b.example', name: 'be\u0007ll' }, /^the name "be\\u0007ll" has control characters$/],
    [
      'csv',
      { id: 'x', email: 'a@b.example', given_name: 'a\u0000b' },
      /the given name "a\\u0000b" has control characters/,
    ],
    ['keycloak', { id: 'x', email: 'a@b.example', enabled: 'no' }, /"enabled" must be true or false/],
    ['keycloak', { id: 'x', email: 'a@b.example', createdTimestamp: 'yesterday' }, /must be a time/],
    ['keycloak', { id: 'x', email: 'a@b.example', credentials: [{ type: 'password' }] }, /password hash is refused/],
    ['auth0', { user_id: 'auth0|1', email: 'a@b.example', password_hash: `$2b$31$${'a'.repeat(53)}` }, /cost is 31/],
    [
      'auth0',
      { user_id: 'auth0|1', email: 'a@b.example', custom_password_hash: { algorithm: 'md5' } },
      /custom_password/,
    ],
    ['clerk', { id: 'u', primary_email_address: 'a@b.example', password_digest: 'x', password_hasher: 'md5' }, /MD5/],
    ['logto', { id: 'u', primaryPhone: '15555550100' }, /no email address/],
    ['django', { model: 'auth.user', pk: 1, fields: { email: '', password: '!' } }, /no email address/],
    ['csv', { email: 'a@b.example', emial: 'x' }, /"emial" is not known here/],
    ['csv', { email: 'a@b.example', disabled: 'perhaps' }, /"disabled" must be true or false/],
    ['csv', { email: 'a@b.example', id: 'x'.repeat(256) }, /longer than 255/],
  ];
  for (const [from, record, problem] of problems) {
    test(`${from}: ${JSON.stringify(record).slice(0, 80)}`, () => {
      const reading = readPerson(record, optionsFor(from));
      assert.ok(reading.kind === 'invalid', JSON.stringify(reading));
      assert.match(reading.problems.join('; '), problem);
    });
  }

  test("Firebase, without the project's parameters", () => {
    const [record = null] = usersIn('firebase-accounts.json');
    const reading = readPerson(record, optionsFor('firebase', { firebase: undefined }));
    assert.match(JSON.stringify(reading), /needs the project's password hash parameters/);
  });

  test('accounts that nobody signs in with', () => {
    const service = usersIn('keycloak/shop-users-1.json')[2] ?? null;
    assert.deepEqual(readPerson(service, optionsFor('keycloak')), { kind: 'skipped', what: 'service accounts' });
    const other = (jsonOf('django-users.json') as Json[])[0] ?? null;
    assert.equal(readPerson(other, optionsFor('django')).kind, 'skipped');
  });
});

describe('a second factor that cannot be taken over', () => {
  const email = 'a@b.example';
  const records: [ImportSource, Json, string | undefined][] = [
    [
      'keycloak',
      { id: '1', email, credentials: [{ type: 'webauthn-passwordless' }] },
      'credentials (webauthn-passwordless)',
    ],
    ['keycloak', { id: '1', email, credentials: [{ type: 'otp', credentialData: '{}' }] }, 'credentials (otp)'],
    ...[{ subType: 'hotp' }, { algorithm: 'HmacSHA256' }, { digits: 8 }, { period: 60 }].map(
      (unlike): [ImportSource, Json, string] => {
        const usual = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' };
        const credentialData = JSON.stringify({ ...usual, ...unlike });
        const otp = { type: 'otp', credentialData, secretData: '{"value":"R2hJ5kqLm3Ty7Uv9wXz2"}' };
        return ['keycloak', { id: '1', email, credentials: [otp] }, 'credentials (otp)'];
      },
    ),
    ['keycloak', { id: '1', email, totp: true }, 'totp'],
    [
      'keycloak',
      { id: '1', email, credentials: [{ type: 'recovery-authn-codes' }, { type: 'password-history' }] },
      undefined,
    ],
    ['auth0', { user_id: '1', email, multifactor: ['guardian'] }, 'multifactor'],
    ['auth0', { user_id: '1', email, mfa_factors: [{ phone: { value: '+1' } }] }, 'mfa_factors (phone)'],
    [
      'auth0',
      { user_id: '1', email, mfa_factors: [{ totp: { secret: 'JBSWY3DPEHPK3PXP' } }, { phone: {} }] },
      undefined,
    ],
    ['firebase', { localId: '1', email, mfaInfo: [{ phoneInfo: '+1' }] }, 'mfaInfo'],
    ['clerk', { id: '1', primary_email_address: email, two_factor_enabled: true }, 'two_factor_enabled'],
    ['logto', { id: '1', primaryEmail: email, mfaVerificationFactors: ['Totp'] }, 'mfaVerificationFactors (unknown)'],
    ['logto', { id: '1', primaryEmail: email, mfa_verifications: [{ type: 'Totp' }] }, 'mfaVerifications (Totp)'],
    ['logto', { id: '1', primaryEmail: email, mfa_verifications: [{ type: 'BackupCode' }] }, undefined],
    ['csv', { id: '1', email, second_factor: 'security key' }, 'security key'],
    ['csv', { id: '1', email, second_factor: 'key', totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }, undefined],
  ];
  for (const [from, record, what] of records) {
    test(`${from}: ${JSON.stringify(record)}`, () => {
      const reading = readPerson(record, optionsFor(from));
      const problem = `has a second factor that can't be taken over (${what})`;
      if (what === undefined) assert.equal(reading.kind, 'person', JSON.stringify(reading));
      else assert.deepEqual(reading, { kind: 'invalid', problems: [problem], lostFactor: true });
      const meant = readPerson(record, optionsFor(from, { withoutSecondFactors: true }));
      assert.ok(meant.kind === 'person');
      assert.equal(meant.person.lostFactor, what !== undefined);
    });
  }
});

test('options decide about IDs and refused hashes', () => {
  const record = { id: 'a b', email: 'a@b.example', password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' };
  const reading = readPerson(record, optionsFor('csv', { keepIds: false, dropRefusedHashes: true }));
  assert.ok(reading.kind === 'person');
  assert.deepEqual([reading.person.oldId, reading.person.id, reading.person.passwordHash], ['a b', undefined, '']);
  assert.deepEqual(reading.left, ['password']);
  const hostile = readPerson(
    { ...record, id: 'a\u0000b' },
    optionsFor('csv', { keepIds: false, dropRefusedHashes: true }),
  );
  assert.deepEqual(hostile.kind === 'invalid' && hostile.problems, ['the id "a\\u0000b" has control characters']);
});

test("names, pictures and languages that don't fit are reported, not silently dropped", () => {
  const record = {
    id: '1',
    email: 'a@b.example',
    name: 'x'.repeat(120),
    given_name: '\u200b',
    username: '1st',
    locale: 'xx-nope!',
    picture: 'http://pictures.example/a.png',
    created_at: '2999-01-01',
  };
  const reading = readPerson(record, optionsFor('csv'));
  assert.ok(reading.kind === 'person');
  const { name, givenName, username, locale, picture, createdAt } = reading.person;
  assert.deepEqual([name.length, givenName, username, locale, picture, createdAt], [100, null, null, null, null, now]);
  assert.deepEqual(reading.left, [
    'name (shortened)',
    'username (not allowed here)',
    'picture (not allowed here)',
    'locale (not allowed here)',
    'given name (not a name here)',
  ]);
});
