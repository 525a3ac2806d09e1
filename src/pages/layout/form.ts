// The parts that forms are made of: fields with their labels, hints and problems.

import { icon } from '../components/icon.ts';
import type { Messages } from '../messages/messages.ts';
import { type Html, html } from './html.ts';

interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: boolean;
  /** Why the value wasn't accepted; shown at the field and read out with it. */
  readonly problem?: string | undefined;
  /** Needed when several forms on a page have a field of the same name. */
  readonly idPrefix?: string;
  /** Whether only screen readers get the label, because a heading says the same. */
  readonly unlabelled?: boolean;
}

export interface Field extends Labelled {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'number' | 'url';
  readonly autocomplete: string;
  readonly value?: string;
  readonly limit?: number;
  readonly focus?: boolean;
  /** Keeps keyboards from capitalizing and correcting what is typed. */
  readonly verbatim?: boolean;
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

export interface Select extends Labelled {
  readonly options: readonly { readonly value: string; readonly label: string; readonly language?: string }[];
  readonly value: string;
}

export function select(spec: Select): Html {
  const options = spec.options.map(
    ({ value, label, language }) =>
      html`<option value="${value}"${language !== undefined && html` lang="${language}"`}${value === spec.value && html` selected`}>${label}</option>`,
  );
  return labelled(spec, html`<select${named(spec)}${described(spec)}>${options}</select>`);
}

export interface TextArea extends Labelled {
  readonly value: string;
  readonly rows: number;
}

/** For several lines that are taken letter by letter, such as URLs. */
export function textArea(spec: TextArea): Html {
  return labelled(
    spec,
    html`<textarea${named(spec)}${described(spec)} rows="${spec.rows}" spellcheck="false" autocapitalize="none"${spec.optional !== true && html` required`}>${spec.value}</textarea>`,
  );
}

/** A field for a file. Browsers write in it in their own language, so the script puts the words of the page over it. */
export function fileField(messages: Messages, spec: Labelled & { readonly accept: string }): Html {
  const { choose, none } = messages.account.file;
  const face = html`<p class="file-face" data-face-of="${idOf(spec)}" aria-hidden="true" hidden><span class="button small">${choose}</span><span>${none}</span></p>`;
  return labelled(
    spec,
    html`<div class="file-choice"><input${named(spec)}${described(spec)} type="file" accept="${spec.accept}">${face}</div>`,
  );
}

function labelled(spec: Labelled, control: Html): Html {
  const id = idOf(spec);
  return html`<div class="field">
<label for="${id}"${spec.unlabelled === true && html` class="unseen"`}>${spec.label}</label>
${control}
${spec.problem !== undefined && html`<p class="field-problem" role="alert" id="${id}-problem">${spec.problem}${icon('exclamation-circle', 'small')}</p>`}
${spec.hint !== undefined && html`<p class="hint" id="${id}-hint">${spec.hint}</p>`}
</div>
`;
}

function input(spec: Field): Html {
  const attributes = [
    named(spec),
    html` type="${spec.type ?? 'text'}" autocomplete="${spec.autocomplete}"`,
    ...(spec.value === undefined ? [] : [html` value="${spec.value}"`]),
    ...(spec.limit === undefined ? [] : [html` maxlength="${spec.limit}"`]),
    ...(spec.type === 'email' || spec.verbatim ? [html` autocapitalize="none" spellcheck="false"`] : []),
    ...(spec.optional ? [] : [html` required`]),
    ...(spec.focus ? [html` autofocus`] : []),
    described(spec),
  ];
  return html`<input${attributes}>`;
}

function named(spec: Labelled): Html {
  return html` id="${idOf(spec)}" name="${spec.name}"`;
}

/** The attributes that tie a control to its hint and problem. */
function described(spec: Labelled): Html {
  const id = idOf(spec);
  const descriptions = [
    ...(spec.problem === undefined ? [] : [`${id}-problem`]),
    ...(spec.hint === undefined ? [] : [`${id}-hint`]),
  ];
  return html`${spec.problem !== undefined && html` aria-invalid="true"`}${descriptions.length > 0 && html` aria-describedby="${descriptions.join(' ')}"`}`;
}

function idOf({ idPrefix = '', name }: Labelled): string {
  return `${idPrefix}${name}`;
}

/** One box to tick, with its label behind it. */
export function checkbox({ name, label, checked }: { name: string; label: string; checked: boolean }): Html {
  return html`<label class="choice-line"><input id="${name}" name="${name}" type="checkbox" value="yes"${checked && html` checked`}> ${label}</label>
`;
}

export interface Choices {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** One of several, all of them in view. */
export function choices({ name, label, value, options }: Choices): Html {
  const lines = options.map(
    (option) =>
      html`<label class="choice-line"><input type="radio" name="${name}" value="${option.value}"${option.value === value && html` checked`}> ${option.label}</label>`,
  );
  return html`<fieldset><legend>${label}</legend>${lines}</fieldset>
`;
}

/** For password managers: they look for an account name next to a password, and ignore fields of type hidden. */
export function accountName(email: string): Html {
  return html`<input type="text" name="username" autocomplete="username" value="${email}" hidden readonly>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
