// Finds people by the beginning of a name or an email address, and offers to do something with each of them.

import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { button as pressed } from '../../components/controls.ts';
import { notice, table } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { action, linkedName, searchForm } from '../console-layout.ts';
import { endColumns, endField } from '../ends.ts';

export interface ListedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** When their place in the list ends; null for never, and undefined where there's none. */
  readonly listedUntil?: number | null;
}

export interface UserPicker {
  readonly search: string;
  /** Who was found, without those who need not be offered; undefined before a search. */
  readonly found: readonly ListedPerson[] | undefined;
  /** A search for common words stopped early. */
  readonly truncated?: true | undefined;
}

/** `path` is the page itself; `post` is where the ID of the person goes as `person`, and the end as `expires_at`. */
export function userPicker(
  frame: AccountFrame,
  picker: UserPicker,
  { path, post, button }: { readonly path: string; readonly post: string; readonly button: string },
): Html {
  const { people: m, ends, truncated } = frame.messages.admin;
  // One form for everyone who was found, so that there's one field. Pressing Enter in it must not take the first of them:
  // a form whose first button is disabled isn't sent.
  const form = postForm(
    frame,
    post,
    html`<button type="submit" disabled hidden></button>${endField(frame, { hint: ends.entryHint })}`,
    {},
    html` id="pick"`,
  );
  const list = { button, none: m.pickerNone, caption: m.pickerFound, form: 'pick' };
  return html`${searchForm(frame, path, picker.search, m.pickerHint)}
${picker.found !== undefined && picker.found.length > 0 && form}
${picker.found !== undefined && userList(frame, picker.found, list)}
${picker.truncated && notice(truncated)}`;
}

export function userList(
  frame: AccountFrame,
  people: readonly ListedPerson[],
  list: ({ readonly post: string } | { readonly form: string } | { readonly readOnly: true }) & {
    readonly now?: number;
    readonly button: string;
    readonly none: string;
    readonly kind?: 'danger' | 'plain';
    readonly caption?: string;
  },
): Html {
  const { people: m, sections } = frame.messages.admin;
  const { button, none, kind = 'plain', caption = sections.people, now = 0 } = list;
  const spoken = (name: string) => frame.messages.admin.named(button, name);
  if (people.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<div class="dense">${table<ListedPerson>({
    caption,
    rows: people,
    columns: [
      {
        label: m.column.name,
        kind: 'wide',
        cell: ({ id, name, email }) =>
          html`${linkedName(frame, `/admin/people/${personSegment(id)}`, name)} <span class="quiet">${email}</span>`,
      },
      ...endColumns(frame, people, ({ listedUntil }) => listedUntil, now),
      ...('readOnly' in list
        ? []
        : [
            {
              label: button,
              unlabelled: true,
              kind: 'end' as const,
              cell: ({ id, name }: ListedPerson) =>
                'form' in list
                  ? pressed({
                      label: button,
                      spoken: spoken(name),
                      small: true,
                      name: 'person',
                      value: id,
                      form: list.form,
                    })
                  : action(frame, list.post, button, kind, { person: id }, name),
            },
          ]),
    ],
  })}</div>`;
}
