// Finds people by the beginning of a name or an email address, and offers to do something with those who are ticked.

import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { badge, notice } from '../../components/display.ts';
import { address, type Html, html } from '../../layout/html.ts';
import type { ShownPerson } from '../access-table.ts';
import { namedSearch } from '../console-layout.ts';
import { endField } from '../ends.ts';

export interface UserPicker {
  readonly search: string;
  /** Who was found; undefined before a search. */
  readonly found: readonly ShownPerson[] | undefined;
  /** A search for common words stopped early. */
  readonly truncated?: true | undefined;
  /** The IDs of those who are there already, and can get another end. */
  readonly present?: readonly string[];
  /** What was sent, when it was refused. */
  readonly ticked?: readonly string[];
  readonly end?: string;
}

/** The parameter with the search. Lists on the same page have their own. */
export const pickerSearch = 'find';

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
  spec: {
    readonly path: string;
    readonly post: string;
    readonly words: PickerWords;
    /** What the URL of the page says besides. */
    readonly kept?: Readonly<Record<string, string>>;
  },
): Html {
  const { path, post, words, kept = {} } = spec;
  const { people: m, truncated } = frame.messages.admin;
  const { found, search } = picker;
  return html`${namedSearch(path, { name: pickerSearch, ...m.picker, value: search, hint: m.pickerHint, kept })}
${found !== undefined && (found.length === 0 ? html`<p class="quiet">${m.pickerNone}</p>` : pickForm(frame, picker, found, { post, words, kept }))}
${picker.truncated && notice(truncated)}`;
}

function pickForm(
  frame: AccountFrame,
  { search, present = [], ticked = [], end = '' }: UserPicker,
  found: readonly ShownPerson[],
  {
    post,
    words,
    kept,
  }: { readonly post: string; readonly words: PickerWords; readonly kept: Readonly<Record<string, string>> },
): Html {
  const { people: m, ends } = frame.messages.admin;
  const lines = found.map(({ id, name, email }, index) => {
    const box = html`<input type="checkbox" name="${pickedField(index)}" value="${id}"${ticked.includes(id) && html` checked`}>`;
    return html`<label class="choice-line">${box} <span>${name} <span class="quiet">${address(email)}</span>${present.includes(id) && html` ${badge(words.present)}`}</span></label>`;
  });
  // The script says how many are ticked.
  const button = html`<button class="primary" type="submit" data-one="${words.count(1)}" data-many="${words.count(2)}">${words.button}</button>`;
  const content = html`<fieldset><legend>${m.pickerFound}</legend>${lines}</fieldset>
${endField(frame.messages, { hint: ends.entryHint, value: end })}
<div class="actions">${button}</div>`;
  return postForm(frame, post, content, { ...kept, [pickerSearch]: search }, html` data-picks=""`);
}
