// Hashes as other services write them: the right password is verified, and another one isn't. Those that no service has
// published were made with implementations that share nothing with ours: bcrypt with libxcrypt, Argon2 with its reference
// implementation, the others with Python's hashlib. Costs are low where a service doesn't fix them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argon2Passwords } from '../../../src/platform/passwords/passwords.ts';
import type { JsonObject } from '../../../src/protocol/reading/strict-json.ts';
import { auth0CustomHash } from '../../../src/protocol/sign-in/hash-sources/auth0.ts';
import { clerkHash } from '../../../src/protocol/sign-in/hash-sources/clerk.ts';
import { firebaseHash } from '../../../src/protocol/sign-in/hash-sources/firebase.ts';
import { keycloakHash } from '../../../src/protocol/sign-in/hash-sources/keycloak.ts';
import { logtoHash } from '../../../src/protocol/sign-in/hash-sources/logto.ts';
import type { HashReading } from '../../../src/protocol/sign-in/hash-sources/reading.ts';
import { readHashString } from '../../../src/protocol/sign-in/hash-sources/strings.ts';
import { releaseTest } from '../../harness/lane.ts';

const passwords = argon2Passwords({ concurrency: 2, queue: 100 });

interface Vector {
  readonly reading: HashReading;
  /** Otherwise the password of Django's own tests, which isn't ASCII. */
  readonly password?: string;
}

/** Keycloak's two JSON texts, with the salt that is used for all of them. */
function keycloak(algorithm: string, hashIterations: number, value: string, additionalParameters = {}): HashReading {
  return keycloakHash(
    JSON.stringify({ hashIterations, algorithm, additionalParameters }),
    JSON.stringify({ value, salt: 'AAECAwQFBgcICQoLDA0ODw==', additionalParameters: {} }),
  );
}
// As Keycloak 26 writes its default.
const argon2Parameters = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] };

// The example in the README of github.com/firebase/scrypt.
const firebaseProject = {
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
};
const firebaseTag = 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==';
const firebaseSalt = '42xEC+ixf3L2lw==';
const clerkFirebase = [firebaseTag, firebaseSalt, firebaseProject.signerKey, 'Bw==', '8', '14'].join('$');

const bcryptRest = 'abcdefghijklmnopqrstuu2c1e4vZoCxDVRU9N6VCSSmNg4cQa1Ve';
const argon2i = '$argon2i$v=19$m=4096,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$n2KUZiRDT6bGFU9bO4qnB13TjJDL74HQpVr01HNQ2pI';
const auth0 = (custom: JsonObject) => auth0CustomHash(custom) ?? assert.fail('not as Auth0 describes it');

