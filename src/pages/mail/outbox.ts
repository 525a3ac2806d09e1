// The page that shows the emails a development service would have sent.

import { emptyState } from '../components/display.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';
import { momentTime } from '../layout/time.ts';

export interface OutboxPage {
  readonly emails: readonly { at: number; to: string; subject: string; text: string }[];
}

export function outboxPage(frame: Frame, page: OutboxPage): string {
  const m = frame.messages.account;
  const rows = page.emails.map(
    (email) => html`<li>
<h2 class="thing-name" dir="auto">${email.subject}</h2>
<p class="quiet">${m.outbox.to} ${email.to}, ${momentTime(frame.messages, email.at)}</p>
<p class="letter" dir="auto">${email.text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))}</p>
</li>`,
  );
  const body = html`
<h1>${m.outbox.title}</h1>
<p>${m.outbox.lead}</p>
${rows.length === 0 ? emptyState({ icon: 'inbox', title: m.outbox.none }) : html`<ul class="things mails">${rows}</ul>`}`;
  return layout(frame, { title: m.outbox.title, body, width: 'wide' });
}
