// Whether a page is for a phone, where a long list is a long way to scroll.

import type { IncomingHttpHeaders } from 'node:http';

/** Chromium says so in a header of its own. Other phones have "Mobi" in the name of their browser; tablets don't. */
export function isPhone(headers: IncomingHttpHeaders): boolean {
  const hint = headers['sec-ch-ua-mobile'];
  if (hint === '?1' || hint === '?0') return hint === '?1';
  return /\bMobi/.test(headers['user-agent'] ?? '');
}