const vectors: Record<string, Record<string, Vector>> = {
  Keycloak: {
    'pbkdf2 with SHA-1, of 64 bytes': {
      reading: keycloak(
        'pbkdf2',
        1000,
        '4/JGumPxl4VjREwR3GtkoA8C0cNcvlxc3XVXr4nXh4LNL5fQBTPxtiPFe4hFFuBNOLDpkzREeFsUzJ+cSq69Dw==',
      ),
    },
    'pbkdf2-sha256': {
      reading: keycloak(
        'pbkdf2-sha256',
        27_500,
        'Zln/ZE4k41bQzrIB1tzW7cPAhg+w9844Gj4ua+E91V2xiZFnkiueDXgBzWBarioCwIKVTOPzMTQ8SiRH3EAMoQ==',
      ),
    },
    'pbkdf2-sha512': {
      reading: keycloak(
        'pbkdf2-sha512',
        21_000,
        'SfwDooaR7ebgpEueS2xQTBY2cWs62Fyzzx9ubjizf4aczzwAK/f8UyFs2GiPVYnyL1sw3WEPWNmlDqyQkDAFVg==',
      ),
    },
    'argon2, its default': {
      reading: keycloak('argon2', 5, '4EiBugwYBjrz+cEnj0OsMm1cS5d5S/ne9zHfiT+g9Mc=', argon2Parameters),
    },
  },
  // The forms are those of Auth0's schema for bulk imports, "custom_password_hash".
  Auth0: {
    'bcrypt $2b$': { reading: readHashString(`$2b$05$${bcryptRest}`) },
    'bcrypt $2a$': { reading: auth0({ algorithm: 'bcrypt', hash: { value: `$2a$05$${bcryptRest}` } }) },
    argon2: { reading: auth0({ algorithm: 'argon2', hash: { value: argon2i, encoding: 'utf8' } }) },
    pbkdf2: {
      reading: auth0({
        algorithm: 'pbkdf2',
        hash: {
          value:
            '$pbkdf2-sha512$i=1000,l=64$AAECAwQFBgcICQoLDA0ODw$wRwIVIB7ojZQJanl/eLbPCvCqJxLQm1p3uH8oEIOBEIVO29J1GeSZCKK2J5tkiPC+9j7bexQMagrwZzszXvwRQ',
          encoding: 'utf8',
        },
      }),
    },
    scrypt: {
      reading: auth0({
        algorithm: 'scrypt',
        hash: { value: 'd143ba8c38ea65a22f91da58bb683ff76cbd270d7caaadc5a2f74c87e5965c63', encoding: 'hex' },
        salt: { value: 'seasalt', encoding: 'utf8' },
        cost: 1024,
        blockSize: 4,
        parallelization: 2,
      }),
    },
    'sha256 with the salt first': {
      reading: auth0({
        algorithm: 'sha256',
        hash: { value: 'WlATthYJFSSWu78dYRY2t8yPTP4vV0Cy8ZSVLABh5hY=', encoding: 'base64' },
        salt: { value: 'AAECAwQFBgcICQoLDA0ODw==', encoding: 'base64', position: 'prefix' },
      }),
    },
    'sha1 with the salt last': {
      reading: auth0({
        algorithm: 'sha1',
        hash: { value: 'd3bfca2e2c09cc55cffa198e6764f5b8761f8698', encoding: 'hex' },
        salt: { value: 'seasalt', position: 'suffix' },
      }),
    },
    ldap: {
      reading: auth0({ algorithm: 'ldap', hash: { value: '{SSHA}zCyB0yOIAKNCxw1zl1I29dxNpzMAAQIDBAUGBw==' } }),
    },
  },
  Firebase: {
    "the project's own example": {
      reading: firebaseHash(firebaseTag, firebaseSalt, firebaseProject),
      password: 'user1password',
    },
  },
  // The forms are those of Clerk's "PasswordHasher".
  Clerk: {
    bcrypt: { reading: clerkHash('bcrypt', `$2a$05$${bcryptRest}`) },
    bcrypt_sha256_django: {
      reading: clerkHash(
        'bcrypt_sha256_django',
        'bcrypt_sha256$$2b$05$abcdefghijklmnopqrstuuaQz6CVhbgRiZmnmiNLc9bv5cauhFkti',
      ),
    },
    argon2i: { reading: clerkHash('argon2i', argon2i) },
    argon2id: {
      reading: clerkHash(
        'argon2id',
        '$argon2id$v=19$m=1024,t=2,p=8$AAECAwQFBgcICQoLDA0ODw$3ISWGt+swpK8RxuEMHPuYIX6C2L8pknU',
      ),
    },
    'pbkdf2_sha256, with its salt in Base64': {
      reading: clerkHash(
        'pbkdf2_sha256',
        'pbkdf2_sha256$1000$AAECAwQFBgcICQoLDA0ODw==$MmVyK7Qz+8VhxNfAvQLr59CRxm89xRf9GNhRAPQspUc=',
      ),
    },
    'pbkdf2_sha256_django, with its salt as text': {
      reading: clerkHash(
        'pbkdf2_sha256_django',
        'pbkdf2_sha256$1000$seasalt$JgZryXe2Ga8ysg6XbzkLpTdyPQrHqsinbL9BnnhgX4A=',
      ),
    },
    pbkdf2_sha1: {
      reading: clerkHash('pbkdf2_sha1', 'pbkdf2_sha1$1000$seasalt$96395e538c01993b73fcca06e584f0c6933477b2'),
    },
    pbkdf2_sha512: {
      reading: clerkHash(
        'pbkdf2_sha512',
        'pbkdf2_sha512$1000$seasalt$32fa58cd16fdb7c20750ed54edc09c18f7c8f892dc15104e51b92dcbebc7997ccca063b71069f9643c45c2490e1d54f9e44973dd0733b36f853690ca523bff44',
      ),
    },
    pbkdf2_sha512_hex: {
      reading: clerkHash(
        'pbkdf2_sha512_hex',
        'pbkdf2_sha512_hex$1000$000102030405060708090a0b0c0d0e0f$c11c0854807ba2365025a9e5fde2db3c2bc2a89c4b426d69dee1fca0420e0442153b6f49d4679264228ad89e6d9223c2fbd8fb6dec5031a82bc19ceccd7bf045',
      ),
    },
    scrypt_firebase: { reading: clerkHash('scrypt_firebase', clerkFirebase), password: 'user1password' },
    scrypt_werkzeug: {
      reading: clerkHash(
        'scrypt_werkzeug',
        'scrypt:2048:8:1$seasalt$f29a2f5881e5436b429fb93c77b71690992d6d3accc9bf41777418cf2f6b89d5edf6fba5e93cce0845a65a625c78d10e632024431962fe76a9f99ef07abc0a63',
      ),
    },
    ldap_ssha: { reading: clerkHash('ldap_ssha', '{SSHA}zCyB0yOIAKNCxw1zl1I29dxNpzMAAQIDBAUGBw==') },
  },
  Logto: {
    'Argon2i, its default': { reading: logtoHash('Argon2i', argon2i) },
    Bcrypt: { reading: logtoHash('Bcrypt', `$2b$05$${bcryptRest}`) },
    // The example of Logto's documentation, "User migration".
    'a legacy SHA-256': {
      reading: logtoHash(
        'Legacy',
        '["sha256", ["salt123", "@"], "c465f66c6ac481a7a17e9ed5b4e2e7e7288d892f12bf1c95c140901e9a70436e"]',
      ),
      password: 'password123',
    },
    'a legacy SHA-512 with something on both sides': {
      reading: logtoHash(
        'Legacy',
        '["sha512", ["a", "@", "b", "c"], "2d7cfcb08191754dde9dda2340578f58e485826f1b37e17eaa4f583bbc2afa57c41853bd7c82d44f739c751bb566c229449df65070440139e236c587b8bc010c"]',
      ),
    },
    'a legacy PBKDF2': {
      reading: logtoHash(
        'Legacy',
        '["pbkdf2", ["seasalt", "1000", "20", "sha512", "@"], "32fa58cd16fdb7c20750ed54edc09c18f7c8f892"]',
      ),
    },
  },
  // Those with a cost of today are from Django's own tests, auth_tests/test_hashers.py, or of its form.
  Django: {
    "pbkdf2_sha256 with Django 6's iterations": {
      reading: readHashString('pbkdf2_sha256$1200000$seasalt$6sTlFi4QohxXLuZigqDIUNX8xG9NxrTmV8+flFQdBqE='),
    },
    pbkdf2_sha1: { reading: readHashString('pbkdf2_sha1$1000$seasalt$ljleU4wBmTtz/MoG5YTwxpM0d7I=') },
    'argon2, as it was': {
      reading: readHashString('argon2$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$YC9+jJCrQhs5R6db7LlN8Q'),
      password: 'secret',
    },
    'argon2, as it is': {
      reading: readHashString('argon2$argon2id$v=19$m=102400,t=2,p=8$Y041dExhNkljRUUy$TMa6A8fPJhCAUXRhJXCXdw'),
      password: 'secret',
    },
    bcrypt: { reading: readHashString(`bcrypt$$2b$05$${bcryptRest}`) },
    bcrypt_sha256: {
      reading: readHashString('bcrypt_sha256$$2b$05$abcdefghijklmnopqrstuuaQz6CVhbgRiZmnmiNLc9bv5cauhFkti'),
    },
    scrypt: {
      reading: readHashString(
        'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
      ),
    },
    'scrypt in five lanes': {
      reading: readHashString(
        'scrypt$1024$seasalt$8$5$ozpUt/qDR/QLBzi9csaWJofO252yHC+Oxl5cycNUQkna/BBjumDq5KMXPAq1Xi3sxxGWxqtAlQmEE+DSWNl+FQ==',
      ),
    },
    'sha1, of old accounts': { reading: readHashString('sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8') },
  },
  'a file of one’s own': {
    'bcrypt $2y$': { reading: readHashString(`$2y$05$${bcryptRest}`) },
    "Werkzeug's pbkdf2": {
      reading: readHashString(
        'pbkdf2:sha256:1000$seasalt$26066bc977b619af32b20e976f390ba537723d0ac7aac8a76cbf419e78605f80',
      ),
    },
    'scrypt as a PHC string': {
      reading: readHashString(
        '$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$nkIet0OzGMHuENHap6UFxONPfEj6uZM2wVm4aOG0d54',
      ),
    },
    "passlib's pbkdf2, with full stops": {
      reading: readHashString('$pbkdf2$1000$c2Vhc2FsdA$ljleU4wBmTtz/MoG5YTwxpM0d7I'),
    },
    '{SSHA256}': { reading: readHashString('{SSHA256}fiyO6vwTeHjFHm99tp6sV0BIlE9y6BPye0LPTMHYh+sAAQIDBAUGBw==') },
    '{SSHA512}': {
      reading: readHashString(
        '{SSHA512}GoKnqrPIN5mpqjMyeMtm1gLFWa1uRgPK8f25VKsEJ9D1yXXkYHKzgWFOw/ZOk/cPI+jLVtqYpZ4n6cuVxITGTAABAgMEBQYH',
      ),
    },
  },
};

