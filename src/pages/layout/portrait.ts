// A person's picture.

import { type Html, html } from './html.ts';

/** From here and not from the address that applications get, which may have been made under another one. */
export function portrait(url: string, size: number): Html {
  return html`<img class="portrait" src="${new URL(url).pathname}" alt="" width="${size}" height="${size}">`;
}
