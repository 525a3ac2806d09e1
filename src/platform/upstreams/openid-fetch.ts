// Hands the service's own fetch to openid-client.

import type * as client from 'openid-client';
import type { UpstreamFetch } from './upstream-fetch.ts';

export function openidFetch(fetch: UpstreamFetch): client.CustomFetch {
  return (url, { method, headers, body }) => {
    const text = body instanceof URLSearchParams ? body.toString() : body;
    if (text !== undefined && text !== null && typeof text !== 'string') throw new TypeError('unexpected body');
    return fetch.send(url, { method, headers, body: text ?? undefined });
  };
}
