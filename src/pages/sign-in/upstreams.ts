// What people see of signing in with an identity provider: the buttons, the page on the way there, and how it can end.

import { linkButton } from '../components/controls.ts';
import { alert } from '../components/display.ts';
import { forDeveloper } from '../layout/error-page.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { codeForms } from './second-step.ts';

export interface UpstreamButton {
  readonly name: string;
  readonly label: string;
  readonly iconUrl: string | undefined;
}

/** They send the form with this id, so that "Keep me signed in" and the address go along. */
export function upstreamButtons(
  { messages }: Frame,
  form: string,
  upstreams: readonly UpstreamButton[],
  look?: 'primary',
): Html | false {
  if (upstreams.length === 0) return false;
  const buttons = upstreams.map(
    ({ name, label, iconUrl }) =>
      html`<button${look && html` class="${look}"`} type="submit" form="${form}" formaction="/sign-in/with/${name}" formnovalidate>${iconUrl !== undefined && html`<img class="provider-icon" src="${iconUrl}" alt="" width="20" height="20">`}${messages.upstreams.continueWith(label)}</button>\n`,
  );
  return html`<div class="stack providers">\n${buttons}</div>`;
}

/** The browser goes on by itself; the link is for those whom it doesn't take there. */
export function leavingPage(frame: Frame, { label, url }: { readonly label: string; readonly url: string }): string {
  const m = frame.messages.upstreams;
  const body = html`
${leading(m.leavingTitle(label), m.leavingText(label))}
<div class="stack">
${linkButton({ label: m.leavingTitle(label), href: url, kind: 'primary' })}
</div>`;
  return layout(frame, { title: m.leavingTitle(label), body });
}

export interface UpstreamEnd {
  readonly app: AppIdentity | undefined;
  readonly label: string;
  readonly ending:
    | { readonly kind: 'problem'; readonly text: string }
    | { readonly kind: 'link_needed'; readonly email: string }
    | { readonly kind: 'no_account' };
  /** To try the same identity provider again; undefined where that would lead to the same end. */
  readonly again: { readonly name: string; readonly ticket: string } | undefined;
  /** The way to sign in without it, or back to where it was begun. */
  readonly leave: { readonly href: string; readonly label: string };
  /** The id of the request, by which an administrator finds in the event what was wrong. */
  readonly reference: string;
}

/** The page for a round trip that has let nobody in. */
export function upstreamEndPage(frame: Frame, page: UpstreamEnd): string {
  const { app, label, ending, again, leave, reference } = page;
  const m = frame.messages.upstreams;
  const { title, text } = wordsFor(frame, label, ending);
  const retry =
    again &&
    html`<form method="post" action="/sign-in/with/${again.name}">
${hidden('continue', again.ticket)}
<button class="primary" type="submit">${m.tryAgain(label)}</button>
</form>`;
  const body = html`
${leading(title, undefined, app)}
${ending.kind === 'problem' ? alert(text) : html`<p>${text}</p>`}
<div class="stack">
${retry}
${linkButton({ label: leave.label, href: leave.href, kind: retry === undefined ? 'primary' : 'secondary' })}
</div>
${forDeveloper(frame, { reference })}`;
  return layout(frame, { title, body });
}

function wordsFor({ messages }: Frame, label: string, ending: UpstreamEnd['ending']): { title: string; text: string } {
  const m = messages.upstreams;
  switch (ending.kind) {
    case 'problem':
      return { title: m.failedTitle(label), text: ending.text };
    case 'link_needed':
      return { title: m.linkTitle, text: m.linkText(ending.email, label) };
    case 'no_account':
      return { title: m.noAccountTitle, text: m.noAccountText(label) };
  }
}

/** Asks a person who proves who they are, and has just signed in at the identity provider, for their second factor. */
export function upstreamProofPage(
  frame: Frame,
  page: { readonly ticket: string; readonly back: string; readonly problem: string | undefined },
): string {
  const { secondStep, proof } = frame.messages.account;
  const { ticket, problem } = page;
  const body = html`
${leading(proof.title, secondStep.lead)}
${codeForms(frame, { action: '/sign-in/proof', ticketField: 'proven', ticket, passkeys: false, problem })}
<p class="aside"><a href="${page.back}">${proof.cancel}</a></p>`;
  return layout(frame, { title: proof.title, body });
}
