// A card: one subject of a page, with its title, its content, and a fixed place for its actions.

import { type Html, html } from '../layout/html.ts';

export interface Card {
  readonly title?: string | undefined;
  readonly lead?: string | undefined;
  /** Beside the title, such as a badge. */
  readonly aside?: Html | undefined;
  readonly body?: Html | undefined;
  /** Buttons and links, at the bottom. */
  readonly actions?: Html | undefined;
  readonly id?: string | undefined;
  /** For what can't be undone. */
  readonly danger?: boolean | undefined;
}

export function card(spec: Card): Html {
  const title = spec.title !== undefined && html`<h2>${spec.title}</h2>`;
  const lead = spec.lead !== undefined && html`<p class="card-lead">${spec.lead}</p>`;
  const head = (title || lead) && html`<header>${title}${spec.aside}${lead}</header>`;
  const id = spec.id === undefined ? html`` : html` id="${spec.id}"`;
  return html`<section class="card${spec.danger === true && ' danger-zone'}"${id}>
${head}
${spec.body !== undefined && html`<div class="card-body">${spec.body}</div>`}
${spec.actions !== undefined && html`<footer>${spec.actions}</footer>`}
</section>`;
}
