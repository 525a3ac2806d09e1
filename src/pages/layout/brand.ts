// The service's logo, or its mark and name, as a link to where its users are at home, and the links of its brand.

import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';

export function brand(frame: Frame): Html {
  const { logo, name, monogram } = frame.brand;
  const mark = monogram === undefined ? keyMark : html`<span class="monogram" aria-hidden="true">${monogram}</span>`;
  return html`<a class="brand" href="/account">${logo === undefined ? html`${mark}<span>${name}</span>` : picture(logo, name)}</a>`;
}

function picture(logo: { light: string; dark: string }, name: string): Html {
  const dark = html`<source srcset="${logo.dark}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>${logo.dark !== logo.light && dark}<img class="brand-logo" src="${logo.light}" alt="${name}"></picture>`;
}

/** At the foot of every page; undefined if the brand has none. */
export function brandLinks({ brand: { links }, messages }: Frame): Html | undefined {
  const shown = (['support', 'terms', 'privacy'] as const).flatMap((link) => {
    const url = links[link];
    return url === undefined
      ? []
      : [html`<li><a href="${url}" rel="noopener noreferrer">${messages.links[link]}</a></li>`];
  });
  return shown.length === 0 ? undefined : html`<ul class="brand-links">${shown}</ul>`;
}

const keyMark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2.5"/><path d="M11.8 11.8 21 21m-4.5-4.5 2.5-2.5" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/></svg>`;
