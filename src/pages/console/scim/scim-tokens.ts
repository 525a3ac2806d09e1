// The console's page about SCIM tokens, with which directories manage people and groups, and the page that shows a new one once.

import type { ValuesOf } from '../../../protocol/resources/resource.ts';
import type { scimTokenFields } from '../../../protocol/resources/scim-token.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { badge, type Column, card } from '../../components/display.ts';
import { html } from '../../layout/html.ts';
import { consoleLayout, copyable, pageLink } from '../console-layout.ts';
import { type ListedSecret, type SecretsPage, secretForm, secretList } from '../secret-list.ts';

type ListedToken = ValuesOf<typeof scimTokenFields> & ListedSecret;

export interface ScimTokensPage extends SecretsPage {
  readonly tokens: readonly ListedToken[];
  /** What directories are given besides a token. */
  readonly baseUrl: string;
  /** Whether there is a guide on the documentation site. */
  readonly docs: boolean;
}

export const scimTokensPath = '/admin/scim-tokens';

export function scimTokensPage(frame: AccountFrame, page: ScimTokensPage): string {
  const m = frame.messages.admin.scim;
  const tokens = secretList(frame, page.now, {
    section: 'scim',
    rows: page.tokens,
    icon: 'building-office',
    badge: ({ adopts }) => (adopts ? badge(m.adopts) : undefined),
    columns: [{ label: m.fields.source.label, cell: ({ source }) => source }, ...signInColumns(frame, page.tokens)],
    revokeUrl: (id) => `${scimTokensPath}/${id}/revoke`,
  });
  const body = html`
<p>${m.lead}${page.docs && html` <a href="/docs/scim">${m.guide}</a>`}</p>
${tokens}
${card({ body: html`${copyable(frame, m.baseUrl, 'base-url', page.baseUrl)}<p class="hint">${m.baseUrlHint}</p>` })}
${secretForm(frame, scimTokensPath, m, page)}`;
  return consoleLayout(frame, { section: 'scim', notice: page.notice, problem: page.problem, body });
}

/** Where people sign in; none if no token says so. */
function signInColumns(frame: AccountFrame, tokens: readonly ListedToken[]): Column<ListedToken>[] {
  const { signIn, signInClaim } = frame.messages.admin.scim;
  if (tokens.every(({ upstream }) => upstream === null)) return [];
  const cell = ({ upstream, subjectClaim }: ListedToken) =>
    upstream === null ? undefined : signInClaim(upstream, subjectClaim);
  return [{ label: signIn, phone: 'hidden', cell }];
}

export function newScimTokenPage(frame: AccountFrame, page: { secret: string; baseUrl: string }): string {
  const m = frame.messages.admin.scim;
  const body = card({
    lead: m.tokenLead,
    body: html`${copyable(frame, m.token, 'token', page.secret)}${copyable(frame, m.baseUrl, 'base-url', page.baseUrl)}`,
    actions: pageLink(frame, { label: m.done, href: scimTokensPath, kind: 'primary' }),
  });
  return consoleLayout(frame, { section: 'scim', title: m.tokenTitle, body });
}