for (const [source, cases] of Object.entries(vectors)) {
  describe(`a password hash from ${source} is verified`, () => {
    for (const [name, { reading, password = 'lètmein' }] of Object.entries(cases)) {
      // What they cost today is what makes them dear; others are of the same kinds.
      const whenToRun = /Django 6|argon2, as it is/.test(name) ? releaseTest : test;
      whenToRun(name, async () => {
        const stored = storedIn(reading);
        assert.equal(await passwords.verify(password, stored), true);
        assert.equal(await passwords.verify(`${password}z`, stored), false);
      });
    }
  });
}

describe('the same way as the other service', () => {
  const seventyTwo = `${'0123456789'.repeat(7)}ab`;

  test('bcrypt ignores what comes after 72 bytes', async () => {
    const stored = storedIn(readHashString('$2b$04$abcdefghijklmnopqrstuuMtJwfagkGaCKZ.IMpPJzYjhgL/xnp2C'));
    assert.equal(await passwords.verify(`${seventyTwo}cdefgh`, stored), true);
    assert.equal(await passwords.verify(seventyTwo, stored), true);
    assert.equal(await passwords.verify(seventyTwo.slice(0, -1), stored), false);
  });

  test("Django's bcrypt_sha256 doesn't", async () => {
    const text = 'bcrypt_sha256$$2b$05$abcdefghijklmnopqrstuuADH2554YM.o0fCpQh9QVsIBjiS0sZfq';
    const stored = storedIn(readHashString(text));
    assert.equal(await passwords.verify(`${seventyTwo}cdefgh`, stored), true);
    assert.equal(await passwords.verify(seventyTwo, stored), false);
  });

  test('characters are hashed in the encoding in which they were typed', async () => {
    const decomposed = 'le\u0300tmein';
    const stored = storedIn(readHashString('pbkdf2_sha256$1000$seasalt$ZHl463Q4amVR6YZ6PuKthUk+BB/1Z1PJC7mTVKdrVLc='));
    assert.equal(await passwords.verify(decomposed, stored), true);
    assert.equal(await passwords.verify(decomposed.normalize(), stored), false);
  });
});

