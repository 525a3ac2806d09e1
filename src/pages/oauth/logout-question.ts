// The page that asks whether to sign out, when an application has asked for it without proof of who is signed in.

import { hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type AccountIdentity, type AppIdentity, accountCard, appIcon } from '../layout/identity.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface LogoutQuestionPage {
  /** Undefined when nobody knows who asks. */
  readonly app: AppIdentity | undefined;
  readonly account: AccountIdentity;
  readonly ticket: string;
}

export function logoutQuestionPage(frame: Frame, { app, account, ticket }: LogoutQuestionPage): string {
  const m = frame.messages.signOut;
  const title = m.title(frame.brand.name);
  const body = html`
<div class="lead">
${app !== undefined && appIcon(app)}
<h1>${title}</h1>
${app !== undefined && html`<p>${m.askedBy(app.name)}</p>`}
</div>
<form method="post" action="/oauth/logout/confirm">
${hidden('request', ticket)}
${accountCard(account)}
<p>${m.text}</p>
<div class="stack">
<button class="primary" type="submit">${m.confirm}</button>
<a class="button" href="/account">${m.stay}</a>
</div>
</form>`;
  return layout(frame, { title, body });
}
