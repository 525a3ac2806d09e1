// The parts that forms are made of.

import { type Html, html } from './html.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly limit?: number;
  readonly focus?: boolean;
  /** Keeps keyboards from capitalizing and correcting what is typed. */
  readonly verbatim?: boolean;
  /** Why the value wasn't accepted; shown at the field and read out with it. */
  readonly problem?: string | undefined;
  /** Needed when several forms on a page have a field of the same name. */
  readonly idPrefix?: string;
}

/** A label with its field. Screen readers read the hint together with the field. */
export function field(spec: Field): Html {
  const id = `${spec.idPrefix ?? ''}${spec.name}`;
  const descriptions = [
    ...(spec.problem === undefined ? [] : [`${id}-problem`]),
    ...(spec.hint === undefined ? [] : [`${id}-hint`]),
  ];
  const attributes = [
    html` id="${id}" name="${spec.name}" type="${spec.type ?? 'text'}" autocomplete="${spec.autocomplete}"`,
    ...(spec.value === undefined ? [] : [html` value="${spec.value}"`]),
    ...(spec.limit === undefined ? [] : [html` maxlength="${spec.limit}"`]),
    ...(spec.type === 'email' || spec.verbatim ? [html` autocapitalize="none" spellcheck="false"`] : []),
    ...(spec.optional ? [] : [html` required`]),
    ...(spec.focus ? [html` autofocus`] : []),
    ...(spec.problem === undefined ? [] : [html` aria-invalid="true"`]),
    ...(descriptions.length === 0 ? [] : [html` aria-describedby="${descriptions.join(' ')}"`]),
  ];
  return html`<label for="${id}">${spec.label}</label>
<input${attributes}>
${spec.hint !== undefined && html`<p class="hint" id="${id}-hint">${spec.hint}</p>`}
${spec.problem !== undefined && html`<p class="field-problem" role="alert" id="${id}-problem">${spec.problem}</p>`}
`;
}

/** One box to tick, with its label behind it. */
export function checkbox({ name, label, checked }: { name: string; label: string; checked: boolean }): Html {
  return html`<label class="choice-line"><input id="${name}" name="${name}" type="checkbox" value="yes"${checked && html` checked`}> ${label}</label>
`;
}

/** For password managers: they look for an account name next to a password, and ignore fields of type hidden. */
export function accountName(email: string): Html {
  return html`<input type="text" name="username" autocomplete="username" value="${email}" hidden readonly>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
