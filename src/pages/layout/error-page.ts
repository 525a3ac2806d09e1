// The page for every error that people see.

import { linkButton } from '../components/button.ts';
import type { ErrorTopic } from '../languages/languages.ts';
import { html } from './html.ts';
import { type Frame, layout } from './layout.ts';

export interface ErrorPage {
  readonly topic: ErrorTopic;
  /** The id of the request, by which an administrator finds it in the log. */
  readonly reference: string;
  readonly baseUrl: string;
}

export function errorPage(frame: Frame, page: ErrorPage): string {
  const m = frame.messages.errors;
  const { title, text, todo } = m[page.topic];
  const body = html`
<h1>${title}</h1>
<p>${text}</p>
<p>${typeof todo === 'string' ? todo : todo(page.baseUrl)}</p>
<p>${linkButton({ label: m.home, href: '/account' })}</p>
<p class="aside">${m.reference} <code>${page.reference}</code></p>`;
  return layout(frame, { title, body });
}
