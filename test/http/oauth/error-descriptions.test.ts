// What errors say, whatever a request contains: RFC 6749 (sections 4.1.2.1 and 5.2) and RFC 6750 (section 3) allow printable
// ASCII without the double quote and the backslash.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import type { TestClient } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const allowed = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

const service = serviceOfSuite();
let client: TestClient;
before(async () => {
  client = await service.newClient();
});

const names = [
  'grant_type',
  'a"b',
  'a\\b',
  "a'b",
  'é',
  '\u202e',
  '\ud83d\udd11',
  '<script>',
  '__proto__',
  'x'.repeat(500),
];
const encoded = encodeURIComponent;

const bodies: [type: string, body: string | Uint8Array][] = [
  ...names.flatMap((name): [string, string][] => [
    [form, `${encoded(name)}=1&${encoded(name)}=2`],
    [form, `${encoded(name)}=%00`],
    [form, `${encoded(name)}=%ff`],
    [json, JSON.stringify({ [name]: 1 })],
    [json, `{${JSON.stringify(name)}: "\\u0000"}`],
    [json, `{${JSON.stringify(name)}: 1, ${JSON.stringify(name)}: 2}`],
    [form, `grant_type=${encoded(name)}`],
    [form, `grant_type=refresh_token&client_id=${encoded(name)}&client_secret=${encoded(name)}`],
    [`text/plain; charset=${name.replace(/[^\x20-\x7e]/g, '')}`, 'x'],
  ]),
  [form, '%00=1'],
  [form, ''],
  [form, new Uint8Array([0xff, 0xfe])],
  [form, 'grant_type=authorization_code'],
  [form, 'grant_type=authorization_code&client_id=x'],
  [form, 'grant_type=authorization_code&client_id=x&code=y&redirect_uri=z&code_verifier=w'],
  [form, 'x'.repeat(20_000)],
  [json, '{'],
  [json, '[]'],
  [json, '"'],
  ['', 'x'],
];

describe('error_description', () => {
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    test(`at ${path} only has allowed characters`, async () => {
      let described = 0;
      for (const [type, body] of bodies) {
        const response = await fetch(service.url + path, {
          method: 'POST',
          headers: type === '' ? {} : { 'Content-Type': type },
          body,
        });
        const { error, error_description } = (await response.json()) as Record<string, string>;
        if (error === undefined) continue;
        described += 1;
        assert.match(error_description ?? '', allowed, `${type} ${body}`);
      }
      assert.ok(described > bodies.length / 2);
    });
  }

  test('names a repeated parameter', async () => {
    const response = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': form },
      body: 'grant_type=x&grant_type=y',
    });
    const { error_description } = (await response.json()) as Record<string, string>;
    assert.equal(error_description, "The parameter 'grant_type' is repeated.");
  });

  test('in a redirect only has allowed characters', async () => {
    const parameters = [
      'response_type',
      'scope',
      'code_challenge',
      'code_challenge_method',
      'prompt',
      'max_age',
      'nonce',
    ];
    const path = authorizePath(client, newVerifier());
    const requests = parameters.flatMap((parameter) => [
      `${path}&${parameter}=again`,
      ...['', '%00', '%ff', ...names.map(encoded), 'n'.repeat(1500)].map((value) =>
        path.replace(new RegExp(`(&${parameter}=[^&]*|$)`), `&${parameter}=${value}`),
      ),
    ]);
    let described = 0;
    for (const request of [...requests, `${path}&request=x`, `${path}&request_uri=x`, `${path}&prompt=none`]) {
      const location = (await new Person(service).request(request)).headers.get('location');
      const description =
        location === null ? null : new URL(location, service.url).searchParams.get('error_description');
      if (description === null) continue;
      described += 1;
      assert.match(description, allowed, request);
    }
    assert.ok(described > 40, String(described));
  });
});

test('a WWW-Authenticate challenge repeats nothing from the request', async () => {
  for (const authorization of [undefined, 'Bearer x', 'Bearer a"b\\c', 'Basic x', '"', 'Bearer error="x"']) {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
    const { headers: given } = await fetch(`${service.url}/oauth/userinfo`, { headers });
    assert.match(given.get('www-authenticate') ?? '', /^Bearer realm="Latchkey"(, error="invalid_token")?$/);
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' });
    const token = await fetch(`${service.url}/oauth/token`, { method: 'POST', headers, body });
    const expected = authorization === undefined ? null : 'Basic realm="Latchkey"';
    assert.equal(token.headers.get('www-authenticate'), expected);
  }
});
