// The console's page about SCIM tokens, with which directories manage people and groups, and the page that shows a new one once.

import type { ValuesOf } from '../../../protocol/resources/resource.ts';
import type { scimTokenFields } from '../../../protocol/resources/scim-token.ts';
import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, type Column, card } from '../../components/display.ts';
import type { FieldProblems } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import {
  agoOrNever,
  askLink,
  briefTime,
  consoleLayout,
  copyable,
  denseList,
  lastFourText,
  pageLink,
  stoppedBadge,
} from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';

interface ListedToken extends ValuesOf<typeof scimTokenFields> {
  readonly ended: boolean;
  /** The administrator's name; undefined for the command line. */
  readonly maker: string | undefined;
}

export interface ScimTokensPage extends PageResult {
  readonly tokens: readonly ListedToken[];
  /** What directories are given besides a token. */
  readonly baseUrl: string;
  /** Whether there is a guide on the documentation site. */
  readonly docs: boolean;
  readonly submissionToken: string;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly now: number;
}

export const scimTokensPath = '/admin/scim-tokens';

export function scimTokensPage(frame: AccountFrame, page: ScimTokensPage): string {
  const m = frame.messages.admin.scim;
  const form = card({
    title: m.create,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: m.create, kind: 'primary' }),
  });
  const body = html`
<p>${m.lead}${page.docs && html` <a href="/docs/scim">${m.guide}</a>`}</p>
${list(frame, page)}
${card({ body: html`${copyable(frame, m.baseUrl, 'base-url', page.baseUrl)}<p class="hint">${m.baseUrlHint}</p>` })}
${postForm(frame, scimTokensPath, form, { once: page.submissionToken })}`;
  return consoleLayout(frame, {
    section: 'scim',
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function list(frame: AccountFrame, page: ScimTokensPage): Html {
  const { admin } = frame.messages;
  const { scim: m, keys } = admin;
  return denseList<ListedToken>({
    caption: admin.sections.scim,
    rows: page.tokens,
    compact: 'wrap',
    columns: [
      {
        label: m.fields.name.label,
        kind: 'wide',
        cell: ({ name, adopts, lastFour, ended }) =>
          html`<span>${name} ${lastFourText(lastFour)}</span> ${stoppedBadge(ended && keys.expired)}${adopts && badge(m.adopts)}`,
      },
      { label: m.fields.source.label, cell: ({ source }) => source },
      ...signInColumns(frame, page.tokens),
      { label: keys.maker, phone: 'hidden', cell: ({ maker }) => maker ?? keys.commandLine },
      {
        label: keys.lastUsed,
        cell: ({ lastUsedAt }) => agoOrNever(frame, lastUsedAt, page.now),
        brief: ({ lastUsedAt }) => briefTime(frame, lastUsedAt, page.now, admin.brief.used),
      },
      {
        label: keys.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? keys.noEnd : agoTime(frame.messages, expiresAt, page.now)),
        brief: ({ expiresAt }) => briefTime(frame, expiresAt, page.now, admin.brief.expires),
      },
      {
        label: keys.end,
        unlabelled: true,
        kind: 'end',
        phone: 'first',
        cell: ({ id, name }) =>
          askLink(frame, {
            label: keys.end,
            href: `${scimTokensPath}/${id}/revoke`,
            about: name,
            danger: true,
            small: true,
          }),
      },
    ],
    none: { icon: 'building-office', title: m.none },
  });
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
