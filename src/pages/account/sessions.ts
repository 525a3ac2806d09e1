// The devices page: where a user is signed in, and which browsers they trust.

import { button } from '../components/controls.ts';
import { badge, card } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { deviceInWords } from '../layout/device.ts';
import { type Html, html } from '../layout/html.ts';
import { dayTime, recentTime } from '../layout/time.ts';
import { type AccountFrame, accountLayout, postForm } from './account-layout.ts';

export interface SessionsPage {
  readonly sessions: readonly {
    readonly id: string;
    readonly current: boolean;
    readonly device: string | null;
    readonly address: string | null;
    readonly createdAt: number;
    readonly lastSeenAt: number;
  }[];
  /** Browsers that are spared the second step. */
  readonly trusted: readonly {
    readonly id: string;
    readonly current: boolean;
    readonly device: string | null;
    readonly lastSeenAt: number;
    readonly trustedUntil: number;
  }[];
  readonly notice: string | undefined;
  readonly now: number;
}

export function sessionsPage(frame: AccountFrame, page: SessionsPage): string {
  const { messages } = frame;
  const m = messages.account.sessions;
  const rows = page.sessions.map(
    (session) => html`<li>
<span class="thing-icon">${icon('computer-desktop')}</span>
<div>
<h2 class="thing-name">${deviceInWords(messages, session.device)}</h2>
<dl class="facts">
${session.address !== null && html`<div><dt>${m.from}</dt><dd>${session.address}</dd></div>`}
<div><dt>${m.since}</dt><dd>${dayTime(messages, session.createdAt)}</dd></div>
<div><dt>${m.lastSeen}</dt><dd>${recentTime(messages, session.lastSeenAt, page.now)}</dd></div>
</dl>
</div>
${session.current ? badge(m.current, 'good') : html`<button class="small" type="submit" name="end" value="${session.id}" aria-label="${m.endNamed(deviceInWords(messages, session.device))}">${m.end}</button>`}
</li>`,
  );
  const others = page.sessions.length > 1;
  const devices = card({
    lead: m.lead,
    body: html`<ul class="things">${rows}</ul>`,
    actions: others
      ? button({ label: m.endOthers, kind: 'danger', name: 'end_others', value: 'yes' })
      : html`<p class="quiet">${m.onlyThis}</p>`,
  });
  const body = html`
${postForm(frame, '/account/sessions', devices)}
${page.trusted.length > 0 && trustedDevices(frame, page)}`;
  return accountLayout(frame, { section: 'sessions', notice: page.notice, body });
}

function trustedDevices(frame: AccountFrame, page: SessionsPage): Html {
  const { messages } = frame;
  const m = messages.account.sessions;
  const rows = page.trusted.map((trusted) => {
    const name = deviceInWords(messages, trusted.device);
    return html`<li>
<span class="thing-icon">${icon('shield-check')}</span>
<div>
<h3 class="thing-name">${name} ${trusted.current && badge(m.current, 'good')}</h3>
<dl class="facts">
<div><dt>${m.trustedUntil}</dt><dd>${dayTime(messages, trusted.trustedUntil)}</dd></div>
<div><dt>${m.lastSignIn}</dt><dd>${recentTime(messages, trusted.lastSeenAt, page.now)}</dd></div>
</dl>
</div>
<button class="small" type="submit" name="untrust" value="${trusted.id}" aria-label="${m.untrustNamed(name)}">${m.untrust}</button>
</li>`;
  });
  const content = card({ title: m.trusted, lead: m.trustedLead, body: html`<ul class="things">${rows}</ul>` });
  return postForm(frame, '/account/sessions', content);
}
