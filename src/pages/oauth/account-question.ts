// What a person is asked about the account that they are signed in with: whether to continue with it, what to do if it has
// no access, and whether to sign out.

import { hidden, textArea } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { type AccountIdentity, type AppIdentity, accountCard } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { dayTime, sentenceWith } from '../layout/time.ts';

interface AccountQuestion {
  readonly app: AppIdentity;
  readonly account: AccountIdentity;
  readonly ticket: string;
}

/** Asks which account to continue with. */
export function chooseAccountPage(frame: Frame, page: AccountQuestion): string {
  const m = frame.messages.chooseAccount;
  const body = html`
${leading(m.title, m.continueTo(page.app.name), page.app)}
<form method="post" action="/oauth-authorize/account">
${hidden('request', page.ticket)}
${accountCard(page.account)}
<div class="stack">
<button class="primary" type="submit" name="account" value="current">${m.continue}</button>
<button type="submit" name="account" value="other">${m.other}</button>
</div>
</form>`;
  return layout(frame, { title: m.title, body });
}

/** Whether the person can ask for access. */
export type AskForAccess =
  | { readonly kind: 'off' | 'declined' | 'too_many' }
  /** `told`: whether they get an email when it's decided. */
  | { readonly kind: 'open'; readonly askedAt: number; readonly told: boolean }
  | {
      readonly kind: 'form';
      readonly ticket: string;
      readonly note: string;
      readonly limit: number;
      readonly isRefused: boolean;
    };

/** For someone who may not use an application. `location` leads back to it with an error. */
export function noAccessPage(
  frame: Frame,
  page: AccountQuestion & { readonly location: string; readonly asking: AskForAccess },
): string {
  const { noAccess: m, accessRequests } = frame.messages;
  const { asking } = page;
  const title = m.title(page.app.name);
  const body = html`
${leading(title, undefined, page.app)}
${accountCard(page.account, m.signedInAs)}
<p>${asking.kind === 'form' ? accessRequests.text : asking.kind === 'off' && m.text}</p>
${asked(frame, asking)}
<form method="post" action="/oauth-authorize/account">
${hidden('request', page.ticket)}
<div class="stack">
${asking.kind === 'form' && html`<button class="primary" type="submit" form="ask">${accessRequests.ask}</button>`}
<button${asking.kind !== 'form' && html` class="primary"`} type="submit" name="account" value="other">${m.other}</button>
<a class="button" href="${page.location}">${m.back(page.app.name)}</a>
</div>
</form>`;
  return layout(frame, { title, body });
}

function asked(frame: Frame, asking: AskForAccess): Html | false {
  const m = frame.messages.accessRequests;
  switch (asking.kind) {
    case 'off':
      return false;
    case 'declined':
      return html`<p>${m.declined}</p>`;
    case 'too_many':
      return html`<p>${m.tooMany}</p>`;
    case 'open':
      return html`<p>${sentenceWith(dayTime(frame.messages, asking.askedAt), m.asked)}${asking.told && html` ${m.told}`}</p>`;
    case 'form':
      return html`<form id="ask" method="post" action="/oauth-authorize/access-request">
${hidden('request', asking.ticket)}
${textArea({
  name: 'note',
  label: m.note,
  value: asking.note,
  rows: 3,
  optional: true,
  longest: asking.limit,
  hint: m.noteHint(asking.limit),
  problem: asking.isRefused ? m.noteProblem(asking.limit) : undefined,
})}
</form>`;
  }
}

export interface SignOutPage {
  /** The application that has asked for it without proof of who is signed in, if it's known. */
  readonly app?: AppIdentity | undefined;
  readonly account: AccountIdentity;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Asks whether to sign out. */
export function signOutPage(frame: Frame, { app, account, action, fields }: SignOutPage): string {
  const m = frame.messages.signOut;
  const title = m.title(frame.brand.name);
  const body = html`
${leading(title, app !== undefined && m.askedBy(app.name), app)}
<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => hidden(name, value))}
${accountCard(account)}
<p>${m.text}</p>
<div class="stack">
<button class="primary" type="submit">${m.confirm}</button>
<a class="button" href="/account">${m.stay}</a>
</div>
</form>`;
  return layout(frame, { title, body });
}
