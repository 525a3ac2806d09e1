// The security page with its forms, and the two pages that lead on from it: setting up an authenticator app, and the
// recovery codes that are shown once.

import { button, linkButton } from '../components/controls.ts';
import { badge, card, doneNotice, notice } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { accountName, field, passkeyParts, passwordField } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { type AuthenticatorKey, authenticatorKey, recoveryCodes } from '../layout/second-factor.ts';
import { dayTime, recentTime } from '../layout/time.ts';
import { type AccountFrame, accountLayout, postForm } from './account-layout.ts';
import { type Identities, identitiesCard } from './identities.ts';
import { type PausedMethod, pausedMethods } from './paused-methods.ts';

export interface SecurityPage {
  readonly hasPassword: boolean;
  /** False where the settings let this person have none. */
  readonly canSetPassword: boolean;
  /** Whether there's a password, another way to sign in, and one to get back in. */
  readonly canRemovePassword: boolean;
  readonly identities: Identities;
  readonly authenticator: boolean;
  readonly recoveryCodes: number;
  readonly passkeys: readonly { id: string; name: string; createdAt: number; lastUsedAt: number | null }[];
  /** False for the last way to sign in. */
  readonly canRemovePasskey: boolean;
  /** False for a person who has as many as there can be. */
  readonly canAddPasskey: boolean;
  readonly paused: readonly PausedMethod[];
  /** Whether the password is known from breaches. */
  readonly breached: boolean;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
  readonly passwordProblem?: string | undefined;
  /** The name for a passkey that the person is about to add. */
  readonly newPasskey?: string | undefined;
  readonly now: number;
}

export function securityPage(frame: AccountFrame, page: SecurityPage): string {
  const m = frame.messages.account;
  const s = m.security;
  const passkeys = html`${page.passkeys.length > 0 && html`<ul class="things">${page.passkeys.map((passkey) => passkeyItem(frame, page, passkey))}</ul>`}
${page.canAddPasskey ? newPasskey(frame, page.newPasskey) : html`<p class="hint">${s.tooManyPasskeys}</p>`}`;
  const body = html`
${page.breached && notice(s.breached, 'warning')}
${pausedMethods(frame, page.paused, '/account/security/paused')}
${card({ title: s.passkeysTitle, lead: s.passkeysLead, body: passkeys })}
${password(frame, page)}
${authenticator(frame, page)}
${identitiesCard(frame, page.identities, page.now)}
${(page.authenticator || page.passkeys.length > 0) && recoveryCodesLeft(frame, page)}`;
  return accountLayout(frame, { section: 'security', notice: page.notice, problem: page.problem, body });
}

function password(frame: AccountFrame, page: SecurityPage): Html {
  const { account: m, passwordless } = frame.messages;
  const s = m.security;
  const removal = page.hasPassword && passwordRemoval(frame, page);
  if (!page.canSetPassword) {
    const replacing = page.canRemovePassword ? passwordless.removeFor : passwordless.ask;
    const lead = page.hasPassword ? replacing : passwordless.notUsed;
    return html`${page.canRemovePassword && removalForm(frame)}${card({ title: s.passwordTitle, lead, body: removal || undefined })}`;
  }
  const field = passwordField(frame.messages, {
    name: 'new_password',
    label: m.newPassword,
    autocomplete: 'new-password',
    hint: m.newPasswordHint,
    problem: page.passwordProblem,
  });
  const onlyPasskeys = page.passkeys.length > 0 && page.identities.linked.length === 0;
  const form = html`${accountName(frame.account.email)}
${card({
  title: s.passwordTitle,
  lead: page.hasPassword ? undefined : onlyPasskeys ? passwordless.none : s.noPassword,
  body: html`${field}${removal}`,
  actions: button({ label: page.hasPassword ? s.changePassword : s.setPassword }),
})}`;
  return html`${page.canRemovePassword && removalForm(frame)}${postForm(frame, '/account/password', form)}`;
}

const removalId = 'remove-password';

/** Its button stands in the card with the other form. */
function removalForm(frame: AccountFrame): Html {
  return postForm(frame, '/account/password/remove', html``, {}, html` id="${removalId}"`);
}

/** What is missing for it is only said to those who may want it. */
function passwordRemoval(frame: AccountFrame, page: SecurityPage): Html | undefined {
  const { passwordless: m } = frame.messages;
  if (page.canRemovePassword) {
    const lead = page.canSetPassword && html`<p>${m.removeLead}</p>`;
    return html`<details>
<summary>${m.remove}</summary>
${lead}
<p>${button({ label: m.remove, kind: 'danger', form: removalId })}</p>
</details>`;
  }
  const mayWant = page.passkeys.length > 0 || !page.canSetPassword;
  return mayWant ? html`<p class="hint">${m.removeNeeds}</p>` : undefined;
}

