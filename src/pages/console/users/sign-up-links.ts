// The console's links with which people sign up, and the page that shows a new one once.

import type { SignUpLinkEnd } from '../../../protocol/sign-in/sign-up-rules.ts';
import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card, notice } from '../../components/display.ts';
import type { FieldProblems } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import { askLink, consoleLayout, copyable, denseList, pageLink, stoppedBadge } from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';
import { type ListPlace, listPager, listUrl } from '../lists.ts';
import { peopleTabs } from './user-list.ts';

interface ListedLink {
  readonly id: string;
  readonly note: string;
  readonly groups: readonly string[];
  readonly uses: number;
  readonly used: number;
  readonly expiresAt: number;
  readonly end: SignUpLinkEnd | undefined;
  /** The administrator's name; undefined for the command line. */
  readonly maker: string | undefined;
}

export interface SignUpLinksPage extends PageResult {
  readonly links: readonly ListedLink[];
  readonly place: ListPlace;
  /** Whether nobody can sign up. */
  readonly closed: boolean;
  readonly submissionToken: string;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly now: number;
}

export const signUpLinksPath = '/admin/people/sign-up-links';

export function signUpLinksPage(frame: AccountFrame, page: SignUpLinksPage): string {
  const m = frame.messages.admin.signUpLinks;
  const form = card({
    title: m.create,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: m.create, kind: 'primary' }),
  });
  const body = html`
${peopleTabs(frame, 'sign-up-links')}
<p>${m.lead}</p>
${page.closed && notice(html`${m.closed} ${allows(frame, 'GET', '/admin/settings') && html`<a href="/admin/settings">${m.openSettings}</a>`}`)}
${list(frame, page)}
${listPager(frame, signUpLinksPath, {}, page.place)}
${postForm(frame, signUpLinksPath, form, { once: page.submissionToken })}`;
  return consoleLayout(frame, { section: 'people', notice: page.notice, problem: page.problem, body });
}

function list(frame: AccountFrame, page: SignUpLinksPage): Html {
  const { admin } = frame.messages;
  const m = admin.signUpLinks;
  return denseList<ListedLink>({
    caption: m.title,
    rows: page.links,
    columns: [
      {
        label: m.fields.note.label,
        kind: 'wide',
        cell: ({ note, end }) =>
          html`${note === '' ? html`<span class="quiet">${m.withoutNote}</span>` : note} ${stoppedBadge(end !== undefined && m.ends[end])}`,
      },
      { label: m.used, cell: ({ used, uses }) => m.usedOf(used, uses) },
      { label: m.fields.groups.label, cell: ({ groups }) => groups.join(', ') },
      { label: m.maker, cell: ({ maker }) => maker ?? admin.people.commandLine },
      { label: m.expires, cell: ({ expiresAt }) => agoTime(frame.messages, expiresAt, page.now) },
      {
        label: m.revoke,
        unlabelled: true,
        kind: 'end',
        cell: ({ id, note, end }) =>
          end === undefined
            ? askLink(frame, {
                label: m.revoke,
                href: listUrl(`${signUpLinksPath}/revoke`, { revoke: id }),
                about: note || id,
                danger: true,
                small: true,
              })
            : undefined,
      },
    ],
    none: { icon: 'user-plus', title: m.none },
  });
}

export function newSignUpLinkPage(frame: AccountFrame, page: { url: string; uses: number; until: number }): string {
  const { admin, dates } = frame.messages;
  const m = admin.signUpLinks;
  const body = card({
    lead: m.newLead(page.uses, dates.moment(page.until)),
    body: copyable(frame, m.link, 'link', page.url),
    actions: pageLink(frame, { label: m.done, href: signUpLinksPath, kind: 'primary' }),
  });
  return consoleLayout(frame, { section: 'people', title: m.newTitle, body });
}
