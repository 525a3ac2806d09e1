// What the console shows of sign-up links.

import type { SignUpLinkValues } from '../../../protocol/resources/sign-up-link.ts';
import type { SignUpLinkEnd } from '../../../protocol/sign-in/sign-up-rules.ts';
import { allows } from '../../account/account-layout.ts';
import { notice } from '../../components/display.ts';
import { html } from '../../layout/html.ts';
import { type ShownMaker, stoppedBadge } from '../console-layout.ts';
import { listUrl } from '../lists.ts';
import { settingsPath } from '../settings/setting-layout.ts';
import { listWithForm, type OnceViews, shownOnce } from '../subject-page.ts';
import { peopleTabs } from './user-list.ts';

interface ListedLink extends Omit<SignUpLinkValues, 'createdAt' | 'revokedAt'> {
  readonly end: SignUpLinkEnd | undefined;
  readonly maker: ShownMaker;
}

interface CreatedLink {
  readonly link: Pick<ListedLink, 'uses' | 'expiresAt'>;
  readonly url: string;
}

/** `isClosed`: nobody can sign up. */
export function signUpLinkViews(path: string, isClosed: () => Promise<boolean>): OnceViews<ListedLink, CreatedLink> {
  return {
    section: 'people',

    async list(frame, page) {
      const m = frame.messages.admin.signUpLinks;
      const settings =
        allows(frame, 'GET', settingsPath('accounts')) &&
        html`<a href="${settingsPath('accounts')}">${m.openSettings}</a>`;
      return listWithForm(frame, page, {
        section: 'people',
        path,
        words: m,
        caption: m.title,
        icon: 'user-plus',
        lead: html`${peopleTabs(frame, 'sign-up-links')}
<p>${m.lead}</p>
${(await isClosed()) && notice(html`${m.closed} ${settings}`)}`,
        name: {
          label: m.fields.note.label,
          of: ({ note, id }) => note || id,
          cell: ({ note, end }) =>
            html`${note === '' ? html`<span class="quiet">${m.withoutNote}</span>` : html`<span>${note}</span>`} ${stoppedBadge(end !== undefined && m.ends[end])}`,
        },
        columns: [
          {
            label: m.used,
            cell: ({ used, uses }) => m.usedOf(used, uses),
            brief: ({ used, uses }) => m.usedBriefly(used, uses),
          },
          { label: m.fields.groups.label, phone: 'hidden', cell: ({ groups }) => groups.join(', ') },
        ],
        revokeUrl: ({ id, end }) => (end === undefined ? listUrl(`${path}/revoke`, { revoke: id }) : undefined),
      });
    },

    created(frame, { link: { uses, expiresAt }, url }) {
      const { admin, dates } = frame.messages;
      const m = admin.signUpLinks;
      return shownOnce(frame, {
        section: 'people',
        title: m.newTitle,
        lead: m.newLead(uses, dates.moment(expiresAt)),
        copies: { link: { label: m.link, text: url } },
        done: m.done,
        back: path,
      });
    },

    asks: {
      revoke: ({ messages }) => {
        const m = messages.admin.signUpLinks;
        return { title: m.revokeTitle, text: m.revokeText, button: m.revokeConfirm };
      },
    },
  };
}
