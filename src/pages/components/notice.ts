// Messages of a page: what was done, what needs attention, what went wrong.

import { type Html, html, type Interpolation } from '../layout/html.ts';
import { type IconName, icon } from './icon.ts';

export type NoticeKind = 'info' | 'good' | 'warning';

const icons: Record<NoticeKind, IconName> = {
  info: 'information-circle',
  good: 'check-circle',
  warning: 'exclamation-triangle',
};

/** Something that stands on the page from the beginning. */
export function notice(content: Interpolation, kind: NoticeKind = 'info'): Html {
  return html`<p class="notice ${kind}">${icon(icons[kind])}<span>${content}</span></p>`;
}

/** That what the person did has worked. It's read out, and stays in view while the page is scrolled. */
export function toast(text: string | undefined): Html | undefined {
  if (text === undefined) return undefined;
  return html`<p class="notice good toast" role="status">${icon('check-circle')}<span>${text}</span></p>`;
}

/** A problem that isn't one of a single field. */
export function alert(text: string | undefined): Html | undefined {
  if (text === undefined) return undefined;
  return html`<p class="alert" role="alert">${icon('exclamation-circle')}<span>${text}</span></p>`;
}
