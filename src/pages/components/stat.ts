// Figures at the top of a page.

import { type Html, html } from '../layout/html.ts';

export interface Stat {
  readonly label: string;
  readonly value: string;
}

export function stats(list: readonly Stat[]): Html {
  const items = list.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return html`<dl class="stats">${items}</dl>`;
}
