// The security page with its forms, and the two pages that lead on from it: setting up an authenticator app, and the
// recovery codes that are shown once.

import { accountName, field, hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { qrCode } from '../layout/qr-code.ts';
import { dayTime, recentTime } from '../layout/time.ts';
import { type AccountFrame, accountLayout, formToken } from './account-layout.ts';
import { type PausedMethod, pausedMethods } from './paused-methods.ts';

export interface SecurityPage {
  readonly authenticator: boolean;
  readonly recoveryCodes: number;
  readonly passkeys: readonly { id: string; name: string; createdAt: number; lastUsedAt: number | null }[];
  readonly paused: readonly PausedMethod[];
  /** Whether the password was reset and the person hasn't reviewed their account since. */
  readonly reviewDue: boolean;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
  /** The name for a passkey that the person is about to add. */
  readonly newPasskey?: string | undefined;
  readonly now: number;
}

export function securityPage(frame: AccountFrame, page: SecurityPage): string {
  const m = frame.messages.account;
  const s = m.security;
  const newPassword = field({
    ...{ name: 'new_password', label: m.newPassword, type: 'password', autocomplete: 'new-password' },
    hint: m.newPasswordHint,
  });
  const { review } = frame.messages.recovery;
  const paused = page.paused.some(({ kind }) => kind === 'authenticator');
  const setUp = html`<p>${s.authenticatorOff}</p>
${!paused && html`<p><a class="button" href="/account/authenticator">${s.setUp}</a></p>`}`;
  const body = html`
${page.reviewDue && html`<p class="notice">${review.due} <a href="/account/review">${review.dueLink}</a></p>`}
${pausedMethods(frame, page.paused, '/account/security/paused')}
<section>
<h2 class="section-title">${s.passwordTitle}</h2>
<form method="post" action="/account/password">
${formToken(frame)}
${accountName(frame.account.email)}
${newPassword}
<button type="submit">${s.changePassword}</button>
</form>
</section>
<section>
<h2 class="section-title">${s.authenticatorTitle}</h2>
${page.authenticator ? appIsOn(frame) : setUp}
</section>
<section>
<h2 class="section-title">${s.passkeysTitle}</h2>
<p>${s.passkeysLead}</p>
${page.passkeys.length > 0 && html`<ul class="things">${page.passkeys.map((passkey) => passkeyItem(frame, page, passkey))}</ul>`}
${newPasskey(frame, page.newPasskey)}
</section>
${(page.authenticator || page.passkeys.length > 0) && recoveryCodes(frame, page)}`;
  return accountLayout(frame, {
    section: 'security',
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function appIsOn(frame: AccountFrame): Html {
  const s = frame.messages.account.security;
  return html`<p>${s.authenticatorOn}</p>
<details>
<summary>${s.removeApp}</summary>
<form method="post" action="/account/authenticator/remove">
${formToken(frame)}
<button class="danger" type="submit">${s.remove}</button>
</form>
</details>`;
}

function passkeyItem(frame: AccountFrame, page: SecurityPage, passkey: SecurityPage['passkeys'][number]): Html {
  const { messages } = frame;
  const s = messages.account.security;
  const { createdAt, lastUsedAt } = passkey;
  const lastUsed = lastUsedAt === null ? s.never : recentTime(messages, lastUsedAt, page.now);
  return html`<li>
<div>
<h3 class="thing-name">${passkey.name}</h3>
<dl class="facts">
<div><dt>${s.added}</dt><dd>${dayTime(messages, createdAt)}</dd></div>
<div><dt>${s.lastUsed}</dt><dd>${lastUsed}</dd></div>
</dl>
<details>
<summary>${s.remove}<span class="unseen"> ${passkey.name}</span></summary>
<form method="post" action="/account/passkeys/remove">
${formToken(frame)}
${hidden('remove', passkey.id)}
<button class="danger" type="submit">${s.remove}</button>
</form>
</details>
</div>
</li>`;
}

/** With a name, the form is open and has it filled in. */
function newPasskey(frame: AccountFrame, typed: string | undefined): Html {
  const s = frame.messages.account.security;
  const name = field({
    ...{ name: 'name', label: s.passkeyName, autocomplete: 'off', hint: s.passkeyNameHint, optional: true },
    ...{ limit: 100, idPrefix: 'new-passkey-', value: typed ?? '', focus: typed !== undefined },
  });
  // The script reveals the form, or the notice when the browser doesn't support passkeys.
  return html`<noscript><p class="notice">${s.needsScript}</p></noscript>
<p class="notice" data-without-passkeys hidden>${s.needsScript}</p>
${typed !== undefined && html`<p class="notice" role="status">${s.confirmedForPasskey}</p>`}
<details hidden${typed !== undefined && html` open`}>
<summary>${s.addPasskey}</summary>
<form method="post" action="/account/passkeys" data-passkey="create" data-options="/account/passkeys/options" data-failed="${s.passkeyFailed}">
${formToken(frame)}
${hidden('answer', '')}
${hidden('challenge', '')}
${name}
<p class="alert" role="alert" hidden></p>
<button type="submit">${s.addPasskey}</button>
</form>
</details>`;
}

function recoveryCodes(frame: AccountFrame, page: SecurityPage): Html {
  const s = frame.messages.account.security;
  return html`<section>
<h2 class="section-title">${s.codesTitle}</h2>
<p>${page.recoveryCodes === 0 ? s.noCodesLeft : s.codesLeft(page.recoveryCodes)}</p>
<form method="post" action="/account/recovery-codes">
${formToken(frame)}
<button type="submit">${s.newCodes}</button>
</form>
</section>`;
}

export interface AuthenticatorPage {
  /** What the QR code holds. */
  readonly uri: string;
  /** The same key, for typing it in. */
  readonly key: string;
  readonly sealedSecret: string;
  readonly problem: string | undefined;
}

export function authenticatorPage(frame: AccountFrame, page: AuthenticatorPage): string {
  const a = frame.messages.account.authenticator;
  const body = html`
<p>${a.scan}</p>
<div class="qr">${qrCode(page.uri, a.alt)}</div>
<p>${a.orType}<br><code class="key">${page.key.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<form method="post" action="/account/authenticator">
${formToken(frame)}
${hidden('secret', page.sealedSecret)}
${field({ name: 'code', label: a.code, autocomplete: 'one-time-code', limit: 12 })}
<button class="primary" type="submit">${a.submit}</button>
</form>
<p class="aside"><a href="/account/security">${a.back}</a></p>`;
  return accountLayout(frame, { section: 'security', title: a.title, problem: page.problem, body });
}

export function recoveryCodesPage(frame: AccountFrame, codes: readonly string[]): string {
  const m = frame.messages.account.codes;
  const body = html`
<p>${m.lead}</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button primary" href="/account/security">${m.done}</a></p>`;
  return accountLayout(frame, { section: 'security', title: m.title, body });
}
