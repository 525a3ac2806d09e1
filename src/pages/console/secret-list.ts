// What the pages about API keys and SCIM tokens share: the list of them, and the form that creates one.

import { type AccountFrame, type PageResult, postForm } from '../account/account-layout.ts';
import { button } from '../components/controls.ts';
import { type Column, card, type EmptyState } from '../components/display.ts';
import type { FieldProblems } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { agoTime } from '../layout/time.ts';
import { agoOrNever, askLink, briefTime, denseList, lastFourText, stoppedBadge } from './console-layout.ts';
import { type FieldLabels, type FormField, formFields } from './field-form.ts';

export interface ListedSecret {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly ended: boolean;
  /** The administrator's name; undefined for the command line. */
  readonly maker: string | undefined;
}

export interface SecretsPage extends PageResult {
  readonly submissionToken: string;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly now: number;
}

interface SecretList<Row> {
  readonly section: 'keys' | 'scim';
  readonly rows: readonly Row[];
  readonly icon: EmptyState['icon'];
  /** Behind the name. */
  readonly badge?: (row: Row) => Html | undefined;
  /** Between the name and what all of them have. */
  readonly columns: readonly Column<Row>[];
  /** Where somebody is asked before it's revoked. */
  readonly revokeUrl: (id: string) => string;
}

export function secretList<Row extends ListedSecret>(frame: AccountFrame, now: number, list: SecretList<Row>): Html {
  const { admin } = frame.messages;
  const { [list.section]: words, keys: m } = admin;
  return denseList<Row>({
    caption: admin.sections[list.section],
    rows: list.rows,
    compact: 'wrap',
    columns: [
      {
        label: words.fields.name.label,
        kind: 'wide',
        cell: (row) =>
          html`<span>${row.name} ${lastFourText(row.lastFour)}</span> ${stoppedBadge(row.ended && m.expired)}${list.badge?.(row)}`,
      },
      ...list.columns,
      { label: m.maker, phone: 'hidden', cell: ({ maker }) => maker ?? m.commandLine },
      {
        label: m.lastUsed,
        cell: ({ lastUsedAt }) => agoOrNever(frame, lastUsedAt, now),
        brief: ({ lastUsedAt }) => briefTime(frame, lastUsedAt, now, admin.brief.used),
      },
      {
        label: m.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? m.noEnd : agoTime(frame.messages, expiresAt, now)),
        brief: ({ expiresAt }) => briefTime(frame, expiresAt, now, admin.brief.expires),
      },
      {
        label: m.end,
        unlabelled: true,
        kind: 'end',
        phone: 'first',
        cell: ({ id, name }) =>
          askLink(frame, { label: m.end, href: list.revokeUrl(id), about: name, danger: true, small: true }),
      },
    ],
    none: { icon: list.icon, title: words.none },
  });
}

export function secretForm(
  frame: AccountFrame,
  path: string,
  m: { readonly create: string; readonly fields: FieldLabels },
  page: SecretsPage,
): Html {
  const form = card({
    title: m.create,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: m.create, kind: 'primary' }),
  });
  return postForm(frame, path, form, { once: page.submissionToken });
}
