// Finds people by the beginning of a name or an email address, and offers to do something with those who are ticked.

import type { UserValues } from '../../../protocol/resources/user.ts';
import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { badge, notice, table } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { action, linkedName, searchForm } from '../console-layout.ts';
import { endColumns, endField } from '../ends.ts';

export interface ListedPerson extends Pick<UserValues, 'id' | 'name' | 'email'> {
  /** When their place in the list ends; null for never, and undefined where there's none. */
  readonly listedUntil?: number | null;
}

export interface UserPicker {
  readonly search: string;
  /** Who was found; undefined before a search. */
  readonly found: readonly ListedPerson[] | undefined;
  /** A search for common words stopped early. */
  readonly truncated?: true | undefined;
  /** The IDs of those who are there already, and can get another end. */
  readonly present?: readonly string[];
  /** What was sent, when it was refused. */
  readonly ticked?: readonly string[];
  readonly end?: string;
}

/** The box of the person at a place in the list. One person alone can also be sent as `person`. */
export function pickedField(index: number): string {
  return `person_${index}`;
}

/** More than anyone reads: a longer beginning finds fewer. */
export const mostPicked = 20;

interface PickerWords {
  readonly button: string;
  /** The button once a person is ticked. */
  readonly count: (count: number) => string;
  /** Marks those who are there already. */
  readonly present: string;
}

/** `path` is the page itself; `post` is where the IDs of people go, the end as `expires_at`, and the search. */
export function userPicker(
  frame: AccountFrame,
  picker: UserPicker,
  { path, post, words }: { readonly path: string; readonly post: string; readonly words: PickerWords },
): Html {
  const { people: m, truncated } = frame.messages.admin;
  const { found, search } = picker;
  return html`${searchForm(frame, path, search, m.pickerHint)}
${found !== undefined && (found.length === 0 ? html`<p class="quiet">${m.pickerNone}</p>` : pickForm(frame, picker, found, post, words))}
${picker.truncated && notice(truncated)}`;
}

function pickForm(
  frame: AccountFrame,
  { search, present = [], ticked = [], end = '' }: UserPicker,
  found: readonly ListedPerson[],
  post: string,
  words: PickerWords,
): Html {
  const { people: m, ends } = frame.messages.admin;
  const lines = found.map(({ id, name, email }, index) => {
    const box = html`<input type="checkbox" name="${pickedField(index)}" value="${id}"${ticked.includes(id) && html` checked`}>`;
    return html`<label class="choice-line">${box} <span>${name} <span class="quiet">${email}</span>${present.includes(id) && html` ${badge(words.present)}`}</span></label>`;
  });
  // The script says how many are ticked.
  const button = html`<button class="primary" type="submit" data-one="${words.count(1)}" data-many="${words.count(2)}">${words.button}</button>`;
  const content = html`<fieldset><legend>${m.pickerFound}</legend>${lines}</fieldset>
${endField(frame.messages, { hint: ends.entryHint, value: end })}
<div class="actions">${button}</div>`;
  return postForm(frame, post, content, { search }, html` data-picks=""`);
}

export function userList(
  frame: AccountFrame,
  people: readonly ListedPerson[],
  list: ({ readonly post: string } | { readonly readOnly: true }) & {
    readonly now?: number;
    readonly button: string;
    readonly none: string;
    readonly kind?: 'danger' | 'asked' | 'plain';
  },
): Html {
  const { people: m, sections } = frame.messages.admin;
  const { button, none, kind = 'plain', now = 0 } = list;
  if (people.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<div class="dense">${table<ListedPerson>({
    caption: sections.people,
    rows: people,
    compact: 'wrap',
    columns: [
      {
        label: m.column.name,
        kind: 'wide',
        cell: ({ id, name, email }) =>
          html`${linkedName(frame, `/admin/people/${personSegment(id)}`, name)} <span class="quiet second">${email}</span>`,
      },
      ...endColumns(frame, people, ({ listedUntil }) => listedUntil, now),
      ...('readOnly' in list
        ? []
        : [
            {
              label: button,
              unlabelled: true,
              kind: 'end' as const,
              phone: 'first' as const,
              cell: ({ id, name }: ListedPerson) =>
                action(frame, list.post, button, { kind, fields: { person: id }, about: name }),
            },
          ]),
    ],
  })}</div>`;
}
