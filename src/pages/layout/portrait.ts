// A user's picture.

import { type Html, html } from './html.ts';

/** Loaded from the page's own origin: the stored URL, which clients get, may still name an earlier domain. */
export function portrait(url: string, size: number): Html {
  return html`<img class="portrait" src="${new URL(url).pathname}" alt="" width="${size}" height="${size}">`;
}
