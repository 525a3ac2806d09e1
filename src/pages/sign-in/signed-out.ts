// The page after signing out.

import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export function signedOutPage(frame: Frame): string {
  const m = frame.messages.signedOut;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text}</p>
<p><a class="button primary" href="/sign-in">${m.again}</a></p>`;
  return layout(frame, { title: m.title, body });
}
