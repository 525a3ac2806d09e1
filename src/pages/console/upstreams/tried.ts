// What an administrator sees who has tried an identity provider out: what arrived, and what a sign-in would have come to.

import type { UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card, fact, notice } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { sentenceWith } from '../../layout/time.ts';
import { consoleLayout, linkedName, pageLink } from '../console-layout.ts';
import { upstreamsPath } from './list.ts';

/** What would happen to a person who signs in like this. */
export type WouldHappen =
  | {
      readonly kind: 'linked' | 'provisioned';
      readonly user: { readonly id: string; readonly name: string };
      readonly standing: 'active' | 'waiting' | 'disabled' | 'expired';
    }
  | { readonly kind: 'newcomer'; readonly email: string; readonly waits: boolean }
  | { readonly kind: 'link_needed'; readonly email: string }
  | { readonly kind: 'no_account'; readonly reason: string };

export interface TriedPage {
  readonly name: string;
  readonly label: string;
  readonly result:
    | {
        readonly kind: 'received';
        readonly claims: UpstreamClaims;
        readonly verified: boolean;
        readonly twoFactors: boolean;
        readonly would: WouldHappen;
        readonly received: readonly {
          readonly from: 'id_token' | 'userinfo' | 'api';
          readonly claims: readonly { readonly name: string; readonly value: string }[];
        }[];
      }
    | { readonly kind: 'refused'; readonly reason: string; readonly problem: string | undefined };
}

export function triedPage(frame: AccountFrame, page: TriedPage): string {
  const { upstreams: m } = frame.messages.admin;
  const path = `${upstreamsPath}/${page.name}`;
  const again = html`${postForm(frame, `${path}/try`, button({ label: m.tryAgain }))}${pageLink(frame, { label: m.back, href: path })}`;
  const { result } = page;
  const body =
    result.kind === 'refused'
      ? card({
          title: m.tried.failed,
          body: html`${notice(m.tried.refusals[result.reason] ?? m.tried.refused, 'warning')}
${result.problem !== undefined && html`<p class="quiet">${m.tried.problem(result.problem)}</p>`}`,
          actions: again,
        })
      : html`${outcomeCard(frame, result, again)}${result.received.map((each) => receivedCard(frame, each))}`;
  return consoleLayout(frame, {
    section: 'providers',
    title: m.tried.title(page.label),
    back: { href: path, label: page.label },
    body,
  });
}

type Received = Extract<TriedPage['result'], { kind: 'received' }>;

function outcomeCard(frame: AccountFrame, { claims, verified, twoFactors, would }: Received, actions: Html): Html {
  const m = frame.messages.admin.upstreams.tried;
  const works = would.kind === 'newcomer' || ('standing' in would && would.standing === 'active');
  const email = claims.email === null ? m.noEmail : claims.email;
  return card({
    title: m.outcome,
    lead: m.outcomeLead,
    body: html`${notice(wouldText(frame, would), works ? 'good' : 'warning')}
<dl class="facts">
${fact(m.subject, html`<code>${claims.subject}</code>`)}
${fact(m.email, email)}
${claims.email !== null && fact(m.verified, verified ? m.trusted : claims.emailVerified ? m.untrusted : m.unverified)}
${fact(m.name, claims.name ?? m.noName)}
${fact(m.factors, twoFactors ? m.two : m.one)}
</dl>`,
    actions,
  });
}

function wouldText(frame: AccountFrame, would: WouldHappen): Html | string {
  const m = frame.messages.admin.upstreams.tried;
  switch (would.kind) {
    case 'linked':
    case 'provisioned': {
      const { user, standing } = would;
      const name = linkedName(frame, `/admin/people/${personSegment(user.id)}`, user.name);
      return html`${sentenceWith(name, m[would.kind])} ${m.standing[standing]}`;
    }
    case 'newcomer':
      return would.waits ? m.newcomerWaits(would.email) : m.newcomer(would.email);
    case 'link_needed':
      return m.linkNeeded(would.email);
    case 'no_account':
      return m.noAccount[would.reason] ?? m.refused;
  }
}

function receivedCard(frame: AccountFrame, { from, claims }: Received['received'][number]): Html {
  const m = frame.messages.admin.upstreams.tried;
  const lines = claims.map(
    ({ name, value }) => html`<div><dt><code>${name}</code></dt><dd><code>${value}</code></dd></div>`,
  );
  const list = html`<dl class="facts claim">${lines}</dl>`;
  return card({ title: m.from[from], lead: m.receivedLead, body: list });
}
