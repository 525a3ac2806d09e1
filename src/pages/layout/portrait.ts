// A user's picture.

import { type Html, html } from './html.ts';

const ownPath = /^\/pictures\/[^/]+\/[\w-]+$/;

/**
 * Loaded from the page's own origin: the stored URL, which clients get, may still name an earlier domain. A picture from
 * elsewhere is never loaded, because whoever serves it would learn who looks at the page, and undefined here.
 */
export function portrait(url: string, size: number): Html | undefined {
  const path = URL.parse(url)?.pathname ?? '';
  if (!ownPath.test(path)) return undefined;
  return html`<img class="portrait" src="${path}" alt="" width="${size}" height="${size}">`;
}

/** Where a picture from elsewhere is. */
export function pictureHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}
