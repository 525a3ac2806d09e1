// Buttons, and links that look like them. A label is a verb with its object: "Rotate secret".

import { type Html, html } from '../layout/html.ts';
import { type IconName, icon } from './icon.ts';

interface Look {
  readonly label: string;
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'primary danger' | 'link' | undefined;
  readonly icon?: IconName | undefined;
  readonly small?: boolean | undefined;
  /** What screen readers call it: the label and what it is about, for those who can't see what stands beside it. */
  readonly spoken?: string | undefined;
}

export interface Button extends Look {
  /** By default it submits its form. */
  readonly type?: 'submit' | 'button' | undefined;
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  /** The id of its form, when it stands outside of it. */
  readonly form?: string | undefined;
  /** The id of a dialog that it opens. */
  readonly dialog?: string | undefined;
}

export function button(spec: Button): Html {
  const type = spec.type ?? (spec.dialog === undefined ? 'submit' : 'button');
  const attributes = [
    ...attribute('class', classOf(spec)),
    html` type="${type}"`,
    ...attribute('name', spec.name),
    ...attribute('value', spec.value),
    ...attribute('form', spec.form),
    ...attribute('popovertarget', spec.dialog),
    ...attribute('aria-label', spec.spoken),
  ];
  return html`<button${attributes}>${content(spec)}</button>`;
}

export function linkButton(spec: Look & { readonly href: string }): Html {
  const look = classOf(spec);
  return html`<a class="button${look === undefined ? '' : ` ${look}`}" href="${spec.href}"${attribute('aria-label', spec.spoken)}>${content(spec)}</a>`;
}

function content({ label, icon: name, small }: Look): Html {
  const size = small ? 'small' : 'normal';
  return html`${name !== undefined && icon(name, size)}${label}`;
}

function classOf({ kind = 'secondary', small }: Look): string | undefined {
  const classes = [...(kind === 'secondary' ? [] : [kind]), ...(small ? ['small'] : [])];
  return classes.length === 0 ? undefined : classes.join(' ');
}

function attribute(name: string, value: string | undefined): Html[] {
  return value === undefined ? [] : [html` ${name}="${value}"`];
}
