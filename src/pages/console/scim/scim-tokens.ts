// What the console shows of SCIM tokens, with which directories manage people and groups.

import type { ValuesOf } from '../../../protocol/resources/resource.ts';
import type { scimTokenFields } from '../../../protocol/resources/scim-token.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { badge, type Column, card } from '../../components/display.ts';
import { html } from '../../layout/html.ts';
import { copyable, lastFourText, type ShownMaker, stoppedBadge } from '../console-layout.ts';
import { listWithForm, type OnceViews, shownOnce } from '../subject-page.ts';

type ListedToken = ValuesOf<typeof scimTokenFields> & { readonly maker: ShownMaker };

interface Addresses {
  /** What directories are given besides a token. */
  readonly baseUrl: string;
  /** Whether there is a guide on the documentation site. */
  readonly docs: boolean;
}

export function scimTokenViews(
  path: string,
  { baseUrl, docs }: Addresses,
): OnceViews<ListedToken, { readonly secret: string }> {
  return {
    section: 'scim',

    list(frame, page) {
      const { scim: m, keys, sections } = frame.messages.admin;
      return listWithForm(frame, page, {
        section: 'scim',
        path,
        words: m,
        caption: sections.scim,
        icon: 'building-office',
        lead: html`<p>${m.lead}${docs && html` <a href="/docs/scim">${m.guide}</a>`}</p>`,
        name: {
          label: m.fields.name.label,
          of: ({ name }) => name,
          cell: ({ name, lastFour, ended, adopts }) =>
            html`<span>${name} ${lastFourText(lastFour)}</span> ${stoppedBadge(ended && keys.expired)}${adopts && badge(m.adopts)}`,
        },
        columns: [{ label: m.fields.source.label, cell: ({ source }) => source }, ...signInColumns(frame, page.items)],
        between: card({
          body: html`${copyable(frame, m.baseUrl, 'base-url', baseUrl)}<p class="hint">${m.baseUrlHint}</p>`,
        }),
        revokeUrl: ({ id }) => `${path}/${id}/revoke`,
      });
    },

    created(frame, { secret }) {
      const m = frame.messages.admin.scim;
      return shownOnce(frame, {
        section: 'scim',
        title: m.tokenTitle,
        lead: m.tokenLead,
        copies: { token: { label: m.token, text: secret }, 'base-url': { label: m.baseUrl, text: baseUrl } },
        done: m.done,
        back: path,
      });
    },

    asks: {
      revoke: ({ messages }, { name, source }) => {
        const m = messages.admin.scim;
        return { title: m.revokeTitle(name), text: m.revokeText(source), button: m.revokeConfirm };
      },
    },
  };
}

/** Where people sign in; none if no token says so. */
function signInColumns(frame: AccountFrame, tokens: readonly ListedToken[]): Column<ListedToken>[] {
  const { signIn, signInClaim } = frame.messages.admin.scim;
  if (tokens.every(({ upstream }) => upstream === null)) return [];
  const cell = ({ upstream, subjectClaim }: ListedToken) =>
    upstream === null ? undefined : signInClaim(upstream, subjectClaim);
  return [{ label: signIn, phone: 'hidden', cell }];
}
