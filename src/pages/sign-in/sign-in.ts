// The sign-in page: email address and password, or a passkey, and the ways to an account for those without either.

import type { UsualMethod } from '../../protocol/sign-in/usual-method.ts';
import { alert } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { checkbox, field, hidden, passkeyParts, passwordField } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { type AccountIdentity, type AppIdentity, accountRow } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { type UpstreamButton, upstreamButtons } from './upstreams.ts';

export interface SignInPage {
  /** The app that the user is going to; undefined on the way to a page of the service. */
  readonly app: AppIdentity | undefined;
  readonly email: string;
  /** The account that the browser remembers, with the way in that stands first. `email` is its address then. */
  readonly remembered?: { readonly account: AccountIdentity; readonly method: UsualMethod | undefined } | undefined;
  /** Whether "Keep me signed in" is ticked. */
  readonly keep: boolean;
  readonly ticket: string;
  readonly problem: string | undefined;
  /** Whether the page offers to create an account. */
  readonly signUp: boolean;
  /** Whether it offers to email a code. */
  readonly emailCode: boolean;
  /** The identity providers that people can sign in with. */
  readonly upstreams: readonly UpstreamButton[];
  /** `off`: nobody can set one. `over`: none signs in, so none is asked for. */
  readonly passwords: 'allowed' | 'off' | 'over';
  /** Whether the password was right, and no longer signs its owner in. */
  readonly passwordOver: boolean;
}

export function signInPage(frame: Frame, page: SignInPage): string {
  const { signIn: m, passwordless } = frame.messages;
  const byEmail = (look: string) => elsewhere('/reset-password/start', passwordless.byEmail, look);
  const message = frame.brand.signInMessage;
  const body = html`
${leading(m.title, page.app ? m.continueTo(page.app.name) : m.toAccount, page.app, message && html`<p class="service-message">${message}</p>`)}
${page.remembered && accountRow(page.remembered.account, m.email, elsewhere('/sign-in/forget', frame.messages.consent.notYou))}
${alert(page.problem)}
${page.passwordOver && html`<p>${byEmail('')}</p>`}
<div class="stack">
${methods(frame, page)}
</div>
<p class="aside others">
${page.passwords === 'allowed' && elsewhere('/reset-password/start', m.forgotten)}
${page.passwords !== 'allowed' && !page.passwordOver && byEmail('link')}
${page.signUp && elsewhere('/sign-up/start', m.create)}
</p>`;
  return layout(frame, { title: m.title, body });
}

/** The ways in, with the one that a person usually takes first. */
function methods(frame: Frame, page: SignInPage): Html[] {
  const { messages } = frame;
  const { signIn: m } = messages;
  const usual = page.remembered?.method;
  const withPassword = page.passwords !== 'over';
  const first = usual?.kind ?? (withPassword ? 'password' : 'passkey');
  const look = (kind: UsualMethod['kind']) => kind === first && html` class="primary"`;
  const hinted = page.email !== '';
  const email = page.remembered
    ? html`<input type="email" name="email" autocomplete="username" value="${page.email}" hidden readonly>`
    : field({
        name: 'email',
        label: m.email,
        type: 'email',
        autocomplete: 'username webauthn',
        limit: 254,
        value: page.email,
        focus: !hinted,
      });
  const password = html`<form id="sign-in" method="post" action="/sign-in">
${hidden('continue', page.ticket)}
${email}
${withPassword && passwordField(messages, { name: 'password', label: m.password, autocomplete: 'current-password', focus: hinted && first === 'password' })}
${checkbox({ name: 'keep', label: m.keep, checked: page.keep, value: page.remembered && 'remembered' })}
${withPassword && html`<button${look('password')} type="submit">${m.submit}</button>`}
</form>`;
  const passkey = html`<form method="post" action="/sign-in/passkey" data-passkey="get" data-autofill data-options="/sign-in/passkey/options" data-failed="${m.passkeyFailed}" hidden>
${hidden('continue', page.ticket)}
<input type="hidden" name="keep" value="" data-copies="keep">
${passkeyParts}
<button${look('passkey')} type="submit">${icon('finger-print')}${m.passkey}</button>
</form>`;
  const code =
    page.emailCode &&
    html`<button${look('email_code')} type="submit" form="sign-in" formaction="/sign-in/code" formnovalidate>${icon('envelope')}${messages.emailCodes.send}</button>`;
  const isUsual = ({ name }: UpstreamButton) => usual?.kind === 'upstream' && usual.upstream === name;
  const others = page.upstreams.filter((upstream) => !isUsual(upstream));
  const ways = [
    { kind: 'upstream', way: upstreamButtons(frame, 'sign-in', page.upstreams.filter(isUsual), 'primary') },
    { kind: 'password', way: password },
    { kind: 'passkey', way: passkey },
    { kind: 'email_code', way: code },
    { kind: undefined, way: upstreamButtons(frame, 'sign-in', others) },
  ];
  const isFirst = ({ kind }: (typeof ways)[number]) => usual !== undefined && kind === usual.kind;
  const inOrder = [...ways.filter(isFirst), ...ways.filter((each) => !isFirst(each))];
  return inOrder.map(({ way }) => way).filter((way) => way !== false);
}

/** Posts the sign-in form to another page, so that the typed email address gets there without standing in a URL. */
function elsewhere(action: string, label: string, look = 'link'): Html {
  return html`<button class="${look}" type="submit" form="sign-in" formaction="${action}" formnovalidate>${label}</button>`;
}
