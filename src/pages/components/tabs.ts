// Tabs between pages about the same thing, and chips that choose what a list shows. Both are links.

import { type Html, html } from '../layout/html.ts';
import { icon } from './icon.ts';

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
}

export function tabs(label: string, items: readonly Tab[]): Html {
  const links = items.map(
    ({ href, label: name, current }) =>
      html`<li><a href="${href}"${current && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="${label}"><ul>${links}</ul></nav>`;
}

/** The link of a chosen chip takes the choice back. */
export function chips(label: string, items: readonly Tab[]): Html {
  const links = items.map(
    ({ href, label: name, current }) =>
      html`<li><a class="chip" href="${href}"${current && html` aria-current="true"`}>${name}${current && icon('x-mark', 'small')}</a></li>`,
  );
  return html`<ul class="chips" aria-label="${label}">${links}</ul>`;
}