function authenticator(frame: AccountFrame, page: SecurityPage): Html {
  const s = frame.messages.account.security;
  if (page.authenticator) {
    const removal = html`<details>
<summary>${s.removeApp}</summary>
${postForm(frame, '/account/authenticator/remove', button({ label: s.remove, kind: 'danger' }))}
</details>`;
    return card({ title: s.authenticatorTitle, aside: badge(s.on, 'good'), lead: s.authenticatorOn, body: removal });
  }
  const paused = page.paused.some(({ kind }) => kind === 'authenticator');
  const setUp = linkButton({ label: s.setUp, href: '/account/authenticator' });
  return card({
    title: s.authenticatorTitle,
    lead: page.hasPassword ? s.authenticatorOff : s.authenticatorOffAlone,
    actions: paused ? undefined : setUp,
  });
}

function passkeyItem(frame: AccountFrame, page: SecurityPage, passkey: SecurityPage['passkeys'][number]): Html {
  const { messages } = frame;
  const s = messages.account.security;
  const { createdAt, lastUsedAt } = passkey;
  const lastUsed = lastUsedAt === null ? s.never : recentTime(messages, lastUsedAt, page.now);
  const removal = html`<details>
<summary aria-label="${s.removeNamed(passkey.name)}">${s.remove}</summary>
${postForm(frame, '/account/passkeys/remove', button({ label: s.remove, kind: 'danger' }), { remove: passkey.id })}
</details>`;
  return html`<li>
<span class="thing-icon">${icon('finger-print')}</span>
<div>
<h3 class="thing-name">${passkey.name}</h3>
<dl class="facts">
<div><dt>${s.added}</dt><dd>${dayTime(messages, createdAt)}</dd></div>
<div><dt>${s.lastUsed}</dt><dd>${lastUsed}</dd></div>
</dl>
${page.canRemovePasskey ? removal : html`<p class="hint">${s.lastWay}</p>`}
</div>
</li>`;
}

/** With a name, which may be empty, the field for it is open and has it filled in. */
function newPasskey(frame: AccountFrame, typed: string | undefined): Html {
  const s = frame.messages.account.security;
  const name = field({
    name: 'name',
    label: s.passkeyName,
    autocomplete: 'off',
    hint: s.passkeyNameHint,
    optional: true,
    limit: 100,
    idPrefix: 'new-passkey-',
    value: typed ?? '',
    focus: typed !== undefined,
  });
  const attributes = html` data-passkey="create" data-options="/account/passkeys/options" data-failed="${s.passkeyFailed}" hidden`;
  const add = button({ label: s.addPasskey, kind: 'primary', icon: 'finger-print' });
  const named = html`<details${typed !== undefined && html` open`}><summary>${s.passkeyName}</summary>${name}</details>`;
  // The script reveals the form, or the notice when the browser doesn't support passkeys.
  return html`<noscript>${notice(s.needsScript)}</noscript>
<p class="notice" data-without-passkeys hidden>${s.needsScript}</p>
${typed !== undefined && doneNotice(s.confirmedForPasskey, frame.messages.dismiss)}
${postForm(frame, '/account/passkeys', html`${passkeyParts}${named}${add}`, {}, attributes)}`;
}

function recoveryCodesLeft(frame: AccountFrame, page: SecurityPage): Html {
  const s = frame.messages.account.security;
  const form = postForm(frame, '/account/recovery-codes', button({ label: s.newCodes }));
  const lead = page.recoveryCodes === 0 ? s.noCodesLeft : s.codesLeft(page.recoveryCodes);
  return card({ title: s.codesTitle, lead, actions: form });
}

export interface AuthenticatorPage extends AuthenticatorKey {
  readonly sealedSecret: string;
  readonly problem: string | undefined;
}

export function authenticatorPage(frame: AccountFrame, page: AuthenticatorPage): string {
  const a = frame.messages.account.authenticator;
  const form = card({
    lead: a.scan,
    body: html`${authenticatorKey(frame, page)}
${field({ name: 'code', label: a.code, autocomplete: 'one-time-code', limit: 12, focus: page.problem !== undefined, problem: page.problem })}`,
    actions: button({ label: a.submit, kind: 'primary' }),
  });
  const body = postForm(frame, '/account/authenticator', form, { secret: page.sealedSecret });
  const back = { href: '/account/security', label: a.back };
  return accountLayout(frame, { section: 'security', title: a.title, back, body });
}

export function recoveryCodesPage(frame: AccountFrame, codes: readonly string[]): string {
  const m = frame.messages.account.codes;
  const body = card({
    lead: m.lead,
    body: recoveryCodes(frame, codes, frame.account.email),
    actions: linkButton({ label: m.done, href: '/account/security', kind: 'primary' }),
  });
  // Without the language picker: the codes couldn't be shown again.
  return accountLayout({ ...frame, returnTo: undefined }, { section: 'security', title: m.title, body });
}
