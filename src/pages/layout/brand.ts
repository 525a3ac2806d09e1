// The service's mark and name, as a link to where its users are at home.

import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';

export function brand(frame: Frame): Html {
  return html`<a class="brand" href="/account">${keyMark}${frame.brand.name}</a>`;
}

const keyMark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2.5"/><path d="M11.8 11.8 21 21m-4.5-4.5 2.5-2.5" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/></svg>`;
