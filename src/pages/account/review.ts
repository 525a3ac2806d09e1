// The review after a password reset: everything that has access to the account, and one button to remove it.

import { button } from '../components/controls.ts';
import { badge, card } from '../components/display.ts';
import { deviceInWords } from '../layout/device.ts';
import { type Html, html } from '../layout/html.ts';
import { type AppIdentity, appIcon } from '../layout/identity.ts';
import { dayTime, recentTime, sentenceWith } from '../layout/time.ts';
import { type AccountFrame, accountLayout, postForm } from './account-layout.ts';
import { type PausedMethod, pausedMethods } from './paused-methods.ts';

export interface ReviewPage {
  readonly resetAt: number;
  /** Whether it follows the first code by email, and not a password reset. */
  readonly firstCode?: boolean;
  /** Whether they have a password, or a passkey has taken its place. */
  readonly hasPassword: boolean;
  readonly paused: readonly PausedMethod[];
  readonly hasAuthenticator: boolean;
  readonly recoveryCodes: number;
  readonly passkeys: readonly string[];
  /** Accounts at identity providers. */
  readonly identities: readonly { readonly label: string; readonly email: string | null }[];
  readonly sessions: readonly { device: string | null; lastSeenAt: number; current: boolean }[];
  readonly apps: readonly { app: AppIdentity; lastUsedAt: number }[];
  readonly apiKeys: readonly string[];
  /** Where the person was going. */
  readonly to: string;
  readonly notice: string | undefined;
  readonly now: number;
}

export function reviewPage(frame: AccountFrame, page: ReviewPage): string {
  const { messages } = frame;
  const m = messages.recovery.review;
  const done = card({ title: m.doneTitle, actions: button({ label: m.done, kind: 'primary' }) });
  const pausedAction = `/account/review/paused?to=${encodeURIComponent(page.to)}`;
  const otherLead = page.firstCode ? messages.emailCodes.reviewLead : messages.passwordless.reviewLead;
  const lead = page.hasPassword ? m.lead : otherLead;
  const body = html`
<p>${sentenceWith(dayTime(messages, page.resetAt), lead)}</p>
${pausedMethods(frame, page.paused, pausedAction)}
${methodsInUse(frame, page)}
${card({
  title: m.devicesTitle,
  body: html`<ul class="things">${page.sessions.map((session) => device(frame, session, page.now))}</ul>`,
})}
${card({
  title: m.appsTitle,
  body:
    page.apps.length === 0
      ? html`<p class="quiet">${m.noApps}</p>`
      : html`<ul class="apps">${page.apps.map((each) => connectedApp(frame, each, page.now))}</ul>`,
})}
${page.apiKeys.length > 0 && card({ title: m.keysTitle, body: names(page.apiKeys) })}
${removal(frame, page)}
${postForm(frame, '/account/review', done, { to: page.to, review: 'done' })}`;
  return accountLayout(frame, { section: 'security', title: m.title, notice: page.notice, body });
}

function removal(frame: AccountFrame, page: ReviewPage): Html {
  const m = frame.messages.recovery.review;
  const hasMethods = page.hasAuthenticator || page.passkeys.length > 0;
  const lead = page.hasPassword
    ? html`${m.removeLead}${hasMethods && html` ${m.removesMethods}`}`
    : frame.messages.passwordless.reviewRemoveLead;
  const content = card({
    title: m.removeTitle,
    body: html`<p>${lead}</p>`,
    actions: button({ label: m.remove, kind: 'danger' }),
    danger: true,
  });
  return postForm(frame, '/account/review', content, { to: page.to, review: 'remove' });
}

function methodsInUse(frame: AccountFrame, page: ReviewPage): Html {
  const m = frame.messages.recovery.review;
  const methods = [
    ...(page.hasAuthenticator ? [m.authenticator] : []),
    ...page.passkeys.map((name) => frame.messages.recovery.paused.names.passkey(name)),
    ...(page.recoveryCodes > 0 ? [m.recoveryCodes(page.recoveryCodes)] : []),
    ...page.identities.map(({ label, email }) => (email === null ? label : `${label} (${email})`)),
  ];
  if (methods.length === 0) {
    const alone = page.firstCode ? frame.messages.emailCodes.reviewMethods : m.noMethods;
    return card({ title: m.methodsTitle, body: html`<p class="quiet">${alone}</p>` });
  }
  return card({ title: m.methodsTitle, body: names(methods) });
}

function names(list: readonly string[]): Html {
  return html`<ul class="things">${list.map((name) => html`<li><h3 class="thing-name">${name}</h3></li>`)}</ul>`;
}

function device(frame: AccountFrame, session: ReviewPage['sessions'][number], now: number): Html {
  const { messages } = frame;
  const m = messages.account.sessions;
  return html`<li>
<div>
<h3 class="thing-name">${deviceInWords(messages, session.device)}</h3>
<dl class="facts"><div><dt>${m.lastSeen}</dt><dd>${recentTime(messages, session.lastSeenAt, now)}</dd></div></dl>
</div>
${session.current && badge(m.current, 'good')}
</li>`;
}

function connectedApp(frame: AccountFrame, { app, lastUsedAt }: ReviewPage['apps'][number], now: number): Html {
  const { messages } = frame;
  return html`<li>
${appIcon(app)}
<div class="app-facts">
<h3>${app.name}</h3>
<dl class="facts"><div><dt>${messages.apps.lastUsed}</dt><dd>${recentTime(messages, lastUsedAt, now)}</dd></div></dl>
</div>
</li>`;
}
