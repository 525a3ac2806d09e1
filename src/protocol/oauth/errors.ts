// Every error of the OAuth endpoints, in one table: our own code, the HTTP status, the name from RFC 6749 or 6750, and the
// sentence that clients see unless there is a more precise one. Details for the operator go into events, never in here.

export const errorTable = {
  OAUTH_INVALID_REQUEST: {
    status: 400,
    error: 'invalid_request',
    sentence: 'The request is malformed.',
  },
  OAUTH_INVALID_CLIENT: {
    status: 401,
    error: 'invalid_client',
    sentence: 'Client authentication failed: check client_id and client_secret in the request body.',
  },
  OAUTH_INVALID_GRANT: {
    status: 400,
    error: 'invalid_grant',
    sentence: 'The code or token is unknown, expired, already used or revoked, or it is bound to another request.',
  },
  OAUTH_INVALID_SCOPE: {
    status: 400,
    error: 'invalid_scope',
    sentence: 'The scope is unknown or goes beyond what was granted.',
  },
  OAUTH_UNSUPPORTED_GRANT_TYPE: {
    status: 400,
    error: 'unsupported_grant_type',
    sentence: 'The grant_type must be authorization_code or refresh_token.',
  },
  OAUTH_UNAUTHORIZED_CLIENT: {
    status: 400,
    error: 'unauthorized_client',
    sentence: 'This client may not use this grant type.',
  },
  TOKEN_INVALID: {
    status: 401,
    error: 'invalid_token',
    sentence: 'The access token is missing, malformed, expired or revoked.',
  },
  SERVER_BUSY: {
    status: 503,
    error: 'temporarily_unavailable',
    sentence: 'The service cannot answer right now. Nothing was changed; try again shortly.',
  },
  SERVER_ERROR: {
    status: 500,
    error: 'server_error',
    sentence: 'Something went wrong on our side.',
  },
  RATE_LIMITED: {
    status: 429,
    error: 'temporarily_unavailable',
    sentence: 'Too many failed attempts. Try again later.',
  },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** An error to respond with; `description` replaces the table's sentence, and is public as well. */
export interface OAuthError {
  readonly code: ErrorCode;
  readonly description?: string;
}

export function oauthError(code: ErrorCode, description?: string): OAuthError {
  return description === undefined ? { code } : { code, description };
}

export interface OAuthErrorBody {
  readonly error: string;
  readonly error_code: ErrorCode;
  readonly error_description: string;
  /** The section of the documentation that explains the error. */
  readonly error_uri?: string;
}

/** The JSON body of an error response. `errorPage` is the URL of the page that explains errors. */
export function oauthErrorBody({ code, description }: OAuthError, errorPage?: string): OAuthErrorBody {
  const entry = errorTable[code];
  const body = { error: entry.error, error_code: code, error_description: description ?? entry.sentence };
  return errorPage === undefined ? body : { ...body, error_uri: `${errorPage}#${code.toLowerCase()}` };
}