describe('refused hashes, with the reason', () => {
  const refused: [string, HashReading, RegExp][] = [
    ['MD5', readHashString('5f4dcc3b5aa765d61d8327deb882cf99'), /MD5/],
    ["Django's MD5", readHashString('md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3'), /MD5/],
    ['phpass', clerkHash('phpass', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'), /MD5/],
    ["Clerk's MD5", clerkHash('md5', '5f4dcc3b5aa765d61d8327deb882cf99'), /MD5/],
    ["Clerk's SHA-256 without a salt", clerkHash('sha256', 'a'.repeat(64)), /without a salt/],
    ["Clerk's accounts that are still elsewhere", clerkHash('awscognito', 'awscognito#a#b#c'), /Cognito/],
    ['a hasher that Clerk has yet to invent', clerkHash('toString', 'x'), /"toString" isn't known/],
    ["Logto's SHA-1 without a salt", logtoHash('SHA1', 'a'.repeat(40)), /without a salt/],
    ["Logto's MD5", logtoHash('Legacy', '["md5", ["salt", "@"], "00"]'), /MD5/],
    ["Logto's legacy without the password", logtoHash('Legacy', '["sha256", ["salt"], "00"]'), /not written/],
    ["Logto's legacy without a salt", logtoHash('Legacy', `["sha256", ["@"], "${'ab'.repeat(32)}"]`), /no salt/],
    ["Logto's legacy that isn't JSON", logtoHash('Legacy', '[sha256'), /not written/],
    ['SHA-1 without a salt', readHashString('a'.repeat(40)), /without a salt/],
    ['{SHA}', readHashString('{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='), /without a salt/],
    ['{SSHA} without a salt', readHashString('{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='), /no salt/],
    ['Argon2d', readHashString('$argon2d$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$YC9+jJCrQhs5R6db7LlN8Q'), /only Argon2i/],
    [
      'an Argon2 of 2015',
      readHashString('argon2$argon2i$m=8,t=1,p=1$c29tZXNhbHQ$gwQOXSNhxiOxPOA0+PY10P'),
      /version 1.3/,
    ],
    ['bcrypt of cost 31', readHashString(`$2b$31$${bcryptRest}`), /cost is 31/],
    ["bcrypt's first version", readHashString(`$2$05$${bcryptRest}`), /not a bcrypt hash/],
    ['crypt', readHashString('$6$rounds=5000$salt$hash'), /crypt function/],
    ['plain text', readHashString('correct horse battery'), /no form/],
    ['nothing', readHashString(''), /no form/],
    [
      'a scrypt whose N is not a power of two',
      readHashString('scrypt$16385$salt$8$1$AAAAAAAAAAAAAAAAAAAAAA=='),
      /number/,
    ],
    ["Keycloak's extensions", keycloak('bcrypt', 10, 'AAAA'), /"bcrypt" isn't known/],
    ['a Keycloak credential that is not JSON', keycloakHash('{', '{}'), /not written/],
    ["Keycloak's Argon2 of another version", keycloak('argon2', 5, 'AAAA', { type: ['id'], version: ['1.0'] }), /1.3/],
    ["Keycloak's PBKDF2 with 10^12 iterations", keycloak('pbkdf2', 1e12, 'A'.repeat(44)), /iterations/],
    ['what Firebase has redacted', firebaseHash('UkVEQUNURUQ=', firebaseSalt, firebaseProject), /left it out/],
    [
      "another project's signer key",
      firebaseHash(firebaseTag, firebaseSalt, { ...firebaseProject, signerKey: 'AAAA' }),
      /signer/,
    ],
    [
      'a costly Firebase project',
      firebaseHash(firebaseTag, firebaseSalt, { ...firebaseProject, memCost: 30 }),
      /memory/,
    ],
    ["Auth0's HMAC", auth0({ algorithm: 'hmac', hash: { value: 'AAAA' } }), /"hmac" isn't supported/],
    [
      "Auth0's passwords in UTF-16",
      auth0({ algorithm: 'sha1', hash: { value: 'AAAA' }, password: { encoding: 'utf16le' } }),
      /only UTF-8/,
    ],
    [
      'a custom SHA without a salt',
      auth0({ algorithm: 'sha1', hash: { value: 'ab'.repeat(20), encoding: 'hex' } }),
      /no salt/,
    ],
  ];
  for (const [name, reading, reason] of refused) {
    test(name, () => assert.match(reading.kind === 'refused' ? reading.reason : '', reason));
  }
});

function storedIn(reading: HashReading): string {
  if (reading.kind === 'refused') throw new Error(reading.reason);
  return reading.stored;
}
