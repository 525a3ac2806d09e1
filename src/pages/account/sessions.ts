// The devices page: where a user is signed in, and which browsers they trust.

import { type Html, html } from '../layout/html.ts';
import { type AccountFrame, accountLayout, formToken, time } from './account-layout.ts';

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
<div>
<h2 class="thing-name">${session.device ?? m.unknown}</h2>
<dl class="facts">
${session.address !== null && html`<div><dt>${m.from}</dt><dd>${session.address}</dd></div>`}
<div><dt>${m.since}</dt><dd>${time(messages.dates.day(session.createdAt), session.createdAt)}</dd></div>
<div><dt>${m.lastSeen}</dt><dd>${time(messages.dates.recently(session.lastSeenAt, page.now), session.lastSeenAt)}</dd></div>
</dl>
</div>
${session.current ? html`<span class="here">${m.current}</span>` : html`<button type="submit" name="end" value="${session.id}">${m.end}<span class="unseen"> ${session.device ?? m.unknown}</span></button>`}
</li>`,
  );
  const others = page.sessions.length > 1;
  const body = html`
<p>${m.lead}</p>
<form method="post" action="/account/sessions">
${formToken(frame)}
<ul class="things">${rows}</ul>
${others ? html`<button class="danger" type="submit" name="end_others" value="yes">${m.endOthers}</button>` : html`<p class="quiet">${m.onlyThis}</p>`}
</form>
${page.trusted.length > 0 && trustedDevices(frame, page)}`;
  return accountLayout(frame, { section: 'sessions', notice: page.notice, body });
}

function trustedDevices(frame: AccountFrame, page: SessionsPage): Html {
  const { messages } = frame;
  const m = messages.account.sessions;
  const rows = page.trusted.map((trusted) => {
    const name = trusted.device ?? m.unknown;
    return html`<li>
<div>
<h3 class="thing-name">${name} ${trusted.current && html`<span class="here">${m.current}</span>`}</h3>
<dl class="facts">
<div><dt>${m.trustedUntil}</dt><dd>${time(messages.dates.day(trusted.trustedUntil), trusted.trustedUntil)}</dd></div>
<div><dt>${m.lastSignIn}</dt><dd>${time(messages.dates.recently(trusted.lastSeenAt, page.now), trusted.lastSeenAt)}</dd></div>
</dl>
</div>
<button type="submit" name="untrust" value="${trusted.id}">${m.untrust}<span class="unseen"> ${name}</span></button>
</li>`;
  });
  return html`<section>
<h2 class="section-title">${m.trusted}</h2>
<p>${m.trustedLead}</p>
<form method="post" action="/account/sessions">
${formToken(frame)}
<ul class="things">${rows}</ul>
</form>
</section>`;
}
