// The pages behind "This wasn't me" in the email about a new second factor. They say nothing about whose account it is.

import type { Messages } from '../languages/languages.ts';
import { hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export function undoFactorPage(
  frame: Frame,
  page: { addition: keyof Messages['emails']['factorAdded']['texts']; link: string },
): string {
  const { messages } = frame;
  const m = messages.recovery.undo;
  const body = html`
<h1>${m.title}</h1>
<p>${messages.emails.factorAdded.texts[page.addition]}</p>
<p>${m.lead}</p>
<form method="post" action="/not-me">
${hidden('link', page.link)}
<button class="danger" type="submit">${m.submit}</button>
</form>`;
  return layout(frame, { title: m.title, body });
}

export function factorUndonePage(frame: Frame): string {
  const m = frame.messages.recovery.undo;
  const body = html`
<h1>${m.doneTitle}</h1>
<p>${m.done}</p>
<p><a class="button primary" href="/reset-password">${m.reset}</a></p>`;
  return layout(frame, { title: m.doneTitle, body });
}
