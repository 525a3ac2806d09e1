// The layout of a user's own pages: the same navigation on each of them, and the form that signs out.

import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { alert, type Frame, layout, type Script } from '../layout/layout.ts';
import type { Messages } from '../messages/messages.ts';

export type Section = keyof Messages['account']['sections'];

const paths: Record<Section, string> = {
  profile: '/account',
  security: '/account/security',
  sessions: '/account/sessions',
  apps: '/account/apps',
  activity: '/account/activity',
  data: '/account/data',
};

export interface AccountFrame extends Frame {
  readonly account: { readonly name: string; readonly email: string; readonly administrator?: boolean };
  readonly formToken: string;
}

export interface AccountPage {
  readonly section: Section;
  /** The section's name when undefined. */
  readonly title?: string;
  readonly notice?: string | undefined;
  readonly problem?: string | undefined;
  readonly body: Html;
  readonly script?: Script;
}

export function accountLayout(frame: AccountFrame, page: AccountPage): string {
  const m = frame.messages.account;
  const title = page.title ?? m.sections[page.section];
  const links = (Object.keys(paths) as Section[]).map((section) => {
    const here = section === page.section ? html` aria-current="page"` : html``;
    return html`<li><a href="${paths[section]}"${here}>${m.sections[section]}</a></li>`;
  });
  const administration =
    frame.account.administrator === true && html`<li><a href="/admin">${frame.messages.admin.nav}</a></li>`;
  const body = html`
<nav class="sections" aria-label="${m.nav}"><ul>${links}${administration}</ul></nav>
<h1>${title}</h1>
<p class="account-line"><span class="quiet">${m.signedInAs}</span> <strong>${frame.account.name}</strong> ${frame.account.email}</p>
${page.notice !== undefined && html`<p class="notice" role="status">${page.notice}</p>`}
${alert(page.problem)}
${page.body}
<form id="sign-out" method="post" action="/sign-out">${formToken(frame)}</form>`;
  const corner = html`<button class="quiet-button" type="submit" form="sign-out">${m.signOut}</button>`;
  return layout(frame, { title, body, corner, width: 'wide', script: page.script });
}

export function formToken(frame: AccountFrame): Html {
  return hidden('form_token', frame.formToken);
}

export function time(text: string, at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}
