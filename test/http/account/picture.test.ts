// The picture: what is accepted, and how it is served.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { pictureLimits } from '../../../src/protocol/reading/image.ts';
import { chunk, claimsFor, formTokenOf, placedPng, png, upload } from '../../harness/account.ts';
import type { Person } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, type TokenBody } from '../../harness/relying-party.ts';
import type { TestClient } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('the picture', () => {
  let person: Person;
  let tokens: TokenBody;
  let token: string;
  before(async () => {
    const issued = await obtainTokens(service, client, await service.newUser());
    person = issued.person;
    tokens = issued.tokens;
    token = await formTokenOf(person);
  });
  const pictureClaim = async () => (await claimsFor(service, client, tokens)).picture;

  test('is served only as an image, at the URL in the claims, without location data', async () => {
    assert.equal(await pictureClaim(), undefined);
    const changed = await upload(person, { form_token: token, picture: placedPng });
    assert.equal(changed.status, 303);
    assert.equal(changed.headers.get('location'), '/account/profile?done=picture');
    const claim = String(await pictureClaim());
    assert.ok(claim.startsWith(`${service.baseUrl}/pictures/`), claim);
    const picture = await fetch(claim);
    assert.equal(picture.status, 200);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.equal(picture.headers.get('x-content-type-options'), 'nosniff');
    assert.match(picture.headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
    assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
    for (const path of ['/account/profile', authorizePath(client, newVerifier(), { prompt: 'consent' })]) {
      const page = await (await person.visit(path)).text();
      assert.ok(page.includes(`src="${new URL(claim).pathname}"`), path);
      assert.equal(page.includes(claim), false, 'the picture is shown, not its address');
    }
  });

  test("has a new URL when it changes, and none when it's removed", async () => {
    await upload(person, { form_token: token, picture: png });
    const first = String(await pictureClaim());
    const [header, rest] = [png.subarray(0, 33), png.subarray(33)];
    const grey = Buffer.concat([header, chunk('gAMA', Buffer.from([0, 0, 177, 143])), rest]);
    await upload(person, { form_token: token, picture: grey });
    const second = String(await pictureClaim());
    assert.notEqual(second, first);
    assert.equal((await fetch(first)).status, 404);
    assert.deepEqual(Buffer.from(await (await fetch(second)).arrayBuffer()), grey);
    assert.equal((await upload(person, { form_token: token, remove: 'yes', picture: png })).status, 303);
    assert.equal(await pictureClaim(), undefined);
    assert.equal((await fetch(second)).status, 404);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const refused: { name: string; fields: Record<string, string | Buffer>; status: number; problem: RegExp }[] = [
    {
      name: 'a page',
      fields: { picture: Buffer.from('<html>') },
      status: 400,
      problem: /isn&#39;t a PNG, JPEG or WebP/,
    },
    { name: 'an SVG', fields: { picture: Buffer.from(svg) }, status: 400, problem: /isn&#39;t a PNG, JPEG or WebP/ },
    { name: 'half a picture', fields: { picture: png.subarray(0, 40) }, status: 400, problem: /or it&#39;s damaged/ },
    {
      name: 'a picture behind a page',
      fields: { picture: Buffer.concat([Buffer.from('<!--'), png]) },
      status: 400,
      problem: /isn&#39;t a PNG, JPEG or WebP/,
    },
    {
      name: 'more bytes than are allowed',
      fields: { picture: Buffer.concat([png, Buffer.alloc(pictureLimits.bytes)]) },
      status: 400,
      problem: /larger than 512 KB/,
    },
    {
      name: 'far more bytes than are allowed',
      fields: { picture: Buffer.concat([png, Buffer.alloc(2 * pictureLimits.bytes)]) },
      status: 413,
      problem: /larger than 512 KB/,
    },
    { name: 'no bytes', fields: { picture: Buffer.alloc(0) }, status: 400, problem: /Choose a file first/ },
    { name: 'text', fields: { picture: png.toString('base64') }, status: 400, problem: /Choose a file first/ },
    { name: 'another field', fields: { avatar: png }, status: 400, problem: /Choose a file first/ },
    { name: 'nothing', fields: {}, status: 400, problem: /Choose a file first/ },
  ];
  test("isn't replaced by a file that isn't an image", async () => {
    await upload(person, { form_token: token, picture: png });
    const since = await everythingIn(service);
    for (const c of refused) {
      const answer = await upload(person, { form_token: token, ...c.fields });
      assert.equal(answer.status, c.status, c.name);
      assert.match(await answer.text(), c.problem, c.name);
    }
    for (const [contentType, body] of [
      ['application/x-www-form-urlencoded', `form_token=${token}&remove=yes`],
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data; name="remove"\r\n\r\nyes'],
      ['image/png', png],
    ] as [string, string | Buffer][]) {
      const init = { method: 'POST', body, headers: { 'Content-Type': contentType } };
      assert.equal((await person.request('/account/picture', init as RequestInit)).status, 400, contentType);
    }
    await assertNothingChanged(service, since);
  });

  test('is served only at its exact URL', async () => {
    await upload(person, { form_token: token, picture: png });
    const claim = String(await pictureClaim());
    for (const path of ['x', '../x', '%2e%2e', `${'x'.repeat(150)}`]) {
      assert.equal((await fetch(`${claim.slice(0, claim.lastIndexOf('/'))}/${path}`)).status, 404, path);
    }
  });
});
