// What people press: buttons, links that look like them, menus, tabs, chips and pagers. A label is a verb with its
// object: "Rotate secret".

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
  /** Whether the form may be answered with a question, which assets/questions.js asks for and opens before it's sent. */
  readonly asks?: boolean | undefined;
}

export function button(spec: Button): Html {
  const attributes = [
    ...attribute('class', classOf(spec)),
    html` type="${spec.type ?? 'submit'}"`,
    ...attribute('name', spec.name),
    ...attribute('value', spec.value),
    ...attribute('form', spec.form),
    ...attribute('data-ask', spec.asks ? '' : undefined),
    ...attribute('aria-label', spec.spoken),
  ];
  return html`<button${attributes}>${content(spec)}</button>`;
}

export interface LinkButton extends Look {
  readonly href: string;
  /** Whether it leads to a question, which assets/questions.js opens as a dialog, or back from one. */
  readonly question?: 'ask' | 'cancel' | undefined;
}

export function linkButton(spec: LinkButton): Html {
  const look = classOf(spec);
  const attributes = [
    ...attribute('aria-label', spec.spoken),
    ...(spec.question === undefined ? [] : [html` data-${spec.question}=""`]),
  ];
  return html`<a class="button${look === undefined ? '' : ` ${look}`}" href="${spec.href}"${attributes}>${content(spec)}</a>`;
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

export interface Menu {
  readonly label: string;
  readonly icon?: IconName;
  /** Links, buttons and forms. */
  readonly items: readonly Html[];
}

/** Actions behind one button. It's a <details>, so it works without JavaScript. */
export function menu(spec: Menu): Html {
  return html`<details class="menu">
<summary class="button">${spec.icon !== undefined && icon(spec.icon, 'small')}<span>${spec.label}</span>${icon('chevron-down', 'small')}</summary>
<div class="menu-items">${spec.items}</div>
</details>`;
}

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
}

/** Between pages about the same thing. */
export function tabs(label: string, items: readonly Tab[]): Html {
  const links = items.map(
    ({ href, label: name, current }) =>
      html`<li><a href="${href}"${current && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="${label}"><ul>${links}</ul></nav>`;
}

/** They choose what a list shows. The link of a chosen chip takes the choice back. */
export function chips(label: string, items: readonly Tab[]): Html {
  const links = items.map(
    ({ href, label: name, current }) =>
      html`<li><a class="chip" href="${href}"${current && html` aria-current="true"`}>${name}${current && icon('x-mark', 'small')}</a></li>`,
  );
  return html`<ul class="chips" aria-label="${label}">${links}</ul>`;
}

export interface Pager {
  readonly label: string;
  readonly previous: { readonly label: string; readonly href: string | undefined };
  readonly next: { readonly label: string; readonly href: string | undefined };
  /** Such as "51–100 of 303". */
  readonly position?: string | undefined;
  /** Whether the position says something even if everything is on one page. */
  readonly alone?: boolean;
}

/** Previous and Next below a list, with the position between them; nothing when everything is on one page. */
export function pager(spec: Pager): Html | undefined {
  const { previous, next } = spec;
  if (previous.href === undefined && next.href === undefined) {
    return spec.alone && spec.position !== undefined ? html`<p class="pager-alone">${spec.position}</p>` : undefined;
  }
  return html`<nav class="pager" aria-label="${spec.label}">
${step('prev', previous.href, html`${icon('chevron-left', 'small')}${previous.label}`)}
${spec.position !== undefined && html`<p>${spec.position}</p>`}
${step('next', next.href, html`${next.label}${icon('chevron-right', 'small')}`)}
</nav>`;
}

function step(rel: 'prev' | 'next', href: string | undefined, content: Html): Html {
  if (href === undefined) return html`<span class="button small off" aria-hidden="true">${content}</span>`;
  return html`<a class="button small" href="${href}" rel="${rel}">${content}</a>`;
}
