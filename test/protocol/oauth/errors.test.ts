import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, errorTable, oauthError, oauthErrorBody } from '../../../src/protocol/oauth/errors.ts';

const cases: { code: ErrorCode; status: number; error: string }[] = [
  { code: 'OAUTH_INVALID_REQUEST', status: 400, error: 'invalid_request' },
  { code: 'OAUTH_INVALID_CLIENT', status: 401, error: 'invalid_client' },
  { code: 'OAUTH_INVALID_GRANT', status: 400, error: 'invalid_grant' },
  { code: 'OAUTH_INVALID_SCOPE', status: 400, error: 'invalid_scope' },
  { code: 'OAUTH_UNSUPPORTED_GRANT_TYPE', status: 400, error: 'unsupported_grant_type' },
  { code: 'OAUTH_UNAUTHORIZED_CLIENT', status: 400, error: 'unauthorized_client' },
  { code: 'TOKEN_INVALID', status: 401, error: 'invalid_token' },
  { code: 'SERVER_BUSY', status: 503, error: 'temporarily_unavailable' },
  { code: 'SERVER_ERROR', status: 500, error: 'server_error' },
  { code: 'RATE_LIMITED', status: 429, error: 'temporarily_unavailable' },
];

test('every error in the table is tested here', () => {
  assert.deepEqual(cases.map(({ code }) => code).sort(), Object.keys(errorTable).sort());
});

describe('the table of errors', () => {
  for (const c of cases) {
    test(`${c.code} is ${c.status} ${c.error}`, () => {
      assert.equal(errorTable[c.code].status, c.status);
      assert.equal(errorTable[c.code].error, c.error);
    });

    test(`the body of ${c.code} has the three fields and the table's description`, () => {
      const body = oauthErrorBody(oauthError(c.code));
      assert.deepEqual(body, { error: c.error, error_code: c.code, error_description: errorTable[c.code].sentence });
    });

    test(`the body of ${c.code} can have a different description`, () => {
      const body = oauthErrorBody(oauthError(c.code, 'code is missing.'));
      assert.deepEqual(body, { error: c.error, error_code: c.code, error_description: 'code is missing.' });
    });

    test(`the description of ${c.code} only has characters that RFC 6749 allows`, () => {
      assert.match(errorTable[c.code].sentence, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    });
  }
});

test('an error without a sentence has no description', () => {
  assert.deepEqual(Object.keys(oauthError('TOKEN_INVALID')), ['code']);
});
