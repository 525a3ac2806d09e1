// Actions that change who can do what. Each says what it does, and asks before it does it.

import { type AccountFrame, formToken } from '../account/account-layout.ts';
import { button, dialog } from '../components/controls.ts';
import { card } from '../components/display.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';

export interface Asked {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly action: string;
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** On the button that does it; by default the same as on the one that asks. */
  readonly confirm?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly danger?: boolean | undefined;
  readonly small?: boolean | undefined;
  /** What tells it from others with the same label. */
  readonly about?: string | undefined;
}

/** A button, and the dialog that it opens. */
export function askedButton(frame: AccountFrame, asked: Asked): Html {
  const { id, label, danger, small, about } = asked;
  const spoken = about && frame.messages.admin.named(label, about);
  const fields = Object.entries(asked.fields ?? {}).map(([name, value]) => hidden(name, value));
  return html`${button({ label, dialog: id, kind: danger ? 'danger' : 'secondary', small, spoken })}${dialog({
    id,
    title: asked.title,
    text: asked.text,
    action: asked.action,
    fields: html`${formToken(frame)}${fields}`,
    confirm: asked.confirm ?? label,
    cancel: frame.messages.admin.cancel,
    danger: danger === true,
  })}`;
}

export interface DangerousAction {
  readonly hint: string;
  readonly control: Html;
}

/** One line for each action: what it does, and its button. */
export function dangerZone(frame: AccountFrame, actions: readonly DangerousAction[]): Html {
  const lines = actions.map(({ hint, control }) => html`<li><div><p>${hint}</p></div>${control}</li>`);
  return card({ title: frame.messages.admin.danger, danger: true, body: html`<ul class="things">${lines}</ul>` });
}
