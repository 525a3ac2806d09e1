// The page of a list that something is created below and revoked in, such as API keys, and the page that shows a new one once.

import { type AccountFrame, type PageResult, postForm } from '../account/account-layout.ts';
import { button } from '../components/controls.ts';
import { type Column, card, type EmptyState } from '../components/display.ts';
import type { FieldProblems } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { agoTime } from '../layout/time.ts';
import {
  type AskedQuestion,
  agoOrNever,
  askLink,
  briefTime,
  type ConsoleSection,
  consoleLayout,
  copyable,
  denseList,
  makerText,
  pageLink,
  type ShownMaker,
} from './console-layout.ts';
import { type FieldLabels, type FormField, formFields } from './field-form.ts';
import { type ListPlace, listPager } from './lists.ts';

export interface SubjectPage<Item> extends PageResult {
  readonly items: readonly Item[];
  /** Of a list that can be searched. */
  readonly search?: string;
  /** Of a list that is read a page at a time. */
  readonly place: ListPlace | undefined;
  readonly submissionToken: string;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly now: number;
}

interface Listed {
  readonly id: string;
  readonly expiresAt: number | null;
  readonly lastUsedAt?: number | null;
  readonly maker: ShownMaker;
}

interface SubjectView<Item> {
  readonly section: ConsoleSection;
  readonly path: string;
  /** Above the list, and between the list and the form. */
  readonly lead: Html;
  readonly between?: Html;
  readonly words: { readonly create: string; readonly none: string; readonly fields: FieldLabels };
  readonly caption: string;
  readonly icon: EmptyState['icon'];
  /** Everything that tells an item from others, which comes first, and what the others' links are about. */
  readonly name: { readonly label: string; cell(item: Item): Html; of(item: Item): string };
  /** Between the name and what all lists have. */
  readonly columns: readonly Column<Item>[];
  /** Where it's asked before one is revoked; undefined for one that has ended. */
  revokeUrl(item: Item): string | undefined;
}

export function listWithForm<Item extends Listed>(
  frame: AccountFrame,
  page: SubjectPage<Item>,
  { section, path, words, ...view }: SubjectView<Item>,
): string {
  const { admin } = frame.messages;
  const m = admin.keys;
  const list = denseList<Item>({
    caption: view.caption,
    rows: page.items,
    compact: 'wrap',
    columns: [
      { label: view.name.label, kind: 'wide', cell: view.name.cell },
      ...view.columns,
      { label: m.maker, phone: 'hidden', cell: ({ maker }) => makerText(frame, maker) },
      ...(page.items.some(({ lastUsedAt }) => lastUsedAt !== undefined)
        ? [
            {
              label: m.lastUsed,
              cell: ({ lastUsedAt = null }: Item) => agoOrNever(frame, lastUsedAt, page.now),
              brief: ({ lastUsedAt = null }: Item) => briefTime(frame, lastUsedAt, page.now, admin.brief.used),
            },
          ]
        : []),
      {
        label: m.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? m.noEnd : agoTime(frame.messages, expiresAt, page.now)),
        brief: ({ expiresAt }) => briefTime(frame, expiresAt, page.now, admin.brief.expires),
      },
      {
        label: m.revoke,
        unlabelled: true,
        kind: 'end',
        phone: 'first',
        cell: (item) => {
          const href = view.revokeUrl(item);
          const about = view.name.of(item);
          return href && askLink(frame, { label: m.revoke, href, about, danger: true, small: true });
        },
      },
    ],
    none: { icon: view.icon, title: words.none },
  });
  const form = card({
    title: words.create,
    body: formFields(frame.messages, page.fields, words.fields, page.problems),
    actions: button({ label: words.create, kind: 'primary' }),
  });
  const body = html`
${view.lead}
${list}
${page.place && listPager(frame, path, {}, page.place)}
${view.between}
${postForm(frame, path, form, { once: page.submissionToken })}`;
  return consoleLayout(frame, { section, notice: page.notice, problem: page.problem, body });
}

interface CreatedView {
  readonly section: ConsoleSection;
  readonly title: string;
  readonly lead: string;
  /** By their IDs in the page. */
  readonly copies: Readonly<Record<string, { readonly label: string; readonly text: string }>>;
  readonly done: string;
  /** The list. */
  readonly back: string;
}

export function shownOnce(frame: AccountFrame, { section, title, lead, copies, done, back }: CreatedView): string {
  const body = card({
    lead,
    body: html`${Object.entries(copies).map(([id, { label, text }]) => copyable(frame, label, id, text))}`,
    actions: pageLink(frame, { label: done, href: back, kind: 'primary' }),
  });
  return consoleLayout(frame, { section, title, body });
}

export type AskAbout<Item> = (frame: AccountFrame, item: Item) => AskedQuestion;

/** What the console shows of a subject, with the subject's own words. */
export interface SubjectViews<Item, Created> {
  readonly section: ConsoleSection;
  list(frame: AccountFrame, page: SubjectPage<Item>): string | Promise<string>;
  /** What is shown once; undefined if the list says what was done. */
  created?(frame: AccountFrame, created: Created): string | undefined;
  /** The question before an action, by its name. Others have a page of their own. */
  readonly asks: Readonly<Record<string, AskAbout<Item> | 'nothing'>>;
}

export interface OnceViews<Item, Created> extends SubjectViews<Item, Created> {
  created(frame: AccountFrame, created: Created): string;
}
