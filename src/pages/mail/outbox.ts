// The pages that show the emails a development service would have sent: a list, and beside it one of them, as text and as it looks.

import { emptyState } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { type Html, html } from '../layout/html.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { momentTime } from '../layout/time.ts';

export interface OutboxEmail {
  readonly id: string;
  readonly at: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface OutboxPage {
  /** Newest first. */
  readonly emails: readonly OutboxEmail[];
  /** The one that was chosen. Until then, screens with room for both show the newest. */
  readonly chosen?: OutboxEmail | undefined;
}

export const outboxPath = '/dev/outbox';

export function outboxPage(frame: Frame, { emails, chosen }: OutboxPage): string {
  const m = frame.messages.docs.outbox;
  const shown = chosen ?? emails[0];
  const lines = emails.map(
    ({ id, at, to, subject }) =>
      html`<li><a href="${outboxPath}/${id}"${id === shown?.id && html` aria-current="${chosen === undefined ? 'true' : 'page'}"`}><strong dir="auto">${subject}</strong><span>${to}</span><span>${momentTime(frame.messages, at)}</span></a></li>\n`,
  );
  const body = html`
${leading(m.title, m.lead, undefined, html`<p><a href="${outboxPath}.json">${m.json}</a></p>`)}
${shown === undefined ? emptyState({ icon: 'inbox', title: m.none }) : html`<div class="outbox${chosen !== undefined && ' one'}"><ul class="letters">${lines}</ul>${letter(frame, shown)}</div>`}`;
  const title = chosen === undefined ? m.title : chosen.subject;
  return layout(frame, { title, body, width: 'broad' });
}

function letter(frame: Frame, email: OutboxEmail): Html {
  const m = frame.messages.docs.outbox;
  const parts = email.text.split(/(https?:\/\/\S+)/);
  const text = parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
  return html`<section class="card">
<header><p class="back"><a href="${outboxPath}">${icon('chevron-left', 'small')}${m.all}</a></p><h2 dir="auto">${email.subject}</h2><p class="card-lead">${m.to} ${email.to}, ${momentTime(frame.messages, email.at)}</p></header>
<div class="card-body letter">
<p dir="auto">${text}</p>
<iframe src="${outboxPath}/${email.id}/html" title="${email.subject}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
</div>
</section>`;
}

/** The email as mail programs show it, for a frame. Links open beside the page. */
export function framedEmail(email: { readonly html: string }): string {
  return email.html.replace('<body', '<head><base target="_blank"></head><body');
}
