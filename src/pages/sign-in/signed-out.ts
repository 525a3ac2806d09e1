// The page after signing out, which also says why the browser didn't go back to the application.

import type { ReturnRefusal } from '../../protocol/oauth/logout.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface NoReturn {
  readonly reason: ReturnRefusal;
  /** The id of the request, by which an administrator finds it. */
  readonly reference: string;
}

/** `elsewhere` for somebody who had signed in with another provider: that session goes on. */
export function signedOutPage(frame: Frame, elsewhere: boolean, noReturn?: NoReturn): string {
  const { signedOut: m, signOut, errors } = frame.messages;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text(frame.brand.name)}</p>
${elsewhere && html`<p>${m.elsewhere}</p>`}
${noReturn && html`<p>${signOut.noReturn[noReturn.reason]}</p><p>${signOut.noReturnTodo}</p>`}
<p><a class="button primary" href="/sign-in">${m.again}</a></p>
${noReturn && html`<p class="aside"><span class="quiet">${errors.reference}</span> <code>${noReturn.reference}</code></p>`}`;
  return layout(frame, { title: m.title, body });
}
