// The page after signing out, which also says why the browser didn't go back to the application.

import type { ReturnRefusal } from '../../protocol/oauth/logout.ts';
import { type ErrorPage, forDeveloper } from '../layout/error-page.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface NoReturn extends Pick<ErrorPage, 'reference' | 'app'> {
  readonly reason: ReturnRefusal;
}

/** `elsewhere` for somebody who had signed in with an identity provider: that session continues. */
export function signedOutPage(frame: Frame, elsewhere: boolean, noReturn?: NoReturn): string {
  const { signedOut: m, signOut } = frame.messages;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text(frame.brand.name)}</p>
${elsewhere && html`<p>${m.elsewhere}</p>`}
${noReturn && html`<p>${signOut.noReturn[noReturn.reason]}</p><p>${signOut.noReturnTodo}</p>`}
<p><a class="button primary" href="/sign-in">${m.again}</a></p>
${noReturn && forDeveloper(frame, noReturn)}`;
  return layout(frame, { title: m.title, body });
}
