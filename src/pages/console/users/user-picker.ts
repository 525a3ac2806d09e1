// Finds people by the beginning of a name or an email address, and offers to do something with each of them.

import type { AccountFrame } from '../../account/account-layout.ts';
import { notice, table } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { action, searchForm } from '../console-layout.ts';

export interface ListedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface UserPicker {
  readonly search: string;
  /** Who was found, without those who need not be offered; undefined before a search. */
  readonly found: readonly ListedPerson[] | undefined;
  /** A search for common words stopped early. */
  readonly truncated?: true | undefined;
}

/** `path` is the page itself; `post` is where the ID of the person goes as `person`. */
export function userPicker(
  frame: AccountFrame,
  picker: UserPicker,
  { path, post, button }: { readonly path: string; readonly post: string; readonly button: string },
): Html {
  const m = frame.messages.admin.people;
  return html`${searchForm(frame, path, picker.search, m.pickerHint)}
${picker.found !== undefined && userList(frame, picker.found, { post, button, none: m.pickerNone, caption: m.pickerFound })}
${picker.truncated && notice(frame.messages.admin.truncated)}`;
}

export function userList(
  frame: AccountFrame,
  people: readonly ListedPerson[],
  list: {
    readonly post: string;
    readonly button: string;
    readonly none: string;
    readonly kind?: 'danger' | 'plain';
    readonly caption?: string;
  },
): Html {
  const { people: m, sections } = frame.messages.admin;
  const { post, button, none, kind = 'plain', caption = sections.people } = list;
  if (people.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<div class="dense">${table<ListedPerson>({
    caption,
    rows: people,
    columns: [
      {
        label: m.column.name,
        kind: 'wide',
        cell: ({ id, name, email }) =>
          html`<a href="/admin/people/${personSegment(id)}">${name}</a> <span class="quiet">${email}</span>`,
      },
      {
        label: button,
        unlabelled: true,
        kind: 'end',
        cell: ({ id, name }) => action(frame, post, button, kind, { person: id }, name),
      },
    ],
  })}</div>`;
}
