// Figures at the top of a page.

import { type Html, html } from '../layout/html.ts';

export interface Stat {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
}

export function stats(list: readonly Stat[]): Html {
  const items = list.map(
    ({ label, value, hint }) =>
      html`<div><dt>${label}</dt><dd>${value}${hint !== undefined && html` <span class="stat-hint">${hint}</span>`}</dd></div>`,
  );
  return html`<dl class="stats">${items}</dl>`;
}
