// The page for every error that people see.

import { linkButton } from '../components/controls.ts';
import type { ErrorTopic } from '../languages/languages.ts';
import { type Html, html } from './html.ts';
import type { AppIdentity } from './identity.ts';
import { type Frame, layout } from './layout.ts';

export interface ErrorPage {
  readonly topic: ErrorTopic;
  /** The id of the request, by which an administrator finds it in the log. */
  readonly reference: string;
  /** The application that it's about, if there is one. */
  readonly app?: AppIdentity | undefined;
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
${forDeveloper(frame, page)}`;
  return layout(frame, { title, body });
}

/** What people give to those who can help: the application's developer, or an administrator. */
export function forDeveloper({ messages }: Frame, { reference, app }: Pick<ErrorPage, 'reference' | 'app'>): Html {
  const email = app?.contactEmail ?? undefined;
  return html`${email && html`<p>${app?.name}: <a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a></p>`}<p class="aside">${messages.errors.reference} <code>${reference}</code></p>`;
}
