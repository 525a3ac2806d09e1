// A badge shows a status, with an icon and in words.

import { type Html, html } from '../layout/html.ts';
import { type IconName, icon } from './icon.ts';

export type BadgeKind = 'neutral' | 'accent' | 'good' | 'warning' | 'danger';

const icons: Record<BadgeKind, IconName | undefined> = {
  neutral: undefined,
  accent: 'information-circle',
  good: 'check-circle',
  warning: 'exclamation-triangle',
  danger: 'no-symbol',
};

/** A status has an icon; a neutral badge without one is a label, such as the type of an application. */
export function badge(text: string, kind: BadgeKind = 'neutral', name: IconName | undefined = icons[kind]): Html {
  return html`<span class="badge ${kind}">${name !== undefined && icon(name, 'small')}${text}</span>`;
}
