// Previous and Next below a list, with the position between them.

import { type Html, html } from '../layout/html.ts';
import { icon } from './icon.ts';

export interface Pager {
  readonly label: string;
  readonly previous: { readonly label: string; readonly href: string | undefined };
  readonly next: { readonly label: string; readonly href: string | undefined };
  /** Such as "51–100". */
  readonly position?: string | undefined;
}

/** Nothing when everything is on one page. */
export function pager(spec: Pager): Html | undefined {
  const { previous, next } = spec;
  if (previous.href === undefined && next.href === undefined) return undefined;
  return html`<nav class="pager" aria-label="${spec.label}">
${step('prev', previous.href, html`${icon('chevron-left', 'small')}${previous.label}`)}
${spec.position !== undefined && html`<p>${spec.position}</p>`}
${step('next', next.href, html`${next.label}${icon('chevron-right', 'small')}`)}
</nav>`;
}

function step(rel: 'prev' | 'next', href: string | undefined, content: Html): Html {
  if (href === undefined) return html`<span class="button small off" aria-hidden="true">${content}</span>`;
  return html`<a class="button small" href="${href}" rel="${rel}">${content}</a>`;
}
