// What the demo application records for its inspector: masked before it is stored, and limited in size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { masked, maskedBody, maskedHeader, maskedParameter } from '../../examples/demo-app/masking.ts';
import { bounded, Recordings } from '../../examples/demo-app/recording.ts';

const secret = 'abcdefghijklmnopqrstuvwxyz0123456789';

test('a secret is shown as its beginning and length, a short one only as its length', () => {
  assert.equal(masked(secret), 'abcd••• (36 characters)');
  assert.equal(masked('short'), '••• (5 characters)');
});

test('every protocol secret is masked by name, wherever it appears', () => {
  for (const name of ['client_secret', 'code', 'code_verifier', 'token', 'access_token', 'refresh_token', 'id_token']) {
    assert.equal(maskedParameter(name, secret).includes(secret), false, name);
    assert.equal(maskedBody(JSON.stringify({ nested: [{ [name]: secret }] })).includes(secret), false, name);
  }
  assert.equal(maskedParameter('state', secret), secret);
  assert.equal(maskedHeader('Authorization', `Bearer ${secret}`), 'Bearer abcd••• (36 characters)');
  assert.equal(maskedHeader('Set-Cookie', `a=${secret}; Path=/`), 'a=abcd••• (36 characters); Path=/');
});

test("a body that isn't JSON isn't shown, because it could contain a secret", () => {
  assert.equal(maskedBody(`<p>${secret}`), '(39 characters that are not JSON)');
});

test('recordings are limited in number, steps and text', () => {
  const recordings = new Recordings();
  const first = recordings.start();
  assert.equal(recordings.find(first.id), first);
  for (let count = 0; count < 100; count++) recordings.start();
  assert.equal(recordings.find(first.id), undefined, 'the oldest gives way');
  const recording = recordings.start();
  for (let count = 0; count < 70; count++) recording.add({ title: 'A step', why: '' });
  assert.deepEqual([recording.steps.length, recording.steps[0]?.number], [60, 11]);
  assert.ok(bounded('x'.repeat(100_000)).length < 5000);
});

test('only the browser that made a recording can see or delete it', () => {
  const recordings = new Recordings();
  const { id } = recordings.start();
  assert.equal(recordings.find(undefined), undefined);
  assert.equal(recordings.find(''), undefined);
  recordings.forget(id);
  assert.equal(recordings.find(id), undefined);
});

test('a recording expires after an hour without views', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 0 });
  const recordings = new Recordings();
  const { id } = recordings.start();
  context.mock.timers.tick(59 * 60 * 1000);
  assert.ok(recordings.find(id));
  context.mock.timers.tick(61 * 60 * 1000);
  assert.equal(recordings.find(id), undefined);
});
