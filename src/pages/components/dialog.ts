// A dialog that asks before something is done. It's a popover, so a button opens it without JavaScript, and Escape or a
// click beside it closes it.

import { type Html, html } from '../layout/html.ts';
import { button } from './button.ts';

export interface Dialog {
  readonly id: string;
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  readonly action: string;
  /** Hidden fields, the form's token among them, and whatever has to be filled in. */
  readonly fields: Html;
  readonly confirm: string;
  readonly cancel: string;
  readonly danger?: boolean;
}

/** Opened by a button with `dialog: id`. */
export function dialog(spec: Dialog): Html {
  return html`<dialog id="${spec.id}" popover aria-labelledby="${spec.id}-title" aria-describedby="${spec.id}-text">
<h2 class="section-title" id="${spec.id}-title">${spec.title}</h2>
<p class="quiet" id="${spec.id}-text">${spec.text}</p>
<form method="post" action="${spec.action}">
${spec.fields}
<div class="actions">
<button type="button" popovertarget="${spec.id}" popovertargetaction="hide" autofocus>${spec.cancel}</button>
${button({ label: spec.confirm, kind: spec.danger === true ? 'primary danger' : 'primary' })}
</div>
</form>
</dialog>`;
}
