// What pages may link to.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { webUrlProblem } from '../../../src/protocol/reading/web-url.ts';
import { clientFields } from '../../../src/protocol/resources/client.ts';
import { Invalid } from '../../../src/protocol/resources/field.ts';

describe('a link', () => {
  for (const [text, problem, allowed] of [
    ['https://app.example', undefined],
    ['https://app.example:8443/a/b?c=d', undefined],
    ['HTTPS://app.example/', undefined],
    ['https://[2001:db8::1]/', undefined],
    ['http://localhost:3000', undefined],
    ['http://127.0.0.1:3000/x', undefined],
    ['http://[::1]/', undefined],
    ['https://app.example/#top', undefined, { fragment: true }],
    ['mailto:help@app.example', undefined, { email: true }],
    ['https://app.example/#top', /has a fragment/],
    ['mailto:help@app.example', /must begin with https:/],
    ['mailto:', /must begin with https: or mailto:/, { email: true }],
    ['mailto:a@b.example?subject=x#y', /must begin with https: or mailto:/, { email: true }],
    ['', /must begin with/],
    ['http://app.example', /uses plain http/],
    ['http://localhost.app.example', /uses plain http/],
    ['javascript:alert(1)', /must begin with/],
    ['data:text/html,x', /must begin with/],
    ['//app.example', /must begin with/],
    ['/account', /must begin with/],
    ['app.example', /must begin with/],
    ['com.example.app:/start', /must begin with/],
    ['https://user@app.example', /credentials/],
    ['https://user:secret@app.example', /credentials/],
    ['https://app.example;x/', /plain host/],
    ['https://app.example,x/', /plain host/],
    ['https://app%3Bx.example/', /plain host/],
    ['https:app.example', /plain host/],
    ['https:///app.example', /plain host/],
    ['https://app.example/"onclick="x', /percent-encoded/],
    ['https://app.example/<script>', /percent-encoded/],
    ['https://app.example/a b', /percent-encoded/],
    ['https://app.example/\n', /percent-encoded/],
    ['https://app.example/%zz', /percent-encoded/],
    [`https://app.example/${'x'.repeat(1000)}`, /longer than 1000/],
  ] as const) {
    test(`${JSON.stringify(text.slice(0, 60))} ${JSON.stringify(allowed ?? {})}`, () => {
      const found = webUrlProblem(text, allowed);
      if (problem === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', problem);
    });
  }
});

test("a home page can't have a fragment; an application's other links can", () => {
  const { client_uri, policy_uri, tos_uri, launch_url } = clientFields;
  const refusing = Object.entries({ client_uri, policy_uri, tos_uri, launch_url }).filter(
    ([, field]) => field.read('https://app.example/#/start', {}) instanceof Invalid,
  );
  assert.deepEqual(
    refusing.map(([name]) => name),
    ['client_uri'],
  );
});
