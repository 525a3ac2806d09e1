// What every response has to be, whatever the request was.

import { injectedHeader } from './hostile.ts';
import type { RawAnswer } from './raw-http.ts';
import { stackTracesIn } from './stack-traces.ts';

const oauthPaths = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/userinfo',
  '/oauth/jwks.json',
  '/.well-known/openid-configuration',
];

/** Words of the inside of the service, and of its databases. */
const inside = /node:internal|node_modules|\.ts:\d+:\d+|SQLITE_|syntax error at or near|violates \w+ constraint/;

/** What is wrong with a response to this method and target; undefined when nothing is. */
export function problemOf(
  method: string,
  target: string,
  answer: RawAnswer,
  allowedRedirects: readonly string[],
): string | undefined {
  const { status, headers, body, all } = answer;
  const laterStatus = /^HTTP\/1\.1 (5\d\d) /m.exec(all)?.[1];
  if (laterStatus !== undefined && laterStatus !== '503') return `status ${laterStatus}`;
  if (status === 503 && !headers.has('retry-after')) return '503 without Retry-After';
  if (headers.has(injectedHeader)) return 'a header came from the request';
  if (stackTracesIn(body) > 0 || (inside.test(body) && !target.startsWith('/docs')))
    return 'the response shows the inside of the service';
  // What was no HTTP is refused before there is a request.
  if (!headers.has('x-request-id')) {
    return [400, 408, 417, 431].includes(status) && body === '' ? undefined : `${status} without X-Request-Id`;
  }
  if (headers.get('x-content-type-options') !== 'nosniff') return `${status} without nosniff`;
  return problemOfRedirect(headers.get('location'), allowedRedirects) ?? problemOfBody(method, target, answer);
}

/** Pages of ours show them in frames, in which nothing runs and nothing is sent. */
const previews = /^\/(admin\/settings\/branding\/preview(?![^?])|dev\/outbox\/[^/]+\/html)/;

function problemOfRedirect(location: string | undefined, allowed: readonly string[]): string | undefined {
  if (location === undefined || /^\/(?![/\\])/.test(location)) return undefined;
  return allowed.some((start) => location.startsWith(start)) ? undefined : `a redirect to ${location}`;
}

function problemOfBody(method: string, target: string, { status, headers, body }: RawAnswer): string | undefined {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) {
    const policy = headers.get('content-security-policy') ?? '';
    const isPreview = previews.test(target) && /; sandbox(?! allow-scripts)/.test(policy);
    if (isPreview ? !/form-action 'none'; frame-ancestors 'self'/.test(policy) : !/frame-ancestors 'none'/.test(policy))
      return 'a page without its policy';
    if (headers.get('x-frame-options') !== (isPreview ? 'SAMEORIGIN' : 'DENY')) return 'a page that can be framed';
    if (/<lk |<script>/i.test(body)) return 'markup of the request is in the page';
  }
  if (method === 'HEAD' || status === 204 || status === 304)
    return body === '' ? undefined : 'a body where there must be none';
  const path = target.split('?')[0] ?? '';
  if (/^\/api(\/|$)/.test(path)) return problemOfApi(path, { status, headers, body }, type);
  if (oauthPaths.includes(path)) return problemOfOAuth(status, type, body);
  return undefined;
}

function problemOfApi(
  path: string,
  { status, headers, body }: Pick<RawAnswer, 'status' | 'headers' | 'body'>,
  type: string,
): string | undefined {
  if (path === '/api/openapi.json') return undefined;
  const format = /^\/api\/(?:people|events)\.(csv|jsonl)$/.exec(path)?.[1];
  if (format === undefined || status !== 200) return problemOfEnvelope(status, type, body);
  if (!headers.get('content-disposition')?.startsWith('attachment;')) return 'a download that a browser would show';
  if (format === 'csv') {
    return type.startsWith('text/csv') && /^id,/.test(body) ? undefined : `a download of CSV as ${type}`;
  }
  const isJson = (line: string) => jsonIn('application/json', line) !== undefined;
  const isWhole = type.startsWith('application/x-ndjson') && body.split('\n').slice(0, -1).every(isJson);
  return isWhole ? undefined : `a download of JSON Lines as ${type}`;
}

function problemOfEnvelope(status: number, type: string, body: string): string | undefined {
  const value = jsonIn(type, body);
  if (value === undefined) return `${status} with no JSON from the API`;
  if (Object.keys(value).join() !== 'success,message,data') return `${status} with no envelope from the API`;
  return value.success === status < 400 ? undefined : `${status} with success ${value.success}`;
}

function problemOfOAuth(status: number, type: string, body: string): string | undefined {
  const value = jsonIn(type, body);
  if (value === undefined) return `${status} with no JSON from an OAuth endpoint`;
  if (status >= 400 && (typeof value.error !== 'string' || typeof value.error_code !== 'string'))
    return `${status} with no error`;
  // RFC 6749, section 5.2.
  const description = value.error_description ?? '';
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(String(description)) ? undefined : `error_description ${description}`;
}

function jsonIn(type: string, body: string): Record<string, unknown> | undefined {
  if (!type.startsWith('application/json')) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
