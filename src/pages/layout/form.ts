// The parts that forms are made of: fields with their labels, hints and problems.

import { icon } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from './html.ts';

interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | Html | undefined;
  readonly optional?: boolean;
  /** Why the value wasn't accepted; shown at the field and read out with it. */
  readonly problem?: string | undefined;
  /** Needed when several forms on a page have a field of the same name. */
  readonly idPrefix?: string;
  /** Whether only screen readers get the label, because a heading says the same. */
  readonly unlabelled?: boolean;
}

/** Why values weren't accepted, by the name of their field. */
export type FieldProblems = Readonly<Record<string, string | undefined>>;

export interface Field extends Labelled {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number' | 'url';
  readonly autocomplete: string;
  readonly value?: string;
  readonly limit?: number;
  readonly focus?: boolean;
  /** Keeps keyboards from capitalizing and correcting what is typed. */
  readonly verbatim?: boolean;
  /** Names to choose from. */
  readonly list?: NameList | undefined;
}

/** Names to choose from in a <datalist>. */
export interface NameList {
  /** Of the <datalist>, on a page that has it once; see `nameList`. */
  readonly id: string;
  readonly names: readonly string[];
  /** Where a script finds others, which aren't among them. */
  readonly search: string | undefined;
}

export function nameList({ id, names }: NameList): Html {
  return html`<datalist id="${id}">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`;
}

function listed({ id, search }: NameList): Html {
  return html` list="${id}"${search !== undefined && html` data-names="${search}"`}`;
}

/** A label with its field. Screen readers read the hint together with the field. */
export function field(spec: Field): Html {
  return labelled(spec, input(spec));
}

/** A field for a password, with a button that shows what is typed. The script unhides it. */
export function passwordField(messages: Messages, spec: Omit<Field, 'type'>): Html {
  const m = messages.account.reveal;
  const button = html`<button class="reveal" type="button" data-reveal="${idOf(spec)}" data-show="${m.show}" data-hide="${m.hide}" data-show-password="${m.showPassword}" data-hide-password="${m.hidePassword}" hidden></button>`;
  return labelled(spec, html`<div class="password">${input({ ...spec, type: 'password' })}${button}</div>`);
}

/** A field for a color's code, which may be empty, with a picker beside it, which always has a value. */
export function colorField(spec: Field, picker: { name: string; label: string; value: string }): Html {
  const pick = html`<input type="color" name="${picker.name}" value="${picker.value}" aria-label="${picker.label}">`;
  return labelled(spec, html`<div class="color">${input(spec)}${pick}</div>`);
}

export interface Select extends Labelled {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}

export function select(spec: Select): Html {
  return labelled(spec, selectControl(spec));
}

function selectControl(spec: Select): Html {
  const options = spec.options.map(
    ({ value, label }) => html`<option value="${value}"${value === spec.value && html` selected`}>${label}</option>`,
  );
  return html`<select${named(spec)}${described(spec)}>${options}</select>`;
}

export interface ChosenTime extends Select {
  /** The choice that the field for a time belongs to. */
  readonly own: string;
  /** In UTC. */
  readonly time: { readonly name: string; readonly label: string; readonly value: string };
  readonly hint: string;
  /** What the script says instead of that the time is in UTC: of the reader's time zone, and of the time that is chosen. */
  readonly words: { readonly utc: string; readonly zone: string; readonly chosen: string };
}

/** A choice of times, one of which is a field for a date and a time. The script puts them into the reader's time zone. */
export function chosenTime(spec: ChosenTime): Html {
  const { own, time, words } = spec;
  const hint = html`<span data-chosen="${words.chosen}" data-own="${words.zone}">${words.utc}</span> ${spec.hint}`;
  const control = html`<div class="chosen-time" data-end="${own}">
${selectControl(spec)}
<input type="datetime-local" name="${time.name}" value="${time.value}" max="9999-12-31T23:59" autocomplete="off" aria-label="${time.label}">
</div>`;
  return labelled({ ...spec, hint }, control);
}

export interface TextArea extends Labelled {
  readonly value: string;
  readonly rows: number;
  readonly longest?: number;
  /** For names, one in a line: where a script finds those to choose from, and its words. */
  readonly names?: {
    readonly search: string;
    readonly remove: string;
    readonly add: string;
    /** Said without the script. */
    readonly typed: string;
  };
}

/** For several lines that are taken letter by letter, such as URLs. */
export function textArea({ names, ...rest }: TextArea): Html {
  const spec =
    names === undefined ? rest : { ...rest, hint: html`<span data-typed>${names.typed}</span> ${rest.hint}` };
  const chosen = names && html` data-names="${names.search}" data-remove="${names.remove}" data-add="${names.add}"`;
  return labelled(
    spec,
    html`<textarea${named(spec)}${described(spec)} rows="${spec.rows}"${spec.longest !== undefined && html` maxlength="${spec.longest}"`} spellcheck="false" autocapitalize="none"${chosen}${spec.optional !== true && html` required`}>${spec.value}</textarea>`,
  );
}

