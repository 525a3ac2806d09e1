// The review after a password reset: everything that has access to the account, and one button to remove it.

import { badge } from '../components/badge.ts';
import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { deviceInWords } from '../layout/device.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { dayTime, recentTime, sentenceWith } from '../layout/time.ts';
import { type AccountFrame, accountLayout, formToken } from './account-layout.ts';
import { type PausedMethod, pausedMethods } from './paused-methods.ts';

export interface ReviewPage {
  readonly resetAt: number;
  readonly paused: readonly PausedMethod[];
  readonly hasAuthenticator: boolean;
  readonly recoveryCodes: number;
  readonly passkeys: readonly string[];
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
  const pausedAction = `/account/review/paused?to=${encodeURIComponent(page.to)}`;
  const body = html`
<p>${sentenceWith(dayTime(messages, page.resetAt), m.lead)}</p>
${pausedMethods(frame, page.paused, pausedAction)}
<section>
<h2 class="section-title">${m.methodsTitle}</h2>
${methodsInUse(frame, page)}
</section>
<section>
<h2 class="section-title">${m.devicesTitle}</h2>
<ul class="things">${page.sessions.map((session) => device(frame, session, page.now))}</ul>
</section>
<section>
<h2 class="section-title">${m.appsTitle}</h2>
${page.apps.length === 0 ? html`<p class="quiet">${m.noApps}</p>` : html`<ul class="apps">${page.apps.map((each) => connectedApp(frame, each, page.now))}</ul>`}
</section>
${
  page.apiKeys.length > 0 &&
  html`<section>
<h2 class="section-title">${m.keysTitle}</h2>
<ul class="things">${page.apiKeys.map((name) => html`<li><h3 class="thing-name">${name}</h3></li>`)}</ul>
</section>`
}
<section>
<h2 class="section-title">${m.removeTitle}</h2>
<p>${m.removeLead}${hasMethods(page) && html` ${m.removesMethods}`}</p>
${removal(frame, page)}
</section>
<section>
<h2 class="section-title">${m.doneTitle}</h2>
<form method="post" action="/account/review">
${formToken(frame)}
${hidden('to', page.to)}
${hidden('review', 'done')}
<button class="primary" type="submit">${m.done}</button>
</form>
</section>`;
  return accountLayout(frame, {
    section: 'security',
    title: m.title,
    notice: page.notice,
    body,
  });
}

function hasMethods(page: ReviewPage): boolean {
  return page.hasAuthenticator || page.passkeys.length > 0;
}

function removal(frame: AccountFrame, page: ReviewPage): Html {
  const m = frame.messages.recovery.review;
  return html`<form method="post" action="/account/review">
${formToken(frame)}
${hidden('to', page.to)}
${hidden('review', 'remove')}
<button class="danger" type="submit">${m.remove}</button>
</form>`;
}

function methodsInUse(frame: AccountFrame, page: ReviewPage): Html {
  const m = frame.messages.recovery.review;
  const names = [
    ...(page.hasAuthenticator ? [m.authenticator] : []),
    ...page.passkeys.map((name) => frame.messages.recovery.paused.names.passkey(name)),
    ...(page.recoveryCodes > 0 ? [m.recoveryCodes(page.recoveryCodes)] : []),
  ];
  if (names.length === 0) return html`<p class="quiet">${m.noMethods}</p>`;
  return html`<ul class="things">${names.map((name) => html`<li><h3 class="thing-name">${name}</h3></li>`)}</ul>
<p><a href="/account/security">${m.manage}</a></p>`;
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
