// The accounts at identity providers that a person can sign in with: those that are linked, and those that can be.

import { button } from '../components/controls.ts';
import { badge, card } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { type Html, html } from '../layout/html.ts';
import { dayTime, recentTime } from '../layout/time.ts';
import { type AccountFrame, postForm } from './account-layout.ts';

export interface ShownIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly label: string;
  /** The address that the identity provider gave last. */
  readonly email: string | null;
  readonly linkedAt: number;
  readonly lastUsedAt: number | null;
  /** Whether the identity provider is disabled, so that it's no way in. */
  readonly disabled: boolean;
  readonly canUnlink: boolean;
}

export interface Identities {
  readonly linked: readonly ShownIdentity[];
  readonly linkable: readonly { readonly name: string; readonly label: string }[];
  /** False for a person who has as many as there can be. */
  readonly canLink: boolean;
}

/** Nothing where there are no providers. */
export function identitiesCard(
  frame: AccountFrame,
  { linked, linkable, canLink }: Identities,
  now: number,
): Html | false {
  if (linked.length + linkable.length === 0) return false;
  const m = frame.messages.account.identities;
  const links = linkable.map(({ name, label }) =>
    postForm(frame, '/account/identities/link', button({ label: m.link(label) }), { upstream: name }),
  );
  return card({
    title: m.title,
    lead: m.lead,
    body: html`${linked.length > 0 && html`<ul class="things">${linked.map((identity) => identityItem(frame, identity, now))}</ul>`}
${!canLink && html`<p class="hint">${m.tooMany}</p>`}`,
    actions: links.length > 0 && canLink ? html`${links}` : undefined,
  });
}

function identityItem(frame: AccountFrame, identity: ShownIdentity, now: number): Html {
  const { messages } = frame;
  const { identities: m, security } = messages.account;
  const { label, email, linkedAt, lastUsedAt } = identity;
  const lastUsed = lastUsedAt === null ? security.never : recentTime(messages, lastUsedAt, now);
  return html`<li>
<span class="thing-icon">${icon('link')}</span>
<div>
<h3 class="thing-name">${label}${identity.disabled && html` ${badge(m.disabled, 'warning')}`}</h3>
<p class="quiet">${email ?? m.noEmail}</p>
<dl class="facts">
<div><dt>${m.linked}</dt><dd>${dayTime(messages, linkedAt)}</dd></div>
<div><dt>${security.lastUsed}</dt><dd>${lastUsed}</dd></div>
</dl>
${identity.canUnlink ? unlinking(frame, identity) : html`<p class="hint">${m.lastWay}</p>`}
</div>
</li>`;
}

function unlinking(frame: AccountFrame, { issuer, subject, label }: ShownIdentity): Html {
  const m = frame.messages.account.identities;
  return html`<details>
<summary aria-label="${m.unlinkNamed(label)}">${m.unlink}</summary>
${postForm(frame, '/account/identities/unlink', button({ label: m.unlink, kind: 'danger' }), { issuer, subject })}
</details>`;
}