/** A field for an image. Browsers write in it in their own language, so the script puts the words of the page over it. */
export function imageField(messages: Messages, spec: Labelled): Html {
  const { choose, none } = messages.account.file;
  const face = html`<p class="file-face" data-face-of="${idOf(spec)}" aria-hidden="true" hidden><span class="button small">${choose}</span><span>${none}</span></p>`;
  return labelled(
    spec,
    html`<div class="file-choice"><input${named(spec)}${described(spec)} type="file" accept="image/png,image/jpeg,image/webp">${face}</div>`,
  );
}

function labelled(spec: Labelled, control: Html): Html {
  const id = idOf(spec);
  return html`<div class="field">
<label for="${id}"${spec.unlabelled === true && html` class="unseen"`}>${spec.label}</label>
${control}
${problemLine(id, spec.problem)}
${spec.hint !== undefined && html`<p class="hint" id="${id}-hint">${spec.hint}</p>`}
</div>
`;
}

function problemLine(id: string, problem: string | undefined): Html | undefined {
  if (problem === undefined) return undefined;
  return html`<p class="field-problem" role="alert" id="${id}-problem">${problem}${icon('exclamation-circle', 'small')}</p>`;
}

/** Several choices that belong together, with what is wrong with them. */
export function choiceGroup(spec: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly lines: readonly Html[];
  /** Whether only screen readers get the label, because a heading says the same. */
  readonly unlabelled?: boolean;
  readonly problem?: string | undefined;
}): Html {
  const parts = [...(spec.problem === undefined ? [] : ['problem']), ...(spec.hint === undefined ? [] : ['hint'])];
  const ids = parts.map((part) => `${spec.name}-${part}`).join(' ');
  return html`<fieldset id="${spec.name}"${spec.problem !== undefined && html` tabindex="-1" autofocus`}${ids !== '' && html` aria-describedby="${ids}"`}><legend${spec.unlabelled === true && html` class="unseen"`}>${spec.label}</legend>${spec.lines}${problemLine(spec.name, spec.problem)}</fieldset>
${spec.hint !== undefined && html`<p class="hint" id="${spec.name}-hint">${spec.hint}</p>`}
`;
}

function input(spec: Field): Html {
  const attributes = [
    named(spec),
    html` type="${spec.type ?? 'text'}" autocomplete="${spec.autocomplete}"`,
    ...(spec.value === undefined ? [] : [html` value="${spec.value}"`]),
    ...(spec.limit === undefined ? [] : [html` maxlength="${spec.limit}"`]),
    ...(spec.type === 'email' || spec.verbatim ? [html` autocapitalize="none" spellcheck="false"`] : []),
    ...(spec.list === undefined ? [] : [listed(spec.list)]),
    ...(spec.optional ? [] : [html` required`]),
    ...(spec.focus && spec.problem === undefined ? [html` autofocus`] : []),
    described(spec),
  ];
  return html`<input${attributes}>`;
}

function named(spec: Labelled): Html {
  return html` id="${idOf(spec)}" name="${spec.name}"`;
}

/** The attributes that tie a control to its hint and problem. The first one with a problem has the focus, wherever it is on the page. */
function described(spec: Labelled): Html {
  const id = idOf(spec);
  const descriptions = [
    ...(spec.problem === undefined ? [] : [`${id}-problem`]),
    ...(spec.hint === undefined ? [] : [`${id}-hint`]),
  ];
  return html`${spec.problem !== undefined && html` autofocus aria-invalid="true"`}${descriptions.length > 0 && html` aria-describedby="${descriptions.join(' ')}"`}`;
}

function idOf({ idPrefix = '', name }: Labelled): string {
  return `${idPrefix}${name}`;
}

export interface Checkbox {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
  /** What it sends; `yes` unless given. */
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
}

/** One box to tick, with its label behind it. */
export function checkbox({ name, label, checked, value = 'yes', problem }: Checkbox): Html {
  const wrong = problem !== undefined && html` autofocus aria-invalid="true" aria-describedby="${name}-problem"`;
  return html`<label class="choice-line"><input id="${name}" name="${name}" type="checkbox" value="${value}"${checked && html` checked`}${wrong}> ${label}</label>
${problemLine(name, problem)}
`;
}

/** One of several, all of them in view. */
export function radio(name: string, value: string, label: string, checked: boolean): Html {
  return html`<label class="choice-line"><input type="radio" name="${name}" value="${value}"${checked && html` checked`}> ${label}</label>`;
}

/** For password managers: they look for an account name next to a password, and ignore fields of type hidden. */
export function accountName(email: string): Html {
  return html`<input type="text" name="username" autocomplete="username" value="${email}" hidden readonly>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** What the script fills in with the answer of a passkey, and where it says what went wrong. */
export const passkeyParts = html`${hidden('answer', '')}${hidden('challenge', '')}<p class="alert" role="alert" hidden></p>`;
