// What `npm run faults` goes by: an experiment that has checked nothing fails, and the judge of responses knows every kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf, shownChecks } from '../../faults/experiment.ts';
import { problemOf } from '../../faults/judge.ts';

test('an experiment that has checked nothing fails', () => {
  const done = 'everything';
  assert.deepEqual(problemsOf({ done, checks: { grants: 3, revocations: 1 }, broken: [] }), []);
  assert.deepEqual(problemsOf({ done, checks: { responses: 0, grants: 3 }, broken: ['lost'] }), [
    'lost',
    'checked nothing: 0 responses',
  ]);
  assert.deepEqual(problemsOf({ done, checks: { responses: Number.NaN }, broken: [] }), [
    'checked nothing: NaN responses',
  ]);
  assert.deepEqual(problemsOf({ done, checks: {}, broken: [] }), ['checked nothing']);
  assert.equal(shownChecks({ done, checks: { grants: 4112 }, remarks: ['keys'], broken: [] }), '4,112 grants, keys');
});

const common = { 'x-request-id': 'x', 'x-content-type-options': 'nosniff' };
const attachment = { 'content-disposition': 'attachment; filename="latchkey-people.csv"' };
const csv = { ...attachment, 'content-type': 'text/csv; charset=utf-8' };
const lines = { ...attachment, 'content-type': 'application/x-ndjson; charset=utf-8' };
const json = { 'content-type': 'application/json; charset=utf-8' };
const envelope = '{"success":true,"message":"","data":{}}';

const page = (policy: string, frames = 'DENY') => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': frames,
});
const preview = "form-action 'none'; frame-ancestors 'self'; base-uri 'none'; sandbox";
const previewPath = '/admin/settings/branding/preview';

for (const [what, path, status, headers, body, expected] of [
  ['a page', '/sign-in', 200, page("frame-ancestors 'none'"), '', undefined],
  ['a page without a policy', '/sign-in', 200, page(''), '', /without its policy/],
  ['a page in frames', '/sign-in', 200, page(preview, 'SAMEORIGIN'), '', /without its policy/],
  ['a preview', `${previewPath}?a=b`, 200, page(preview, 'SAMEORIGIN'), '', undefined],
  ['an email', '/dev/outbox/1/html', 200, page(`${preview} allow-popups`, 'SAMEORIGIN'), '', undefined],
  ['a preview for any site', previewPath, 200, page(preview, 'ALLOWALL'), '', /can be framed/],
  ['a preview that runs', previewPath, 200, page(`${preview} allow-scripts`, 'SAMEORIGIN'), '', /without its policy/],
  ['a page below a preview', `${previewPath}/x`, 404, page(preview, 'SAMEORIGIN'), '', /without its policy/],
  ['people as CSV', '/api/people.csv?q=a', 200, csv, 'id,email\r\n', undefined],
  ['people as JSON Lines', '/api/people.jsonl', 200, lines, '{"id":"1"}\n{"id":"2"}\n', undefined],
  ['nobody as JSON Lines', '/api/events.jsonl', 200, lines, '', undefined],
  ['a refused download', '/api/people.csv', 401, json, envelope.replace('true', 'false'), undefined],
  ['a download without its envelope when refused', '/api/events.csv', 401, csv, 'id\r\n', /no JSON from the API/],
  ['a download that is shown', '/api/people.csv', 200, { 'content-type': 'text/csv' }, 'id\r\n', /would show/],
  ['CSV as a page', '/api/people.csv', 200, { ...attachment, ...json }, envelope, /a download of CSV as/],
  ['broken lines', '/api/people.jsonl', 200, lines, '{"id":\n', /a download of JSON Lines/],
  ['a list', '/api/people', 200, json, envelope, undefined],
  ['CSV where there is none', '/api/people', 200, csv, 'id\r\n', /no JSON from the API/],
] as const) {
  test(`the judge: ${what}`, () => {
    const answer = { status, headers: new Map(Object.entries({ ...common, ...headers })), body, all: '' };
    const problem = problemOf('GET', path, answer, []);
    if (expected === undefined) assert.equal(problem, undefined);
    else assert.match(problem ?? '', expected);
  });
}
