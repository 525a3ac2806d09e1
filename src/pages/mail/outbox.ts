// The page that shows the emails a development service would have sent, each as text and as it looks.

import { emptyState } from '../components/display.ts';
import { type Html, html } from '../layout/html.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { momentTime } from '../layout/time.ts';

export interface OutboxPage {
  readonly emails: readonly { id: string; at: number; to: string; subject: string; text: string }[];
}

export function outboxPage(frame: Frame, page: OutboxPage): string {
  const m = frame.messages.account.outbox;
  const body = html`
${leading(m.title, m.lead)}
${page.emails.length === 0 ? emptyState({ icon: 'inbox', title: m.none }) : page.emails.map((email, index) => letter(frame, email, index + 1))}`;
  return layout(frame, { title: m.title, body, width: 'broad' });
}

function letter(frame: Frame, email: OutboxPage['emails'][number], number: number): Html {
  const m = frame.messages.account.outbox;
  const parts = email.text.split(/(https?:\/\/\S+)/);
  const text = parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
  return html`<section class="card">
<header><h2 dir="auto">${email.subject}</h2><p class="card-lead">${m.to} ${email.to}, ${momentTime(frame.messages, email.at)}</p></header>
<div class="card-body letter">
<p dir="auto">${text}</p>
<iframe src="${outboxPath}/${email.id}" title="${email.subject} (${number})" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"></iframe>
</div>
</section>`;
}

export const outboxPath = '/dev/outbox';

/** The email as mail programs show it, for a frame. Links open beside the page. */
export function framedEmail(email: { readonly html: string }): string {
  return email.html.replace('<body', '<head><base target="_blank"></head><body');
}
